package stream

import (
	"cmp"
	"slices"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// Turn returns the reply as the assistant turn of the next request.
//
//   - Texts come in the order of their blocks, refusal text as text. Thinking,
//     citations and hosted tools have no block in a request: what the provider
//     needs of them travels in Data.
//   - The calls of a reply that ended with tool_use are in it, completed and
//     invalid ones, each to be answered once in the next turn. An invalid call
//     whose text is one JSON object (unknown tool, schema) keeps it; any other
//     goes back as {}, because most wires take nothing but an object, and the
//     answer should say what was wrong. Calls of other replies are left out:
//     they cannot be answered.
//   - Of a failed, truncated or unfinished reply only the text is kept, without
//     Data, so that a stopped chat can go on.
//
// Generated media is not part of it.
//
// When to append it, by [Reply.Outcome], and only if it has blocks or Data (a
// request leaves an empty turn out with a notice, or refuses it under Strict):
//
//   - final, refusal: always, before the user's next turn.
//   - tool_request: always, and right after it the answers to all of its calls
//     ([Reply.Answer]). Without them the next request is refused as bad_history.
//   - paused: always, and call again with nothing after it.
//   - truncated, failed, in_progress: where the conversation is to go on from what
//     was shown. To try the same request again leave it out.
func (r *Reply) Turn() request.Message {
	var placed []placedBlock
	for _, b := range slices.Concat(r.text.blocks(), r.refusal.blocks()) {
		if b.text != "" {
			placed = append(placed, placedBlock{b.index, request.Text(b.text)})
		}
	}
	if r.Outcome() == OutcomeToolRequest {
		placed = append(placed, r.callBlocks()...)
	}
	slices.SortStableFunc(placed, func(a, b placedBlock) int { return cmp.Compare(a.index, b.index) })
	blocks := make([]request.Block, len(placed))
	for i, p := range placed {
		blocks[i] = p.block
	}
	turn := request.Assistant(blocks...)
	turn.Data = r.turnData()
	return turn
}

type placedBlock struct {
	index int32
	block request.Block
}

func (r *Reply) callBlocks() []placedBlock {
	var placed []placedBlock
	for _, c := range r.AllCalls() {
		if c.Open {
			continue
		}
		call := c.ToolCall
		if c.Issue != nil {
			call.Arguments = sendable(c.Text)
		}
		placed = append(placed, placedBlock{int32(c.Index), request.Call(call)})
	}
	return placed
}

// sendable returns the arguments of an invalid call in a form that every wire
// takes.
func sendable(text string) string {
	if events.CheckArguments(text) != nil {
		return "{}"
	}
	return text
}

// turnData returns the provider's data. Of a cut reply there is none, because the
// data seals what the turn leaves out.
func (r *Reply) turnData() events.ProviderData {
	if r.Outcome() == OutcomeTruncated {
		return events.ProviderData{}
	}
	c, _ := r.end.Completion()
	return c.Data
}
