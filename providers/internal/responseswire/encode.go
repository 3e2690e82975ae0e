package responseswire

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/request"
)

// Encode spells the request as the body of a streaming Responses call, the same
// bytes for the same request. Failures are of kind invalid_request.
//
// The provider is asked to store nothing (store false). Extra[ExtraKey] is merged
// last; model, input and stream are not its to set. Its tools, a list, follow the
// declared ones: so the provider's own are asked for ({"type":"web_search"}). What it
// wants included comes besides sealed reasoning, unless it is a list of nothing.
//
// What the wire lacks is put into words: the result of a failed tool begins with
// "Error: ".
func Encode(model string, p request.Prepared, profile Profile) ([]byte, error) {
	params, err := parameters(p, profile)
	if err != nil {
		return nil, err
	}
	e := encoder{names: p.Names, origin: profile.Origin, dst: make([]byte, 0, 4<<10)}
	e.raw(`{"model":`)
	e.quote(model)
	e.input(p.Request.Messages)
	e.raw(`,"stream":true`)
	if e.err != nil {
		return nil, e.err
	}
	return append(params.AppendMembers(e.dst), '}'), nil
}

// parameters returns the members of the body that Extra may replace.
func parameters(p request.Prepared, profile Profile) (*wirejson.Object, error) {
	var o wirejson.Object
	r := &p.Request
	if !profile.NoStore {
		o.Set("store", "false")
	}
	sealed := profile.EncryptedReasoning != EncryptedNever
	if sealed {
		o.Set("include", quotedList(encryptedContent))
	}
	if r.System != "" {
		o.Set("instructions", quoted(r.System))
	}
	declared := profile.tools(r, p.Names)
	if len(r.Tools)+len(r.HostedTools) > 0 {
		o.Set("tools", declared)
	}
	if n, ok := profile.searches(r); ok {
		o.Set("max_tool_calls", strconv.Itoa(n))
	}
	if len(r.Tools) > 0 {
		if choice := toolChoice(r.ToolChoice, p.Names); choice != "" {
			o.Set("tool_choice", choice)
		}
	}
	if len(r.Tools)+len(r.HostedTools) > 0 && r.Parallel != nil {
		o.Set("parallel_tool_calls", strconv.FormatBool(*r.Parallel))
	}
	if r.MaxOutputTokens > 0 {
		o.Set("max_output_tokens", strconv.Itoa(r.MaxOutputTokens))
	}
	if r.Temperature != nil {
		o.Set("temperature", decimal(*r.Temperature))
	}
	if r.TopP != nil {
		o.Set("top_p", decimal(*r.TopP))
	}
	stopAndSeed(&o, r)
	if reasoning := reasoningOf(r); reasoning != "" {
		o.Set("reasoning", reasoning)
	}
	profile.cache(&o, r.Cache)
	if !r.Answer.IsZero() {
		o.Set(profile.answer(r.Answer.Name(), p.AnswerSchema))
	}
	for _, extra := range []string{profile.ExtraBody, r.Extra[ExtraKey]} {
		if err := o.Merge(extra, "model", "input", "stream"); err != nil {
			return nil, err
		}
		if err := addTools(&o, declared); err != nil {
			return nil, err
		}
		declared, _ = o.Get("tools")
	}
	if sealed {
		keepSealed(&o)
	}
	return &o, nil
}

// encryptedContent asks for sealed reasoning.
const encryptedContent = "reasoning.encrypted_content"

func quotedList(texts ...string) string {
	var o wirejson.Object
	o.SetTexts("list", texts)
	list, _ := o.Get("list")
	return list
}

// keepSealed adds sealed reasoning to what Extra wants included: without it the turn
// could not go back whole. A list of nothing asks for nothing.
func keepSealed(o *wirejson.Object) {
	text, _ := o.Get("include")
	var list []string
	if json.Unmarshal([]byte(text), &list) == nil && len(list) > 0 && !slices.Contains(list, encryptedContent) {
		o.Set("include", quotedList(append(list, encryptedContent)...))
	}
}

// answer returns the member that asks for a structured answer.
func (p Profile) answer(name, schema string) (member, value string) {
	named := `"name":` + quoted(name) + `,"schema":` + schema + `,"strict":true}`
	if p.Answer == AnswerFormat {
		return "response_format", `{"type":"json_schema","json_schema":{` + named + `}`
	}
	return "text", `{"format":{"type":"json_schema",` + named + `}`
}

// stopAndSeed spells what some hosts take besides; preparing has left it out for others.
func stopAndSeed(o *wirejson.Object, r *request.Request) {
	if len(r.Stop) > 0 {
		o.SetTexts("stop", r.Stop)
	}
	if r.Seed != nil {
		o.Set("seed", strconv.FormatInt(*r.Seed, 10))
	}
}

// addTools puts the declared tools before those of Extra, which have taken their
// place.
func addTools(o *wirejson.Object, declared string) error {
	all, _ := o.Get("tools")
	switch {
	case all == declared, all == "":
		return nil
	case !strings.HasPrefix(all, "["):
		return events.NewFailure(events.InvalidRequest, events.ReasonBadParameter, "extra sets tools to what is no list")
	case declared == "", declared == "[]":
		return nil
	}
	if more := strings.TrimSpace(all[1:]); more != "]" {
		declared = strings.TrimSuffix(declared, "]") + "," + more
	}
	o.Set("tools", declared)
	return nil
}

func decimal(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// reasoningOf spells the effort in OpenAI's words, which are the request's but for
// "none". A budget, where the host takes one, is the more precise wish.
func reasoningOf(r *request.Request) string {
	switch {
	case r.Effort == request.EffortOff:
		return `{"effort":"none"}`
	case r.ThinkingBudget != nil:
		return `{"max_tokens":` + strconv.Itoa(*r.ThinkingBudget) + `}`
	case r.Effort != "":
		return `{"effort":` + quoted(string(r.Effort)) + `}`
	default:
		return ""
	}
}

// toolChoice is left out where it would say what the wire does anyway.
func toolChoice(choice request.ToolChoice, names request.Names) string {
	switch choice.Mode {
	case request.ToolNone, request.ToolRequired:
		return quoted(string(choice.Mode))
	case request.ToolNamed:
		return `{"type":"function","name":` + quoted(names.Wire(choice.Name)) + `}`
	default:
		return ""
	}
}

// encoder appends a body. After an error it goes on and its bytes are void.
type encoder struct {
	dst    []byte
	names  request.Names
	origin string
	err    error
	// custom are the ids of the last turn's calls whose input is free text.
	custom []string
}

func (e *encoder) fail(reason events.Reason, what string) {
	if e.err == nil {
		e.err = events.NewFailure(events.InvalidRequest, reason, what)
	}
}

func (e *encoder) raw(s string) { e.dst = append(e.dst, s...) }

func (e *encoder) quote(s string) { e.dst = events.AppendQuoted(e.dst, s) }

// comma separates from what came before in the same object or array.
func (e *encoder) comma() {
	if last := e.dst[len(e.dst)-1]; last != '{' && last != '[' {
		e.raw(",")
	}
}

// tools declares the tools, and the provider's own. strict is said to be false, because a schema is
// otherwise taken for one of the strict subset (developers.openai.com/api/docs/
// guides/function-calling, and recordings that send it).
func (p Profile) tools(r *request.Request, names request.Names) string {
	dst := []byte{'['}
	for i, t := range r.Tools {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = events.AppendQuoted(append(dst, `{"type":"function","name":`...), names.Wire(t.Name()))
		if t.Description() != "" {
			dst = events.AppendQuoted(append(dst, `,"description":`...), t.Description())
		}
		dst = append(append(append(dst, `,"parameters":`...), t.Schema()...), `,"strict":false}`...)
	}
	for _, h := range r.HostedTools {
		if len(dst) > 1 {
			dst = append(dst, ',')
		}
		if h.WebSearch != nil {
			h.Raw = p.webSearch(h.WebSearch)
		}
		dst = append(dst, h.Raw...)
	}
	return string(append(dst, ']'))
}
