package schema

import (
	"encoding/json"
	"strings"

	"github.com/weirsdk/weir/events"
)

// A value is a JSON value with its members in order and its literals as they
// were written. Values that came from the input are never changed; they know
// where they stood.
type value struct {
	kind    kind
	text    string // the literal of a scalar
	members []member
	items   []*value

	parent *value
	step   string // the last token of the pointer
}

// A member is one key of an object.
type member struct {
	key   string
	value *value
	// absent marks a property for which null stands for leaving it out.
	absent bool
}

type kind uint8

const (
	kindNull kind = iota
	kindBool
	kindNumber
	kindString
	kindArray
	kindObject
)

// typeOf returns the JSON Schema type of a value; a number is an integer when
// its literal has neither fraction nor exponent.
func (v *value) typeOf() string {
	switch v.kind {
	case kindBool:
		return "boolean"
	case kindNumber:
		if strings.ContainsAny(v.text, ".eE") {
			return "number"
		}
		return "integer"
	case kindString:
		return "string"
	case kindArray:
		return "array"
	case kindObject:
		return "object"
	default:
		return "null"
	}
}

func (v *value) isScalar() bool { return v.kind < kindArray }

// get returns the value of a key, or nil.
func (v *value) get(key string) *value {
	if i := v.index(key); i >= 0 {
		return v.members[i].value
	}
	return nil
}

func (v *value) index(key string) int {
	for i := range v.members {
		if v.members[i].key == key {
			return i
		}
	}
	return -1
}

// set replaces the value of a key, or adds it at the end. Only for values that
// are being built.
func (v *value) set(key string, to *value) {
	if i := v.index(key); i >= 0 {
		v.members[i].value = to
		return
	}
	v.members = append(v.members, member{key: key, value: to})
}

// keys returns the keys of an object as a set; of nil an empty one.
func (v *value) keys() map[string]bool {
	keys := map[string]bool{}
	if v != nil {
		for _, m := range v.members {
			keys[m.key] = true
		}
	}
	return keys
}

// names returns the strings of a list as a set; of nil an empty one.
func (v *value) names() map[string]bool {
	names := map[string]bool{}
	if v != nil {
		for _, item := range v.items {
			names[item.str()] = true
		}
	}
	return names
}

// str returns the text of a string, and nothing for any other value.
func (v *value) str() string {
	if v.kind != kindString {
		return ""
	}
	var s string
	_ = json.Unmarshal([]byte(v.text), &s) // a literal that was checked
	return s
}

// pointer returns where a value stands, as a JSON Pointer in a URI fragment
// (RFC 6901), "#" for the whole schema.
func (v *value) pointer() string {
	var steps []string
	for ; v.parent != nil; v = v.parent {
		steps = append(steps, v.step)
	}
	var b strings.Builder
	b.WriteByte('#')
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	for i := len(steps) - 1; i >= 0; i-- {
		b.WriteByte('/')
		_, _ = escape.WriteString(&b, steps[i])
	}
	return b.String()
}

// at returns a new value that stands where another one does.
func (v *value) at(where *value) *value {
	v.parent, v.step = where.parent, where.step
	return v
}

func object(members ...member) *value { return &value{kind: kindObject, members: members} }

func array(items ...*value) *value { return &value{kind: kindArray, items: items} }

func stringValue(s string) *value {
	return &value{kind: kindString, text: string(events.AppendQuoted(nil, s))}
}

func boolValue(b bool) *value {
	if b {
		return &value{kind: kindBool, text: "true"}
	}
	return &value{kind: kindBool, text: "false"}
}

func nullValue() *value { return &value{kind: kindNull, text: "null"} }

func (v *value) isBool(b bool) bool { return v.kind == kindBool && (v.text == "true") == b }

// same reports whether two values are written alike, white space aside.
func same(a, b *value) bool {
	if a == b {
		return true
	}
	if a.kind != b.kind || a.text != b.text || len(a.members) != len(b.members) || len(a.items) != len(b.items) {
		return false
	}
	for i, m := range a.members {
		if m.key != b.members[i].key || !same(m.value, b.members[i].value) {
			return false
		}
	}
	for i, item := range a.items {
		if !same(item, b.items[i]) {
			return false
		}
	}
	return true
}

// append appends the value as JSON without white space.
func (v *value) append(dst []byte) []byte {
	switch v.kind {
	case kindObject:
		dst = append(dst, '{')
		for i, m := range v.members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(events.AppendQuoted(dst, m.key), ':')
			dst = m.value.append(dst)
		}
		return append(dst, '}')
	case kindArray:
		dst = append(dst, '[')
		for i, item := range v.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = item.append(dst)
		}
		return append(dst, ']')
	default:
		return append(dst, v.text...)
	}
}

// size returns how long a value is as JSON without white space, at least as far
// as limit.
func (v *value) size(limit int) int {
	n := len(v.text) + 2
	for _, m := range v.members {
		if n > limit {
			return n
		}
		n += len(m.key) + 3 + m.value.size(limit-n)
	}
	for _, item := range v.items {
		if n > limit {
			return n
		}
		n += item.size(limit - n)
	}
	return n
}

// depth returns how deep a value nests; a scalar is depth 1.
func (v *value) depth() int {
	deepest := 0
	for _, m := range v.members {
		deepest = max(deepest, m.value.depth())
	}
	for _, item := range v.items {
		deepest = max(deepest, item.depth())
	}
	return deepest + 1
}
