package chatwire

import (
	"bytes"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

// A call is a tool call as it is put together.
type call struct {
	nth  int // where it is in the list
	wire int // the provider's index, -1 when it gave none
	// wireID and name are the provider's; id is the one that events have.
	wireID, id, name string

	arguments []byte
	held      bool // a placeholder was passed over

	started bool
	index   int
	minted  bool
	replay  events.ProviderData
}

// A piece is one element of tool_calls.
type piece struct {
	wire      int
	id, name  []byte
	arguments *fastjson.Value
	function  *fastjson.Value
}

func (p *piece) member(key []byte, v *fastjson.Value) {
	switch string(key) {
	case "index":
		p.setIndex(v)
	case "id":
		p.id, _ = wirejson.Text(v)
	case "function":
		p.function = v
	}
}

func (p *piece) setIndex(v *fastjson.Value) {
	if n, err := v.Int(); err == nil && n >= 0 {
		p.wire = n
	}
}

func (p *piece) functionMember(key []byte, v *fastjson.Value) {
	switch string(key) {
	case "name":
		p.name, _ = wirejson.Text(v)
	case "arguments":
		p.arguments = v
	}
}

// text returns the argument text of the piece. Some servers send an object: its
// JSON is the text, and as nobody has looked into it yet, byte for byte but for
// white space.
func (p *piece) text(scratch []byte) []byte {
	if p.arguments == nil || p.arguments.Type() == fastjson.TypeNull {
		return nil
	}
	if text, ok := wirejson.Text(p.arguments); ok {
		return text
	}
	return p.arguments.MarshalTo(scratch[:0])
}

func (d *decoder) readCalls(list []*fastjson.Value) error {
	for _, v := range list {
		o := objectOf(v)
		if o == nil {
			return malformed("a tool call is no JSON object")
		}
		if err := d.readPiece(d.takePiece(o)); err != nil {
			return err
		}
	}
	return nil
}

// takePiece takes an element of tool_calls apart. After the first of a call
// OpenAI sends index and function alone.
func (d *decoder) takePiece(o *fastjson.Object) *piece {
	p := &d.piece
	*p = piece{wire: -1}
	var function *fastjson.Object
	if o.Len() == 2 {
		if index := o.Get("index"); index != nil {
			p.setIndex(index)
			p.function = o.Get("function")
			function = objectOf(p.function)
		}
	}
	if function == nil {
		o.Visit(p.member)
		function = objectOf(p.function)
	}
	if function == nil {
		return p
	}
	if function.Len() == 1 {
		p.arguments = function.Get("arguments")
	}
	if p.arguments == nil {
		function.Visit(p.functionMember)
	}
	return p
}

func (d *decoder) readPiece(p *piece) error {
	text := p.text(d.scratch)
	if len(p.id) == 0 && len(p.name) == 0 && len(text) == 0 {
		return nil
	}
	if d.finished {
		return malformed("a tool call after finish_reason")
	}
	c, err := d.callOf(p, len(text) > 0)
	if err != nil {
		return err
	}
	if err := d.identify(c, p.id); err != nil {
		return err
	}
	if err := c.grow(p.name); err != nil {
		return err
	}
	return d.argue(c, text)
}

// What calls may hold that nobody has been told of yet, so that no consumer can
// stop it.
const (
	maxCalls     = 1024
	maxName      = 256     // bytes
	maxArguments = 1 << 20 // bytes of one call
	maxCallBytes = 8 << 20 // bytes of arguments and ids of all calls
)

// identify takes a call's id, which may come after the call has started with a
// minted one: then its pieces are known by it.
func (d *decoder) identify(c *call, id []byte) error {
	if c.wireID != "" {
		return nil
	}
	if d.callBytes += len(id); d.callBytes > maxCallBytes {
		return tooLarge("tool calls above 8 MiB")
	}
	c.wireID = string(id)
	return nil
}

// callOf returns the call that a piece belongs to, a new one when it begins one.
func (d *decoder) callOf(p *piece, argues bool) (*call, error) {
	if p.wire >= 0 {
		if c := d.newest(func(c *call) bool { return c.wire == p.wire }); c != nil && !c.ends(p, argues) {
			return c, nil
		}
		return d.open(p)
	}
	if len(p.id) > 0 {
		if c := d.newest(func(c *call) bool { return c.wireID == string(p.id) }); c != nil {
			return c, nil
		}
	}
	last := d.newest(func(*call) bool { return true })
	switch {
	case last == nil:
		return d.open(p)
	case last.wireID == "" && len(last.arguments) == 0 && (len(p.name) == 0 || last.name == string(p.name)):
		// The same call goes on: its id is late, or its name is repeated.
		return last, nil
	case len(p.id) > 0 || len(p.name) > 0:
		return d.open(p)
	case len(d.calls) > 1:
		return nil, malformed("a piece of a tool call without index and id while several are open")
	default:
		return last, nil
	}
}

// ends reports whether a piece on the call's own index begins another call
// instead: it has a new id, and a name, or nothing but the id. (vLLM gives each
// piece of one call a new id; Ollama and others give each call the index 0.)
func (c *call) ends(p *piece, argues bool) bool {
	if len(p.id) == 0 || c.wireID == string(p.id) {
		return false
	}
	if c.wireID == "" && (len(c.arguments) == 0 || c.name == string(p.name)) {
		return false // its id is late
	}
	return len(p.name) > 0 || !argues
}

// newest returns the last call that fits, or nil.
func (d *decoder) newest(fits func(*call) bool) *call {
	for i := len(d.calls) - 1; i >= 0; i-- {
		if fits(&d.calls[i]) {
			return &d.calls[i]
		}
	}
	return nil
}

func (d *decoder) open(p *piece) (*call, error) {
	if len(d.calls) >= maxCalls {
		return nil, tooLarge("more than 1024 tool calls")
	}
	d.calls = append(d.calls, call{nth: len(d.calls), wire: p.wire})
	return &d.calls[len(d.calls)-1], nil
}

// grow takes a name: the same one again says nothing, another one before the
// arguments continues it, another one after them contradicts.
func (c *call) grow(name []byte) error {
	switch {
	case len(name) == 0 || c.name == string(name):
	case c.name != "" && len(c.arguments) > 0:
		return malformed("the name of a tool call changes after its arguments began")
	case len(c.name)+len(name) > maxName:
		return tooLarge("the name of a tool call above 256 bytes")
	default:
		c.name += string(name)
	}
	return nil
}

// argue takes a piece of the arguments.
func (d *decoder) argue(c *call, text []byte) error {
	if d.profile.PlaceholderArguments && !c.held && len(c.arguments) == 0 && string(text) == "{}" {
		c.held = true
		return nil
	}
	if d.profile.CumulativeArguments && len(text) > 0 {
		if !bytes.HasPrefix(text, c.arguments) {
			return malformed("cumulative arguments do not repeat what came before")
		}
		text = text[len(c.arguments):]
	}
	if len(text) == 0 {
		return nil
	}
	if len(c.arguments)+len(text) > maxArguments {
		return tooLarge("arguments of a tool call above 1 MiB")
	}
	if d.callBytes += len(text); d.callBytes > maxCallBytes {
		return tooLarge("tool calls above 8 MiB")
	}
	c.arguments = append(c.arguments, text...)
	if c.name == "" {
		return nil // the name is late
	}
	if !c.started {
		// All that waited for the name goes out too.
		d.begins(c)
		text = c.arguments
	}
	d.memo.call = c.nth
	d.sendDelta(events.ToolArgumentsDelta, c.index, text)
	return nil
}

// begins sends the start of a call, whose name can no longer grow.
func (d *decoder) begins(c *call) {
	twin := c.wireID != "" && d.taken(c.wireID)
	if twin {
		c.replay = events.ProviderData{Format: Format, Origin: d.profile.Origin, Value: c.wireID}
		d.send(events.NewNotice(events.NoticeDuplicateID, "tool call id "+c.wireID+" came twice"))
	}
	c.id, c.minted = c.wireID, twin || c.wireID == ""
	if c.minted {
		c.id = request.MintID(&d.minted, d.taken)
	}
	c.started, c.index = true, d.takeIndex()
	d.send(events.NewToolCallStarted(c.index, c.id, d.names.Declared(c.name), c.minted))
}

// taken reports whether a call that has started has an id.
func (d *decoder) taken(id string) bool {
	return d.newest(func(c *call) bool { return c.started && c.id == id }) != nil
}

// endCalls ends every call, in the order they came.
func (d *decoder) endCalls() {
	for i := range d.calls {
		c := &d.calls[i]
		if c.name == "" && d.stop.Cuts() {
			d.passOver("a tool call that was cut before its name")
			continue
		}
		if c.name == "" {
			d.bad = events.NewFailure(events.InvalidReply, events.ReasonBadToolCall, "a tool call without a name")
			continue
		}
		if !c.started {
			d.begins(c)
		}
		d.endCall(c)
	}
}

func (d *decoder) endCall(c *call) {
	whole := events.ToolCall{ID: c.id, Name: d.names.Declared(c.name), Arguments: string(c.arguments), Minted: c.minted, Replay: c.replay}
	if whole.Arguments == "" {
		whole.Arguments = "{}"
	}
	issue := events.CheckArguments(whole.Arguments)
	if d.stop.Cuts() || d.rawStop == "" && len(c.arguments) == 0 {
		// A proxy may end a stream that broke with [DONE]: without a finish_reason
		// nobody says that a call without arguments was to have none.
		issue = &events.Issue{Kind: events.IssueTruncated, Detail: "the reply was cut before the call had ended"}
	}
	if issue == nil {
		d.send(events.NewToolCallCompleted(c.index, whole))
		return
	}
	if !d.stop.Cuts() && d.broken == "" {
		d.broken = "tool call " + whole.Name + " " + c.id + ": " + issue.Detail
	}
	whole.Arguments = events.CutText(whole.Arguments, transport.MaxDelta)
	d.send(events.NewToolCallInvalid(c.index, whole, *issue))
}
