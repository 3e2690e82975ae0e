package ollamawire

import (
	"math"
	"strconv"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/request"
)

// Encode returns the body of POST /api/chat for a prepared request. The same
// request gives the same bytes. Tool schemas, the schema of a structured answer
// (format) and the arguments of tool calls go byte for byte as they are. The protocol
// has no tool choice but "none" (the tools are left out) and no flag for a failed tool;
// such a tool's text is sent after "Error: ". What else it has no word for [Prepare]
// tells.
//
// Extra[ExtraKey] is merged last: it may add members (keep_alive, format) and
// options, and may not set model, messages, tools or stream.
//
// A request that cannot be spelled is a failure of kind invalid_request.
func Encode(model string, p request.Prepared, profile Profile) ([]byte, error) {
	messages := messageWriter{names: p.Names, wireNames: map[string]string{}}
	dst := events.AppendQuoted([]byte(`{"model":`), model)
	dst, err := messages.append(append(dst, `,"messages":`...), p.Request)
	if err != nil {
		return nil, err
	}
	dst = appendTools(dst, p)
	dst = append(dst, `,"stream":true`...)
	rest, err := parameters(p, profile)
	if err != nil {
		return nil, err
	}
	return append(rest.AppendMembers(dst), '}'), nil
}

func appendTools(dst []byte, p request.Prepared) []byte {
	if len(p.Request.Tools) == 0 || p.Request.ToolChoice.Mode == request.ToolNone {
		return dst
	}
	dst = append(dst, `,"tools":[`...)
	for i, t := range p.Request.Tools {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"type":"function","function":{"name":`...)
		dst = events.AppendQuoted(dst, p.Names.Wire(t.Name()))
		dst = events.AppendQuoted(append(dst, `,"description":`...), t.Description())
		dst = append(append(dst, `,"parameters":`...), t.Schema()...)
		dst = append(dst, `}}`...)
	}
	return append(dst, ']')
}

// parameters returns the members of the body after the tools.
func parameters(p request.Prepared, profile Profile) (*wirejson.Object, error) {
	body := &wirejson.Object{}
	r := p.Request
	if !r.Answer.IsZero() {
		// The whole schema, of which the server makes a grammar. It may not follow a
		// reference to a definition that comes later (github.com/ollama/ollama, issue
		// 8444, open when read 2026-11-30).
		body.Set("format", p.AnswerSchema)
	}
	if t := think(r.Effort, profile.ThinkLevels); t != "" {
		body.Set("think", t)
	}
	if profile.KeepAlive != "" {
		body.Set("keep_alive", profile.KeepAlive)
	}
	options, err := options(r, profile)
	if err != nil {
		return nil, err
	}
	if options.Len() > 0 {
		body.Set("options", string(options.Append(nil)))
	}
	return body, body.Merge(r.Extra[ExtraKey], "model", "messages", "tools", "stream")
}

// think spells an effort as the JSON value of think; empty leaves it out. A level is
// sent by its name.
func think(effort request.Effort, levels bool) string {
	switch {
	case effort == "":
		return ""
	case effort == request.EffortOff:
		return "false"
	case levels:
		return string(events.AppendQuoted(nil, string(effort)))
	default:
		return "true"
	}
}

func options(r request.Request, profile Profile) (*wirejson.Object, error) {
	o := &wirejson.Object{}
	if profile.ContextLength > 0 {
		o.Set("num_ctx", strconv.Itoa(profile.ContextLength))
	}
	if r.MaxOutputTokens > 0 {
		o.Set("num_predict", strconv.Itoa(r.MaxOutputTokens))
	}
	if err := setFloat(o, "temperature", r.Temperature); err != nil {
		return nil, err
	}
	if err := setFloat(o, "top_p", r.TopP); err != nil {
		return nil, err
	}
	if r.Seed != nil {
		o.Set("seed", strconv.FormatInt(*r.Seed, 10))
	}
	if len(r.Stop) > 0 {
		o.Set("stop", string(appendStrings(nil, r.Stop)))
	}
	return o, nil
}

func setFloat(o *wirejson.Object, key string, f *float64) error {
	if f == nil {
		return nil
	}
	if math.IsNaN(*f) || math.IsInf(*f, 0) {
		return unspellable(events.ReasonBadParameter, key+" is not a number")
	}
	o.Set(key, strconv.FormatFloat(*f, 'g', -1, 64))
	return nil
}

func appendStrings(dst []byte, texts []string) []byte {
	dst = append(dst, '[')
	for i, s := range texts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = events.AppendQuoted(dst, s)
	}
	return append(dst, ']')
}

func unspellable(reason events.Reason, text string) error {
	return events.NewFailure(events.InvalidRequest, reason, text)
}
