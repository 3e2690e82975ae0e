package coherewire

import (
	"bytes"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

type blockKind uint8

const (
	textBlock blockKind = iota
	thinkingBlock
	// planBlock is the tool plan.
	planBlock
	callBlock
	// unknownBlock is content of a type that is not known.
	unknownBlock
)

// A block is a block of content, the tool plan, or a call.
type block struct {
	kind blockKind
	key  int  // the wire's index, among content or among calls
	open bool // until its end, or a start on the same index
	// ended: its own end came.
	ended bool
	// index is weir's, -1 until the block's first event.
	index int
	// text is the thinking, the plan, or the arguments.
	text []byte
	// visible: the text has more than white space in it.
	visible bool

	// Of calls. told is how much of the arguments was emitted.
	id, name     string
	replay       events.ProviderData
	minted, over bool
	told         int
}

// maxBlocks bounds the blocks of a reply: as many as the grammar has indexes,
// though not every block takes one.
const maxBlocks = 1024

// find returns the open block with the wire's index among calls or among content,
// or nil. The block asked for is nearly always the last.
func (d *decoder) find(call bool, key int) *block {
	for i := len(d.blocks) - 1; i >= 0; i-- {
		b := d.blocks[i]
		if b.key == key && b.open && b.kind != planBlock && (b.kind == callBlock) == call {
			return b
		}
	}
	return nil
}

// take gives the block the next index of the response.
func (d *decoder) take(b *block) {
	if b.index < 0 {
		b.index = d.nextIndex
		d.nextIndex++
	}
}

// open begins a block; one that is open on the same index ends.
func (d *decoder) open(kind blockKind, key int) (*block, error) {
	if old := d.find(kind == callBlock, key); old != nil && kind != planBlock {
		d.closeBlock(old)
	}
	if len(d.blocks) == maxBlocks {
		return nil, tooLarge("more than 1,024 blocks")
	}
	d.completeEmpty()
	b := &block{kind: kind, key: key, open: true, index: -1}
	d.blocks = append(d.blocks, b)
	return b, nil
}

// end ends a block. The end of one that was never started is nothing.
func (d *decoder) end(call bool, key int) {
	if b := d.find(call, key); b != nil {
		b.ended = true
		d.closeBlock(b)
	}
}

// closeBlock closes a block. A call whose arguments are complete is completed now;
// what is wrong or missing is judged when the reason is known.
func (d *decoder) closeBlock(b *block) {
	b.open = false
	if b.kind == callBlock && !b.over && b.arguments() != "" && b.check() == nil {
		d.complete(b)
	}
}

func (d *decoder) contentStart(key int, content *fastjson.Value) error {
	kind, ok := wirejson.Text(content.Get("type"))
	if !ok {
		return malformed("a content block without a type")
	}
	of := unknownBlock
	switch string(kind) {
	case "text":
		of = textBlock
	case "thinking":
		of = thinkingBlock
	default:
		d.passOver("content block " + string(kind))
	}
	b, err := d.open(of, key)
	if err != nil {
		return err
	}
	if of == unknownBlock {
		return nil
	}
	text, err := pieceOf(content, b.member())
	if err != nil {
		return err
	}
	d.add(b, text)
	return nil
}

// pieceOf returns the piece of text that stands at the end of a way of members; nil for
// none. What is no text there is a piece that would be lost, and a call without it
// another call.
func pieceOf(from *fastjson.Value, members ...string) ([]byte, error) {
	for _, member := range members {
		if from != nil && from.Type() != fastjson.TypeObject && from.Type() != fastjson.TypeNull {
			return nil, malformed("no object where " + member + " was due")
		}
		from = from.Get(member)
	}
	text, ok := wirejson.Text(from)
	if !ok && from != nil && from.Type() != fastjson.TypeNull {
		return nil, malformed("a piece of the reply that is no text")
	}
	return text, nil
}

// contentDelta decodes the frame that nearly all of a reply is made of.
func (d *decoder) contentDelta(key int, content *fastjson.Value) error {
	b := d.find(false, key)
	switch {
	case b == nil:
		return malformed("a content-delta for a block that is not open")
	case b.kind == unknownBlock:
		return nil
	}
	if (b.kind == textBlock && content.Exists("thinking")) || (b.kind == thinkingBlock && content.Exists("text")) {
		return malformed("a content-delta on a block of another kind")
	}
	text, err := pieceOf(content, b.member())
	if err != nil {
		return err
	}
	d.memo.note(b, b.member(), text)
	d.add(b, text)
	return nil
}

// member is the member in which a frame brings a piece of the block's text.
func (b *block) member() string {
	switch b.kind {
	case thinkingBlock:
		return "thinking"
	case planBlock:
		return "tool_plan"
	case callBlock:
		return "arguments"
	default:
		return "text"
	}
}

// add takes a piece of a block's text.
func (d *decoder) add(b *block, text []byte) {
	switch b.kind {
	case textBlock:
		d.say(b, text)
	case thinkingBlock, planBlock:
		d.think(b, text)
	case callBlock:
		d.argue(b, text)
	default:
	}
}

// say emits a piece of visible text, and after it the citations that waited for a
// text to stand at.
func (d *decoder) say(b *block, text []byte) {
	first := b.index < 0
	d.sendDelta(events.TextDelta, b, text)
	b.visible = b.visible || len(bytes.TrimSpace(text)) > 0
	if first && b.index >= 0 {
		d.place(b)
	}
}

func (d *decoder) think(b *block, text []byte) {
	d.kept += len(text)
	b.text = append(b.text, text...)
	d.sendDelta(events.ThinkingDelta, b, text)
}

// planDelta takes a piece of the tool plan, of which there is one.
func (d *decoder) planDelta(plan *fastjson.Value) error {
	var b *block
	for _, other := range d.blocks {
		if other.kind == planBlock {
			b = other
		}
	}
	if b == nil {
		var err error
		if b, err = d.open(planBlock, 0); err != nil {
			return err
		}
	}
	text, err := pieceOf(plan)
	if err != nil {
		return err
	}
	d.memo.note(b, b.member(), text)
	d.add(b, text)
	return nil
}
