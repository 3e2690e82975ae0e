package conversewire

import (
	"encoding/json"
	"slices"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// assistantContent appends the turns of one message: their blocks, and between
// them, in their places, the blocks that their data holds. The message's own blocks
// decide what is sent of text and calls: one that is gone leaves its slot empty, one
// that has no slot follows at the end.
func (e *encoder) assistantContent(run []request.Message) error {
	for i := range run {
		if err := e.assistantTurn(&run[i]); err != nil {
			return err
		}
	}
	return nil
}

func (e *encoder) assistantTurn(turn *request.Message) error {
	kept, err := e.keptBlocks(turn.Data)
	if err != nil {
		return err
	}
	rest, calls := turn.Blocks, callsOf(turn.Blocks)
	for _, k := range kept {
		if k.slot == "" {
			e.element()
			e.dst = append(e.dst, k.raw...)
			continue
		}
		n := k.fill(rest, calls[k.id]-(len(turn.Blocks)-len(rest)))
		if k.citations != "" && k.slot == "text" && n == 1 {
			e.cited(&rest[0], k.citations)
		} else if err := e.blocks(rest[:n]); err != nil {
			return err
		}
		rest = rest[n:]
	}
	return e.blocks(rest)
}

// cited appends a text with its citations, the raw JSON of a list
// (docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CitationsContentBlock.html;
// that models take it back: strands-agents/harness-sdk, bedrock.py and its tests of
// several turns against the service, read 2026-12-01).
func (e *encoder) cited(b *request.Block, citations string) {
	e.element()
	e.dst = append(e.dst, `{"citationsContent":{"content":[`...)
	e.text(b.Text)
	e.dst = append(append(append(e.dst, `],"citations":`...), citations...), `}}`...)
	e.dst = append(e.dst, cachePoint(b.Cache)...)
}

func (e *encoder) blocks(blocks []request.Block) error {
	for i := range blocks {
		if err := e.block(&blocks[i]); err != nil {
			return err
		}
	}
	return nil
}

// A keptBlock is one element of the data: a block as it came, or a slot.
type keptBlock struct {
	raw, slot, id string
	// silent: it is no more than reasoning, or citations of nothing.
	silent bool
	// citations of a text, a raw list.
	citations string
}

// speaks reports whether a turn holds more than reasoning and citations of nothing.
func (e *encoder) speaks(turn *request.Message) bool {
	if len(turn.Blocks) > 0 {
		return true
	}
	kept, err := e.keptBlocks(turn.Data)
	return err != nil || slices.ContainsFunc(kept, func(k keptBlock) bool { return k.slot == "" && !k.silent })
}

// callsOf returns how many blocks each call of a turn ends, itself among them, by id: a
// forged history has as many slots to look for as it likes.
func callsOf(blocks []request.Block) map[string]int {
	calls := make(map[string]int)
	for i := range slices.Backward(blocks) {
		if b := &blocks[i]; b.Kind == request.BlockToolCall {
			calls[b.Call.ID] = i + 1
		}
	}
	return calls
}

// fill returns how many of the blocks belong into the slot: the next text, or all up to
// the call of the slot's id, which are that many; none when what the slot held is gone.
func (k *keptBlock) fill(blocks []request.Block, upToCall int) int {
	if k.slot != "text" {
		return max(upToCall, 0)
	}
	if len(blocks) > 0 && blocks[0].Kind == request.BlockText {
		return 1
	}
	return 0
}

func (e *encoder) keptBlocks(data events.ProviderData) ([]keptBlock, error) {
	var value struct {
		Content []json.RawMessage `json:"content"`
	}
	if err := e.read(data, &value); err != nil {
		return nil, err
	}
	kept := make([]keptBlock, len(value.Content))
	for i, raw := range value.Content {
		var element struct {
			Slot, ID                                                string
			ReasoningContent, ToolUse, ToolResult, CitationsContent json.RawMessage
			Citations                                               json.RawMessage
		}
		err := json.Unmarshal(raw, &element)
		whole := len(element.ReasoningContent) + len(element.ToolUse) + len(element.ToolResult) + len(element.CitationsContent)
		if err != nil || (element.Slot == "") == (whole == 0) {
			return nil, badHistory("the data of an assistant turn is damaged")
		}
		kept[i] = keptBlock{string(raw), element.Slot, element.ID, len(element.ReasoningContent)+len(element.CitationsContent) > 0, string(element.Citations)}
	}
	return kept, nil
}

// read reads data of this family and provider; other data was dropped or
// refused before.
func (e *encoder) read(data events.ProviderData, value any) error {
	switch {
	case data.IsZero():
		return nil
	case data.Format != Format || data.Origin != e.origin:
		return events.NewFailure(events.InvalidRequest, events.ReasonForeignData,
			"data of "+data.Origin+" in the format "+data.Format)
	case json.Unmarshal([]byte(data.Value), value) != nil:
		return badHistory("the data of an assistant turn is not JSON")
	}
	return nil
}
