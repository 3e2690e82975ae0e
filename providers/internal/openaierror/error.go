package openaierror

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// An Error is a provider's error object, whatever its shape.
type Error struct {
	Message, Code, Type, Param string
	// inner is OpenRouter's metadata.error_type, or Azure's innererror.code.
	inner string
	// canonical is the error_type that OpenRouter's Responses API tells beside an error,
	// whose code it says is lossy: server_error is also a key that is not valid
	// (openrouter.ai/docs/api/reference/responses/error-handling, a stored copy read
	// 2026-12-01).
	canonical string
	// status is an HTTP status that the object itself names.
	status int
}

// Of reads an error of any known shape: {"error": {...}} (OpenAI and most),
// {"error": "..."} (Venice, xAI, Ollama), the same in an array (Gemini's
// compatible endpoint), flat (Mistral, Doubleword), {"detail": "..."} or a list of
// {"loc": [...], "msg": "..."} (servers on FastAPI: github.com/fastapi/fastapi, pull
// request 1088, read 2026-12-01), {"errors": [{...}]} (Cloudflare:
// github.com/anomalyco/opencode, issue 23773, read likewise).
func Of(v *fastjson.Value) (Error, bool) {
	if list := v.GetArray(); len(list) > 0 {
		return Of(list[0])
	}
	switch inner := v.Get("error"); {
	case inner.GetObject() != nil:
		e := fieldsOf(inner)
		e.canonical = wirejson.String(v.Get("error_type"))
		return e, true
	case len(inner.GetStringBytes()) > 0:
		e := fieldsOf(v)
		e.Message = wirejson.String(inner)
		return e, true
	}
	if detail := detailOf(v.Get("detail")); detail != "" {
		return Error{Message: detail}, true
	}
	if list := v.GetArray("errors"); len(list) > 0 {
		e := fieldsOf(list[0])
		return e, e.Message != ""
	}
	flat := fieldsOf(v)
	named := flat.Code != "" || flat.Type != "" || wirejson.String(v.Get("object")) == "error"
	return flat, flat.Message != "" && named
}

// detailOf returns what FastAPI says: its words, or the first thing that it found wrong
// and where.
func detailOf(v *fastjson.Value) string {
	if text := wirejson.String(v); text != "" {
		return text
	}
	list := v.GetArray()
	if len(list) == 0 {
		return ""
	}
	var at []string
	for _, step := range list[0].GetArray("loc") {
		at = append(at, word(step))
	}
	found := []string{events.CutText(strings.Join(at, "."), maxUpstream), wirejson.String(list[0].Get("msg"))}
	return strings.Join(slices.DeleteFunc(found, func(s string) bool { return s == "" }), ": ")
}

func fieldsOf(v *fastjson.Value) Error {
	e := Error{
		Message: messageOf(v),
		Code:    word(v.Get("code")),
		Type:    word(v.Get("type")),
		Param:   wirejson.String(v.Get("param")),
		inner:   cmp.Or(wirejson.String(v.Get("metadata", "error_type")), wirejson.String(v.Get("innererror", "code"))),
	}
	// Groq says status_code, Mistral raw_status_code.
	for _, text := range []string{word(v.Get("status_code")), word(v.Get("raw_status_code")), e.Code} {
		if n, err := strconv.Atoi(text); err == nil && n >= 400 && n < 600 && e.status == 0 {
			e.status = n
		}
	}
	return e
}

// maxUpstream bounds what is told of an upstream's own error, in bytes.
const maxUpstream = 512

// messageOf returns the message of an error object. OpenRouter's own says no more
// than that an upstream failed: metadata names which and holds what it sent, as
// text or as JSON (openrouter.ai/docs/api/reference/errors-and-debugging, a stored
// copy read 2026-11-30, and recordings).
func messageOf(v *fastjson.Value) string {
	upstream := wirejson.String(v.Get("metadata", "provider_name"))
	raw := v.Get("metadata", "raw")
	text := wirejson.String(raw)
	if raw.GetObject() != nil {
		text = wirejson.Raw(raw)
	}
	// Cleaned before it is cut, so that no half of a credential is left.
	text = events.CutText(events.CleanDetail(text), maxUpstream)
	// Mistral puts what FastAPI says into its message (github.com/editor-code-assistant/eca,
	// issue 231, and github.com/partITech/php-mistral, issue 76, read 2026-12-01).
	said := cmp.Or(detailOf(v.Get("message")), detailOf(v.Get("message", "detail")))
	parts := []string{said, events.CutText(upstream, 64), text, filtered(v.Get("innererror"))}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ": ")
}

// filtered says which of Azure's content filters refused a request, as its innererror
// tells: each has "filtered" (learn.microsoft.com/azure/ai-services/openai/concepts/
// content-filter-annotations, a stored copy read 2026-12-01).
func filtered(inner *fastjson.Value) string {
	var names []string
	for _, member := range []string{"content_filter_result", "content_filter_results"} {
		filters := inner.GetObject(member)
		if filters == nil {
			continue
		}
		filters.Visit(func(name []byte, v *fastjson.Value) {
			if v.GetBool("filtered") {
				names = append(names, string(name))
			}
		})
	}
	if len(names) == 0 {
		return ""
	}
	return events.CutText("filtered: "+strings.Join(names, ", "), 256)
}

// word returns a code, which some send as a number.
func word(v *fastjson.Value) string {
	if v != nil && v.Type() == fastjson.TypeNumber {
		return wirejson.Raw(v)
	}
	return wirejson.String(v)
}

// Failure returns the failure for an error inside a stream.
func (e Error) Failure() *events.Failure { return e.failure(e.verdict()) }

// FailureOf maps an answer that is no stream to its failure, as
// transport.Call.Failure asks for: nil where neither the status (4xx and 5xx do)
// nor the body says that it is an error. The body may be of any kind and is not
// kept; what it calls its message is.
func FailureOf(status int, _ http.Header, body []byte) *events.Failure {
	var parser wirejson.Parser
	var e Error
	found := false
	if v, err := parser.Parse(body); err == nil {
		e, found = Of(v)
	}
	base, known := verdictOfStatus(status)
	var f *events.Failure
	switch {
	case known:
		f = e.failure(e.refine(base))
	case found:
		f = e.Failure()
	default:
		return nil
	}
	f.Status = status
	if f.Detail == "" {
		f.Detail = "HTTP " + strconv.Itoa(status) + " " + http.StatusText(status)
	}
	return f
}
