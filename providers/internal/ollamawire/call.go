package ollamawire

import (
	"encoding/json"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// calls is what a decoder keeps of the tool calls of its reply.
type calls struct {
	ids    map[string]bool
	minted int  // the n of the next minted id
	whole  bool // a call was completed
	broken bool // a call was invalid
}

// members are those of a JSON object by their exact names: in a struct encoding/json
// would take one of another letter case for it.
type members = map[string]json.RawMessage

// toolCalls emits the calls of a line. The line is read once more, by a reader
// that hands the arguments over byte for byte; lines with calls are rare.
func (d *decoder) toolCalls(data []byte, emit func(events.Event) bool) (bool, error) {
	var line, message members
	var calls []members
	err := json.Unmarshal(data, &line)
	if err == nil {
		err = json.Unmarshal(line["message"], &message)
	}
	if err == nil {
		err = json.Unmarshal(message["tool_calls"], &calls)
	}
	if err != nil {
		return false, malformed("tool calls cannot be read")
	}
	for _, c := range calls {
		more, err := d.toolCall(c, emit)
		if err != nil || !more {
			return false, err
		}
	}
	return true, nil
}

// maxCalls bounds the calls of a reply: as many as the grammar has indexes.
const maxCalls = 1024

// toolCall emits a call. Its index is ignored: it is often 0 for all calls.
func (d *decoder) toolCall(c members, emit func(events.Event) bool) (bool, error) {
	if len(d.ids) == maxCalls {
		return false, events.NewFailure(events.InvalidReply, events.ReasonTooLarge, "more than 1,024 tool calls")
	}
	var function members
	if err := json.Unmarshal(c["function"], &function); err != nil || unquote(function["name"]) == "" {
		return false, malformed("tool call without a name")
	}
	call := events.ToolCall{Name: d.names.Declared(unquote(function["name"])), Arguments: argumentsOf(function["arguments"])}
	if !d.identify(&call, unquote(c["id"]), emit) {
		return false, nil
	}
	index := d.take()
	if !emit(events.NewToolCallStarted(index, call.ID, call.Name, call.Minted)) {
		return false, nil
	}
	ended := events.NewToolCallEnded(index, call)
	if ended.Kind == events.ToolCallInvalid {
		d.broken = true
	} else {
		d.whole = true
	}
	return emit(ended), nil
}

// identify gives the call the provider's id, or a minted one where there is none
// or it was used before in this reply.
func (d *decoder) identify(call *events.ToolCall, id string, emit func(events.Event) bool) bool {
	if d.ids == nil {
		d.ids = map[string]bool{}
	}
	repeated := d.ids[id]
	if repeated {
		value := append(events.AppendQuoted([]byte(`{"id":`), id), '}')
		call.Replay = events.ProviderData{Format: Format, Origin: d.origin, Value: string(value)}
	}
	call.ID, call.Minted = id, id == "" || repeated
	if call.Minted {
		call.ID = request.MintID(&d.minted, func(id string) bool { return d.ids[id] })
	}
	d.ids[call.ID] = true
	return !repeated || emit(events.NewNotice(events.NoticeDuplicateID, "call id "+id+" came twice"))
}

// argumentsOf returns the text of the arguments: an object as it came, the text
// inside a string (some proxies send one), and {} for none.
func argumentsOf(raw json.RawMessage) string {
	text := string(raw)
	if len(raw) > 0 && raw[0] == '"' {
		text = unquote(raw)
	}
	if text == "" || text == "null" {
		return "{}"
	}
	return text
}

// unquote returns the text of a JSON string, or "" of anything else.
func unquote(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}
