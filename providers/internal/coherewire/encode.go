package coherewire

import (
	"strconv"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/request"
)

// Encode spells the request as the body of a streaming chat call, the same bytes
// for the same request. Failures are of kind invalid_request.
//
// The wire has no way to name one tool: it is asked for by declaring no other and
// requiring a call. It has no way to forbid parallel calls, and no flag for a
// failed tool, whose text is sent after "Error: ". A text file is sent as a
// document, which the model may cite; other files are refused.
//
// Extra[ExtraKey] is merged last; model, messages, tools and stream are not its to
// set, nor documents where the request has files.
func Encode(model string, p request.Prepared, profile Profile) ([]byte, error) {
	if !p.Request.Answer.IsZero() && p.Request.ToolChoice.Mode == request.ToolNone {
		p.Request.Tools = nil // which response_format is not taken beside, and which none may be called of
	}
	e := encoder{names: p.Names, origin: profile.Origin}
	e.dst = events.AppendQuoted(append(e.dst, `{"model":`...), model)
	e.dst = append(e.dst, `,"messages":`...)
	if err := e.messages(&p.Request); err != nil {
		return nil, err
	}
	e.tools(declared(&p.Request))
	e.dst = append(e.dst, `,"stream":true`...)
	params, err := e.params(p)
	if err != nil {
		return nil, err
	}
	return append(params.AppendMembers(e.dst), '}'), nil
}

// encoder appends a body.
type encoder struct {
	dst    []byte
	names  request.Names
	origin string
	// documents are the files of the conversation, each the JSON of a document.
	documents []string
	// searched is how much text was searched for what citations cite, in bytes.
	searched int
}

func (e *encoder) str(s string) { e.dst = events.AppendQuoted(e.dst, s) }

func quoted(s string) string { return string(events.AppendQuoted(nil, s)) }

// params returns the members that Extra may set too.
func (e *encoder) params(p request.Prepared) (*wirejson.Object, error) {
	var o wirejson.Object
	r := &p.Request
	fixed := []string{"model", "messages", "tools", "stream"}
	if len(e.documents) > 0 {
		o.Set("documents", list(e.documents))
		fixed = append(fixed, "documents")
	}
	switch {
	case len(r.Tools) == 0:
	case r.ToolChoice.Mode == request.ToolNone:
		o.Set("tool_choice", `"NONE"`)
	case r.ToolChoice.Mode == request.ToolRequired, r.ToolChoice.Mode == request.ToolNamed:
		o.Set("tool_choice", `"REQUIRED"`)
	}
	if thinking := thinking(r); thinking != "" {
		o.Set("thinking", thinking)
	}
	if !r.Answer.IsZero() {
		o.Set("response_format", `{"type":"json_object","json_schema":`+p.AnswerSchema+`}`)
	}
	if r.MaxOutputTokens > 0 {
		o.Set("max_tokens", strconv.Itoa(r.MaxOutputTokens))
	}
	setSampling(&o, r)
	err := o.Merge(r.Extra[ExtraKey], fixed...)
	return &o, err
}

func setSampling(o *wirejson.Object, r *request.Request) {
	if r.Temperature != nil {
		o.Set("temperature", number(*r.Temperature))
	}
	if r.TopP != nil {
		o.Set("p", number(*r.TopP))
	}
	if r.Seed != nil {
		o.Set("seed", strconv.FormatInt(*r.Seed, 10))
	}
	if len(r.Stop) > 0 {
		stops := make([]string, len(r.Stop))
		for i, s := range r.Stop {
			stops[i] = quoted(s)
		}
		o.Set("stop_sequences", list(stops))
	}
}

func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

func list(elements []string) string {
	dst := []byte{'['}
	for i, element := range elements {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, element...)
	}
	return string(append(dst, ']'))
}

// thinking spells a budget, or else an effort, of which the wire knows whether and
// not how much.
func thinking(r *request.Request) string {
	switch {
	case r.ThinkingBudget != nil:
		return `{"type":"enabled","token_budget":` + strconv.Itoa(*r.ThinkingBudget) + `}`
	case r.Effort == request.EffortOff:
		return `{"type":"disabled"}`
	case r.Effort != "":
		return `{"type":"enabled"}`
	default:
		return ""
	}
}

// declared returns the tools to declare: the one that must be called, or all.
func declared(r *request.Request) []request.Tool {
	if r.ToolChoice.Mode == request.ToolNamed {
		for _, t := range r.Tools {
			if t.Name() == r.ToolChoice.Name {
				return []request.Tool{t}
			}
		}
	}
	return r.Tools
}

func (e *encoder) tools(tools []request.Tool) {
	for i, t := range tools {
		if i == 0 {
			e.dst = append(e.dst, `,"tools":[`...)
		} else {
			e.dst = append(e.dst, ',')
		}
		e.dst = append(e.dst, `{"type":"function","function":{"name":`...)
		e.str(e.names.Wire(t.Name()))
		if t.Description() != "" {
			e.dst = append(e.dst, `,"description":`...)
			e.str(t.Description())
		}
		e.dst = append(append(append(e.dst, `,"parameters":`...), t.Schema()...), "}}"...)
	}
	if len(tools) > 0 {
		e.dst = append(e.dst, ']')
	}
}

func badParameter(text string) error {
	return events.NewFailure(events.InvalidRequest, events.ReasonBadParameter, text)
}

func badHistory(text string) error {
	return events.NewFailure(events.InvalidRequest, events.ReasonBadHistory, text)
}
