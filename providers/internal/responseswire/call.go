package responseswire

import (
	"bytes"
	"encoding/json"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

// A call is what is known of a call that the client executes.
type call struct {
	// wireID and name are the provider's; id is the one that events have.
	wireID, id, name string
	// custom: its input is free text and no JSON.
	custom    bool
	arguments []byte
	// closed: the provider said that the arguments are whole; cut: that they are not.
	closed, cut bool

	started, minted, over bool
	index                 int
	replay                events.ProviderData
}

// What calls may hold that nobody has been told of yet, so that no consumer can
// stop it.
const (
	maxArguments = 1 << 20 // bytes of one call
	maxCallBytes = 8 << 20 // bytes of arguments and ids of all calls
)

// callAdded takes the announcement of a call. It starts once its name and its id are
// known.
func (d *decoder) callAdded(it *item, v *fastjson.Value) error {
	if err := d.nameCall(it.call, v); err != nil {
		return err
	}
	if c := it.call; c.name != "" && c.wireID != "" && !c.started {
		d.startCall(c)
	}
	return nil
}

// nameCall takes what an item says of its call: a name and an id that were told may
// be repeated, and do not change.
func (d *decoder) nameCall(c *call, v *fastjson.Value) error {
	kind, _ := wirejson.Text(v.Get("type"))
	c.custom = string(kind) == "custom_tool_call"
	name, id := wirejson.String(v.Get("name")), wirejson.String(v.Get("call_id"))
	if c.started && (name != "" && name != c.name || id != "" && id != c.wireID && c.wireID != "") {
		return malformed("the name or the id of a tool call changes")
	}
	if c.name == "" {
		c.name = name
		if err := d.hold(len(name)); err != nil {
			return err
		}
	}
	if c.wireID == "" {
		c.wireID = id
		if d.callBytes += len(id); d.callBytes > maxCallBytes {
			return tooLarge("tool calls above 8 MiB")
		}
	}
	return nil
}

// startCall sends the start of a call, and what came of its arguments.
func (d *decoder) startCall(c *call) {
	twin := c.wireID != "" && d.taken(c.wireID)
	c.id, c.minted = c.wireID, twin || c.wireID == ""
	if c.minted {
		c.id = request.MintID(&d.minted, d.taken)
	}
	c.started, c.index = true, d.takeIndex()
	d.send(events.NewToolCallStarted(c.index, c.id, d.names.Declared(c.name), c.minted))
	if twin {
		d.send(events.NewNotice(events.NoticeDuplicateID, "tool call id "+c.wireID+" came twice"))
	}
	d.sendDelta(events.ToolArgumentsDelta, c.index, c.arguments)
}

// taken reports whether a call that has started has an id.
func (d *decoder) taken(id string) bool {
	for _, it := range d.items {
		if it.kind == callItem && it.call.started && it.call.id == id {
			return true
		}
	}
	return false
}

func (d *decoder) argumentsDelta(o *fastjson.Object) error {
	text, err := textOf(o.Get("delta"))
	if err != nil {
		return err
	}
	it, err := d.itemFor(o, callItem)
	if err != nil {
		return err
	}
	if it.call.closed {
		return malformed("a piece of arguments that have ended")
	}
	d.memo.note(nil, it.call, text)
	return d.argue(it.call, text)
}

// argue takes a piece of a call's arguments.
func (d *decoder) argue(c *call, text []byte) error {
	if len(c.arguments)+len(text) > maxArguments {
		return tooLarge("arguments of a tool call above 1 MiB")
	}
	if d.callBytes += len(text); d.callBytes > maxCallBytes {
		return tooLarge("tool calls above 8 MiB")
	}
	c.arguments = append(c.arguments, text...)
	if c.started {
		d.sendDelta(events.ToolArgumentsDelta, c.index, text)
	}
	return nil
}

// argumentsDone takes the whole arguments, which some servers send without pieces.
func (d *decoder) argumentsDone(o *fastjson.Object) error {
	whole := argumentText(o.Get("arguments"))
	it, err := d.itemFor(o, callItem)
	if err != nil {
		return err
	}
	it.call.closed = true
	return d.completeArguments(it.call, whole)
}

// argumentText returns the text of whole arguments. Some servers send an object: its
// JSON is the text, and as nobody has looked into it yet, byte for byte but for
// white space.
func argumentText(v *fastjson.Value) []byte {
	if text, ok := wirejson.Text(v); ok {
		return text
	}
	if v.GetObject() != nil {
		return v.MarshalTo(nil)
	}
	return nil
}

// completeArguments holds a call to its whole arguments. Where they differ from the
// pieces, but for white space, nobody knows which were meant.
func (d *decoder) completeArguments(c *call, whole []byte) error {
	rest, ok := bytes.CutPrefix(whole, c.arguments)
	switch {
	case ok:
		return d.argue(c, rest)
	case len(whole) == 0, bytes.Equal(compact(whole), compact(c.arguments)):
		return nil
	default:
		return malformed("arguments that differ from their pieces")
	}
}

func compact(text []byte) []byte {
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return text
	}
	return b.Bytes()
}

// callDone ends a call. Arguments that are one JSON object complete it; what is
// wrong or cut is judged when the response has ended.
func (d *decoder) callDone(it *item, v *fastjson.Value, raw string) error {
	c := it.call
	whole := argumentText(v.Get("arguments"))
	if err := d.nameCall(c, v); err != nil {
		return err
	}
	if c.custom {
		whole = customArguments(v)
	}
	if c.name == "" {
		return malformed("a tool call without a name")
	}
	if c.wireID == "" {
		c.wireID = it.id
	}
	if !c.started {
		d.startCall(c)
	}
	if err := d.completeArguments(c, whole); err != nil {
		return err
	}
	status, _ := wirejson.Text(v.Get("status"))
	c.closed, c.cut = true, string(status) == "incomplete"
	if err := d.keepCall(it, raw); err != nil {
		return err
	}
	if !c.cut && c.check() == nil {
		d.completeCall(c)
	}
	return nil
}

// customArguments returns the free text of a custom tool's call as the one member
// of an object, because a call's arguments are one.
func customArguments(v *fastjson.Value) []byte {
	return []byte(`{"input":` + quoted(wirejson.String(v.Get("input"))) + `}`)
}

func quoted(s string) string { return string(events.AppendQuoted(nil, s)) }

// check reports what is wrong with the arguments. None at all are none.
func (c *call) check() *events.Issue {
	if len(c.arguments) == 0 {
		return nil
	}
	return events.CheckArguments(string(c.arguments))
}

func (d *decoder) toolCall(c *call) events.ToolCall {
	return events.ToolCall{
		ID: c.id, Name: d.names.Declared(c.name), Arguments: string(c.arguments), Minted: c.minted, Replay: c.replay,
	}
}

func (d *decoder) completeCall(c *call) {
	whole := d.toolCall(c)
	if whole.Arguments == "" {
		whole.Arguments = "{}"
	}
	c.over = true
	d.completed++
	d.send(events.NewToolCallCompleted(c.index, whole))
}

// endCalls ends the calls that are not over by what the stop says of them: cut by
// it, or broken.
func (d *decoder) endCalls() {
	for _, it := range d.items {
		if it.kind == callItem && !it.call.over {
			d.endCall(it.call)
		}
	}
}

func (d *decoder) endCall(c *call) {
	cuts := d.stop.Cuts()
	if !c.started {
		if c.name == "" {
			if !cuts {
				d.bad = events.NewFailure(events.InvalidReply, events.ReasonBadToolCall, "a tool call without a name")
			}
			return
		}
		d.startCall(c)
	}
	issue := c.check()
	if !c.closed && (cuts || len(c.arguments) == 0) || c.cut || cuts && issue != nil {
		issue = &events.Issue{Kind: events.IssueTruncated, Detail: "the response ended before the call did"}
	}
	if issue == nil {
		d.completeCall(c)
		return
	}
	c.over = true
	whole := d.toolCall(c)
	if !cuts && d.broken == "" {
		d.broken = "tool call " + whole.Name + " " + c.id + ": " + issue.Detail
	}
	whole.Arguments = events.CutText(whole.Arguments, transport.MaxDelta)
	d.send(events.NewToolCallInvalid(c.index, whole, *issue))
}
