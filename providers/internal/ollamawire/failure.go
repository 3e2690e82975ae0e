package ollamawire

import (
	"bytes"
	"net/http"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/providers/transport"
)

// FailureOf maps an answer that is no stream: a status of 400 and above, and of
// a 2xx only an error object (nil for other bodies); other statuses are the
// transport's to judge, and Retry-After is its to read. The status decides,
// because the protocol has no codes and its texts are no interface: a mistake of
// the client that the server answers with 500 is overloaded/server, as told.
func FailureOf(status int, _ http.Header, body []byte) *events.Failure {
	told, code, ok := toldError(body)
	if status/100 == 2 {
		if !ok {
			return nil
		}
		return inBand(told, code)
	}
	f := transport.FailureOfStatus(status)
	if !ok {
		told = plainDetail(body)
	}
	if told != "" {
		f.Detail = events.CleanDetail(told)
	}
	f.ProviderCode = code
	return f
}

// inBand is the failure of an error that the server tells after status 200: it
// ran into trouble (the runner died, a token was repeated too often).
func inBand(text, code string) *events.Failure {
	f := events.NewFailure(events.Overloaded, events.ReasonServer, text)
	f.ProviderCode = code
	return f
}

// toldError reads an error object: {"error": "..."}, or with an object that holds
// message and code or type, as proxies write it.
func toldError(body []byte) (text, code string, ok bool) {
	var p wirejson.Parser
	v, err := p.Parse(body)
	if err != nil || v.Type() != fastjson.TypeObject {
		return "", "", false
	}
	return errorOf(v.Get("error"))
}

// errorOf reads the value of an error member. Null, false and "" are none.
func errorOf(v *fastjson.Value) (text, code string, ok bool) {
	switch {
	case v == nil || v.Type() == fastjson.TypeNull || v.Type() == fastjson.TypeFalse:
		return "", "", false
	case v.Type() == fastjson.TypeString:
		text = wirejson.String(v)
		return text, "", text != ""
	case v.Type() != fastjson.TypeObject:
		return events.CutText(wirejson.Raw(v), events.MaxDetail), "", true
	}
	text, code = wirejson.String(v.Get("message")), wirejson.String(v.Get("code"))
	if code == "" {
		code = wirejson.String(v.Get("type"))
	}
	if text == "" {
		text = "error without a message"
	}
	return text, code, true
}

// maxPlain is the most that is kept of a body that is no JSON.
const maxPlain = 256

func plainDetail(body []byte) string {
	text := bytes.TrimSpace(body)
	if len(text) > 0 && text[0] == '<' {
		return "an HTML or XML page, not an answer of the API"
	}
	return events.CutText(string(text), maxPlain)
}
