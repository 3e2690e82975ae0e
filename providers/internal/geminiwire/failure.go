package geminiwire

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/providers/transport"
)

// FailureOf maps an answer that is no stream to a failure: by the canonical status
// of its error object and what the details of that say, exactly, and by its HTTP
// status where the body has none that is known. It returns nil for a 2xx body that
// is no error object. Informational statuses and redirects are the transport's to
// judge.
//
// The body's text is never matched. An overlong prompt is an INVALID_ARGUMENT like
// any other on this wire, told apart by its message only, and therefore
// rejected/bad_request.
func FailureOf(status int, _ http.Header, body []byte) *events.Failure {
	var parser wirejson.Parser
	told := wireError{}
	if v, err := parser.Parse(body); err == nil {
		told = readError(v)
	}
	if status >= 200 && status < 300 && !told.found {
		return nil
	}
	return told.failure(status)
}

// A wireError is what an error object says (google.rpc.Status).
type wireError struct {
	found           bool
	code            int
	status, message string
	// reason is that of the ErrorInfo, for instance API_KEY_INVALID.
	reason string
	// daily: a quota that was exceeded counts by the day.
	daily bool
	wait  time.Duration
}

// readError reads {"error":{...}}, and the list that holds it, which is what comes
// without alt=sse. Gateways write the error as a bare string.
func readError(v *fastjson.Value) wireError {
	if v.Type() == fastjson.TypeArray {
		v = v.Get("0")
	}
	inner := v.Get("error")
	if inner == nil {
		return wireError{}
	}
	switch inner.Type() {
	case fastjson.TypeString:
		return wireError{found: true, message: wirejson.String(inner)}
	case fastjson.TypeObject:
	default:
		return wireError{}
	}
	e := wireError{
		found: true, code: inner.GetInt("code"),
		status: wirejson.String(inner.Get("status")), message: wirejson.String(inner.Get("message")),
	}
	for _, d := range inner.GetArray("details") {
		e.detail(d)
	}
	return e
}

// detail reads one of the details, told apart by its type
// (github.com/googleapis/googleapis, google/rpc/error_details.proto, read
// 2026-12-01).
func (e *wireError) detail(d *fastjson.Value) {
	switch kind := wirejson.String(d.Get("@type")); {
	case strings.HasSuffix(kind, "google.rpc.ErrorInfo"):
		e.reason = wirejson.String(d.Get("reason"))
	case strings.HasSuffix(kind, "google.rpc.RetryInfo"):
		e.wait = seconds(wirejson.String(d.Get("retryDelay")))
	case strings.HasSuffix(kind, "google.rpc.QuotaFailure"):
		for _, violation := range d.GetArray("violations") {
			e.daily = e.daily || strings.Contains(wirejson.String(violation.Get("quotaId")), "PerDay")
		}
	}
}

// seconds reads a duration of protobuf's JSON: seconds, with a fraction or
// without, and an s. What is no such thing, or negative, is none.
func seconds(text string) time.Duration {
	if !strings.HasSuffix(text, "s") || strings.ContainsAny(text, "mhnuµ") {
		return 0
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0
	}
	return max(d, 0)
}

// failure maps the error. status is 0 for one inside a stream.
func (e wireError) failure(status int) *events.Failure {
	code := status
	if code < 400 && e.code >= 400 {
		code = e.code
	}
	kind, reason := e.kind(code)
	detail := e.message
	switch {
	case detail != "":
	case status == 0:
		detail = "an error inside the stream, without a message"
	default:
		detail = "HTTP " + strconv.Itoa(status) + " " + http.StatusText(status)
	}
	f := events.NewFailure(kind, reason, detail)
	f.Status, f.ProviderCode, f.RetryAfter = status, e.providerCode(), e.wait
	return f
}

func (e wireError) providerCode() string {
	switch {
	case e.status != "":
		return e.status
	case e.code != 0:
		return strconv.Itoa(e.code)
	default:
		return ""
	}
}

// kind maps what the details say, else the canonical status
// (ai.google.dev/gemini-api/docs/generate-content/api-errors, a stored copy read
// 2026-12-01), else the code.
func (e wireError) kind(code int) (events.FailureKind, events.Reason) {
	switch {
	case e.reason == "API_KEY_INVALID":
		return events.Rejected, events.ReasonAuth
	case e.reason == "BILLING_DISABLED":
		return events.Rejected, events.ReasonBilling
	case e.status == "RESOURCE_EXHAUSTED" && e.daily:
		// No wait of a call helps: the quota is full again tomorrow.
		return events.Rejected, events.ReasonQuota
	}
	if kind, reason, known := kindOfStatus(e.status); known {
		return kind, reason
	}
	if code < http.StatusBadRequest {
		return events.Overloaded, events.ReasonServer
	}
	f := transport.FailureOfStatus(code)
	return f.Kind, f.Reason
}

// kindOfStatus maps the canonical statuses (google.rpc.Code).
func kindOfStatus(name string) (events.FailureKind, events.Reason, bool) {
	switch name {
	case "INVALID_ARGUMENT", "FAILED_PRECONDITION", "OUT_OF_RANGE", "ALREADY_EXISTS":
		return events.Rejected, events.ReasonBadRequest, true
	case "UNAUTHENTICATED":
		return events.Rejected, events.ReasonAuth, true
	case "PERMISSION_DENIED":
		return events.Rejected, events.ReasonPermission, true
	case "NOT_FOUND":
		return events.Rejected, events.ReasonNotFound, true
	case "UNIMPLEMENTED":
		return events.Rejected, events.ReasonUnsupported, true
	case "RESOURCE_EXHAUSTED":
		return events.RateLimited, events.ReasonRateLimit, true
	case "DEADLINE_EXCEEDED":
		return events.TimedOut, events.ReasonHTTP, true
	case "UNAVAILABLE":
		return events.Overloaded, events.ReasonOverloaded, true
	case "INTERNAL", "UNKNOWN", "ABORTED", "DATA_LOSS", "CANCELLED":
		// Nobody here cancels a call and reads on, so that it was the server's doing.
		return events.Overloaded, events.ReasonServer, true
	default:
		return "", "", false
	}
}
