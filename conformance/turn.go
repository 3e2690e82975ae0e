package conformance

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// resultStart begins what the tools of the suite answer.
const resultStart = "It is 21 degrees, says "

// resultOf is the answer to one call: another one to each, in which its id does not
// stand as it is.
func resultOf(c events.ToolCall) string {
	backwards := []byte(c.ID)
	slices.Reverse(backwards)
	return resultStart + strings.ToValidUTF8(string(backwards), "?") + "."
}

// nextTurn sends the reply back, with the answers to its calls, and looks for all
// of it in the request.
func (g *group) nextTurn(t *testing.T) {
	t.Helper()
	m, st := g.model(t, g.whole())
	req := g.req
	req.Messages = append(slices.Clip(req.Messages), g.base.reply.Turn())
	if g.base.reply.Executable() {
		req.Messages = append(req.Messages, g.base.reply.Answer(func(c events.ToolCall) (string, error) { return resultOf(c), nil }))
	} else {
		req.Messages = append(req.Messages, request.UserText("Go on."))
	}
	st.open(g.whole())
	p := g.at("", -1).play(t.Context(), m, req)
	got := st.requests()
	if !g.check(len(got) == 1, m20, "the reply's own turn, sent back", p.tellEnd) {
		return
	}
	body := got[0].body
	for _, c := range g.base.reply.ToolCalls() {
		g.check(carries(body, c.Arguments), m19, "the arguments "+c.Arguments, func() string { return clip(body) })
		if !c.Minted {
			g.check(tells(body, c.ID), m19, "the id "+c.ID, func() string { return clip(body) })
		}
		result := resultOf(c)
		g.check(tells(body, result), m19, say("the result %q", result), func() string { return clip(body) })
		if !c.Minted {
			g.check(pairs(decoded(body), c.ID, result), m19, say("the result %q with the id %q", result, c.ID), func() string { return clip(body) })
		}
	}
	if said := g.base.reply.Text(); said != "" {
		g.check(tells(body, said), m19, say("the text %q", said), func() string { return clip(body) })
	}
	for _, text := range g.want.back {
		g.check(tells(body, text), m20, say("%q, unchanged", text), func() string { return clip(body) })
	}
}

// carries reports whether a body carries the arguments of a call: as their text,
// alone or on lines of their own, or as an object of the same value, numbers compared
// as they are written.
func carries(body []byte, arguments string) bool {
	lines := "\n" + arguments + "\n"
	if finds(body, func(s string) bool { return strings.Contains("\n"+s+"\n", lines) }) {
		return true
	}
	return hasObject(decoded(body), decoded([]byte(arguments)))
}

func decoded(text []byte) any {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// pairs reports whether a JSON value has an object that holds both texts, and the
// result of no other call; or is none.
func pairs(v any, id, result string) bool {
	switch v := v.(type) {
	case nil:
		return true
	case []any:
		return slices.ContainsFunc(v, func(item any) bool { return pairs(item, id, result) })
	case map[string]any:
		for _, item := range v {
			if pairs(item, id, result) {
				return true
			}
		}
		results := 0
		findsIn(v, func(s string) bool {
			if strings.Contains(s, resultStart) {
				results++
			}
			return false
		})
		has := func(text string) bool { return findsIn(v, func(s string) bool { return strings.Contains(s, text) }) }
		return results == 1 && has(id) && has(result)
	}
	return false
}

func hasObject(v, want any) bool {
	if reflect.DeepEqual(v, want) {
		return true
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			if hasObject(item, want) {
				return true
			}
		}
	case map[string]any:
		for _, item := range v {
			if hasObject(item, want) {
				return true
			}
		}
	}
	return false
}
