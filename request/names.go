package request

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
)

// maxWireName is the longest tool name that every wire takes: OpenAI refuses what
// does not match ^[a-zA-Z0-9_-]{1,64}$ (its error message, quoted in
// portkey.ai/error-library, read 2026-11-30), and other wires take that much.
const maxWireName = 64

// Names maps declared tool names to names that every wire takes, and back. The
// zero Names maps every name to itself. A Names is immutable and safe for
// concurrent use.
//
// A name of 1 to 64 letters, digits, "_" and "-" is its own wire name. Of any
// other, each run of other bytes becomes one "_"; where that is too long, empty
// or not the only name to become so, a hash of the declared name follows. The
// result depends on the set of names and not on their order.
type Names struct {
	toWire, fromWire map[string]string
}

// Wire returns the wire name of a declared name.
func (n Names) Wire(declared string) string {
	if w, ok := n.toWire[declared]; ok {
		return w
	}
	return declared
}

// Declared returns the declared name of a wire name; a name that was not sent is
// returned as it is.
func (n Names) Declared(wire string) string {
	if d, ok := n.fromWire[wire]; ok {
		return d
	}
	return wire
}

// newNames maps the given names, which may repeat.
func newNames(declared []string) Names {
	claims := map[string]int{} // how many names want this wire name
	var unsafe []string
	for _, name := range slices.Compact(slices.Sorted(slices.Values(declared))) {
		claims[spellSafely(name)]++
		if !isWireName(name) {
			unsafe = append(unsafe, name)
		}
	}
	if len(unsafe) == 0 {
		return Names{}
	}
	n := Names{toWire: map[string]string{}, fromWire: map[string]string{}}
	for _, name := range unsafe {
		wire := spellSafely(name)
		for salt := 0; wire == "" || claims[wire] > 1; salt++ {
			wire = hashedName(name, salt)
			claims[wire]++
		}
		n.toWire[name], n.fromWire[wire] = wire, name
	}
	return n
}

func isWireName(name string) bool {
	if name == "" || len(name) > maxWireName {
		return false
	}
	return !strings.ContainsFunc(name, isUnsafe)
}

func isUnsafe(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-'
}

// spellSafely returns name with runs of unsafe characters as one "_", or nothing
// when no safe character or too many are left.
func spellSafely(name string) string {
	if isWireName(name) {
		return name
	}
	words := strings.FieldsFunc(name, isUnsafe)
	if wire := strings.Join(words, "_"); len(wire) <= maxWireName {
		return wire
	}
	return ""
}

// hashedName returns a readable beginning and 12 hexadecimal digits of a hash.
func hashedName(name string, salt int) string {
	const digits = 12
	sum := sha256.Sum256([]byte(strconv.Itoa(salt) + ":" + name))
	begin := strings.Join(strings.FieldsFunc(name, isUnsafe), "_")
	begin = begin[:min(len(begin), maxWireName-digits-1)]
	if begin == "" {
		begin = "tool"
	}
	return begin + "_" + hex.EncodeToString(sum[:])[:digits]
}
