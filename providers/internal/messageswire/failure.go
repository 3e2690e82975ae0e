package messageswire

import (
	"net/http"
	"strconv"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/providers/transport"
)

// FailureOf maps an answer that is no stream to a failure: by the error type of
// its JSON body, exactly, and by its status where the body has no type that is
// known. It returns nil for a 2xx body that is no error envelope. Informational
// statuses and redirects are the transport's to judge.
//
// The body's text is never matched. An overlong prompt is an
// invalid_request_error like any other on this wire, told apart by its message
// only, and therefore rejected/bad_request.
func FailureOf(status int, header http.Header, body []byte) *events.Failure {
	var parser wirejson.Parser
	told := wireError{}
	if v, err := parser.Parse(body); err == nil {
		told = readError(v)
	}
	if status >= 200 && status < 300 && !told.found {
		return nil
	}
	f := told.failure(status)
	if f.RequestID == "" {
		f.RequestID = header.Get("Request-Id")
	}
	return f
}

// A wireError is what an error envelope says.
type wireError struct {
	found                    bool
	kind, message, requestID string
	// code is what some errors say beside their type.
	code string
	// status is a code that the envelope gives as a number.
	status int
}

// readError reads Anthropic's envelope {"type":"error","error":{...}} and what
// other hosts of the wire send: the same without the outer type, an error that
// is a bare string, a list that holds the envelope.
func readError(v *fastjson.Value) wireError {
	if v.Type() == fastjson.TypeArray {
		v = v.Get("0")
	}
	e := wireError{requestID: wirejson.String(v.Get("request_id"))}
	inner := v.Get("error")
	if inner == nil {
		if kind, _ := wirejson.Text(v.Get("type")); string(kind) == "error" {
			e.found, e.message = true, wirejson.String(v.Get("message"))
		}
		return e
	}
	switch inner.Type() {
	case fastjson.TypeObject:
		e.found = true
		e.kind = wirejson.String(inner.Get("type"))
		e.message = wirejson.String(inner.Get("message"))
		e.code = wirejson.String(inner.Get("details", "error_code"))
		e.status = inner.GetInt("code")
	case fastjson.TypeString:
		e.found = true
		e.message = wirejson.String(inner)
	default:
	}
	return e
}

// failure maps the error. status is 0 for one inside a stream.
func (e wireError) failure(status int) *events.Failure {
	code := status
	if code < 400 && e.status >= 400 {
		code = e.status
	}
	kind, reason, known := kindOfType(e.kind)
	// api_error is the type of whatever has no type of its own: a client
	// error's status says more.
	if !known || e.kind == "api_error" && code >= 400 && code < 500 {
		kind, reason = kindOfStatus(code)
	}
	providerCode := e.kind
	if e.code == spendLimit {
		kind, reason, providerCode = events.Rejected, events.ReasonQuota, e.code
	}
	detail := e.message
	switch {
	case detail != "":
	case status == 0:
		detail = "an error inside the stream, without a message"
	default:
		detail = "HTTP " + strconv.Itoa(status) + " " + http.StatusText(status)
	}
	f := events.NewFailure(kind, reason, detail)
	f.Status, f.ProviderCode, f.RequestID = status, providerCode, e.requestID
	return f
}

// spendLimit is the code of a rate_limit_error that no wait of a call helps: the
// tier's spend cap is reached, and usage pauses until the next month
// (https://platform.claude.com/docs/en/api/rate-limits, a stored copy read
// 2026-12-01).
const spendLimit = "enforced_spend_limit_reached"

// kindOfType maps the error types of
// https://platform.claude.com/docs/en/api/errors (a stored copy read 2026-11-30).
// Not told apart there: a spend limit that an organization set for itself is an
// invalid_request_error when it is reached.
func kindOfType(name string) (events.FailureKind, events.Reason, bool) {
	switch name {
	case "invalid_request_error", "conflict_error":
		return events.Rejected, events.ReasonBadRequest, true
	case "authentication_error":
		return events.Rejected, events.ReasonAuth, true
	case "billing_error":
		return events.Rejected, events.ReasonBilling, true
	case "permission_error":
		return events.Rejected, events.ReasonPermission, true
	case "not_found_error":
		return events.Rejected, events.ReasonNotFound, true
	case "request_too_large":
		return events.Rejected, events.ReasonTooLarge, true
	case "rate_limit_error":
		return events.RateLimited, events.ReasonRateLimit, true
	case "timeout_error":
		return events.TimedOut, events.ReasonHTTP, true
	case "api_error":
		return events.Overloaded, events.ReasonServer, true
	case "overloaded_error":
		return events.Overloaded, events.ReasonOverloaded, true
	default:
		return "", "", false
	}
}

// kindOfStatus maps a status; an error in a stream that says nothing else is the
// server's.
func kindOfStatus(status int) (events.FailureKind, events.Reason) {
	if status < http.StatusBadRequest {
		return events.Overloaded, events.ReasonServer
	}
	f := transport.FailureOfStatus(status)
	return f.Kind, f.Reason
}
