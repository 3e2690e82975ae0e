package coherewire

import (
	"encoding/base64"
	"mime"
	"strings"
	"unicode/utf8"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// messages appends the conversation: one message a turn, but for tool results,
// each of which is a message of its own.
func (e *encoder) messages(r *request.Request) error {
	e.dst = append(e.dst, '[')
	if r.System != "" {
		e.dst = append(e.dst, `{"role":"system","content":`...)
		e.str(r.System)
		e.dst = append(e.dst, '}')
	}
	for i := range r.Messages {
		if err := e.message(&r.Messages[i]); err != nil {
			return err
		}
	}
	e.dst = append(e.dst, ']')
	return nil
}

func (e *encoder) message(m *request.Message) error {
	switch m.Role {
	case request.RoleAssistant:
		return e.assistant(m)
	case request.RoleTool:
		for i := range m.Blocks {
			if err := e.result(&m.Blocks[i]); err != nil {
				return err
			}
		}
		return nil
	default:
		return e.user(m)
	}
}

// element appends the comma before the next element of a list.
func (e *encoder) element() {
	if e.dst[len(e.dst)-1] != '[' {
		e.dst = append(e.dst, ',')
	}
}

// user appends a user turn. Its files become documents of the request.
func (e *encoder) user(m *request.Message) error {
	var content []request.Block
	for i := range m.Blocks {
		if m.Blocks[i].Kind != request.BlockFile {
			content = append(content, m.Blocks[i])
			continue
		}
		document, err := documentOf(&m.Blocks[i])
		if err != nil {
			return err
		}
		e.documents = append(e.documents, document)
	}
	if len(content) == 0 {
		return badHistory("a user turn of files alone: this wire wants some words beside its documents")
	}
	e.element()
	e.dst = append(e.dst, `{"role":"user","content":`...)
	if err := e.content(content); err != nil {
		return err
	}
	e.dst = append(e.dst, '}')
	return nil
}

// content appends a content: the text alone where there is nothing else, else a
// list.
func (e *encoder) content(blocks []request.Block) error {
	if len(blocks) == 1 && blocks[0].Kind == request.BlockText {
		e.str(blocks[0].Text)
		return nil
	}
	e.dst = append(e.dst, '[')
	for i := range blocks {
		e.element()
		switch b := &blocks[i]; b.Kind {
		case request.BlockText:
			e.part("text", b.Text)
		case request.BlockImage:
			e.image(b)
		default:
			return badParameter("this wire has no block of kind " + string(b.Kind) + " there")
		}
	}
	e.dst = append(e.dst, ']')
	return nil
}

// part appends a block of text or thinking, whose member is called as its type.
func (e *encoder) part(kind, text string) {
	e.dst = append(e.dst, `{"type":"`+kind+`","`+kind+`":`...)
	e.str(text)
	e.dst = append(e.dst, '}')
}

func (e *encoder) image(b *request.Block) {
	e.dst = append(e.dst, `{"type":"image_url","image_url":{"url":`...)
	if b.URL != "" {
		e.str(b.URL)
	} else {
		e.str("data:" + b.MediaType + ";base64," + base64.StdEncoding.EncodeToString(b.Data))
	}
	e.dst = append(e.dst, "}}"...)
}

// documentOf returns the JSON of a text file as a document. Its id, by which it is
// cited, is Cohere's to give: doc:0 and so on, in the order of the list.
func documentOf(b *request.Block) (string, error) {
	bare, _, err := mime.ParseMediaType(b.MediaType)
	text := err == nil && (strings.HasPrefix(bare, "text/") || bare == "application/json")
	switch {
	case b.URL != "":
		return "", badParameter("files by URL are not taken, only inline ones")
	case !text:
		return "", badParameter("files are taken as text alone, not of type " + b.MediaType)
	case !utf8.Valid(b.Data):
		return "", badParameter("a text file that is not UTF-8")
	}
	title := ""
	if b.Name != "" {
		title = `"title":` + quoted(b.Name) + `,`
	}
	return `{"data":{` + title + `"text":` + quoted(string(b.Data)) + `}}`, nil
}

// result appends a tool result.
func (e *encoder) result(b *request.Block) error {
	if b.Kind != request.BlockToolResult {
		return badHistory("a turn of tool results holds a block of kind " + string(b.Kind))
	}
	content := b.Result.Content
	if b.Result.IsError {
		content = told(content)
	}
	e.element()
	e.dst = append(e.dst, `{"role":"tool","tool_call_id":`...)
	e.str(b.Result.CallID)
	e.dst = append(e.dst, `,"content":`...)
	if len(content) == 0 {
		content = []request.Block{request.Text("")}
	}
	for i := range content {
		if content[i].Kind != request.BlockText {
			return badParameter("this wire takes no " + string(content[i].Kind) + " in a tool result")
		}
	}
	if err := e.content(content); err != nil {
		return err
	}
	e.dst = append(e.dst, '}')
	return nil
}

// told returns the content of a tool that failed, which says so.
func told(content []request.Block) []request.Block {
	const failed = "Error: "
	if len(content) > 0 && content[0].Kind == request.BlockText {
		return append([]request.Block{request.Text(failed + content[0].Text)}, content[1:]...)
	}
	return append([]request.Block{request.Text(failed)}, content...)
}

func (e *encoder) calls(blocks []request.Block) {
	first := true
	for i := range blocks {
		if blocks[i].Kind != request.BlockToolCall {
			continue
		}
		if first {
			e.member("tool_calls")
			e.dst = append(e.dst, '[')
		}
		first = false
		e.element()
		e.call(&blocks[i].Call)
	}
	if !first {
		e.dst = append(e.dst, ']')
	}
}

func (e *encoder) call(c *events.ToolCall) {
	e.dst = append(e.dst, `{"id":`...)
	e.str(c.ID)
	e.dst = append(e.dst, `,"type":"function","function":{"name":`...)
	e.str(e.names.Wire(c.Name))
	e.dst = append(e.dst, `,"arguments":`...)
	e.str(c.Arguments)
	e.dst = append(e.dst, "}}"...)
}

// member appends the key of the next member of a message.
func (e *encoder) member(key string) {
	e.dst = append(e.dst, `,"`+key+`":`...)
}
