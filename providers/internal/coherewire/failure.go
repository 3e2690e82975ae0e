package coherewire

import (
	"net/http"
	"strconv"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/providers/transport"
)

// FailureOf maps an answer that is no stream to a failure: by the error_type of its
// JSON body where that is known, and else by its status. It returns nil for a 2xx
// body that is no error. Informational statuses and redirects are the transport's
// to judge. The body's text is never matched: a trial key that has used up its
// calls of the month is rate_limited, as its status says.
func FailureOf(status int, _ http.Header, body []byte) *events.Failure {
	var parser wirejson.Parser
	told := wireError{}
	if v, err := parser.Parse(body); err == nil {
		told = readError(v)
	}
	if status >= 200 && status < 300 {
		if !told.found {
			return nil
		}
		return told.failure(0)
	}
	return told.failure(status)
}

// A wireError is what an error says.
type wireError struct {
	found bool
	// sure: there is more than a message, which a frame of another kind may have too.
	sure              bool
	code, message, id string
}

// readError reads Cohere's {"message": "...", "id": "...", "error_type": "..."}, of
// which only the message is sure, and what hosts of the same wire send: the same
// inside an error object, or an error that is a bare string.
func readError(v *fastjson.Value) wireError {
	inner := v.Get("error")
	inside := inner != nil && inner.Type() != fastjson.TypeNull
	if inside {
		if text, ok := wirejson.Text(inner); ok {
			return wireError{found: true, sure: true, message: string(text), id: wirejson.String(v.Get("id"))}
		}
		v = inner
	}
	e := wireError{
		message: wirejson.String(v.Get("message")), code: wirejson.String(v.Get("error_type")),
		id: wirejson.String(v.Get("id")),
	}
	e.found, e.sure = e.message != "" || e.code != "", inside || e.code != ""
	return e
}

// failure maps the error. status is 0 for one that came with a status of success,
// in a stream or instead of one: it is the server's.
func (e wireError) failure(status int) *events.Failure {
	kind, reason := kindOf(status)
	if e.code == tooManyTokens {
		kind, reason = events.Rejected, events.ReasonContextOverflow
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
	f.Status, f.ProviderCode, f.RequestID = status, e.code, e.id
	return f
}

// tooManyTokens is the error_type of a prompt that does not fit (recorded August
// 2026), see also Prepare.
const tooManyTokens = "TOO_MANY_TOKENS"

// kindOf maps a status by docs.cohere.com/errors-reference (a stored copy read
// 2026-12-01) and the vendor's Python SDK, which know 498, an invalid token, and
// 499, a request that was cancelled on its way and may be tried again.
func kindOf(status int) (events.FailureKind, events.Reason) {
	switch {
	case status < http.StatusBadRequest || status == 499:
		return events.Overloaded, events.ReasonServer
	case status == 498:
		return events.Rejected, events.ReasonAuth
	}
	f := transport.FailureOfStatus(status)
	return f.Kind, f.Reason
}

// failureOfEnd returns the failure that a message-end tells, or nil: its reason is
// one of a failure, or there is an error message.
func failureOfEnd(reason string, told *fastjson.Value) error {
	e := wireError{message: wirejson.String(told)}
	failed := reason == reasonError || reason == reasonTimeout
	switch {
	case failed:
		e.code = reason
	case e.message == "":
		return nil
	}
	if e.message == "" {
		e.message = "the provider ended the reply with " + reason
	}
	f := e.failure(0)
	if reason == reasonTimeout {
		f.Kind, f.Reason = events.TimedOut, events.ReasonHTTP
	}
	return f
}
