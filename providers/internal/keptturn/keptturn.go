package keptturn

import (
	"encoding/json"
	"slices"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// Read reads data of a family's format and a provider, a JSON object, into value; of the
// zero data nothing. Other data was dropped or refused when the request was prepared: what
// is here all the same is invalid_request/foreign_data, and what is no JSON
// invalid_request/bad_history.
func Read(data events.ProviderData, format, origin string, value any) error {
	switch {
	case data.IsZero():
		return nil
	case data.Format != format || data.Origin != origin:
		return events.NewFailure(events.InvalidRequest, events.ReasonForeignData,
			"data of "+data.Origin+" in the format "+data.Format)
	case json.Unmarshal([]byte(data.Value), value) != nil:
		return events.NewFailure(events.InvalidRequest, events.ReasonBadHistory, "the data of an assistant turn is not JSON")
	}
	return nil
}

// Text is the slot of a text; every other word is one of a call.
const Text = "text"

// Blocks are the blocks of one turn, taken in their order. The zero Blocks has none.
type Blocks struct {
	rest  []request.Block
	taken int
	// calls is how many blocks there are up to each call and with it, by id.
	calls map[string]int
}

// Of returns the blocks of a turn, which it does not write to.
func Of(turn []request.Block) *Blocks {
	calls := make(map[string]int)
	for i := range slices.Backward(turn) {
		if b := &turn[i]; b.Kind == request.BlockToolCall {
			calls[b.Call.ID] = i + 1 // the first of an id counts
		}
	}
	return &Blocks{rest: turn, calls: calls}
}

// Take returns the blocks that belong into a slot: for [Text] the next one, if it is a
// text; for a call all up to the one of that id. It returns none when what the slot held
// is gone: the turn's own blocks decide what is sent.
func (b *Blocks) Take(slot, id string) []request.Block {
	n := 0
	switch {
	case slot != Text:
		n = max(b.calls[id]-b.taken, 0)
	case len(b.rest) > 0 && b.rest[0].Kind == request.BlockText:
		n = 1
	}
	out := b.rest[:n]
	b.rest, b.taken = b.rest[n:], b.taken+n
	return out
}

// Rest returns the blocks that no slot took.
func (b *Blocks) Rest() []request.Block { return b.rest }
