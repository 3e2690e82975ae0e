package responseswire

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/request"
)

// assistant appends one assistant turn: its blocks, and between them, in their
// places, the items that its data holds. The message's own blocks decide what is sent
// of text and calls: one that is gone leaves its slot empty, and takes the reasoning
// before it along, which the provider refuses alone; one that has no slot follows at
// the end.
func (e *encoder) assistant(turn *request.Message) {
	e.custom = nil
	rest := turn.Blocks
	sealed := -1 // where reasoning begins that nothing follows yet
	for _, k := range e.keptItems(turn.Data) {
		before := len(e.dst)
		switch k.Slot {
		case "":
			e.comma()
			e.raw(k.raw)
		case "message":
			n := texts(rest[:min(k.Texts, len(rest))])
			e.message(rest[:n], k.Item)
			rest = rest[n:]
		default:
			n := 1 + slices.IndexFunc(rest, func(b request.Block) bool {
				return b.Kind == request.BlockToolCall && b.Call.ID == k.ID
			})
			e.upToCall(rest[:n], k.Item)
			rest = rest[n:]
		}
		switch {
		case k.Type == "reasoning" && k.Slot == "":
			if sealed < 0 {
				sealed = before
			}
		case len(e.dst) > before:
			sealed = -1
		case sealed >= 0:
			e.dst, sealed = e.dst[:sealed], -1
		}
	}
	if sealed >= 0 {
		e.dst = e.dst[:sealed]
	}
	e.blocks(rest)
}

// texts returns how many of the blocks, from the first, are texts.
func texts(blocks []request.Block) int {
	n := slices.IndexFunc(blocks, func(b request.Block) bool { return b.Kind != request.BlockText })
	if n < 0 {
		return len(blocks)
	}
	return n
}

// blocks appends what has no item of its own to go back as.
func (e *encoder) blocks(blocks []request.Block) {
	for i := range blocks {
		switch b := &blocks[i]; b.Kind {
		case request.BlockText:
			e.comma()
			e.raw(`{"role":"assistant","content":`)
			e.quote(b.Text)
			e.raw("}")
		case request.BlockToolCall:
			e.call(&b.Call, "")
		default:
			e.fail(events.ReasonBadHistory, "an assistant turn cannot hold a block of kind "+string(b.Kind))
		}
	}
}

// upToCall appends the blocks up to a call, which is the last of them.
func (e *encoder) upToCall(blocks []request.Block, item json.RawMessage) {
	if len(blocks) == 0 {
		return
	}
	last := len(blocks) - 1
	e.blocks(blocks[:last])
	e.call(&blocks[last].Call, string(item))
}

// message appends texts as the message that they came in, or as messages of their own
// when they no longer fit it.
func (e *encoder) message(blocks []request.Block, item json.RawMessage) {
	filled, ok := fillMessage(string(item), blocks)
	if !ok {
		e.blocks(blocks)
		return
	}
	e.comma()
	e.raw(filled)
}

// fillMessage puts the texts into the places of a message's template.
func fillMessage(item string, blocks []request.Block) (string, bool) {
	var o wirejson.Object
	var message struct{ Content []json.RawMessage }
	if item == "" || len(blocks) == 0 || o.Merge(item) != nil || json.Unmarshal([]byte(item), &message) != nil {
		return "", false
	}
	role, kind := textIn(&o, "role"), textIn(&o, "type")
	if role != "" && role != "assistant" || kind != "" && kind != "message" {
		return "", false // an assistant's words are nobody else's
	}
	content := []byte{'['}
	for i, raw := range message.Content {
		var part wirejson.Object
		if part.Merge(string(raw)) != nil {
			return "", false
		}
		for _, member := range []string{"text", "refusal"} {
			if value, ok := part.Get(member); ok && value == "null" {
				if len(blocks) == 0 {
					return "", false
				}
				part.Set(member, quoted(blocks[0].Text))
				blocks = blocks[1:]
			}
		}
		if i > 0 {
			content = append(content, ',')
		}
		content = part.Append(content)
	}
	o.Set("content", string(append(content, ']')))
	return string(o.Append(nil)), len(blocks) == 0
}

// call appends a call in its own item, where it has one, as it came but for what the
// call itself says.
func (e *encoder) call(c *events.ToolCall, item string) {
	if !c.Replay.IsZero() {
		e.checkOrigin(c.Replay)
		item = c.Replay.Value
	}
	var o wirejson.Object
	if item == "" {
		o.Set("type", `"function_call"`)
	} else if o.Merge(item) != nil {
		e.fail(events.ReasonBadHistory, "the data of a tool call is damaged")
	}
	kind := textIn(&o, "type")
	if kind != "function_call" && kind != "custom_tool_call" {
		e.fail(events.ReasonBadHistory, "the data of a tool call is none of a call")
	}
	o.Set("call_id", quoted(callID(c.ID)))
	o.Set("name", quoted(e.names.Wire(c.Name)))
	if kind == "custom_tool_call" {
		e.custom = append(e.custom, c.ID)
		o.Set("input", quoted(freeText(c.Arguments)))
	} else {
		o.Set("arguments", quoted(c.Arguments))
	}
	e.comma()
	e.dst = o.Append(e.dst)
}

// callID returns an id of a tool call as the wire takes it: of at most 64 characters
// (github.com/AnswerDotAI/fastllm, issue 45; of Azure github.com/openai/codex, issue
// 14355; read 2026-12-01). Ids of other providers may be longer.
func callID(id string) string {
	const most = 64
	if len(id) <= most {
		return id
	}
	return wirejson.SafeID(id, most)
}

// freeText returns what customArguments wrapped.
func freeText(arguments string) string {
	var wrapped struct{ Input string }
	if json.Unmarshal([]byte(arguments), &wrapped) != nil {
		return arguments
	}
	return wrapped.Input
}

// A keptItem is one element of the data: an item as it came, or a slot.
type keptItem struct {
	raw            string
	Type, Slot, ID string
	Texts          int
	Item           json.RawMessage
}

func (e *encoder) keptItems(data events.ProviderData) []keptItem {
	if data.IsZero() || !e.checkOrigin(data) {
		return nil
	}
	var value struct{ Output []json.RawMessage }
	if json.Unmarshal([]byte(data.Value), &value) != nil {
		e.fail(events.ReasonBadHistory, "the data of an assistant turn is not JSON")
		return nil
	}
	if len(value.Output) > maxItems {
		e.fail(events.ReasonBadHistory, "the data of an assistant turn has more items than any reply")
		return nil
	}
	kept := make([]keptItem, len(value.Output))
	for i, raw := range value.Output {
		var ok bool
		if kept[i], ok = readElement(raw); !ok {
			e.fail(events.ReasonBadHistory, "the data of an assistant turn is damaged")
			return nil
		}
	}
	return kept
}

// readElement reads one element of the data. An item is not looked into but for its
// type: a message never stands there as it came, which could be one of the developer's,
// nor what is looked up in a store (item_reference). Stored data may be forged.
func readElement(raw json.RawMessage) (k keptItem, ok bool) {
	if !strings.HasPrefix(string(raw), slotStart) {
		switch kind := textMember(string(raw), "type"); kind {
		case "", "message", "item_reference":
			return keptItem{}, false
		default:
			return keptItem{raw: string(raw), Type: kind}, true
		}
	}
	err := json.Unmarshal(raw, &k)
	return k, err == nil && (k.Slot == "message" && k.Texts >= 0 || k.Slot == "call")
}

// textIn returns the text of a member; empty for none.
func textIn(o *wirejson.Object, name string) string {
	var text string
	if value, _ := o.Get(name); json.Unmarshal([]byte(value), &text) != nil {
		return ""
	}
	return text
}

// textMember is textIn of an object that is not taken apart: by the exact name, of which a
// server takes the last one.
func textMember(object, name string) string {
	var members map[string]json.RawMessage
	var text string
	if json.Unmarshal([]byte(object), &members) != nil || json.Unmarshal(members[name], &text) != nil {
		return ""
	}
	return text
}

// checkOrigin refuses data of another family or provider, which was dropped or
// refused before.
func (e *encoder) checkOrigin(data events.ProviderData) bool {
	if data.Format == Format && data.Origin == e.origin {
		return true
	}
	e.fail(events.ReasonForeignData, "data of "+data.Origin+" in the format "+data.Format)
	return false
}
