package conversewire

import (
	"strconv"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/request"
)

// Encode spells the request as the body of a ConverseStream call, the same bytes
// for the same request. The model is in the address. Failures are of kind
// invalid_request.
//
// Extra[ExtraKey] is merged last; messages and toolConfig are not its to set.
func Encode(p request.Prepared, profile Profile) ([]byte, error) {
	params, err := params(p, profile)
	if err != nil {
		return nil, err
	}
	e := encoder{names: p.Names, origin: profile.Origin, cites: p.Request.Citations, dst: []byte(`{"messages":`)}
	if err := e.messages(p.Request.Messages); err != nil {
		return nil, err
	}
	e.toolConfig(&p.Request, profile.SystemTools)
	return append(params.AppendMembers(e.dst), '}'), nil
}

// encoder appends a body.
type encoder struct {
	dst    []byte
	names  request.Names
	origin string
	// documents are the names that were given to documents, each with the last number
	// that was put after it, or 1.
	documents map[string]int
	// cites: every document is to be cited.
	cites bool
}

func (e *encoder) str(s string) { e.dst = events.AppendQuoted(e.dst, s) }

func quoted(s string) string { return string(events.AppendQuoted(nil, s)) }

// element appends the comma before the next element of a list.
func (e *encoder) element() {
	if e.dst[len(e.dst)-1] != '[' {
		e.dst = append(e.dst, ',')
	}
}

// params returns the members that Extra may set too.
func params(p request.Prepared, profile Profile) (*wirejson.Object, error) {
	var o wirejson.Object
	r := &p.Request
	if r.System != "" {
		o.Set("system", `[{"text":`+quoted(r.System)+`}`+cachePoint(r.Cache.System)+`]`)
	}
	plan := thinking(r, profile)
	if config := inferenceConfig(r, plan); config.Len() > 0 {
		o.Set("inferenceConfig", string(config.Append(nil)))
	}
	if config := outputConfig(p, plan.effort); config.Len() > 0 {
		o.Set("outputConfig", string(config.Append(nil)))
	}
	if plan.fields != "" {
		o.Set("additionalModelRequestFields", plan.fields)
	}
	return &o, o.Merge(r.Extra[ExtraKey], "messages", "toolConfig")
}

// outputConfig spells an effort, and the schema of a structured answer, which is a
// text here.
func outputConfig(p request.Prepared, effort string) *wirejson.Object {
	var o wirejson.Object
	if effort != "" {
		o.Set("effort", quoted(effort))
	}
	if answer := p.Request.Answer; !answer.IsZero() {
		o.Set("textFormat", `{"type":"json_schema","structure":{"jsonSchema":{"name":`+
			quoted(answer.Name())+`,"schema":`+quoted(p.AnswerSchema)+`}}}`)
	}
	return &o
}

// cachePoint is a marker after what stands before it in a list. It is five minutes when
// it does not say how long (docs.aws.amazon.com/bedrock/latest/APIReference/
// API_runtime_CachePointBlock.html, as github.com/strands-agents/sdk-python, issue
// 2121, cites it, read 2026-12-01).
func cachePoint(ttl request.CacheTTL) string {
	switch ttl {
	case "":
		return ""
	case request.CacheLong:
		return `,{"cachePoint":{"type":"default","ttl":"1h"}}`
	default:
		return `,{"cachePoint":{"type":"default"}}`
	}
}

func inferenceConfig(r *request.Request, plan plan) *wirejson.Object {
	var o wirejson.Object
	if r.MaxOutputTokens > 0 {
		o.Set("maxTokens", strconv.Itoa(r.MaxOutputTokens))
	}
	if plan.temperature != nil {
		o.Set("temperature", number(*plan.temperature))
	}
	if plan.topP != nil {
		o.Set("topP", number(*plan.topP))
	}
	if len(r.Stop) > 0 {
		dst := []byte{'['}
		for i, s := range r.Stop {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = events.AppendQuoted(dst, s)
		}
		o.Set("stopSequences", string(append(dst, ']')))
	}
	return &o
}

func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

func badParameter(text string) error {
	return events.NewFailure(events.InvalidRequest, events.ReasonBadParameter, text)
}

func badHistory(text string) error {
	return events.NewFailure(events.InvalidRequest, events.ReasonBadHistory, text)
}
