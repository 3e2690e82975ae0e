package geminiwire

import (
	"encoding/json"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/keptturn"
	"github.com/weirsdk/weir/request"
)

// resumed returns the history without the turns at its end that paused, and the JSON
// text of the last one's token, empty for none: the model goes on where it was from the
// same request with the token, without what it said before
// (ai.google.dev/gemini-api/docs/generate-content/long-decode, a stored copy, and
// go-genai, continuation.go at 0fc6c42, read 2026-12-01).
func (e *encoder) resumed(turns []request.Message) (rest []request.Message, token string, err error) {
	for len(turns) > 0 {
		last := &turns[len(turns)-1]
		if err := e.read(last.Data, &struct{}{}); err != nil {
			return nil, "", err
		}
		one := tokenOf(*last)
		if one == "" {
			break
		}
		if token == "" {
			token = one
		}
		turns = turns[:len(turns)-1]
	}
	return turns, token, nil
}

// tokenOf returns the JSON text of the token of a turn that paused, or nothing.
func tokenOf(turn request.Message) string {
	var value struct {
		ContinuationToken json.RawMessage `json:"continuationToken"`
	}
	if turn.Data.IsZero() || json.Unmarshal([]byte(turn.Data.Value), &value) != nil {
		return ""
	}
	return signed(value.ContinuationToken)
}

// modelParts appends the turns of one answer of the model.
func (e *encoder) modelParts(turns []request.Message) error {
	e.called = nil
	for i := range turns {
		if err := e.modelTurn(&turns[i]); err != nil {
			return err
		}
	}
	return nil
}

// modelTurn appends one turn of the model: its blocks, and between them, in their
// places, the parts that its data holds. The message's own blocks decide what is
// sent of text and calls: one that is gone leaves its slot empty, one that has no
// slot follows at the end.
func (e *encoder) modelTurn(turn *request.Message) error {
	kept, err := e.keptParts(turn.Data)
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
		if err := e.part(&rest[i]); err != nil {
			return err
		}
	}
	return nil
}

func (e *encoder) filled(b *request.Block, k keptPart) error {
	if b.Kind != request.BlockText || k.signature == "" {
		return e.part(b)
	}
	e.text(b.Text, k.signature)
	return nil
}

// A keptPart is one element of the data: a part as it came, or a slot.
type keptPart struct {
	raw       string
	slot, id  string
	signature string
}

func (e *encoder) keptParts(data events.ProviderData) ([]keptPart, error) {
	var value struct {
		Parts []json.RawMessage `json:"parts"`
	}
	if err := e.read(data, &value); err != nil {
		return nil, err
	}
	kept := make([]keptPart, len(value.Parts))
	for i, raw := range value.Parts {
		members := membersOf(raw)
		slot := wordOfJSON(members["slot"])
		if slot != "" && slot != "raw" {
			kept[i] = keptPart{slot: slot, id: wordOfJSON(members["id"]), signature: signed(members["thoughtSignature"])}
			continue
		}
		if slot == "raw" {
			raw = members["part"]
		}
		if len(raw) == 0 || raw[0] != '{' {
			return nil, badHistory("the data of an assistant turn is damaged")
		}
		kept[i] = keptPart{raw: string(raw)}
	}
	return kept, nil
}

// wordOfJSON returns the text that a JSON text is, or nothing.
func wordOfJSON(text []byte) (word string) {
	_ = json.Unmarshal(text, &word) // what is no text is nothing
	return word
}

// signed returns the JSON text of a signature or a token that was kept, or nothing: one
// that is no text was never kept.
func signed(kept []byte) string {
	if len(kept) > len(`""`) && kept[0] == '"' {
		return string(kept)
	}
	return ""
}

// A keptCall is what goes back with a call beside its name and arguments.
type keptCall struct {
	ID               string          `json:"id"`
	ThoughtSignature json.RawMessage `json:"thoughtSignature"`
}

func (e *encoder) keptOf(replay events.ProviderData) (keptCall, error) {
	var kept keptCall
	err := e.read(replay, &kept)
	return kept, err
}

func (e *encoder) read(data events.ProviderData, value any) error {
	return keptturn.Read(data, Format, e.profile.Origin, value)
}
