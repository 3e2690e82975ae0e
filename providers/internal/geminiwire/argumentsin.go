package geminiwire

import (
	"bytes"
	"encoding/json"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// argumentsIn finds the arguments of calls in a frame, byte for byte as they came.
// The frame is read once more, by a reader that hands them over so; frames with
// calls are rare.
type argumentsIn struct {
	frame     []byte
	candidate int
	read      bool
	parts     []json.RawMessage
}

// of returns the arguments of the call of the nth part, empty for none. The two readers
// have to agree on them: of a member that came twice they may take different ones.
func (a *argumentsIn) of(call *fastjson.Value, nth int) (string, error) {
	if !a.read {
		a.read = true
		candidates := elements(a.frame, "candidates")
		if a.candidate < len(candidates) {
			a.parts = elements(candidates[a.candidate], "content", "parts")
		}
	}
	var text []byte
	if nth < len(a.parts) {
		text = member(a.parts[nth], "functionCall", "args")
	}
	var compact bytes.Buffer
	if string(text) != "" && json.Compact(&compact, text) != nil || compact.String() != wirejson.Raw(call.Get("args")) {
		return "", malformed("a tool call cannot be read")
	}
	if string(text) == "null" {
		return "", nil
	}
	return string(text), nil
}

// member returns what a JSON text holds at a path of names, or nil. Names are told apart
// by their case, unlike the fields of a struct.
func member(text []byte, path ...string) []byte {
	for _, name := range path {
		text = membersOf(text)[name]
	}
	return text
}

// membersOf returns the members of a JSON object; what is none has no members.
func membersOf(object []byte) (members map[string]json.RawMessage) {
	_ = json.Unmarshal(object, &members)
	return members
}

// elements returns the elements of the list at a path of names.
func elements(text []byte, path ...string) []json.RawMessage {
	var list []json.RawMessage
	_ = json.Unmarshal(member(text, path...), &list) // what is no list has no elements
	return list
}
