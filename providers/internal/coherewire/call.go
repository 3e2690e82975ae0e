package coherewire

import (
	"slices"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/request"
)

// null is what Cohere may send for the arguments of a tool that has none.
const null = "null"

// arguments returns the argument text; empty for none.
func (b *block) arguments() string {
	if args := string(b.text); args != null {
		return args
	}
	return ""
}

// check reports what is wrong with the arguments. None at all are none.
func (b *block) check() *events.Issue {
	if args := b.arguments(); args != "" {
		return events.CheckArguments(args)
	}
	return nil
}

// halfOpen reports whether a call got neither arguments nor an end of its own.
// Only a reason that says so vouches that there were none to come.
func (b *block) halfOpen() bool { return !b.ended && b.arguments() == "" }

func (d *decoder) callStart(key int, call *fastjson.Value) error {
	b, err := d.open(callBlock, key)
	if err != nil {
		return err
	}
	b.name = d.names.Declared(wirejson.String(call.Get("function", "name")))
	if b.name == "" {
		return malformed("a tool call without a name")
	}
	d.identify(b, wirejson.String(call.Get("id")))
	d.take(b)
	d.send(events.NewToolCallStarted(b.index, b.id, b.name, b.minted))
	args, err := pieceOf(call, "function", "arguments")
	if err != nil {
		return err
	}
	d.argue(b, args)
	return nil
}

func (d *decoder) callDelta(key int, call *fastjson.Value) error {
	b := d.find(true, key)
	if b == nil {
		return malformed("a tool-call-delta for a call that is not open")
	}
	piece, err := pieceOf(call, "function", "arguments")
	if err != nil {
		return err
	}
	d.memo.note(b, b.member(), piece)
	d.add(b, piece)
	return nil
}

// argue takes a piece of a call's arguments. What may still become null is held
// back: an object never begins so.
func (d *decoder) argue(b *block, piece []byte) {
	b.text = append(b.text, piece...)
	if !strings.HasPrefix(null, string(b.text)) {
		d.tell(b)
	}
}

// tell emits what was not told yet of the arguments.
func (d *decoder) tell(b *block) {
	rest := b.text[b.told:]
	b.told = len(b.text)
	d.sendDelta(events.ToolArgumentsDelta, b, rest)
}

// identify sets the call's id: the provider's, or a minted one when there is none
// or an earlier call of the reply has it.
func (d *decoder) identify(b *block, id string) {
	if id != "" && !d.taken(id) {
		b.id = id
		return
	}
	b.id, b.minted = request.MintID(&d.minted, d.taken), true
	if id == "" {
		return
	}
	b.replay = d.providerData(`{"id":` + quoted(id) + `}`)
	d.send(events.NewNotice(events.NoticeDuplicateID, "two tool calls have the id "+id))
}

// taken reports whether a call of the reply has an id.
func (d *decoder) taken(id string) bool {
	return slices.ContainsFunc(d.blocks, func(b *block) bool { return b.kind == callBlock && b.id == id })
}

// completeEmpty completes calls that ended without arguments, once the reply goes
// on after them.
func (d *decoder) completeEmpty() {
	for _, b := range d.blocks {
		if b.kind == callBlock && b.ended && !b.over && b.arguments() == "" {
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
	call := b.call()
	if call.Arguments != "" {
		d.tell(b)
	}
	d.send(events.NewToolCallInvalid(b.index, call, issue))
}
