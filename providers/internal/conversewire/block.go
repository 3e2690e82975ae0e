package conversewire

import (
	"bytes"
	"slices"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/request"
)

type blockKind uint8

const (
	textBlock blockKind = iota
	thinkingBlock
	callBlock
	// hostedBlock is a use of a tool that the provider runs, resultBlock what it
	// gave.
	hostedBlock
	resultBlock
	imageBlock
	// opaqueBlock is of a kind that is not known: its deltas are passed over.
	opaqueBlock
)

// A block is one content block of the reply.
type block struct {
	kind blockKind
	key  int  // the wire's index
	open bool // until its stop, or another block on the same index
	// ended: its own stop came.
	ended bool
	// index is weir's, -1 until the block's first event.
	index int
	// text is the thinking, the arguments, or the elements of a result.
	text []byte
	// signature seals the thinking; data is encrypted thinking, or an image.
	signature, data []byte
	// visible: the text has more than white space in it.
	visible bool

	// Of calls, hosted tools and their results.
	id, name     string
	replay       events.ProviderData
	minted, over bool
	// head is a hosted block or a result up to what comes in pieces.
	head string
	// format of an image.
	format string
	// citations as they came; pending ones wait for the text that they cite.
	citations []string
	pending   []events.Citation
}

func (b *block) arguments() string { return string(b.text) }

// check reports what is wrong with the arguments. None at all are none.
func (b *block) check() *events.Issue {
	if len(b.text) == 0 {
		return nil
	}
	return events.CheckArguments(b.arguments())
}

// halfOpen reports whether a call got neither arguments nor an end of its own.
// Only a stop that says tool_use vouches that there were none to come.
func (b *block) halfOpen() bool { return !b.ended && len(b.text) == 0 }

// keyOf reads the wire's index of a block, 0 where there is none. One that is no number
// of a block must not pass for another's.
func keyOf(index *fastjson.Value) (int, error) {
	if index == nil {
		return 0, nil
	}
	key, err := index.Int()
	if err != nil {
		return 0, malformed("an index that is no whole number")
	}
	return key, nil
}

// find returns the open block with the wire's index, or nil. The block asked for
// is nearly always the last.
func (d *decoder) find(key int) *block {
	for i := len(d.blocks) - 1; i >= 0; i-- {
		if b := d.blocks[i]; b.key == key && b.open {
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

// begin begins a block, and ends the one that is open on the same index.
func (d *decoder) begin(key int, kind blockKind) (*block, error) {
	if b := d.find(key); b != nil {
		if err := d.closeBlock(b); err != nil {
			return nil, err
		}
	}
	switch {
	case d.settled:
		return nil, malformed("a content block after the stop reason")
	case len(d.blocks) == maxBlocks:
		return nil, tooLarge("more than 1,024 content blocks")
	}
	d.completeEmpty()
	b := &block{kind: kind, key: key, open: true, index: -1}
	d.blocks = append(d.blocks, b)
	return b, nil
}

// implied returns the block of a kind that has no start of its own.
func (d *decoder) implied(key int, kind blockKind) (*block, error) {
	switch b := d.find(key); {
	case b == nil || b.kind != kind && (b.kind == textBlock || b.kind == thinkingBlock):
		return d.begin(key, kind)
	case b.kind != kind:
		return nil, malformed("a delta on a block of another kind")
	default:
		return b, nil
	}
}

// blockStart begins a block that has a start.
func (d *decoder) blockStart(key int, start *fastjson.Value) error {
	switch {
	case start.Get("toolUse") != nil:
		use := start.Get("toolUse")
		if kind := wirejson.String(use.Get("type")); kind != "" && kind != toolUse {
			return d.startHosted(key, use, kind)
		}
		return d.startCall(key, use)
	case start.Get("toolResult") != nil:
		return d.startResult(key, start.Get("toolResult"))
	case start.Get("image") != nil:
		b, err := d.begin(key, imageBlock)
		if err == nil {
			b.format = wirejson.String(start.Get("image", "format"))
		}
		return err
	}
	// An empty start, as a proxy may send for a text, is none.
	if o := start.GetObject(); o == nil || o.Len() == 0 {
		return nil
	}
	d.passOver("content block " + firstKey(start.GetObject()))
	_, err := d.begin(key, opaqueBlock)
	return err
}

func firstKey(o *fastjson.Object) string {
	first := ""
	o.Visit(func(key []byte, _ *fastjson.Value) {
		if first == "" {
			first = string(key)
		}
	})
	return first
}

func (d *decoder) startCall(key int, use *fastjson.Value) error {
	b, err := d.begin(key, callBlock)
	if err != nil {
		return err
	}
	b.name = d.names.Declared(wirejson.String(use.Get("name")))
	if b.name == "" {
		return malformed("a tool call without a name")
	}
	switch input := wirejson.Raw(use.Get("input")); input {
	case "", "{}", `""`, "null":
	default:
		// The wire has none here. Passed over they would make another call of this one.
		b.text = append(b.text, input...)
	}
	d.identify(b, wirejson.String(use.Get("toolUseId")))
	d.take(b)
	d.send(events.NewToolCallStarted(b.index, b.id, b.name, b.minted))
	return nil
}

// identify sets the call's id: the provider's, or a minted one when there is
// none or an earlier call of the reply has it.
func (d *decoder) identify(b *block, id string) {
	if id != "" && !d.taken(id) {
		b.id = id
		return
	}
	b.id, b.minted = request.MintID(&d.minted, d.taken), true
	if id == "" {
		return
	}
	b.replay = d.providerData(`{"id":` + string(events.AppendQuoted(nil, id)) + `}`)
	d.send(events.NewNotice(events.NoticeDuplicateID, "two tool calls have the id "+id))
}

// taken reports whether a call of the reply has an id.
func (d *decoder) taken(id string) bool {
	return slices.ContainsFunc(d.blocks, func(b *block) bool { return b.id == id })
}

// blockStop ends a block. The stop of one that was never there is nothing.
func (d *decoder) blockStop(key int) error {
	b := d.find(key)
	if b == nil {
		return nil
	}
	b.ended = true
	return d.closeBlock(b)
}

// closeBlock closes a block. A call whose arguments are complete is completed
// now; what is wrong or missing is judged when the stop reason is known.
func (d *decoder) closeBlock(b *block) error {
	b.open = false
	switch {
	case b.kind == callBlock && !b.over && len(b.text) > 0 && b.check() == nil:
		d.complete(b)
	case b.kind == imageBlock && len(b.data) > 0:
		d.take(b)
		d.send(events.NewMediaCompleted(b.index, "image/"+b.format, b.data))
		b.data = nil
	case b.kind == textBlock && b.index < 0:
		d.citeBefore(b)
	}
	return nil
}

// completeEmpty completes calls that ended without arguments, once the reply
// goes on after them.
func (d *decoder) completeEmpty() {
	for _, b := range d.blocks {
		if b.kind == callBlock && b.ended && !b.over && len(b.text) == 0 {
			d.complete(b)
		}
	}
}

func (b *block) call() events.ToolCall {
	return events.ToolCall{ID: b.id, Name: b.name, Arguments: b.arguments(), Minted: b.minted, Replay: b.replay}
}

func (d *decoder) complete(b *block) {
	call := b.call()
	if call.Arguments == "" {
		call.Arguments = "{}"
	}
	b.over = true
	d.completed++
	d.send(events.NewToolCallCompleted(b.index, call))
}

func (d *decoder) invalid(b *block, issue events.Issue) {
	b.over = true
	d.send(events.NewToolCallInvalid(b.index, b.call(), issue))
	// It never goes back.
	b.kind, b.visible = textBlock, false
}

// say emits a piece of visible text, and after it the citations that waited for
// the block to exist.
func (d *decoder) say(b *block, text []byte) {
	d.sendDelta(events.TextDelta, b, text)
	b.visible = b.visible || len(bytes.TrimSpace(text)) > 0
	if b.index < 0 {
		return
	}
	for _, c := range append(d.floating, b.pending...) {
		d.send(events.NewCitationAdded(b.index, c))
	}
	d.floating, b.pending = nil, nil
}
