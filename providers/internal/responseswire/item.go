package responseswire

import (
	"strings"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

type itemKind uint8

const (
	messageItem itemKind = iota
	reasoningItem
	// callItem is a call that the client executes.
	callItem
	// hostedItem is a use of a tool that the provider runs.
	hostedItem
	// opaqueItem is kept to be sent back and shown to nobody.
	opaqueItem
)

// An item is one output item of the response.
type item struct {
	kind itemKind
	// key is the wire's output_index, -1 when it gave none. Ids are the second
	// choice: some gateways give an item a new one in each frame (GitHub Copilot,
	// recordings).
	key  int
	id   string
	done bool // its own end came
	// raw is what goes back of the item, once it is done: the item as it came, or its
	// template; exact: the turn cannot do without. callID pairs it with its output.
	raw, callID string
	exact       bool
	parts       []*part
	call        *call
	// index is weir's, of a hosted item; name is the hosted tool's.
	index int
	name  string
}

// kindOf returns what a type of item is, and whether it is known.
func (p Profile) kindOf(name string) (_ itemKind, known bool) {
	switch name {
	case "message":
		return messageItem, true
	case "reasoning":
		return reasoningItem, true
	case "function_call", "custom_tool_call":
		return callItem, true
	case "mcp_list_tools", "mcp_approval_request", "program":
		return hostedItem, true
	case "compaction":
		return opaqueItem, true
	}
	switch {
	case strings.HasSuffix(name, "_call"), p.isOwn(name):
		return hostedItem, true
	case strings.HasSuffix(name, "_output"):
		// What came of a use that is an item of its own.
		return opaqueItem, true
	default:
		return opaqueItem, false
	}
}

// isOwn reports whether a type is that of a use of the host's own tools.
func (p Profile) isOwn(name string) bool {
	return p.HostedPrefix != "" && strings.HasPrefix(name, p.HostedPrefix) ||
		p.HostedResults != "" && strings.HasSuffix(name, p.HostedResults)
}

// maxItems bounds the items of a reply, and the parts of all its items: as many as
// the grammar has indexes, though not every one takes one.
const maxItems = 1024

func tooManyItems() error { return tooLarge("more than 1,024 output items") }

// number returns a whole number that is not negative, or -1.
func number(v *fastjson.Value) int {
	if v == nil {
		return -1
	}
	n, err := v.Int()
	if err != nil || n < 0 {
		return -1
	}
	return n
}

// find returns the newest item of an output index, or of an id where there is no
// index; the newest of all where there is neither; nil for none.
func (d *decoder) find(key int, id []byte) *item {
	for i := len(d.items) - 1; i >= 0; i-- {
		it := d.items[i]
		switch {
		case key >= 0:
			if it.key == key {
				return it
			}
		case len(id) == 0 || it.id == string(id):
			return it
		}
	}
	return nil
}

// itemFor returns the item that a frame belongs to. One that was never announced
// begins here: some servers leave that out.
func (d *decoder) itemFor(o *fastjson.Object, kind itemKind) (*item, error) {
	key := number(o.Get("output_index"))
	id, _ := wirejson.Text(o.Get("item_id"))
	it := d.find(key, id)
	switch {
	case it == nil:
		return d.open(kind, key, string(id))
	case it.kind != kind:
		return nil, malformed("a piece for an item of another kind")
	case it.done:
		return nil, malformed("a piece for an item that has ended")
	default:
		return it, nil
	}
}

func (d *decoder) open(kind itemKind, key int, id string) (*item, error) {
	if len(d.items) == maxItems {
		return nil, tooManyItems()
	}
	if err := d.hold(len(id)); err != nil {
		return nil, err
	}
	it := &item{kind: kind, key: key, id: id, index: -1}
	if kind == callItem {
		it.call = &call{}
	}
	d.items = append(d.items, it)
	return it, nil
}

// itemAdded announces an item.
func (d *decoder) itemAdded(o *fastjson.Object) error {
	v := o.Get("item")
	it, err := d.announce(number(o.Get("output_index")), v, false)
	if it == nil || err != nil {
		return err
	}
	switch it.kind {
	case callItem:
		return d.callAdded(it, v)
	case hostedItem:
		d.hostedAdded(it, v)
	default:
	}
	return nil
}

// announce returns the item that v announces or ends, a new one unless it is open
// already; nil when it has ended.
func (d *decoder) announce(key int, v *fastjson.Value, ends bool) (*item, error) {
	if !hasType(v) {
		return nil, malformed("an item without a type")
	}
	kind, id := d.profile.kindOfItem(v), wirejson.String(v.Get("id"))
	switch it := d.find(key, []byte(id)); {
	case it == nil, key < 0 && id == "" && !ends:
	case it.done && id != "" && it.id == id:
		return nil, nil // told again
	case it.kind == kind && !it.done && (ends || it.id == id || it.id == ""):
		it.id = id
		return it, d.hold(len(id))
	}
	return d.newItem(key, v)
}

func hasType(v *fastjson.Value) bool { return wirejson.String(v.Get("type")) != "" }

// newItem begins an item that v announces or ends, and tells when its kind is unknown.
func (d *decoder) newItem(key int, v *fastjson.Value) (*item, error) {
	name := wirejson.String(v.Get("type"))
	kind, known := d.profile.kindOf(name)
	if !known {
		d.passOver("output item " + name)
	}
	return d.open(kind, key, wirejson.String(v.Get("id")))
}

// kindOfItem returns what an item is.
func (p Profile) kindOfItem(v *fastjson.Value) itemKind {
	kind, _ := p.kindOf(wirejson.String(v.Get("type")))
	return kind
}

// itemDone ends an item, which says again, whole, what its pieces said.
func (d *decoder) itemDone(o *fastjson.Object) error {
	v := o.Get("item")
	// The raw text first: reading a member would change how it is written.
	raw := wirejson.Raw(v)
	if !d.started {
		d.start(events.Start{})
	}
	it, err := d.announce(number(o.Get("output_index")), v, true)
	if it == nil || err != nil {
		return err
	}
	return d.endItem(it, v, raw)
}

// endItem ends an item by v, which was raw.
func (d *decoder) endItem(it *item, v *fastjson.Value, raw string) (err error) {
	it.done = true
	switch it.kind {
	case messageItem:
		err = d.messageDone(it, v)
	case reasoningItem:
		err = d.reasoningDone(it, v)
	case callItem:
		return d.callDone(it, v, raw)
	case hostedItem:
		d.hostedDone(it, v, raw)
	case opaqueItem:
	}
	if err != nil {
		return err
	}
	return d.keep(it, v, raw)
}
