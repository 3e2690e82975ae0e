package request

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"strconv"

	"github.com/weirsdk/weir/events"
)

// MarshalJSON returns the JSON form of the request, described in the package
// comment, with schemas and extras byte for byte as declared. Note that
// encoding/json compacts and HTML-escapes what a MarshalJSON returns; call the
// method, or [Request.Canonical], for the exact bytes. The error is as of
// Canonical.
func (r Request) MarshalJSON() ([]byte, error) { return r.appendJSON(nil, false) }

// Canonical returns the canonical JSON of the request: the JSON form with all
// keys sorted, in schemas and extras too, without white space, number literals
// kept, and strings as [events.AppendQuoted] writes them: escaped is what JSON
// requires and U+0085, U+2028 and U+2029, and "<" stays "<". Equal requests have
// equal bytes, and reading them back and writing them again gives the same bytes.
// Correlation, Foreign and Options are not part of it.
//
// The key of a recording (package replay) is computed from the value that these
// bytes decode to, written with escapes of its own: how a string is escaped here
// is no part of it.
//
// The error is a failure of kind invalid_request, reason bad_parameter: a number
// that is not finite, an extra that is not a JSON object.
func (r Request) Canonical() ([]byte, error) { return r.appendJSON(nil, true) }

func (r Request) appendJSON(dst []byte, canonical bool) ([]byte, error) {
	for _, v := range []*float64{r.Temperature, r.TopP} {
		if v != nil && (math.IsNaN(*v) || math.IsInf(*v, 0)) {
			return nil, invalid(events.ReasonBadParameter, "a sampling parameter is not a finite number")
		}
	}
	for family, text := range r.Extra {
		if detail := extraProblem(text); detail != "" {
			return nil, invalid(events.ReasonBadParameter, "extra "+quoteShort(family)+" "+detail)
		}
	}
	w := writer{dst: dst, canonical: canonical}
	w.request(r)
	return w.dst, nil
}

// A writer appends the JSON form. Members are written in the order of their keys.
type writer struct {
	dst       []byte
	canonical bool
	// omitMedia leaves out the data of media, which the estimate counts by a rule
	// of its own.
	omitMedia bool
}

func (w *writer) request(r Request) {
	w.open()
	if !r.Answer.IsZero() {
		w.key("answer")
		w.answer(r.Answer)
	}
	w.cache(r.Cache)
	w.flag("citations", r.Citations)
	w.opt("effort", string(r.Effort))
	w.extra(r.Extra)
	if len(r.HostedTools) > 0 {
		w.key("hosted_tools")
		writeList(w, r.HostedTools, w.hosted)
	}
	w.count("max_output_tokens", r.MaxOutputTokens)
	w.key("messages")
	writeList(w, r.Messages, w.message)
	if r.Parallel != nil {
		w.bool("parallel", *r.Parallel)
	}
	if r.Seed != nil {
		w.int("seed", *r.Seed)
	}
	if len(r.Stop) > 0 {
		w.key("stop")
		writeList(w, r.Stop, func(s string) { w.dst = events.AppendQuoted(w.dst, s) })
	}
	w.flag("strict", r.Strict)
	w.opt("system", r.System)
	w.float("temperature", r.Temperature)
	if r.ThinkingBudget != nil {
		w.int("thinking_budget", int64(*r.ThinkingBudget))
	}
	w.toolChoice(r.ToolChoice)
	if len(r.Tools) > 0 {
		w.key("tools")
		writeList(w, r.Tools, w.tool)
	}
	w.float("top_p", r.TopP)
	w.close()
}

func (w *writer) extra(extra map[string]string) {
	if len(extra) == 0 {
		return
	}
	w.key("extra")
	w.open()
	for _, family := range sortedKeys(extra) {
		w.separate()
		w.dst = append(events.AppendQuoted(w.dst, family), ':')
		if w.canonical {
			w.dst = appendCanonical(w.dst, extra[family])
		} else {
			w.dst = append(w.dst, extra[family]...)
		}
	}
	w.close()
}

func (w *writer) toolChoice(c ToolChoice) {
	if c == (ToolChoice{}) {
		return
	}
	w.key("tool_choice")
	w.open()
	w.opt("mode", string(c.Mode))
	w.opt("name", c.Name)
	w.close()
}

func (w *writer) tool(t Tool) {
	w.open()
	w.opt("description", t.description)
	w.str("name", t.name)
	switch {
	case t.compiled == nil:
	case w.canonical:
		w.raw("schema", t.canonical)
	default:
		w.raw("schema", t.schema)
	}
	w.close()
}

func (w *writer) answer(a Answer) {
	w.open()
	w.str("name", a.name)
	switch {
	case a.compiled == nil:
	case w.canonical:
		w.raw("schema", a.canonical)
	default:
		w.raw("schema", a.schema)
	}
	w.flag("strict", a.strict)
	w.close()
}

func (w *writer) message(m Message) {
	w.open()
	w.key("content")
	writeList(w, m.Blocks, w.block)
	w.data("data", m.Data)
	w.str("role", string(m.Role))
	w.close()
}

func (w *writer) block(b Block) {
	w.open()
	if b.Kind != BlockToolCall {
		w.opt("cache", string(b.Cache))
	}
	switch b.Kind {
	case BlockText:
		w.str("text", b.Text)
	case BlockImage, BlockAudio, BlockFile:
		w.media(b)
	case BlockToolCall:
		w.str("arguments", b.Call.Arguments)
		w.opt("cache", string(b.Cache))
		w.str("id", b.Call.ID)
		w.flag("minted", b.Call.Minted)
		w.str("name", b.Call.Name)
		w.data("replay", b.Call.Replay)
	case BlockToolResult:
		w.key("content")
		writeList(w, b.Result.Content, w.block)
		w.str("id", b.Result.CallID)
		w.flag("is_error", b.Result.IsError)
	default:
		// A kind that is none of these has no fields; CheckFor refuses it.
	}
	w.str("type", string(b.Kind))
	if b.isMedia() {
		w.opt("url", b.URL)
	}
	w.close()
}

func (w *writer) media(b Block) {
	if len(b.Data) > 0 && !w.omitMedia {
		w.key("data")
		w.dst = append(w.dst, '"')
		w.dst = base64.StdEncoding.AppendEncode(w.dst, b.Data)
		w.dst = append(w.dst, '"')
	}
	w.opt("media_type", b.MediaType)
	w.opt("name", b.Name)
}

func (w *writer) data(name string, d events.ProviderData) {
	if d.IsZero() {
		return
	}
	w.key(name)
	w.open()
	w.str("format", d.Format)
	w.opt("origin", d.Origin)
	w.str("value", d.Value)
	w.close()
}

func (w *writer) open()  { w.dst = append(w.dst, '{') }
func (w *writer) close() { w.dst = append(w.dst, '}') }

// separate writes the comma before a member, unless it is the first.
func (w *writer) separate() {
	if w.dst[len(w.dst)-1] != '{' {
		w.dst = append(w.dst, ',')
	}
}

func (w *writer) key(name string) {
	w.separate()
	w.dst = append(append(append(w.dst, '"'), name...), '"', ':')
}

func (w *writer) str(name, s string) {
	w.key(name)
	w.dst = events.AppendQuoted(w.dst, s)
}

func (w *writer) opt(name, s string) {
	if s != "" {
		w.str(name, s)
	}
}

func (w *writer) raw(name, text string) {
	w.key(name)
	w.dst = append(w.dst, text...)
}

func (w *writer) int(name string, n int64) {
	w.key(name)
	w.dst = strconv.AppendInt(w.dst, n, 10)
}

func (w *writer) count(name string, n int) {
	if n != 0 {
		w.int(name, int64(n))
	}
}

func (w *writer) bool(name string, b bool) {
	w.key(name)
	w.dst = strconv.AppendBool(w.dst, b)
}

func (w *writer) flag(name string, b bool) {
	if b {
		w.bool(name, b)
	}
}

// float writes the shortest literal that reads back as the same number, spelled
// as encoding/json does. The number is finite.
func (w *writer) float(name string, v *float64) {
	if v == nil {
		return
	}
	literal, err := json.Marshal(*v)
	if err == nil {
		w.raw(name, string(literal))
	}
}

func writeList[T any](w *writer, items []T, write func(T)) {
	w.dst = append(w.dst, '[')
	for i, item := range items {
		if i > 0 {
			w.dst = append(w.dst, ',')
		}
		write(item)
	}
	w.dst = append(w.dst, ']')
}

// MarshalJSON returns {"description":...,"name":...,"schema":{...}}, the schema
// byte for byte as declared; see [Request.MarshalJSON] about encoding/json.
func (t Tool) MarshalJSON() ([]byte, error) {
	w := writer{}
	w.tool(t)
	return w.dst, nil
}

// MarshalJSON returns {"name":...,"schema":{...},"strict":true}, the schema byte for
// byte as declared, and null for the zero Answer; see [Request.MarshalJSON] about
// encoding/json.
func (a Answer) MarshalJSON() ([]byte, error) {
	if a.IsZero() {
		return []byte("null"), nil
	}
	w := writer{}
	w.answer(a)
	return w.dst, nil
}
