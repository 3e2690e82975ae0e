package request

import "github.com/weirsdk/weir/events"

// A Target is the model that a request is made ready for.
type Target struct {
	// Spec is what the model can do.
	Spec Spec
	// Format is the family's ProviderData format ("chat.v1"), Origin the
	// provider's name: data of another format or origin is foreign.
	Format, Origin string
}

// A Prepared is a request made ready for one model, so that a wire family only
// has to spell it. (to be written: what was cleaned)
type Prepared struct {
	// Request is a cleaned copy; the original is not touched.
	Request Request
	// Names maps declared tool names to wire names and back.
	Names Names
	// Notices tell what was left out or clamped; the decoder emits them right
	// after Started.
	Notices []events.NoticeInfo
	// FirstMinted is the n of the first id call_w<n> that a decoder may mint.
	FirstMinted int
}

// Prepare checks req against the target and returns it made ready, or a failure
// of kind invalid_request. (to be written)
func (r Request) Prepare(t Target) (Prepared, error) {
	return Prepared{Request: r}, nil
}

// Names maps declared tool names to names that every wire takes and back. The
// zero Names maps every name to itself.
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
