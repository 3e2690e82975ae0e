package conversewire

import (
	"encoding/json"
	"slices"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/keptturn"
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
	blocks := keptturn.Of(turn.Blocks)
	for _, k := range kept {
		if k.slot == "" {
			e.element()
			e.dst = append(e.dst, k.raw...)
			continue
		}
		taken := blocks.Take(k.slot, k.id)
		if k.citations != "" && k.slot == keptturn.Text && len(taken) == 1 {
			e.cited(&taken[0], k.citations)
		} else if err := e.blocks(taken); err != nil {
			return err
		}
	}
	return e.blocks(blocks.Rest())
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

func (e *encoder) read(data events.ProviderData, value any) error {
	return keptturn.Read(data, Format, e.origin, value)
}
