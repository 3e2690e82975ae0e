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
	e := encoder{names: p.Names, origin: profile.Origin, dst: []byte(`{"messages":`)}
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
	// documents are the names that were given to documents.
	documents map[string]bool
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
	if config := inferenceConfig(r); config.Len() > 0 {
		o.Set("inferenceConfig", string(config.Append(nil)))
	}
	if config := outputConfig(p, profile); config.Len() > 0 {
		o.Set("outputConfig", string(config.Append(nil)))
	}
	fields, err := thinking(r, profile)
	if err != nil {
		return nil, err
	}
	if fields != "" {
		o.Set("additionalModelRequestFields", fields)
	}
	return &o, o.Merge(r.Extra[ExtraKey], "messages", "toolConfig")
}

// outputConfig spells an effort, and the schema of a structured answer, which is a
// text here.
func outputConfig(p request.Prepared, profile Profile) *wirejson.Object {
	var o wirejson.Object
	r := &p.Request
	said := profile.Thinking == ThinkingEffort || profile.Thinking == ThinkingAdaptive
	if said && r.Effort != "" && r.Effort != request.EffortOff {
		o.Set("effort", quoted(least(r.Effort)))
	}
	if !r.Answer.IsZero() {
		o.Set("textFormat", `{"type":"json_schema","structure":{"jsonSchema":{"name":`+
			quoted(r.Answer.Name())+`,"schema":`+quoted(p.AnswerSchema)+`}}}`)
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

func inferenceConfig(r *request.Request) *wirejson.Object {
	var o wirejson.Object
	if r.MaxOutputTokens > 0 {
		o.Set("maxTokens", strconv.Itoa(r.MaxOutputTokens))
	}
	if r.Temperature != nil {
		o.Set("temperature", number(*r.Temperature))
	}
	if r.TopP != nil {
		o.Set("topP", number(*r.TopP))
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

// minBudget is the least thinking budget, see package messageswire.
const minBudget = 1024

// thinking spells a budget, or else an effort, as the model's own fields.
func thinking(r *request.Request, profile Profile) (string, error) {
	off := r.Effort == request.EffortOff
	switch {
	case profile.Thinking == ThinkingBudget:
		return budget(r)
	case r.Effort == "":
		return "", nil
	case profile.Thinking == ThinkingAdaptive && off:
		return disabled, nil
	case profile.Thinking == ThinkingAdaptive:
		return `{"thinking":{"type":"adaptive"}}`, nil
	case profile.Thinking == ReasoningConfig && off:
		return `{"reasoningConfig":{"type":"disabled"}}`, nil
	case profile.Thinking == ReasoningConfig:
		return `{"reasoningConfig":{"type":"enabled","maxReasoningEffort":` + quoted(least(r.Effort)) + `}}`, nil
	case profile.Thinking == ReasoningEffort:
		return `{"reasoning_effort":` + quoted(string(r.Effort)) + `}`, nil
	default:
		return "", nil
	}
}

const disabled = `{"thinking":{"type":"disabled"}}`

// least returns the word of an effort; there is none for minimal.
func least(e request.Effort) string {
	if e == request.EffortMinimal {
		return string(request.EffortLow)
	}
	return string(e)
}

// budget spells a budget of tokens, which maxTokens counts in.
func budget(r *request.Request) (string, error) {
	size := 0
	switch {
	case r.ThinkingBudget != nil:
		size = *r.ThinkingBudget
		if size < minBudget || r.MaxOutputTokens > 0 && size >= r.MaxOutputTokens {
			return "", badParameter("thinking budget " + strconv.Itoa(size) + " is not from 1024 to below maxTokens")
		}
	case r.Effort == "":
		return "", nil
	case r.Effort == request.EffortOff:
		return disabled, nil
	default:
		size = budgetOf(r.Effort)
		if r.MaxOutputTokens > 0 {
			size = min(size, r.MaxOutputTokens-1)
		}
		if size < minBudget {
			return "", nil
		}
	}
	return `{"thinking":{"type":"enabled","budget_tokens":` + strconv.Itoa(size) + `}}`, nil
}

func budgetOf(e request.Effort) int {
	switch e {
	case request.EffortMinimal:
		return minBudget
	case request.EffortLow:
		return 2 * minBudget
	case request.EffortMedium:
		return 8 * minBudget
	case request.EffortHigh:
		return 16 * minBudget
	default:
		return 32_000
	}
}

func badParameter(text string) error {
	return events.NewFailure(events.InvalidRequest, events.ReasonBadParameter, text)
}

func badHistory(text string) error {
	return events.NewFailure(events.InvalidRequest, events.ReasonBadHistory, text)
}
