package events

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// FailureKind sorts failures coarsely. The set may grow: match the kinds you
// handle and keep a default.
type FailureKind string

// The kinds of failures.
const (
	// Unreachable: no connection, refused, DNS, TLS, reset before an answer. Retryable.
	Unreachable FailureKind = "unreachable"
	// TimedOut: one of the clocks of the call, the user's own deadline, or HTTP
	// 408 and 504. Retryable, but never the user's own deadline.
	TimedOut FailureKind = "timed_out"
	// RateLimited: 429 or the provider's own rate-limit code. Retryable after RetryAfter.
	RateLimited FailureKind = "rate_limited"
	// Overloaded: 5xx, 529, in-band overload or server errors. Retryable.
	Overloaded FailureKind = "overloaded"
	// Rejected: the provider refused this request as it was sent.
	Rejected FailureKind = "rejected"
	// InvalidRequest: the request could not be built or does not fit the model;
	// nothing was sent.
	InvalidRequest FailureKind = "invalid_request"
	// InvalidReply: the reply could not be read or broke the grammar. Retryable
	// for some reasons, when nothing was delivered.
	InvalidReply FailureKind = "invalid_reply"
	// Cancelled: the consumer stopped it.
	Cancelled FailureKind = "cancelled"
	// LimitReached: refused by the caller's own limits.
	LimitReached FailureKind = "limit"
	// Crashed: an adapter or model function panicked; contained.
	Crashed FailureKind = "crashed"
	// Other: anything else.
	Other FailureKind = "other"
)

// Reason says more precisely what happened. It is one of the constants below,
// or empty.
type Reason string

// The reasons, by the kind that they come with.
const (
	// Of unreachable.
	ReasonConnect Reason = "connect"
	ReasonDNS     Reason = "dns"
	ReasonTLS     Reason = "tls"

	// Of timed_out.
	ReasonDeadline   Reason = "deadline"
	ReasonFirstToken Reason = "first_token"
	ReasonIdle       Reason = "idle"
	ReasonStall      Reason = "stall"
	ReasonHTTP       Reason = "http"

	// Of rate_limited.
	ReasonRateLimit Reason = "rate_limit"

	// Of overloaded.
	ReasonOverloaded Reason = "overloaded"
	ReasonServer     Reason = "server"

	// Of rejected.
	ReasonAuth       Reason = "auth"
	ReasonPermission Reason = "permission"
	ReasonQuota      Reason = "quota"
	ReasonBilling    Reason = "billing"
	ReasonNotFound   Reason = "not_found"
	// ReasonContextOverflow: the conversation does not fit the model. Only of
	// providers that have an exact code for it; with the others such a request
	// fails as bad_request or too_large, because no text is matched.
	ReasonContextOverflow Reason = "context_overflow"
	ReasonContentBlocked  Reason = "content_blocked"
	ReasonUnsupported     Reason = "unsupported"
	ReasonTooLarge        Reason = "too_large" // of invalid_reply too
	ReasonBadRequest      Reason = "bad_request"
	ReasonRedirect        Reason = "redirect"

	// Of invalid_request.
	ReasonStreamUsed        Reason = "stream_used"
	ReasonForeignData       Reason = "foreign_data"
	ReasonSchemaUnsupported Reason = "schema_unsupported"
	ReasonBadHistory        Reason = "bad_history"
	ReasonBadTool           Reason = "bad_tool"
	ReasonBadParameter      Reason = "bad_parameter"
	ReasonBadConfig         Reason = "bad_config"

	// Of invalid_reply.
	ReasonTruncated         Reason = "truncated"
	ReasonLostConnection    Reason = "lost_connection"
	ReasonMalformed         Reason = "malformed"
	ReasonBadToolCall       Reason = "bad_tool_call"
	ReasonProtocolViolation Reason = "protocol_violation"
	ReasonBadContent        Reason = "bad_content"
	ReasonUnusableUsage     Reason = "unusable_usage"
	ReasonBadToolArguments  Reason = "bad_tool_arguments"
	ReasonAnswerInvalid     Reason = "answer_invalid"

	// Of cancelled.
	ReasonUser          Reason = "user"
	ReasonSuperseded    Reason = "superseded"
	ReasonShutdown      Reason = "shutdown"
	ReasonAbandoned     Reason = "abandoned"
	ReasonConsumerPanic Reason = "consumer_panic"

	// Of limit.
	ReasonLimitCalls        Reason = "limit_calls"
	ReasonLimitTokens       Reason = "limit_tokens"
	ReasonLimitCost         Reason = "limit_cost"
	ReasonLimitElapsed      Reason = "limit_elapsed"
	ReasonLimitTools        Reason = "limit_tools"
	ReasonLeaseLost         Reason = "lease_lost"
	ReasonUnpriced          Reason = "unpriced"
	ReasonLedgerUnavailable Reason = "ledger_unavailable"

	// Of other.
	ReasonNotRecorded Reason = "not_recorded"
)

// Sent says how far a request got, by evidence and not by the type of an error.
type Sent string

// How far a request got.
const (
	// NotSent: there is positive evidence that no byte of the request left.
	NotSent Sent = "not_sent"
	// MaybeSent: the provider may have seen the request. The empty Sent means
	// the same.
	MaybeSent Sent = "maybe_sent"
	// Answered: a response head came.
	Answered Sent = "answered"
	// Served: the provider's terminal evidence was read, or usage that its
	// family calls final.
	Served Sent = "served"
)

// A Failure is the one failure type: every error that weir returns is or wraps
// one. It holds no raw body, header, URL query, credential or SDK error.
//
// A Failure is plain data once handed out; do not change one that you share.
type Failure struct {
	Kind   FailureKind
	Reason Reason
	// Detail says what happened, for people: at most 1 KiB, without control
	// characters, secrets scrubbed. Never match on it.
	Detail string
	// Provider is the provider's name, for instance "openai".
	Provider string
	// Status is the HTTP status of an answer that was no stream; 0 when a stream
	// had begun, or when no answer came.
	Status int
	// ProviderCode is the provider's own code or type of error.
	ProviderCode string
	// RequestID is the provider's id of the exchange, for its support.
	RequestID string
	// RetryAfter is the least time to wait before another attempt, as the
	// provider asks; zero when it does not.
	RetryAfter time.Duration
	// ShouldRetry overrides what Retryable would say by kind and reason: the
	// provider's own advice (header x-should-retry), or false when the user's
	// own context deadline has passed. Nil: no override.
	ShouldRetry *bool
	// Sent says how far the request got; empty means MaybeSent.
	Sent Sent
	// Usage is what was reported until then.
	Usage Usage
	// RateLimits is what the response head told of the account's limits, or nil.
	RateLimits *RateLimits
	// Feature is what the provider refused, where its code or parameter name
	// says so exactly: "tools", "parallel_tools", "effort", "temperature",
	// "max_tokens_field", "answer_schema" or "stream_options".
	Feature string

	cause error
}

// NewFailure returns a failure with a cleaned detail.
func NewFailure(kind FailureKind, reason Reason, detail string) *Failure {
	return &Failure{Kind: kind, Reason: reason, Detail: CleanDetail(detail)}
}

// WithCause returns a copy of f that err stays reachable from by errors.Is and
// errors.As. Error does not print it. Pass only errors that hold no secrets:
// context causes and weir's own types.
func (f *Failure) WithCause(err error) *Failure {
	c := f.clone()
	c.cause = err
	return c
}

// Unwrap returns the cause, or nil.
func (f *Failure) Unwrap() error { return f.cause }

// Error returns one line: kind and reason, detail, provider and status. Line
// ends and control characters in a failure filled by hand are left out.
func (f *Failure) Error() string {
	var b strings.Builder
	b.WriteString(string(f.Kind))
	if f.Reason != "" {
		b.WriteString("/" + string(f.Reason))
	}
	if f.Detail != "" {
		b.WriteString(": " + f.Detail)
	}
	var at []string
	if f.Provider != "" {
		at = append(at, f.Provider)
	}
	if f.Status != 0 {
		at = append(at, "HTTP "+strconv.Itoa(f.Status))
	}
	if f.ProviderCode != "" {
		at = append(at, f.ProviderCode)
	}
	if f.RetryAfter > 0 {
		at = append(at, "retry after "+f.RetryAfter.String())
	}
	if len(at) > 0 {
		b.WriteString(" (" + strings.Join(at, ", ") + ")")
	}
	return oneLine(b.String())
}

// Is reports whether target is a *Failure that asks for f's kind, and for its
// reason when it names one: errors.Is(err, &events.Failure{Kind: events.Rejected}).
// Any other field set on the target makes it match only an equal pointer.
func (f *Failure) Is(target error) bool {
	t, ok := target.(*Failure)
	if !ok {
		return false
	}
	if *t != (Failure{Kind: t.Kind, Reason: t.Reason}) {
		return false
	}
	return t.Kind == f.Kind && (t.Reason == "" || t.Reason == f.Reason)
}

// Retryable reports whether another attempt of the same request may succeed,
// from kind, reason and [Failure.ShouldRetry], never from the detail. For
// InvalidReply it further holds only while nothing was delivered, which the
// caller knows. A failure that is not about the provider (invalid_request,
// cancelled, limit, crashed) is never retryable, whatever the advice.
func (f *Failure) Retryable() bool {
	byKind := f.retryableByKind()
	if f.ShouldRetry == nil {
		return byKind
	}
	return *f.ShouldRetry && (byKind || f.Kind == Rejected)
}

func (f *Failure) retryableByKind() bool {
	switch f.Kind {
	case Unreachable, RateLimited, Overloaded, TimedOut:
		return true
	case InvalidReply:
		switch f.Reason {
		case ReasonTruncated, ReasonLostConnection, ReasonMalformed, ReasonBadToolCall:
			return true
		default:
			return false
		}
	default:
		return false
	}
}

// AsFailure returns the failure that err is or wraps.
func AsFailure(err error) (*Failure, bool) {
	var f *Failure
	if errors.As(err, &f) {
		return f, true
	}
	return nil, false
}

func (f *Failure) clone() *Failure {
	c := *f
	c.RateLimits = f.RateLimits.clone()
	if f.ShouldRetry != nil {
		advice := *f.ShouldRetry
		c.ShouldRetry = &advice
	}
	return &c
}

// clean returns a copy whose texts are bounded and scrubbed, and that has one
// form for what is absent.
func (f *Failure) clean() *Failure {
	c := f.clone()
	c.Detail = CleanDetail(c.Detail)
	c.ProviderCode = cleanText(c.ProviderCode, maxCode)
	c.RequestID = cleanText(c.RequestID, maxCode)
	c.Provider = cleanText(c.Provider, maxCode)
	c.Feature = cleanText(c.Feature, maxCode)
	c.RetryAfter = max(c.RetryAfter, 0)
	if !c.Usage.Reported() {
		c.Usage = Usage{}
	}
	return c
}
