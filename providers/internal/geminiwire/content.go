package geminiwire

import (
	"encoding/base64"
	"slices"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// contents appends the conversation. The tool turns after a turn of the model are
// one content, their results in the order of the calls: the wire wants them all
// there, and pairs those without ids by their order. So are the turns that one answer
// came in because it paused.
func (e *encoder) contents(turns []request.Message) error {
	e.dst = append(e.dst, '[')
	for i := 0; i < len(turns); {
		n := 1
		for i+n < len(turns) && turns[i].Role == turns[i+n].Role &&
			(turns[i].Role == request.RoleTool || tokenOf(turns[i+n-1]) != "") {
			n++
		}
		if err := e.content(turns[i : i+n]); err != nil {
			return err
		}
		i += n
	}
	e.dst = append(e.dst, ']')
	return nil
}

// content appends one content, or nothing when its turns have no parts.
func (e *encoder) content(turns []request.Message) error {
	start := len(e.dst)
	e.element()
	role, parts := "user", e.userParts
	switch turns[0].Role {
	case request.RoleAssistant:
		role, parts = "model", e.modelParts
	case request.RoleTool:
		parts = e.results
	default:
	}
	e.dst = append(e.dst, `{"role":"`+role+`","parts":[`...)
	empty := len(e.dst)
	if err := parts(turns); err != nil {
		return err
	}
	if len(e.dst) == empty {
		e.dst = e.dst[:start]
		return nil
	}
	e.dst = append(e.dst, "]}"...)
	return nil
}

// element appends the comma before the next element of a list.
func (e *encoder) element() {
	if e.dst[len(e.dst)-1] != '[' {
		e.dst = append(e.dst, ',')
	}
}

func (e *encoder) userParts(turns []request.Message) error {
	for i := range turns[0].Blocks {
		if err := e.part(&turns[0].Blocks[i]); err != nil {
			return err
		}
	}
	return nil
}

func (e *encoder) part(b *request.Block) error {
	switch b.Kind {
	case request.BlockText:
		e.text(b.Text, "")
	case request.BlockImage, request.BlockAudio, request.BlockFile:
		e.element()
		return e.media(b)
	case request.BlockToolCall:
		return e.call(&b.Call)
	default:
		return badHistory("the Gemini wire has no part of kind " + string(b.Kind) + " here")
	}
	return nil
}

// text appends a text with the JSON text of its signature, if any.
func (e *encoder) text(text, signature string) {
	e.element()
	e.dst = append(e.dst, `{"text":`...)
	e.str(text)
	e.sign(signature)
}

// sign ends a part with its signature, if any.
func (e *encoder) sign(signature string) {
	if signature != "" {
		e.dst = append(append(e.dst, `,"thoughtSignature":`...), signature...)
	}
	e.dst = append(e.dst, '}')
}

// media appends an image, a clip or a file, inline or by its address.
func (e *encoder) media(b *request.Block) error {
	if b.URL != "" {
		return e.file(b)
	}
	e.dst = append(e.dst, `{"inlineData":{"mimeType":`...)
	e.str(b.MediaType)
	e.dst = append(e.dst, `,"data":"`...)
	e.dst = base64.StdEncoding.AppendEncode(e.dst, b.Data)
	e.dst = append(e.dst, `"}}`...)
	return nil
}

// call appends a functionCall. A minted id is weir's own and is not sent.
func (e *encoder) call(c *events.ToolCall) error {
	kept, err := e.keptOf(c.Replay)
	if err != nil {
		return err
	}
	e.element()
	e.dst = append(e.dst, `{"functionCall":{`...)
	e.id(e.wireID(c, kept))
	e.dst = append(e.dst, `"name":`...)
	e.str(e.names.Wire(c.Name))
	e.dst = append(append(append(e.dst, `,"args":`...), c.Arguments...), '}')
	signature := signed(kept.ThoughtSignature)
	if signature == "" && e.profile.SignedCalls && len(e.called) == 0 {
		signature = placeholder
	}
	e.sign(signature)
	e.called = append(e.called, *c)
	return nil
}

func (e *encoder) id(id string) {
	if id != "" {
		e.dst = append(e.dst, `"id":`...)
		e.str(id)
		e.dst = append(e.dst, ',')
	}
}

// wireID returns the id that a call and its result are sent with, or none.
func (e *encoder) wireID(c *events.ToolCall, kept keptCall) string {
	switch {
	case kept.ID != "":
		return kept.ID
	case c.Minted || e.profile.OwnIDs:
		return ""
	default:
		return c.ID
	}
}

// results appends the results of the calls of the model's last turn, and after
// them the media that cannot be in a result.
func (e *encoder) results(turns []request.Message) error {
	var results []*request.ToolResult
	for _, t := range turns {
		for i := range t.Blocks {
			b := &t.Blocks[i]
			if b.Kind != request.BlockToolResult {
				return badHistory("a turn of tool results holds a block of kind " + string(b.Kind))
			}
			results = append(results, &b.Result)
		}
	}
	slices.SortStableFunc(results, func(a, b *request.ToolResult) int { return e.nth(a.CallID) - e.nth(b.CallID) })
	var media []*request.Block
	for _, r := range results {
		rest, err := e.result(r)
		if err != nil {
			return err
		}
		media = append(media, rest...)
	}
	return e.eachMedia(media)
}

func (e *encoder) eachMedia(media []*request.Block) error {
	for _, b := range media {
		e.element()
		if err := e.media(b); err != nil {
			return err
		}
	}
	return nil
}

// nth returns the place of a call among those of the model's last turn, and the
// one after the last for any other.
func (e *encoder) nth(id string) int {
	at := slices.IndexFunc(e.called, func(c events.ToolCall) bool { return c.ID == id })
	if at < 0 {
		return len(e.called)
	}
	return at
}

// result appends a functionResponse and returns the media that it cannot hold. The
// keys output and error are those that the wire knows
// (googleapis.github.io/js-genai/classes/types.FunctionResponse.html, a stored copy
// read 2026-12-01).
func (e *encoder) result(r *request.ToolResult) (rest []*request.Block, err error) {
	at := e.nth(r.CallID)
	if at == len(e.called) {
		return nil, badHistory("a result without its call")
	}
	call := &e.called[at]
	kept, err := e.keptOf(call.Replay)
	if err != nil {
		return nil, err
	}
	text, media := "", []*request.Block(nil)
	for i := range r.Content {
		switch b := &r.Content[i]; b.Kind {
		case request.BlockText:
			if text != "" {
				text += "\n"
			}
			text += b.Text
		case request.BlockImage:
			media = append(media, b)
		default:
			return nil, badHistory("a result holds a block of kind " + string(b.Kind))
		}
	}
	e.element()
	e.dst = append(e.dst, `{"functionResponse":{`...)
	e.id(e.wireID(call, kept))
	e.dst = append(e.dst, `"name":`...)
	e.str(e.names.Wire(call.Name))
	key := "output"
	if r.IsError {
		key = "error"
	}
	e.dst = append(e.dst, `,"response":{"`+key+`":`...)
	e.str(text)
	e.dst = append(e.dst, '}')
	if e.profile.MediaResults && len(media) > 0 {
		e.dst = append(e.dst, `,"parts":[`...)
		if err := e.eachMedia(media); err != nil {
			return nil, err
		}
		e.dst = append(e.dst, ']')
		media = nil
	}
	e.dst = append(e.dst, "}}"...)
	return media, nil
}
