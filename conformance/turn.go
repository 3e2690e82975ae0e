package conformance

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// result is what every tool of the suite answers.
const result = "It is 21 degrees."

// nextTurn sends the reply back, with the answers to its calls, and looks for all
// of it in the request.
func (g *group) nextTurn(t *testing.T) {
	t.Helper()
	m, st := g.model(t, g.whole())
	req := g.req
	req.Messages = append(slices.Clip(req.Messages), g.base.reply.Turn())
	if g.base.reply.Executable() {
		req.Messages = append(req.Messages, g.base.reply.Answer(func(events.ToolCall) (string, error) { return result, nil }))
	} else {
		req.Messages = append(req.Messages, request.UserText("Go on."))
	}
	st.open(g.whole())
	p := play(t.Context(), m, req)
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
		g.check(tells(body, result), m19, say("the result %q", result), func() string { return clip(body) })
	}
	if said := g.base.reply.Text(); said != "" {
		g.check(tells(body, said), m19, say("the text %q", said), func() string { return clip(body) })
	}
	for _, text := range g.want.back {
		g.check(tells(body, text), m20, say("%q, unchanged", text), func() string { return clip(body) })
	}
}

// carries reports whether a body carries the arguments of a call: as their text,
// or as an object of the same value, numbers compared as they are written.
func carries(body []byte, arguments string) bool {
	if finds(body, func(s string) bool { return s == arguments }) {
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
