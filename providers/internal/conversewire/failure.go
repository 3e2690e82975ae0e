package conversewire

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/providers/transport"
)

// FailureOf maps an answer that is no stream to a failure: by the type of the
// error, which the head tells or else the body, exactly, and by its status where
// the type is not known. It returns nil for a 2xx body that is no error.
// Informational statuses and redirects are the transport's to judge.
//
// The body's text is never matched. An overlong prompt is a ValidationException
// like any other, told apart by its message only, and therefore
// rejected/bad_request.
func FailureOf(status int, header http.Header, body []byte) *events.Failure {
	told := wireError{kind: bare(header.Get("X-Amzn-Errortype"))}
	var parser wirejson.Parser
	if v, err := parser.Parse(body); err == nil {
		told.read(v)
	}
	if status >= 200 && status < 300 && told.kind == "" {
		return nil
	}
	return told.failure(status)
}

// failureOfException maps an exception inside the stream.
func failureOfException(frame transport.Frame) *events.Failure {
	told := wireError{kind: bare(string(frame.Name))}
	var parser wirejson.Parser
	if v, err := parser.Parse(frame.Data); err == nil && v.Type() == fastjson.TypeObject {
		told.read(v)
	} else {
		// An unmodelled error is told by a header, not by JSON.
		told.message = string(frame.Data)
	}
	return told.failure(0)
}

// A wireError is what an error says.
type wireError struct {
	kind, message string
	// original is the status that the model's own host gave.
	original int
}

// read reads an error object: restJson1 of AWS, whose body may name the type too
// (smithy.io/2.0/aws/protocols/aws-restjson1-protocol.html, a stored copy read
// 2026-12-01).
func (e *wireError) read(v *fastjson.Value) {
	for _, key := range []string{"message", "Message"} {
		if e.message == "" {
			e.message = wirejson.String(v.Get(key))
		}
	}
	for _, key := range []string{"__type", "code"} {
		if e.kind == "" {
			e.kind = bare(wirejson.String(v.Get(key)))
		}
	}
	e.original = v.GetInt("originalStatusCode")
}

// bare returns the type of an error without the namespace before it and the
// address after it.
func bare(kind string) string {
	kind, _, _ = strings.Cut(kind, ":")
	return kind[strings.LastIndexByte(kind, '#')+1:]
}

// failure maps the error. status is 0 for one inside a stream.
func (e wireError) failure(status int) *events.Failure {
	kind, reason, known := kindOfType(e.kind)
	switch {
	case known:
	case status >= http.StatusBadRequest:
		f := transport.FailureOfStatus(status)
		kind, reason = f.Kind, f.Reason
	default:
		kind, reason = events.Overloaded, events.ReasonServer
	}
	if e.original == http.StatusTooManyRequests && kind == events.Overloaded {
		kind, reason = events.RateLimited, events.ReasonRateLimit
	}
	detail := e.message
	switch {
	case detail != "":
	case status == 0:
		detail = "an exception inside the stream, without a message"
	default:
		detail = "HTTP " + strconv.Itoa(status) + " " + http.StatusText(status)
	}
	f := events.NewFailure(kind, reason, detail)
	f.Status, f.ProviderCode = status, e.kind
	return f
}

// kindOfType maps the types of errors, which begin in lower case inside a stream:
// those of aws-sdk-go-v2 service/bedrockruntime v1.63.13, and the common ones of
// docs.aws.amazon.com/bedrock-agentcore-control/latest/APIReference/CommonErrors.html
// and docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html
// (stored copies), all read 2026-12-01. InvalidSignatureException is not confirmed.
//
// A ServiceQuotaExceededException has no time after which the quota is another.
func kindOfType(name string) (events.FailureKind, events.Reason, bool) {
	switch strings.ToLower(name) {
	case "validationexception", "validationerror", "conflictexception", "malformedhttprequestexception":
		return events.Rejected, events.ReasonBadRequest, true
	case "accessdeniedexception", "optinrequired", "notauthorized":
		return events.Rejected, events.ReasonPermission, true
	case "unrecognizedclientexception", "expiredtokenexception", "incompletesignature", "requestexpired",
		"invalidsignatureexception", "missingauthenticationtoken", "invalidclienttokenid":
		return events.Rejected, events.ReasonAuth, true
	case "resourcenotfoundexception", "unknownoperationexception":
		return events.Rejected, events.ReasonNotFound, true
	case "servicequotaexceededexception":
		return events.Rejected, events.ReasonQuota, true
	case "requestentitytoolargeexception":
		return events.Rejected, events.ReasonTooLarge, true
	case "throttlingexception":
		return events.RateLimited, events.ReasonRateLimit, true
	case "modeltimeoutexception", "requesttimeoutexception":
		return events.TimedOut, events.ReasonHTTP, true
	case "modelnotreadyexception", "serviceunavailableexception", "serviceunavailable":
		return events.Overloaded, events.ReasonOverloaded, true
	case "internalserverexception", "internalfailure", "modelerrorexception", "modelstreamerrorexception":
		return events.Overloaded, events.ReasonServer, true
	default:
		return "", "", false
	}
}
