package messageswire

import (
	"encoding/json"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/keptturn"
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
	blocks := keptturn.Of(turn.Blocks)
	for _, k := range kept {
		if k.slot == "" {
			e.element()
			e.dst = append(e.dst, k.raw...)
			continue
		}
		taken := blocks.Take(k.slot, k.id)
		for i := range taken {
			if err := e.filled(&taken[i], k); err != nil {
				return err
			}
		}
	}
	rest := blocks.Rest()
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
	e.text(b, k.citations)
	return nil
}

// systemBlock is a block that speaks with the voice of the system prompt, which no model
// does (anthropic-sdk-ruby, BetaMidConversationSystemBlockParam, read 2026-12-01). A
// history that was stored elsewhere must not bring one.
const systemBlock = "mid_conv_system"

// isSystem reports whether a block is one of the system, by any type that it has: which
// of two a server reads is not known.
func isSystem(block []byte) bool {
	var parser wirejson.Parser
	types, err := parser.Parse(wirejson.Only(block, "type"))
	if err != nil {
		return true
	}
	found := false
	types.GetObject().Visit(func(_ []byte, v *fastjson.Value) {
		found = found || wirejson.String(v) == systemBlock
	})
	return found
}

// A keptBlock is one element of the data: a block as it came, or a slot.
type keptBlock struct {
	raw       string
	slot, id  string
	citations string
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
			Type, Slot, ID string
			Citations      json.RawMessage
		}
		if err := json.Unmarshal(raw, &element); err != nil || element.Slot == "" && element.Type == "" {
			return nil, badHistory("the data of an assistant turn is damaged")
		}
		if element.Slot == "" && isSystem(raw) {
			return nil, badHistory("the data of an assistant turn holds a system prompt")
		}
		kept[i] = keptBlock{string(raw), element.Slot, element.ID, string(element.Citations)}
	}
	return kept, nil
}

// container spells the container in which code waits since the model's last turn, or
// nothing. Extra may bring another one, or skills, into which it is merged as an object.
func (e *encoder) container(r *request.Request) (string, error) {
	last := len(r.Messages) - 1
	for last >= 0 && r.Messages[last].Role != request.RoleAssistant {
		last--
	}
	if last < 0 {
		return "", nil
	}
	// A text and nothing else: an object would bring skills of whoever wrote the history.
	var value struct{ Container *string }
	if err := e.read(r.Messages[last].Data, &value); err != nil || value.Container == nil {
		return "", err
	}
	var extra struct{ Container json.RawMessage }
	// A broken Extra is refused where it is merged.
	_ = json.Unmarshal([]byte(r.Extra[ExtraKey]), &extra)
	if strings.HasPrefix(string(extra.Container), "{") {
		return `{"id":` + quoted(*value.Container) + `}`, nil
	}
	return quoted(*value.Container), nil
}

// callerOf returns the raw caller of a call that the provider's own code made.
func (e *encoder) callerOf(replay events.ProviderData) (string, error) {
	var value struct {
		Caller json.RawMessage `json:"caller"`
	}
	err := e.read(replay, &value)
	return string(value.Caller), err
}

func (e *encoder) read(data events.ProviderData, value any) error {
	return keptturn.Read(data, Format, e.origin, value)
}
