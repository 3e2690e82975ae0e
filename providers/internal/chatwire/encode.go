package chatwire

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/request"
)

// Encode returns the body that asks model for the streamed answer to p. Equal
// arguments give equal bytes; there is no white space, no HTML escaping and no
// line end. Errors are of kind invalid_request: a block that this wire has no
// word for, provider data of another format, Extra that is no JSON object or that
// names model, messages, tools or stream.
//
// What the wire lacks is put into words: the result of a failed tool begins with
// "Error: ", and images of a tool result follow the results in a user message of
// their own. Where a user's message may not follow results the model is made to say
// "OK" between them.
func Encode(model string, p request.Prepared, profile Profile) ([]byte, error) {
	profile.Search = profile.Search.of(model)
	params, err := parameters(p, profile)
	if err != nil {
		return nil, err
	}
	e := encoder{names: p.Names, profile: profile, dst: make([]byte, 0, 4<<10)}
	e.raw(`{"model":`)
	e.quote(model)
	e.messages(&p.Request, profile.systemRole())
	e.tools(p.Request.Tools, rawTools(&p.Request, profile))
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
	if len(r.Tools) > 0 {
		if choice := toolChoice(r.ToolChoice, p.Names); choice != "" {
			o.Set("tool_choice", choice)
		}
		if r.Parallel != nil {
			o.Set("parallel_tool_calls", strconv.FormatBool(*r.Parallel))
		}
	}
	if !profile.NoStreamOptions && !without(r, request.FeatureStreamOptions) {
		o.Set("stream_options", `{"include_usage":true}`)
	}
	sampling(&o, r, profile)
	effort(&o, r, profile)
	cache(&o, r.Cache, profile)
	search(&o, r, profile)
	if format := responseFormat(p, profile); format != "" {
		o.Set("response_format", format)
	}
	for _, extra := range []string{profile.ExtraBody, r.Extra[ExtraKey]} {
		if err := o.Merge(extra, "model", "messages", "tools", "stream"); err != nil {
			return nil, err
		}
	}
	return &o, nil
}

func without(r *request.Request, feature string) bool {
	return slices.Contains(r.Options.Without, feature)
}

func quoted(s string) string { return string(events.AppendQuoted(nil, s)) }

func toolChoice(choice request.ToolChoice, names request.Names) string {
	switch choice.Mode {
	case request.ToolNone, request.ToolRequired:
		return quoted(string(choice.Mode))
	case request.ToolNamed:
		return `{"type":"function","function":{"name":` + quoted(names.Wire(choice.Name)) + `}}`
	default:
		return ""
	}
}

// responseFormat asks for a structured answer.
func responseFormat(p request.Prepared, profile Profile) string {
	r := &p.Request
	switch {
	case p.AnswerInWords && profile.Answer == AnswerObject && !without(r, request.FeatureAnswerSchema):
		return `{"type":"json_object"}`
	case r.Answer.IsZero():
		return ""
	}
	strict := ""
	if profile.Answer == AnswerStrict {
		strict = `,"strict":true`
	}
	return `{"type":"json_schema","json_schema":{"name":` + quoted(r.Answer.Name()) + `,"schema":` + p.AnswerSchema + strict + `}}`
}

func sampling(o *wirejson.Object, r *request.Request, profile Profile) {
	if r.MaxOutputTokens > 0 {
		o.Set(maxTokensField(r, profile), strconv.Itoa(r.MaxOutputTokens))
	}
	if r.Temperature != nil {
		o.Set("temperature", number(*r.Temperature))
	}
	if r.TopP != nil {
		o.Set("top_p", number(*r.TopP))
	}
	if len(r.Stop) > 0 {
		list := []byte{'['}
		for i, s := range r.Stop {
			if i > 0 {
				list = append(list, ',')
			}
			list = events.AppendQuoted(list, s)
		}
		o.Set("stop", string(append(list, ']')))
	}
	if r.Seed != nil {
		o.Set(cmp.Or(profile.Seed, "seed"), strconv.FormatInt(*r.Seed, 10))
	}
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// maxTokensField returns the name of the output cap; the other one when the
// provider has refused it.
func maxTokensField(r *request.Request, profile Profile) string {
	if profile.CompletionTokens != without(r, request.FeatureMaxTokensField) {
		return "max_completion_tokens"
	}
	return "max_tokens"
}

// encoder appends a body. After an error it goes on and its bytes are void.
type encoder struct {
	dst     []byte
	names   request.Names
	profile Profile
	err     error
	// answered: results are what was written last.
	answered bool
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

func (e *encoder) tools(tools []request.Tool, raw []string) {
	if len(tools)+len(raw) == 0 {
		return
	}
	e.raw(`,"tools":[`)
	for _, t := range tools {
		e.comma()
		e.raw(`{"type":"function","function":{"name":`)
		e.quote(e.names.Wire(t.Name()))
		if t.Description() != "" {
			e.raw(`,"description":`)
			e.quote(t.Description())
		}
		e.raw(`,"parameters":`)
		e.raw(t.Schema())
		e.raw("}}")
	}
	for _, t := range raw {
		e.comma()
		e.raw(t)
	}
	e.raw("]")
}
