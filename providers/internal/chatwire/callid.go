package chatwire

import "github.com/weirsdk/weir/providers/internal/wirejson"

// CallIDSpelling is which ids of tool calls a vendor takes.
type CallIDSpelling uint8

const (
	// CallIDAny: all of them.
	CallIDAny CallIDSpelling = iota
	// CallIDForty: those of at most 40 characters.
	CallIDForty
	// CallIDNine: those of exactly nine letters and digits.
	CallIDNine
)

// spell returns an id as the vendor takes it, for a call and its result alike.
func (c CallIDSpelling) spell(id string) string {
	const forty, nine = 40, 9
	switch {
	case c == CallIDNine:
		return wirejson.ShortID(id, nine)
	case c == CallIDForty && len(id) > forty:
		return wirejson.SafeID(id, forty)
	default:
		return id
	}
}
