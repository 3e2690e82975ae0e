package messageswire

import (
	"slices"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/request"
)

// assistantContent appends one assistant turn: its blocks, and between them, in
// their places, the blocks that its data holds. The message's own blocks decide
// what is sent of text and calls: one that is gone leaves its slot empty, one
// that has no slot follows at the end.
func (e *encoder) assistantContent(turns []request.Message) error {
	turn := &turns[0]
	kept, err := e.keptBlocks(turn.Data)
	if err != nil {
		return err
	}
	rest := turn.Blocks
	for _, k := range kept {
		if k.slot == "" {
			e.element()
			e.dst = append(e.dst, k.raw...)
			continue
		}
		n := k.fill(rest)
		for i := range n {
			if err := e.filled(&rest[i], k); err != nil {
				return err
			}
		}
		rest = rest[n:]
	}
	for i := range rest {
		if err := e.block(&rest[i]); err != nil {
			return err
		}
	}
	return nil
}

func (e *encoder) filled(b *request.Block, k keptBlock) error {
	if b.Kind != request.BlockText || k.citations == "" {
		return e.block(b)
	}
	e.element()
	e.text(b.Text, k.citations)
	return nil
}

// A keptBlock is one element of the data: a block as it came, or a slot.
type keptBlock struct {
	slot, id, citations string
	raw                 string
}

// fill returns how many of the blocks belong into the slot: the next text, or
// all up to the call of the slot's id; none when what the slot held is gone.
func (k *keptBlock) fill(blocks []request.Block) int {
	if k.slot == "text" {
		if len(blocks) > 0 && blocks[0].Kind == request.BlockText {
			return 1
		}
		return 0
	}
	return 1 + slices.IndexFunc(blocks, func(b request.Block) bool {
		return b.Kind == request.BlockToolCall && b.Call.ID == k.id
	})
}

func (e *encoder) keptBlocks(data events.ProviderData) ([]keptBlock, error) {
	if data.IsZero() {
		return nil, nil
	}
	v, err := e.parse(data)
	if err != nil {
		return nil, err
	}
	var kept []keptBlock
	for _, c := range v.GetArray("content") {
		// The raw text first: reading a member would change how it is written.
		k := keptBlock{raw: wirejson.Raw(c), citations: wirejson.Raw(c.Get("citations"))}
		k.slot, k.id = wirejson.String(c.Get("slot")), wirejson.String(c.Get("id"))
		if c.Type() != fastjson.TypeObject || k.slot == "" && c.Get("type") == nil {
			return nil, badHistory("the data of an assistant turn is damaged")
		}
		kept = append(kept, k)
	}
	return kept, nil
}

// parse reads data of this family and provider; other data was dropped or
// refused before.
func (e *encoder) parse(data events.ProviderData) (*fastjson.Value, error) {
	if data.Format != Format || data.Origin != e.origin {
		return nil, events.NewFailure(events.InvalidRequest, events.ReasonForeignData,
			"data of "+data.Origin+" in the format "+data.Format)
	}
	var parser wirejson.Parser
	v, err := parser.Parse([]byte(data.Value))
	if err != nil {
		return nil, badHistory("the data of an assistant turn is not JSON")
	}
	return v, nil
}

// callerOf returns the raw caller of a call that the provider's own code made.
func (e *encoder) callerOf(replay events.ProviderData) (string, error) {
	if replay.IsZero() {
		return "", nil
	}
	v, err := e.parse(replay)
	if err != nil {
		return "", err
	}
	return wirejson.Raw(v.Get("caller")), nil
}
