package wirejson

import (
	"unsafe"

	"github.com/valyala/fastjson"
)

// Text returns the bytes of a string value, or false when v is nil or no string.
// They are valid until the next Parse.
func Text(v *fastjson.Value) ([]byte, bool) {
	if v == nil || v.Type() != fastjson.TypeString {
		return nil, false
	}
	return v.GetStringBytes(), true
}

// String returns the text of a string value copied out, or "" when v is nil or
// no string.
func String(v *fastjson.Value) string {
	b, _ := Text(v)
	return string(b)
}

// Raw returns the compact JSON text of a value with the number literals as they
// came, or "" when v is nil.
func Raw(v *fastjson.Value) string {
	if v == nil {
		return ""
	}
	return string(v.MarshalTo(nil))
}

const (
	arenaSize = 1 << 10
	// Longer texts stand alone, so that a kept one pins little else.
	arenaText = arenaSize / 4
)

// An Arena cuts small strings from append-only chunks of 1 KiB, so that a delta
// costs no allocation of its own. What it returned stays valid for ever; a kept
// string pins its chunk. The zero Arena is ready. It is not for concurrent use.
type Arena struct {
	chunk []byte
}

// String returns a copy of b as a string.
func (a *Arena) String(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if len(b) > arenaText {
		return string(b)
	}
	if len(a.chunk)+len(b) > cap(a.chunk) {
		a.chunk = make([]byte, 0, arenaSize)
	}
	start := len(a.chunk)
	a.chunk = append(a.chunk, b...)
	// Bytes below len are never written again, so the string is immutable.
	return unsafe.String(&a.chunk[start], len(b))
}
