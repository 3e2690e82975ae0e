package messageswire

import (
	"strconv"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/request"
)

// Encode spells the request as the body of a streaming Messages call, the same
// bytes for the same request. Failures are of kind invalid_request.
//
// Extra[ExtraKey] is merged last; model, messages, tools, stream and
// anthropic_version are not its to set.
func Encode(model string, p request.Prepared, profile Profile) ([]byte, error) {
	e := encoder{names: p.Names, origin: profile.Origin, cites: p.Request.Citations, noURLs: profile.NoURLs}
	params, err := e.params(p, profile)
	if err != nil {
		return nil, err
	}
	if profile.BodyVersion != "" {
		e.dst = events.AppendQuoted(append(e.dst, `{"anthropic_version":`...), profile.BodyVersion)
	} else {
		e.dst = events.AppendQuoted(append(e.dst, `{"model":`...), model)
	}
	e.tools(&p.Request)
	e.dst = append(e.dst, `,"messages":`...)
	if err := e.messages(p.Request.Messages); err != nil {
		return nil, err
	}
	if !profile.StreamInURL {
		e.dst = append(e.dst, `,"stream":true`...)
	}
	return append(params.AppendMembers(e.dst), '}'), nil
}

// encoder appends a body.
type encoder struct {
	dst    []byte
	names  request.Names
	origin string
	// cites: every document is to be cited; the wire takes all of a request or none.
	cites bool
	// noURLs: the host fetches nothing.
	noURLs bool
}

func (e *encoder) str(s string) { e.dst = events.AppendQuoted(e.dst, s) }

func quoted(s string) string { return string(events.AppendQuoted(nil, s)) }

// params returns the members that Extra may set too.
func (e *encoder) params(p request.Prepared, profile Profile) (*wirejson.Object, error) {
	var o wirejson.Object
	r := &p.Request
	o.Set("max_tokens", strconv.Itoa(maxTokens(r, profile)))
	if r.System != "" {
		o.Set("system", system(r.System, r.Cache.System))
	}
	if choice := toolChoice(r, e.names); choice != "" {
		o.Set("tool_choice", choice)
	}
	plan := thinking(r, profile)
	if plan.Member != "" {
		o.Set("thinking", plan.Member)
	}
	if config := outputConfig(p, plan.Effort); config.Len() > 0 {
		o.Set("output_config", string(config.Append(nil)))
	}
	if plan.Temperature != nil {
		o.Set("temperature", number(*plan.Temperature))
	}
	if plan.TopP != nil {
		o.Set("top_p", number(*plan.TopP))
	}
	if len(r.Stop) > 0 {
		o.Set("stop_sequences", quotedList(r.Stop))
	}
	container, err := e.container(r)
	if err != nil {
		return nil, err
	}
	if container != "" {
		o.Set("container", container)
	}
	err = o.Merge(r.Extra[ExtraKey], "model", "messages", "tools", "stream", "anthropic_version")
	return &o, err
}

func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

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

// outputConfig spells an effort and the schema of a structured answer, which share
// one object (https://platform.claude.com/docs/en/build-with-claude/
// structured-outputs, a stored copy read 2026-11-30).
func outputConfig(p request.Prepared, effort request.Effort) *wirejson.Object {
	o := &wirejson.Object{}
	if effort != "" {
		o.Set("effort", quoted(string(effort)))
	}
	if !p.Request.Answer.IsZero() {
		o.Set("format", `{"type":"json_schema","schema":`+p.AnswerSchema+`}`)
	}
	return o
}

// toolChoice is left out where it would say what the wire does anyway.
func toolChoice(r *request.Request, names request.Names) string {
	if len(r.Tools)+len(r.HostedTools) == 0 {
		return ""
	}
	single := ""
	if r.Parallel != nil && !*r.Parallel {
		single = `,"disable_parallel_tool_use":true`
	}
	switch r.ToolChoice.Mode {
	case request.ToolNone:
		return `{"type":"none"}`
	case request.ToolRequired:
		return `{"type":"any"` + single + `}`
	case request.ToolNamed:
		return `{"type":"tool","name":` + quoted(names.Wire(r.ToolChoice.Name)) + single + `}`
	default:
		if single == "" {
			return ""
		}
		return `{"type":"auto"` + single + `}`
	}
}

// tools appends the hosted tools and the declared ones, the last with the marker.
func (e *encoder) tools(r *request.Request) {
	if len(r.HostedTools)+len(r.Tools) == 0 {
		return
	}
	e.dst = append(e.dst, `,"tools":[`...)
	for _, h := range r.HostedTools {
		e.element()
		e.dst = append(e.dst, hostedTool(h)...)
	}
	for _, t := range r.Tools {
		e.element()
		e.dst = append(e.dst, `{"name":`...)
		e.str(e.names.Wire(t.Name()))
		if t.Description() != "" {
			e.dst = append(e.dst, `,"description":`...)
			e.str(t.Description())
		}
		e.dst = append(append(append(e.dst, `,"input_schema":`...), t.Schema()...), '}')
	}
	e.dst = e.dst[:len(e.dst)-1]
	e.mark(r.Cache.Tools)
	e.dst = append(e.dst, "}]"...)
}

// hostedTool is the web search that all models with one take (rubydoc.info,
// anthropic-sdk-ruby, WebSearchTool20250305, read 2026-12-01), or a tool as it was given.
func hostedTool(h request.HostedTool) string {
	if h.WebSearch == nil {
		return strings.TrimSpace(h.Raw)
	}
	var o wirejson.Object
	s := h.WebSearch
	o.Set("type", `"web_search_20250305"`)
	o.Set("name", `"web_search"`)
	if s.MaxUses > 0 {
		o.Set("max_uses", strconv.Itoa(s.MaxUses))
	}
	o.SetTexts("allowed_domains", s.AllowedDomains)
	o.SetTexts("blocked_domains", s.BlockedDomains)
	if l := s.Location; l != (request.Location{}) {
		var place wirejson.Object
		place.Set("type", `"approximate"`)
		place.SetPlace(l.City, l.Region, l.Country, l.Timezone)
		o.Set("user_location", string(place.Append(nil)))
	}
	return string(o.Append(nil))
}

func system(text string, marker request.CacheTTL) string {
	if marker == "" {
		return quoted(text)
	}
	return `[{"type":"text","text":` + quoted(text) + cacheControl(marker) + `}]`
}

// mark appends a cache marker to the block that is not closed yet.
func (e *encoder) mark(ttl request.CacheTTL) { e.dst = append(e.dst, cacheControl(ttl)...) }

// cacheControl is five minutes when it does not say how long (anthropic-sdk-go v1.60,
// read August to October 2026).
func cacheControl(ttl request.CacheTTL) string {
	switch ttl {
	case "":
		return ""
	case request.CacheLong:
		return `,"cache_control":{"type":"ephemeral","ttl":"1h"}`
	default:
		return `,"cache_control":{"type":"ephemeral"}`
	}
}

func badParameter(text string) error {
	return events.NewFailure(events.InvalidRequest, events.ReasonBadParameter, text)
}

func badHistory(text string) error {
	return events.NewFailure(events.InvalidRequest, events.ReasonBadHistory, text)
}
