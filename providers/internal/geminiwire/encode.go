package geminiwire

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/request"
)

// Encode spells the request as the body of a streamGenerateContent call, the same
// bytes for the same request. The model is no part of it: the URL names it.
// Failures are of kind invalid_request.
//
// Extra[ExtraKey] is merged last; model and contents are not its to set. Its tools
// are added to those of the request, and may not declare functions: they are the
// provider's own (googleSearch, codeExecution, urlContext ...).
func Encode(p request.Prepared, profile Profile) ([]byte, error) {
	e := encoder{names: p.Names, profile: profile}
	params, err := e.params(p)
	if err != nil {
		return nil, err
	}
	turns, token, err := e.resumed(p.Request.Messages)
	if err != nil {
		return nil, err
	}
	if token != "" {
		params.Set("continuationToken", token)
	}
	e.dst = append(e.dst, `{"contents":`...)
	if err := e.contents(turns); err != nil {
		return nil, err
	}
	return append(params.AppendMembers(e.dst), '}'), nil
}

// encoder appends a body.
type encoder struct {
	dst     []byte
	names   request.Names
	profile Profile
	// called are the calls of the model's last turn.
	called []events.ToolCall
}

func (e *encoder) str(s string) { e.dst = events.AppendQuoted(e.dst, s) }

func quoted(s string) string { return string(events.AppendQuoted(nil, s)) }

func quotedList(texts []string) string {
	dst := []byte{'['}
	for i, s := range texts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = events.AppendQuoted(dst, s)
	}
	return string(append(dst, ']'))
}

// params returns the members after the contents.
func (e *encoder) params(p request.Prepared) (*wirejson.Object, error) {
	var o wirejson.Object
	r := &p.Request
	if r.System != "" {
		o.Set("systemInstruction", `{"parts":[{"text":`+quoted(r.System)+`}]}`)
	}
	extra := r.Extra[ExtraKey]
	hosted, err := hostedTools(extra)
	if err != nil {
		return nil, err
	}
	if config := e.toolConfig(r, len(hosted)); config.Len() > 0 {
		o.Set("toolConfig", string(config.Append(nil)))
	}
	if config := generationConfig(p, e.profile); config.Len() > 0 {
		o.Set("generationConfig", string(config.Append(nil)))
	}
	if r.Seed != nil && (*r.Seed < math.MinInt32 || *r.Seed > math.MaxInt32) {
		return nil, badParameter("seed " + strconv.FormatInt(*r.Seed, 10) + " has more than 32 bits")
	}
	fixed := []string{"model", "contents", "tools"}
	if len(hosted) > 0 {
		fixed = fixed[:2]
	}
	if err := o.Merge(extra, fixed...); err != nil {
		return nil, err
	}
	var own []json.RawMessage
	for _, h := range r.HostedTools {
		if h.WebSearch != nil {
			h.Raw = googleSearch(h.WebSearch)
		}
		own = append(own, json.RawMessage(h.Raw))
	}
	if tools := appendTools(nil, r.Tools, append(own, hosted...), e.names); len(tools) > 0 {
		o.Set("tools", string(tools))
	}
	return &o, nil
}

// generationConfig spells the parameters.
func generationConfig(p request.Prepared, profile Profile) *wirejson.Object {
	o := &wirejson.Object{}
	r := &p.Request
	if r.MaxOutputTokens > 0 {
		o.Set("maxOutputTokens", strconv.Itoa(r.MaxOutputTokens))
	}
	if r.Temperature != nil {
		o.Set("temperature", number(*r.Temperature))
	}
	if r.TopP != nil {
		o.Set("topP", number(*r.TopP))
	}
	if len(r.Stop) > 0 {
		o.Set("stopSequences", quotedList(r.Stop))
	}
	if r.Seed != nil {
		o.Set("seed", strconv.FormatInt(*r.Seed, 10))
	}
	if thinking := thinkingConfig(r, profile); thinking != "" {
		o.Set("thinkingConfig", thinking)
	}
	if !r.Answer.IsZero() {
		o.Set("responseMimeType", `"application/json"`)
		o.Set("responseJsonSchema", p.AnswerSchema)
	}
	return o
}

func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// thinkingConfig spells a budget, or else an effort: the wire refuses the two
// together. A model that is told to think is asked to show its thoughts.
func thinkingConfig(r *request.Request, profile Profile) string {
	switch {
	case r.ThinkingBudget != nil:
		return budget(*r.ThinkingBudget)
	case r.Effort == "":
		return ""
	case r.Effort == request.EffortOff:
		return `{"thinkingBudget":0}`
	case profile.Thinking == ThinkingBudget:
		return budget(profile.bounded(budgetOf(r.Effort)))
	default:
		return `{"includeThoughts":true,"thinkingLevel":` + quoted(string(r.Effort)) + `}`
	}
}

func budget(tokens int) string {
	return `{"includeThoughts":true,"thinkingBudget":` + strconv.Itoa(tokens) + `}`
}

func budgetOf(e request.Effort) int {
	switch e {
	case request.EffortMinimal:
		return 1024
	case request.EffortLow:
		return 2048
	case request.EffortMedium:
		return 8192
	case request.EffortHigh:
		return 16384
	case request.EffortXHigh:
		return 24576
	default:
		return 32768
	}
}

// toolConfig says how tools may be used. One that is called beside tools of the
// provider's is told of their uses, which have to come back
// (ai.google.dev/gemini-api/docs/tool-combination, a stored copy read 2026-12-01).
func (e *encoder) toolConfig(r *request.Request, extra int) *wirejson.Object {
	o := &wirejson.Object{}
	if choice := toolChoice(r, e.names); choice != "" {
		o.Set("functionCallingConfig", choice)
	}
	if e.profile.Hosted == HostedTold && declares(r) && len(r.HostedTools)+extra > 0 {
		o.Set("includeServerSideToolInvocations", "true")
	}
	return o
}

// googleSearch spells a web search. That it can be kept off domains is of Vertex AI
// alone (go-genai, models.go at 0fc6c42, googleSearchToMldev, read 2026-12-01).
func googleSearch(s *request.WebSearch) string {
	if len(s.BlockedDomains) == 0 {
		return `{"googleSearch":{}}`
	}
	return `{"googleSearch":{"excludeDomains":` + quotedList(s.BlockedDomains) + `}}`
}

// toolChoice is left out where it would say what the wire does anyway.
func toolChoice(r *request.Request, names request.Names) string {
	if len(r.Tools) == 0 {
		return ""
	}
	switch r.ToolChoice.Mode {
	case request.ToolNone:
		return `{"mode":"NONE"}`
	case request.ToolRequired:
		return `{"mode":"ANY"}`
	case request.ToolNamed:
		return `{"mode":"ANY","allowedFunctionNames":[` + quoted(names.Wire(r.ToolChoice.Name)) + `]}`
	default:
		return ""
	}
}

// appendTools appends the list of the declared tools, with their schemas byte for
// byte, and the provider's own; nothing for none.
func appendTools(dst []byte, tools []request.Tool, hosted []json.RawMessage, names request.Names) []byte {
	separator := byte('[')
	for i, t := range tools {
		if i == 0 {
			dst = append(dst, `[{"functionDeclarations":`...)
		}
		dst = append(dst, separator)
		dst = events.AppendQuoted(append(dst, `{"name":`...), names.Wire(t.Name()))
		if t.Description() != "" {
			dst = events.AppendQuoted(append(dst, `,"description":`...), t.Description())
		}
		dst = append(append(append(dst, `,"parametersJsonSchema":`...), t.Schema()...), '}')
		separator = ','
	}
	if len(tools) > 0 {
		dst = append(dst, "]}"...)
	}
	for _, h := range hosted {
		dst = append(append(dst, separator), h...)
		separator = ','
	}
	if len(dst) > 0 {
		dst = append(dst, ']')
	}
	return dst
}

// hostedTools returns the provider's own tools of a request's extra.
func hostedTools(extra string) ([]json.RawMessage, error) {
	var members map[string]json.RawMessage
	if extra == "" || json.Unmarshal([]byte(extra), &members) != nil || members["tools"] == nil {
		return nil, nil
	}
	var tools []json.RawMessage
	if json.Unmarshal(members["tools"], &tools) != nil {
		return nil, badParameter("extra.gemini.tools is no list")
	}
	for _, t := range tools {
		var one map[string]json.RawMessage
		if json.Unmarshal(t, &one) != nil || one == nil {
			return nil, badParameter("extra.gemini.tools holds what is no tool")
		}
		for key := range one {
			if strings.EqualFold(strings.ReplaceAll(key, "_", ""), "functionDeclarations") {
				return nil, badParameter("extra.gemini.tools declares functions, which are the request's tools")
			}
		}
	}
	return tools, nil
}

func badParameter(text string) error {
	return events.NewFailure(events.InvalidRequest, events.ReasonBadParameter, text)
}

func badHistory(text string) error {
	return events.NewFailure(events.InvalidRequest, events.ReasonBadHistory, text)
}
