package chatwire

import (
	"encoding/base64"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

func (e *encoder) messages(r *request.Request, systemRole string) {
	e.raw(`,"messages":[`)
	if r.System != "" {
		e.role(systemRole)
		e.text(request.Text(r.System).Cached(r.Cache.System))
		e.raw("}")
	}
	for _, m := range r.Messages {
		switch m.Role {
		case request.RoleUser:
			e.user(m.Blocks)
		case request.RoleAssistant:
			e.assistant(m)
		case request.RoleTool:
			e.results(m.Blocks)
		default:
			e.fail(events.ReasonBadHistory, "unknown role "+string(m.Role))
		}
	}
	e.raw("]")
}

// role begins a message, up to its content.
func (e *encoder) role(role string) {
	if role == "user" && e.answered && e.profile.AssistantAfterTools {
		e.role("assistant")
		e.raw(`"OK"}`)
	}
	e.answered = false
	e.comma()
	e.raw(`{"role":`)
	e.quote(role)
	e.raw(`,"content":`)
}

// user writes one text as a string, which every server reads, and everything
// else as parts.
func (e *encoder) user(blocks []request.Block) {
	e.role("user")
	if len(blocks) == 1 && blocks[0].Kind == request.BlockText {
		e.text(blocks[0])
	} else {
		e.raw("[")
		for _, b := range blocks {
			e.part(b)
		}
		e.raw("]")
	}
	e.raw("}")
}

// text writes one text, as a part where it has a marker.
func (e *encoder) text(b request.Block) {
	if b.Cache == "" {
		e.quote(b.Text)
		return
	}
	e.raw("[")
	e.part(b)
	e.raw("]")
}

func (e *encoder) part(b request.Block) {
	e.comma()
	switch b.Kind {
	case request.BlockText:
		e.raw(`{"type":"text","text":`)
		e.quote(b.Text)
	case request.BlockImage:
		e.raw(`{"type":"image_url","image_url":{"url":`)
		e.source(b)
		e.raw("}")
	case request.BlockAudio:
		e.audio(b)
	case request.BlockFile:
		e.file(b)
	default:
		e.fail(events.ReasonBadHistory, "a user message cannot hold a block of kind "+string(b.Kind))
	}
	e.mark(b.Cache)
	e.raw("}")
}

// source writes the address of a block's content, a data: URL for inline bytes.
func (e *encoder) source(b request.Block) {
	if b.URL != "" {
		e.quote(b.URL)
		return
	}
	// The media type is the caller's and may hold anything; base64 cannot.
	e.quote("data:" + b.MediaType + ";base64,")
	e.dst = base64.StdEncoding.AppendEncode(e.dst[:len(e.dst)-1], b.Data)
	e.raw(`"`)
}

// file writes a document, up to its end.
func (e *encoder) file(b request.Block) {
	if e.profile.Media == MediaURLs {
		e.raw(`{"type":"document_url","document_url":`)
		e.source(b)
		if b.Name != "" {
			e.raw(`,"document_name":`)
			e.quote(b.Name)
		}
		return
	}
	if e.profile.Media == MediaInline && b.URL != "" {
		e.fail(events.ReasonUnsupported, "a file by address")
		return
	}
	e.raw(`{"type":"file","file":{`)
	if b.Name != "" {
		e.raw(`"filename":`)
		e.quote(b.Name)
		e.raw(",")
	}
	e.raw(`"file_data":`)
	e.source(b)
	e.raw("}")
}

// audio writes an audio clip, up to its end; the wire knows formats (wav, mp3), not
// media types, and no address as a rule.
func (e *encoder) audio(b request.Block) {
	if e.profile.Media == MediaURLs {
		e.raw(`{"type":"input_audio","input_audio":`)
		if b.URL != "" {
			e.quote(b.URL)
			return
		}
		e.raw(`"`)
		e.dst = base64.StdEncoding.AppendEncode(e.dst, b.Data)
		e.raw(`"`)
		return
	}
	if b.URL != "" {
		e.fail(events.ReasonUnsupported, "audio by address")
		return
	}
	format := strings.TrimPrefix(b.MediaType, "audio/")
	switch format {
	case "mpeg":
		format = "mp3"
	case "x-wav", "wave", "vnd.wave":
		format = "wav"
	}
	e.raw(`{"type":"input_audio","input_audio":{"data":"`)
	e.dst = base64.StdEncoding.AppendEncode(e.dst, b.Data)
	e.raw(`","format":`)
	e.quote(format)
	e.raw("}")
}

// assistant writes an earlier answer: its texts as one, its calls, and what the
// provider needs to get back. Content is null and not absent without text:
// DeepSeek refuses a message without it.
func (e *encoder) assistant(m request.Message) {
	var text strings.Builder
	calls := make([]events.ToolCall, 0, len(m.Blocks))
	for _, b := range m.Blocks {
		switch b.Kind {
		case request.BlockText:
			text.WriteString(b.Text)
		case request.BlockToolCall:
			calls = append(calls, b.Call)
		default:
			e.fail(events.ReasonBadHistory, "an assistant message cannot hold a block of kind "+string(b.Kind))
		}
	}
	kept := e.kept(m.Data)
	e.role("assistant")
	switch {
	case kept.content != "":
		e.content(kept.content, text.String())
	case kept.spoken, text.Len() == 0 && len(calls) > 0:
		// The words of speech are the provider's already.
		e.raw("null")
	default:
		e.quote(text.String())
	}
	e.dst = kept.members.AppendMembers(e.dst)
	e.calls(calls)
	e.raw("}")
}

func (e *encoder) calls(calls []events.ToolCall) {
	if len(calls) == 0 {
		return
	}
	e.raw(`,"tool_calls":[`)
	for _, c := range calls {
		e.comma()
		e.raw(`{"id":`)
		e.quote(e.profile.CallIDs.spell(c.ID))
		e.raw(`,"type":"function","function":{"name":`)
		e.quote(e.names.Wire(c.Name))
		e.raw(`,"arguments":`)
		e.quote(c.Arguments)
		e.raw("}}")
	}
	e.raw("]")
}

// results writes one message for each result. Images, which such a message
// cannot hold, follow all of them: nothing may stand between the results.
func (e *encoder) results(blocks []request.Block) {
	var images []request.Block
	for _, b := range blocks {
		if b.Kind != request.BlockToolResult {
			e.fail(events.ReasonBadHistory, "a turn of tool results cannot hold a block of kind "+string(b.Kind))
			continue
		}
		text, pictures := e.resultText(b.Result)
		e.comma()
		e.raw(`{"role":"tool","tool_call_id":`)
		e.quote(e.profile.CallIDs.spell(b.Result.CallID))
		e.raw(`,"content":`)
		e.quote(text)
		e.raw("}")
		if len(pictures) > 0 {
			images = append(append(images, request.Text("Images of tool call "+e.profile.CallIDs.spell(b.Result.CallID)+":")), pictures...)
		}
	}
	e.answered = true
	if len(images) > 0 {
		e.user(images)
	}
}

// resultText returns a result's texts as one, a line end between two, and its
// images.
func (e *encoder) resultText(r request.ToolResult) (string, []request.Block) {
	var text strings.Builder
	var images []request.Block
	if r.IsError {
		text.WriteString("Error: ")
	}
	texts := 0
	for _, b := range r.Content {
		switch b.Kind {
		case request.BlockText:
			if texts > 0 {
				text.WriteByte('\n')
			}
			texts++
			text.WriteString(b.Text)
		case request.BlockImage:
			images = append(images, b)
		default:
			e.fail(events.ReasonBadHistory, "a tool result cannot hold a block of kind "+string(b.Kind))
		}
	}
	return text.String(), images
}
