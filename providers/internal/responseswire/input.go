package responseswire

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// input appends the conversation as a list of items.
func (e *encoder) input(turns []request.Message) {
	e.raw(`,"input":[`)
	for i := range turns {
		switch m := &turns[i]; m.Role {
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

// user writes one text as a string, and everything else as parts.
func (e *encoder) user(blocks []request.Block) {
	e.comma()
	e.raw(`{"role":"user","content":`)
	if len(blocks) == 1 && blocks[0].Kind == request.BlockText && blocks[0].Cache == "" {
		e.quote(blocks[0].Text)
	} else {
		e.parts(blocks)
	}
	e.raw("}")
}

func (e *encoder) parts(blocks []request.Block) {
	e.raw("[")
	for i := range blocks {
		e.part(&blocks[i])
	}
	e.raw("]")
}

func (e *encoder) part(b *request.Block) {
	e.comma()
	switch b.Kind {
	case request.BlockText:
		e.raw(`{"type":"input_text","text":`)
		e.quote(b.Text)
	case request.BlockImage:
		e.raw(`{"type":"input_image","detail":"auto","image_url":`)
		e.source(b)
	case request.BlockFile:
		e.file(b)
	case request.BlockAudio:
		e.audio(b)
	default:
		e.fail(events.ReasonBadHistory, "there is no part of input for a block of kind "+string(b.Kind))
	}
	if b.Cache != "" {
		e.raw(`,"prompt_cache_breakpoint":{"mode":"explicit"}`)
	}
	e.raw("}")
}

// source writes the address of a block's content, a data: URL for inline bytes.
func (e *encoder) source(b *request.Block) {
	if b.URL != "" {
		e.quote(b.URL)
		return
	}
	// The media type is the caller's and may hold anything; base64 cannot.
	e.quote("data:" + b.MediaType + ";base64,")
	e.dst = base64.StdEncoding.AppendEncode(e.dst[:len(e.dst)-1], b.Data)
	e.raw(`"`)
}

// file writes a file; one that the provider fetches has no name there.
func (e *encoder) file(b *request.Block) {
	if b.URL != "" {
		e.raw(`{"type":"input_file","file_url":`)
		e.quote(b.URL)
		return
	}
	e.raw(`{"type":"input_file",`)
	if b.Name != "" {
		e.raw(`"filename":`)
		e.quote(b.Name)
		e.raw(",")
	}
	e.raw(`"file_data":`)
	e.source(b)
}

// audio writes an audio clip; the wire knows formats (wav, mp3), not media types,
// and no address.
func (e *encoder) audio(b *request.Block) {
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

// results writes one item for each result: a text as a string, with images a list of
// parts.
func (e *encoder) results(blocks []request.Block) {
	for i := range blocks {
		b := &blocks[i]
		if b.Kind != request.BlockToolResult {
			e.fail(events.ReasonBadHistory, "a turn of tool results cannot hold a block of kind "+string(b.Kind))
			continue
		}
		e.comma()
		kind := "function_call_output"
		if slices.Contains(e.custom, b.Result.CallID) {
			kind = "custom_tool_call_output"
		}
		e.raw(`{"type":"` + kind + `","call_id":`)
		e.quote(callID(b.Result.CallID))
		e.raw(`,"output":`)
		e.output(&b.Result)
		e.raw("}")
	}
}

func (e *encoder) output(r *request.ToolResult) {
	content := r.Content
	const failed = "Error: "
	isText := func(b request.Block) bool { return b.Kind == request.BlockText }
	if i := slices.IndexFunc(content, isText); r.IsError && i >= 0 {
		content = slices.Clone(content)
		content[i].Text = failed + content[i].Text
	} else if r.IsError {
		content = append([]request.Block{request.Text(failed)}, content...)
	}
	if slices.ContainsFunc(content, func(b request.Block) bool { return !isText(b) }) {
		e.parts(content)
		return
	}
	texts := make([]string, len(content))
	for i, b := range content {
		texts[i] = b.Text
	}
	e.quote(strings.Join(texts, "\n"))
}
