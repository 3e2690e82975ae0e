package messageswire

import (
	"bytes"
	"slices"
	"strings"

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
	// hostedBlock is a use of a tool that the provider runs.
	hostedBlock
	// opaqueBlock is kept to be sent back and shown to nobody.
	opaqueBlock
)

// A block is one content block of the reply.
type block struct {
	kind blockKind
	key  int  // the wire's index
	open bool // until its stop, or a start on the same index
	// ended: its own stop came.
	ended bool
	// index is weir's, -1 until the block's first event.
	index int
	// text is the thinking, or the arguments that came in pieces.
	text      []byte
	signature []byte
	// visible: the text has more than white space in it.
	visible bool

	// Of calls and hosted tools.
	id, name string
	replay   events.ProviderData
	// byCode: the provider's own code calls, which waits for the result.
	byCode bool
	minted bool
	// input is the arguments that the start brought.
	input string
	over  bool

	// raw is an opaque block as it came, or a hosted one up to its input,
	// without the closing brace.
	raw string
	// citations as they came; pending ones wait for the text that they cite.
	citations []string
	pending   []events.Citation
}

// arguments returns the argument text: the pieces, or what the start brought
// when there were none.
func (b *block) arguments() string {
	if len(b.text) > 0 {
		return string(b.text)
	}
	return b.input
}

// bare reports that there are no arguments, without copying them.
func (b *block) bare() bool { return len(b.text) == 0 && b.input == "" }

// check reports what is wrong with the arguments. None at all are none.
func (b *block) check() *events.Issue {
	if args := b.arguments(); args != "" {
		return events.CheckArguments(args)
	}
	return nil
}

// halfOpen reports whether a call got neither arguments nor an end of its own.
// Only a stop that says tool_use vouches that there were none to come.
func (b *block) halfOpen() bool { return !b.ended && b.bare() }

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

func (d *decoder) blockStart(key int, content *fastjson.Value) error {
	if b := d.find(key); b != nil {
		d.closeBlock(b)
	}
	switch {
	case d.settled:
		return malformed("a content block after the stop reason")
	case len(d.blocks) == maxBlocks:
		return tooLarge("more than 1,024 content blocks")
	}
	d.completeEmpty()
	// The raw text first: reading a string member would change how it is written.
	whole := wirejson.Raw(content)
	name, ok := wirejson.Text(content.Get("type"))
	if !ok {
		return malformed("a content block without a type")
	}
	b := &block{key: key, open: true, index: -1}
	d.blocks = append(d.blocks, b)
	switch kind := string(name); {
	case kind == "text":
		return d.startText(b, content)
	case kind == "thinking":
		return d.startThinking(b, content)
	case kind == "tool_use":
		return d.startCall(b, content)
	case strings.HasSuffix(kind, "_tool_use"):
		return d.startHosted(b, content)
	case strings.HasSuffix(kind, "_tool_result"):
		d.hostedResult(b, kind, content)
		return d.keep(b, whole)
	default:
		d.startOpaque(b, kind, content)
		return d.keep(b, whole)
	}
}

func (d *decoder) startText(b *block, content *fastjson.Value) error {
	for _, c := range content.GetArray("citations") {
		if err := d.cite(b, c); err != nil {
			return err
		}
	}
	text, err := piece(content.Get("text"), "text")
	d.say(b, text)
	return err
}

func (d *decoder) startThinking(b *block, content *fastjson.Value) error {
	b.kind = thinkingBlock
	text, err := piece(content.Get("thinking"), "thinking")
	if err != nil {
		return err
	}
	d.think(b, text)
	signature, err := piece(content.Get("signature"), "signature")
	d.sign(b, signature)
	return err
}

// say emits a piece of visible text, and after it the citations that waited for
// the block to exist.
func (d *decoder) say(b *block, text []byte) {
	d.sendDelta(events.TextDelta, b, text)
	b.visible = b.visible || len(bytes.TrimSpace(text)) > 0
	if len(b.pending) > 0 && b.index >= 0 {
		for _, c := range b.pending {
			d.send(events.NewCitationAdded(b.index, c))
		}
		b.pending = nil
	}
}

func (d *decoder) think(b *block, text []byte) {
	b.text = append(b.text, text...)
	d.sendDelta(events.ThinkingDelta, b, text)
}

func (d *decoder) startOpaque(b *block, kind string, content *fastjson.Value) {
	b.kind, b.name = opaqueBlock, kind
	switch kind {
	case "redacted_thinking", compaction, "container_upload":
	case "fallback":
		d.fallBack(content)
	default:
		d.passOver("content block " + kind)
	}
}

func (d *decoder) startCall(b *block, content *fastjson.Value) error {
	b.kind = callBlock
	b.input = startInput(content)
	d.kept += len(b.input)
	caller := wirejson.Raw(content.Get("caller"))
	b.name = d.names.Declared(wirejson.String(content.Get("name")))
	if b.name == "" {
		return malformed("a tool call without a name")
	}
	if direct := wirejson.String(content.Get("caller", "type")); direct != "" && direct != "direct" {
		if err := d.checkKept(caller); err != nil {
			return err
		}
		b.byCode, b.replay = true, d.providerData(`{"caller":`+caller+`}`)
	}
	d.identify(b, wirejson.String(content.Get("id")))
	if !d.hold {
		d.tellCall(b)
	}
	return nil
}

// startInput returns the arguments that a start brings whole; the empty object, an empty
// text and null stand for arguments to come, or none. What else is no object is judged
// as arguments are: a call without any would be another call.
func startInput(content *fastjson.Value) string {
	switch input := wirejson.Raw(content.Get("input")); input {
	case "{}", `""`, "null":
		return ""
	default:
		return input
	}
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
	if b.replay.IsZero() {
		b.replay = d.providerData(`{"id":` + string(events.AppendQuoted(nil, id)) + `}`)
	}
	d.send(events.NewNotice(events.NoticeDuplicateID, "two tool calls have the id "+id))
}

// taken reports whether a call of the reply has an id.
func (d *decoder) taken(id string) bool {
	return slices.ContainsFunc(d.blocks, func(b *block) bool { return b.kind == callBlock && b.id == id })
}

func (d *decoder) providerData(value string) events.ProviderData {
	return events.ProviderData{Format: Format, Origin: d.profile.Origin, Value: value}
}

// blockStop ends a block. The stop of one that was never started is nothing.
func (d *decoder) blockStop(key int) {
	if b := d.find(key); b != nil {
		b.ended = true
		d.closeBlock(b)
	}
}

// closeBlock closes a block. A call whose arguments are complete is completed
// now; what is wrong or missing is judged when the stop reason is known.
func (d *decoder) closeBlock(b *block) {
	b.open = false
	if b.kind == callBlock && !b.over && !d.hold && !b.bare() && b.check() == nil {
		d.complete(b)
	}
}

// completeEmpty completes calls that ended without arguments, once the reply
// goes on after them.
func (d *decoder) completeEmpty() {
	for _, b := range d.blocks {
		if b.kind == callBlock && b.ended && !b.over && !d.hold && b.bare() {
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
	// It never goes back.
	b.kind, b.visible = textBlock, false
	d.send(events.NewToolCallInvalid(b.index, b.call(), issue))
}
