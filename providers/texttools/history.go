package texttools

import (
	"slices"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// spell returns a history with its calls and results as text. Request.Prepare has
// found nothing wrong with it.
func spell(messages []request.Message, names request.Names) []request.Message {
	var out []request.Message
	var calls []events.ToolCall // of the turn that the results answer
	var results []request.Block
	told := func() {
		if len(results) > 0 {
			out = append(out, request.User(spellResults(calls, results, names)...))
		}
		calls, results = nil, nil
	}
	for _, m := range messages {
		if m.Role == request.RoleTool {
			results = append(results, m.Blocks...)
			continue
		}
		if len(results) > 0 {
			told()
		}
		if m.Role == request.RoleAssistant {
			for _, b := range m.Blocks {
				if b.Kind == request.BlockToolCall {
					calls = append(calls, b.Call)
				}
			}
			m.Blocks = spellCalls(m.Blocks, names)
		}
		out = append(out, m)
	}
	told()
	return out
}

// spellCalls returns the blocks of a turn with each call as the model writes it, in
// one text with the text around it, as the model wrote that.
func spellCalls(blocks []request.Block, names request.Names) []request.Block {
	var out []request.Block
	after := false // a call was the last
	for _, b := range blocks {
		text, isCall := b.Text, b.Kind == request.BlockToolCall
		if isCall {
			text = fenced(wordCall+" "+wireName(b.Call, names), strings.TrimSpace(b.Call.Arguments))
		}
		last := len(out) - 1
		switch {
		case (isCall || after && b.Kind == request.BlockText) && last >= 0 && out[last].Kind == request.BlockText && strings.TrimSpace(text) != "":
			out[last].Text = joinText(strings.TrimRight(out[last].Text, space), "\n\n", strings.TrimLeft(text, space))
			if b.Cache != "" {
				out[last].Cache = b.Cache
			}
		case isCall:
			out = append(out, request.Text(text).Cached(b.Cache))
		default:
			out = append(out, b)
		}
		after = isCall
	}
	return out
}

// An answered is a call with its result.
type answered struct {
	call, result int
}

// pair returns the results in the order of their calls: each is that of the first call
// of its id that has none yet, as Request.Prepare takes them.
func pair(calls []events.ToolCall, results []request.Block) []answered {
	places := map[string][]int{}
	for i, c := range calls {
		id := valid(c.ID)
		places[id] = append(places[id], i)
	}
	var all []answered
	for i, b := range results {
		id := valid(b.Result.CallID)
		if at := places[id]; len(at) > 0 {
			all, places[id] = append(all, answered{at[0], i}), at[1:]
		}
	}
	slices.SortFunc(all, func(a, b answered) int { return a.call - b.call })
	return all
}

// valid returns a text as Request.Prepare reads it.
func valid(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// wireName returns a name that stands on a line of its own, whatever the history has.
func wireName(c events.ToolCall, names request.Names) string { return names.Wire(valid(c.Name)) }

// spellResults tells results in the order of their calls.
func spellResults(calls []events.ToolCall, results []request.Block, names request.Names) []request.Block {
	var out []request.Block
	for _, a := range pair(calls, results) {
		b, name := results[a.result], wireName(calls[a.call], names)
		word := wordResult
		if b.Result.IsError {
			word = wordError
		}
		text := ""
		var rest []request.Block
		for _, c := range b.Result.Content {
			if c.Kind == request.BlockText {
				text = joinText(text, "\n", c.Text)
			} else {
				rest = append(rest, c)
			}
		}
		if len(rest) > 0 {
			text = joinText(text, "\n", "(what follows this block belongs to it)")
		}
		out = append(append(out, request.Text(fenced(word+" "+name, text))), rest...)
		out[len(out)-1].Cache = b.Cache
	}
	return out
}

// fenced returns a block of code, its fences longer than any in the text.
func fenced(info, text string) string {
	longest, run := minFence-1, 0
	for i := range len(text) {
		if run++; text[i] != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	return fence + info + "\n" + text + "\n" + fence
}
