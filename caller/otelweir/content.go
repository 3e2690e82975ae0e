package otelweir

import (
	"encoding/json"
	"math"
	"slices"

	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// The forms are those of docs/gen-ai/gen-ai-input-messages.json,
// gen-ai-output-messages.json and gen-ai-system-instructions.json of
// github.com/open-telemetry/semantic-conventions-genai, and of the example of
// gen_ai.tool.definitions in its gen-ai-spans.md, stored copies read 2026-11-30. A
// media block is a part of a type of its own, as they allow: their blob wants the
// bytes, and their uri an address that may be signed.

type message struct {
	Role         string `json:"role"`
	Parts        []part `json:"parts"`
	FinishReason string `json:"finish_reason,omitempty"`
}

type part struct {
	Type      string `json:"type"`
	Content   any    `json:"content,omitempty"`
	ID        string `json:"id,omitempty"`
	Name      string `json:"name,omitempty"`
	Arguments any    `json:"arguments,omitempty"`
	Response  any    `json:"response,omitempty"`
	Modality  string `json:"modality,omitempty"`
	MediaType string `json:"mime_type,omitempty"`
}

// bound returns how many bytes of content an attribute may have.
func bound(most int) int {
	switch {
	case most == 0:
		return DefaultMaxContent
	case most < 0:
		return math.MaxInt
	default:
		return most
	}
}

// A budget is what is left of the bytes of an attribute.
type budget struct {
	left int
	cut  bool
}

// take returns as much of a text as there is room for. After a text that was cut
// there is none.
func (b *budget) take(text string) string {
	kept := events.CutText(text, b.left)
	b.left -= len(kept)
	if len(kept) < len(text) {
		b.left, b.cut = 0, true
	}
	return kept
}

// object returns the text of a JSON object as what it is, or as a text when it is cut
// or none.
func (b *budget) object(text string) any {
	kept := b.take(text)
	if json.Valid([]byte(kept)) {
		return json.RawMessage(kept)
	}
	return kept
}

// inputOf returns what a request says.
func inputOf(r *request.Request, most int) []attribute.KeyValue {
	var attrs []attribute.KeyValue
	system, history := budget{left: most}, budget{left: most}
	if r.System != "" {
		attrs = append(attrs, semconv.GenAISystemInstructionsKey.String(encode([]part{{Type: "text", Content: system.take(r.System)}})))
	}
	attrs = append(attrs, semconv.GenAIInputMessagesKey.String(encode(history.messages(r.Messages))))
	if len(r.Tools) > 0 {
		tools := make([]part, len(r.Tools))
		for i, t := range r.Tools {
			tools[i] = part{Type: "function", Name: t.Name()}
		}
		attrs = append(attrs, semconv.GenAIToolDefinitionsKey.String(encode(tools)))
	}
	return cutMark(attrs, system.cut || history.cut)
}

// outputOf returns what a reply says. Of one that did not end properly the reason is
// "error".
func outputOf(reply *stream.Reply, most int) []attribute.KeyValue {
	b := budget{left: most}
	m := message{Role: "assistant", Parts: []part{}, FinishReason: finishReason(reply.Stop())}
	for _, p := range []part{{Type: "text", Content: reply.Text()}, {Type: "text", Content: reply.Refusal()}, {Type: "reasoning", Content: reply.Thinking()}} {
		if text, _ := p.Content.(string); text != "" {
			p.Content = b.take(text)
			m.Parts = append(m.Parts, p)
		}
	}
	for _, c := range reply.AllCalls() {
		arguments := c.Arguments
		if c.Issue != nil {
			arguments = c.Text
		}
		m.Parts = append(m.Parts, b.call(c.ToolCall, arguments))
	}
	return cutMark([]attribute.KeyValue{semconv.GenAIOutputMessagesKey.String(encode([]message{m}))}, b.cut)
}

// finishReason returns the word of the schema, or weir's where it has none.
func finishReason(stop events.Stop) string {
	switch stop {
	case events.StopEnd, events.StopSequence:
		return "stop"
	case events.StopToolUse:
		return "tool_call"
	case events.StopContentFilter, events.StopRefusal:
		return "content_filter"
	case "":
		return "error"
	default:
		return string(stop)
	}
}

// messages returns the newest messages that there is room for, oldest first.
func (b *budget) messages(history []request.Message) []message {
	kept := []message{}
	for _, m := range slices.Backward(history) {
		if b.left <= 0 {
			b.cut = true
			break
		}
		parts := make([]part, 0, len(m.Blocks))
		for _, block := range m.Blocks {
			parts = append(parts, b.part(block))
		}
		kept = append(kept, message{Role: string(m.Role), Parts: parts})
	}
	slices.Reverse(kept)
	return kept
}

func (b *budget) part(block request.Block) part {
	switch block.Kind {
	case request.BlockText:
		return part{Type: "text", Content: b.take(block.Text)}
	case request.BlockToolCall:
		return b.call(block.Call, block.Call.Arguments)
	case request.BlockToolResult:
		content := make([]part, 0, len(block.Result.Content))
		for _, c := range block.Result.Content {
			content = append(content, b.part(c))
		}
		return part{Type: "tool_call_response", ID: block.Result.CallID, Response: content}
	default:
		return part{Type: "media", Modality: string(block.Kind), MediaType: block.MediaType, Name: b.take(block.Name)}
	}
}

func (b *budget) call(c events.ToolCall, arguments string) part {
	return part{Type: "tool_call", ID: c.ID, Name: b.take(c.Name), Arguments: b.object(arguments)}
}

// encode returns v as JSON. What is encoded here always can be.
func encode(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(text)
}

func cutMark(attrs []attribute.KeyValue, cut bool) []attribute.KeyValue {
	if cut {
		attrs = append(attrs, contentCutKey.Bool(true))
	}
	return attrs
}
