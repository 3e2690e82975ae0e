package geminiwire

import (
	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

// calls is what a decoder keeps of the tool calls of its reply.
type calls struct {
	ids       map[string]bool
	minted    int           // the n of the next minted id
	open      *openCall     // the one whose arguments still come
	completed int           // calls
	broken    *events.Issue // the first call that is none
}

// An openCall is a call whose arguments come as values at paths.
type openCall struct {
	events.ToolCall
	index int
	text  argumentText
	sent  int // of the text, in bytes
	// keptID is the id that goes back, and signed says that the signature has come.
	keptID string
	signed bool
}

// functionCall takes a functionCall. One with a name begins a call; one without
// goes on with the call before, and ends it unless it says that more will come.
func (d *decoder) functionCall(v, signature *fastjson.Value, arguments *argumentsIn, nth int) error {
	sign := signatureOf(signature)
	if sign != "" {
		if err := d.checkKept(sign); err != nil {
			return err
		}
	}
	d.arrived()
	name, more := wirejson.String(v.Get("name")), v.GetBool("willContinue")
	pieces := v.GetArray("partialArgs")
	if err := checkCall(v, name != "" && !more && len(pieces) == 0); err != nil {
		return err
	}
	if name == "" {
		d.signOpen(sign)
		return d.goOn(pieces, more)
	}
	d.endCall()
	call := events.ToolCall{Name: d.names.Declared(name)}
	keptID := d.identify(&call, wirejson.String(v.Get("id")), sign)
	index := d.take()
	d.add(&turnPart{kind: callPart, index: index, id: call.ID})
	d.send(events.NewToolCallStarted(index, call.ID, call.Name, call.Minted))
	if more || len(pieces) > 0 {
		d.open = &openCall{ToolCall: call, index: index, keptID: keptID, signed: sign != ""}
		return d.goOn(pieces, more)
	}
	text, err := arguments.of(v, nth)
	if err != nil {
		return err
	}
	call.Arguments = text
	d.end(events.NewToolCallEnded(index, call))
	return nil
}

// checkCall refuses a call of which a part would be lost: a name that is no text, pieces
// that are no list, and arguments beside the pieces of one that does not come whole.
func checkCall(v *fastjson.Value, whole bool) error {
	name, pieces := set(v.Get("name")), set(v.Get("partialArgs"))
	arguments := wirejson.Raw(v.Get("args"))
	switch {
	case name != nil && name.Type() != fastjson.TypeString:
		return malformed("a tool call whose name is no text")
	case pieces != nil && pieces.Type() != fastjson.TypeArray:
		return malformed("pieces of a tool call that are no list")
	case !whole && arguments != "" && arguments != "null" && arguments != "{}":
		return malformed("a tool call with arguments beside its pieces")
	default:
		return nil
	}
}

// goOn takes values of the open call, and ends it unless more will come.
func (d *decoder) goOn(pieces []*fastjson.Value, more bool) error {
	if d.open == nil {
		d.passOver("piece of a call that is not there")
		return nil
	}
	for _, piece := range pieces {
		if err := d.open.text.set(piece); err != nil {
			return err
		}
	}
	d.sendArguments()
	if !more {
		d.endCall()
	}
	return nil
}

// sendArguments emits what the text of the open call has grown by.
func (d *decoder) sendArguments() {
	c := d.open
	if text := c.text.text[c.sent:]; len(text) > 0 && !d.left {
		d.left = !transport.EmitDelta(d.emit, events.ToolArgumentsDelta, c.index, d.arena.String(text))
		c.sent = len(c.text.text)
	}
}

// endCall ends the open call, if there is one, as its provider says that it ends.
func (d *decoder) endCall() {
	c := d.open
	if c == nil {
		return
	}
	c.text.close()
	d.sendArguments()
	c.Arguments = string(c.text.text)
	d.open = nil
	d.end(events.NewToolCallEnded(c.index, c.ToolCall))
}

// end emits the end of a call.
func (d *decoder) end(ended events.Event) {
	if issue, invalid := ended.Issue(); !invalid {
		d.completed++
	} else if d.broken == nil {
		d.broken = &issue
	}
	d.send(ended)
}

// settle ends a call that the reply ended in by what the stop reason says of it.
func (d *decoder) settle() {
	c := d.open
	if c == nil {
		return
	}
	d.open = nil
	c.Arguments = string(c.text.text)
	issue := events.Issue{Kind: events.IssueTruncated, Detail: "the reply ended with " + d.rawStop + " inside the call"}
	if !stopOf(d.rawStop).Cuts() && d.broken == nil {
		d.broken = &issue
	}
	d.send(events.NewToolCallInvalid(c.index, c.ToolCall, issue))
}

// identify gives the call the provider's id, or a minted one where there is none
// or it was used before in this reply, and keeps what must go back with it. It returns
// the id that does.
func (d *decoder) identify(call *events.ToolCall, id, signature string) (kept string) {
	if d.ids == nil {
		d.ids = map[string]bool{}
	}
	repeated := d.ids[id]
	call.ID, call.Minted = id, id == "" || repeated
	if call.Minted {
		call.ID = request.MintID(&d.minted, func(id string) bool { return d.ids[id] })
	}
	d.ids[call.ID] = true
	if repeated || d.profile.OwnIDs {
		kept = id
	}
	if kept != "" || signature != "" {
		call.Replay = events.ProviderData{Format: Format, Origin: d.profile.Origin, Value: replayOf(kept, signature)}
	}
	if repeated {
		d.send(events.NewNotice(events.NoticeDuplicateID, "call id "+id+" came twice"))
	}
	return kept
}

// signOpen keeps a signature that comes with a later piece of the open call. Recordings
// have it on the piece with the name; of two the first stays.
func (d *decoder) signOpen(signature string) {
	if d.open == nil || signature == "" || d.open.signed {
		return
	}
	d.open.signed = true
	d.open.Replay = events.ProviderData{Format: Format, Origin: d.profile.Origin, Value: replayOf(d.open.keptID, signature)}
}

// replayOf returns what goes back with a call, of its id and the JSON text of its
// signature.
func replayOf(id, signature string) string {
	var o wirejson.Object
	if id != "" {
		o.Set("id", quoted(id))
	}
	if signature != "" {
		o.Set("thoughtSignature", signature)
	}
	return string(o.Append(nil))
}
