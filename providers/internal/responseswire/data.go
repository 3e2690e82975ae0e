package responseswire

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// maxItem is the largest item that is kept to be sent back. What is above is a
// generated image, whose data would be sent again with every turn.
const maxItem = 1 << 20

// slotStart is how the elements of the data begin that are no items.
const slotStart = `{"slot":"`

// keep keeps what has to go back of an item that is done.
//
// Reasoning goes back when it holds something: its encrypted content, or its text
// where the provider shows that. An id alone would be looked up in a store that weir
// asks the provider not to use ("Item with id ... not found" otherwise, public
// reports).
func (d *decoder) keep(it *item, v *fastjson.Value, raw string) error {
	it.callID = wirejson.String(v.Get("call_id"))
	if it.kind == messageItem {
		it.raw, it.exact = messageTemplate(raw)
	} else if d.goesBack(it.kind, v, raw) {
		it.raw, it.exact = raw, true
	}
	if err := d.hold(len(it.callID)); err != nil {
		return err
	}
	return d.count(it.raw)
}

// goesBack reports whether an item that is neither a message nor a call is sent back.
func (d *decoder) goesBack(kind itemKind, v *fastjson.Value, raw string) bool {
	switch {
	case d.profile.PlainInput:
		return false
	case kind == reasoningItem:
		return wirejson.String(v.Get("encrypted_content")) != "" || len(v.GetArray("content")) > 0
	default:
		return len(raw) <= maxItem
	}
}

// count counts a text that is kept as it came, and refuses one that is no JSON: it
// could not be sent back. The parser lets control characters inside strings pass, and
// bad escapes and numbers.
func (d *decoder) count(raw string) error {
	if raw != "" && (!json.Valid([]byte(raw)) || strings.HasPrefix(raw, slotStart)) {
		return malformed("an item that must go back is not JSON, or looks like a slot")
	}
	d.kept += len(raw)
	return nil
}

// messageTemplate returns a message as it came with null in the place of each text
// that the turn's own blocks hold, and whether it says more than that it is a
// message: OpenAI wants its phase back (recordings of GPT-5.6). One that cannot be
// taken apart, or that is empty, is sent as any other message.
func messageTemplate(raw string) (template string, exact bool) {
	var o wirejson.Object
	var parts struct{ Content []json.RawMessage }
	if o.Merge(raw) != nil || json.Unmarshal([]byte(raw), &parts) != nil {
		return "", false
	}
	content := []byte{'['}
	for i, part := range parts.Content {
		if i > 0 {
			content = append(content, ',')
		}
		content = append(content, partTemplate(string(part))...)
	}
	o.Set("content", string(append(content, ']')))
	phase, ok := o.Get("phase")
	return string(o.Append(nil)), ok && phase != "null"
}

// partTemplate returns a part with null for its text. A text of nothing but white
// space stays: it is no block of a turn.
func partTemplate(raw string) string {
	var o wirejson.Object
	var p struct{ Text, Refusal string }
	if o.Merge(raw) != nil || json.Unmarshal([]byte(raw), &p) != nil {
		return raw
	}
	switch {
	case isVisible(p.Text):
		o.Set("text", "null")
	case isVisible(p.Refusal):
		o.Set("refusal", "null")
	}
	return string(o.Append(nil))
}

func isVisible(text string) bool { return strings.TrimSpace(text) != "" }

// keepCall keeps a call's item as it came, but for its arguments. A call that
// another one could not stand for takes it along itself: one of the provider's own
// code or namespace, of free text, of an id that came twice.
func (d *decoder) keepCall(it *item, raw string) error {
	var o wirejson.Object
	var members map[string]json.RawMessage
	if o.Merge(raw) != nil || json.Unmarshal([]byte(raw), &members) != nil {
		return nil
	}
	if it.call.custom {
		o.Set("input", "null")
	} else {
		o.Set("arguments", "null")
	}
	it.raw = string(o.Append(nil))
	plain := !it.call.custom && (it.call.wireID == "" || it.call.id == it.call.wireID)
	for name, value := range members {
		switch name {
		case "id", "type", "status", "arguments", "call_id", "name":
		default:
			plain = plain && string(value) == "null"
		}
	}
	if !plain {
		it.call.replay = d.providerData(it.raw)
		it.raw = ""
		return d.count(it.call.replay.Value)
	}
	return d.count(it.raw)
}

func (d *decoder) providerData(value string) events.ProviderData {
	return events.ProviderData{Format: Format, Origin: d.profile.Origin, Value: value}
}

// data returns what must go back with this turn: nothing when it is only text and
// calls, else every item in its place, see [Format].
//
// Reasoning is refused without the item that followed it, so that it goes where that
// goes. A use of a tool that the client was to answer is left out, for want of an
// answer, which would be asked for with every turn.
func (d *decoder) data() events.ProviderData {
	answered := map[string]bool{}
	for _, it := range d.items {
		if it.kind == opaqueItem {
			answered[it.callID] = true
		}
	}
	dst := []byte(`{"output":[`)
	sealed := -1 // where reasoning begins that nothing follows yet
	needed, exact := false, false
	for _, it := range d.items {
		element := it.element(answered)
		if element == "" && sealed >= 0 {
			dst, sealed, exact = dst[:sealed], -1, false
		}
		if element == "" {
			continue
		}
		if it.kind == reasoningItem && sealed < 0 {
			sealed = len(dst)
		}
		dst = append(append(dst, element...), ',')
		exact = exact || it.exact
		if it.kind != reasoningItem {
			sealed = -1
			needed, exact = needed || exact, false
		}
	}
	if sealed >= 0 {
		dst = dst[:sealed]
	}
	if !needed {
		return events.ProviderData{}
	}
	return d.providerData(string(append(dst[:len(dst)-1], "]}"...)))
}

// element returns what stands for the item in the data, or nothing.
func (it *item) element(answered map[string]bool) string {
	switch it.kind {
	case messageItem:
		texts := 0
		for _, p := range it.parts {
			if isVisible(string(p.text)) {
				texts++
			}
		}
		if texts == 0 {
			return ""
		}
		return slotStart + `message","texts":` + strconv.Itoa(texts) + itemMember(it.raw) + `}`
	case callItem:
		return slotStart + `call","id":` + quoted(it.call.id) + itemMember(it.raw) + `}`
	case hostedItem:
		if it.callID != "" && !answered[it.callID] && it.name != "program" {
			return ""
		}
	default:
	}
	return it.raw
}

func itemMember(raw string) string {
	if raw == "" {
		return ""
	}
	return `,"item":` + raw
}
