package interop_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/request"
)

// ids returns what an id of a call has to look like for the provider, by the errors
// that it gives else, all read 2026-12-01: OpenAI's Chat Completions "Expected a string
// with maximum length 40" (github.com/agno-agi/agno, issue 5382), its Responses 64
// (github.com/AnswerDotAI/fastllm, issue 45; of Azure github.com/openai/codex, issue
// 14355), Mistral "must be a-z, A-Z, 0-9, with a length of 9" (github.com/nearai/
// ironclaw, issue 1241). Of other providers nothing is known that is refused.
func (a adapter) ids() *regexp.Regexp {
	switch {
	case a.name == "compatible mistral chat":
		return regexp.MustCompile(`^[a-zA-Z0-9]{9}$`)
	case a.family == messages:
		return regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)
	case a.family == converse:
		return regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	case a.family == responses:
		return regexp.MustCompile(`^.{1,64}$`)
	case a.name == "openai chat" || a.name == "azure chat":
		return regexp.MustCompile(`^.{1,40}$`)
	default:
		return regexp.MustCompile(`^.+$`)
	}
}

// A pairing is what a body has of calls and results: their ids in order, or the names
// where a family sends no ids.
type pairing struct{ calls, results []string }

// pairing reads the calls and results of a body, by its family.
func (a adapter) pairing(tb testing.TB, body string) pairing {
	tb.Helper()
	var root any
	require.NoError(tb, json.Unmarshal([]byte(body), &root))
	var p pairing
	a.pair(root, &p)
	return p
}

func (a adapter) pair(v any, p *pairing) {
	list, ok := v.([]any)
	for _, item := range list {
		a.pair(item, p)
	}
	object, isObject := v.(map[string]any)
	if ok || !isObject {
		return
	}
	text := func(o any, keys ...string) string {
		m, _ := o.(map[string]any)
		for _, key := range keys {
			if s, ok := m[key].(string); ok && s != "" {
				return s
			}
		}
		return ""
	}
	kind := text(object, "type")
	switch {
	case kind == "function_call":
		p.calls = append(p.calls, text(object, "call_id"))
	case kind == "function_call_output":
		p.results = append(p.results, text(object, "call_id"))
	case a.family == messages && kind == "tool_use":
		p.calls = append(p.calls, text(object, "id"))
	case a.family == messages && kind == "tool_result":
		p.results = append(p.results, text(object, "tool_use_id"))
	case object["toolUse"] != nil:
		p.calls = append(p.calls, text(object["toolUse"], "toolUseId"))
	case object["toolResult"] != nil:
		p.results = append(p.results, text(object["toolResult"], "toolUseId"))
	case object["functionCall"] != nil:
		p.calls = append(p.calls, text(object["functionCall"], "id", "name"))
	case object["functionResponse"] != nil:
		p.results = append(p.results, text(object["functionResponse"], "id", "name"))
	case text(object, "role") == "tool":
		p.results = append(p.results, text(object, "tool_call_id", "tool_name"))
	case object["tool_calls"] != nil:
		calls, _ := object["tool_calls"].([]any)
		for _, c := range calls {
			m, _ := c.(map[string]any)
			id := text(m, "id")
			if id == "" {
				id = text(m["function"], "name")
			}
			p.calls = append(p.calls, id)
		}
	}
	for _, key := range []string{"messages", "input", "contents", "content", "parts"} {
		a.pair(object[key], p)
	}
}

// opaque returns what a turn holds for its own provider: the texts of its data that are
// in none of its blocks and that no other provider may see.
func opaque(tb testing.TB, m request.Message) []string {
	tb.Helper()
	var out []string
	add := func(d events.ProviderData) {
		if d.IsZero() {
			return
		}
		if !json.Valid([]byte(d.Value)) {
			out = append(out, d.Value)
			return
		}
		for _, l := range leaves(tb, d.Value) {
			if len(l.value) >= 10 && !strings.HasSuffix(l.path, "type") && !strings.HasSuffix(l.path, "name") {
				out = append(out, l.value)
			}
		}
	}
	add(m.Data)
	for _, b := range m.Blocks {
		add(b.Call.Replay)
	}
	return out
}

// TestConversationsCross hands the conversation of each adapter, with what its provider
// sealed in it, to each other one. It is refused, with nothing sent; told to drop what
// is foreign it is sent, holds nothing of the other's, and each call has its result.
func TestConversationsCross(t *testing.T) {
	t.Parallel()
	all := adapters()
	type conversation struct {
		request.Request
		from   adapter
		sealed bool // there is data of its provider in it
		opaque []string
	}
	var conversations []conversation
	for _, a := range all {
		for _, scenario := range []string{a.scenario(t), "parallel-calls", "hosted-tool", "thinking", "citations"} {
			if _, ok := a.wire(t, scenario); !ok {
				continue
			}
			req := a.called(t, scenario)
			sealed := !req.Messages[1].Data.IsZero() || slices.ContainsFunc(req.Messages[1].Blocks, func(b request.Block) bool { return !b.Call.Replay.IsZero() })
			conversations = append(conversations, conversation{req, a, sealed, opaque(t, req.Messages[1])})
		}
	}
	sealed := 0
	every(t, func(t *testing.T, a adapter) {
		s := a.saying(t, "Sun.")
		m := a.model(t, a.models[0], s)
		for _, c := range conversations {
			req := c.Request
			got := ask(t, m, s, req)
			calls := 0
			for _, b := range req.Messages[1].Blocks {
				if b.Kind == request.BlockToolCall {
					calls++
				}
			}
			own := a.family == c.from.family && strings.Split(m.Name(), ":")[0] == strings.Split(c.from.model(t, c.from.models[0], s).Name(), ":")[0]
			switch {
			case !c.sealed || own:
				require.True(t, got.sent(), "of %s: %v", c.from.name, got.failure)
			default:
				require.False(t, got.sent(), "of %s: data of another provider was taken", c.from.name)
				assert.ErrorIs(t, got.failure, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonForeignData}, c.from.name)
				req.Foreign = request.ForeignDrop
				got = ask(t, m, s, req)
				require.True(t, got.sent(), "of %s: %v", c.from.name, got.failure)
				require.True(t, slices.ContainsFunc(got.notices, func(n events.NoticeInfo) bool { return n.Code == events.NoticeForeignDropped }), "of %s", c.from.name)
				for _, text := range c.opaque {
					assert.False(t, contains(got.leaves, text), "of %s: %q is sent", c.from.name, text)
				}
			}
			p := a.pairing(t, got.body)
			assert.Equal(t, p.calls, p.results, "of %s: %s", c.from.name, got.body)
			if !own { // whose hosted tools are calls and results too
				assert.Len(t, p.calls, calls, "of %s", c.from.name)
			}
			for _, id := range p.calls {
				assert.Regexp(t, a.ids(), id, "of %s", c.from.name)
			}
		}
	})
	for _, c := range conversations {
		if len(c.opaque) > 0 {
			sealed++
		}
	}
	require.Greater(t, sealed, 15, "the conversations hold what is foreign")
}

// A fallback goes on with the conversation of the model that failed: what was sealed is
// left out, and each call has its result.
func TestFallbacksCross(t *testing.T) {
	t.Parallel()
	down := roundTrip(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusServiceUnavailable, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
	})
	every(t, func(t *testing.T, a adapter) {
		for _, from := range adapters() {
			if !slices.Contains([]string{"openai responses", "anthropic", "gemini", "bedrock converse", "cohere", "openrouter chat"}, from.name) {
				continue
			}
			s := a.saying(t, "Sun.")
			config := caller.Config{Fallback: []providers.Model{a.model(t, a.models[0], s)}}
			result, err := caller.New(from.model(t, from.models[0], down), config).Generate(t.Context(), from.called(t, from.scenario(t)))
			require.NoError(t, err, from.name)
			assert.Equal(t, "Sun.", result.Reply.Text(), from.name)
			require.Len(t, s.bodies(), 1, from.name)
			p := a.pairing(t, s.bodies()[0])
			assert.Len(t, p.calls, 1, from.name)
			assert.Equal(t, p.calls, p.results, from.name)
			if a.name != from.name {
				assert.NotContains(t, s.bodies()[0], seal, from.name)
			}
		}
	})
}

func contains(all []leaf, text string) bool {
	return slices.ContainsFunc(all, func(l leaf) bool { return strings.Contains(l.value, text) })
}

// TestIDsCross is a conversation whose ids nobody takes as they are: each call keeps
// its result, and no two become one.
func TestIDsCross(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 70)
	turns := [][]string{
		{"functions.weather:0", "functions_weather_0", "functions/weather/0", "call-1", "call_1", "call1"},
		{long + "1", long + "2", long[:64], long[:40], long[:41], "a"},
		{"call_1", "é", "e", "toolu_01|fc_02", "call_w1", " "},
		{"call_1"},
	}
	req := request.Request{Tools: []request.Tool{tool(t, "weather")}}
	calls := 0
	for n, ids := range turns {
		req.Messages = append(req.Messages, request.UserText("q"))
		var made, results []request.Block
		for _, id := range ids {
			calls++
			made = append(made, request.Call(events.ToolCall{ID: id, Name: "weather", Arguments: paris}))
			results = append(results, request.Result(id, "r"))
		}
		if n%2 == 1 { // results in another order, each in a message of its own
			slices.Reverse(results)
		}
		req.Messages = append(req.Messages, request.Assistant(made...))
		for _, r := range results {
			req.Messages = append(req.Messages, request.Results(r))
		}
	}
	every(t, func(t *testing.T, a adapter) {
		s := a.saying(t, "Sun.")
		got := ask(t, a.model(t, a.models[0], s), s, req)
		require.Nil(t, got.failure, "%v", got.failure)
		p := a.pairing(t, got.body)
		require.Len(t, p.calls, calls)
		require.Len(t, p.results, calls)
		at := 0
		for _, ids := range turns {
			called, answered := p.calls[at:at+len(ids)], p.results[at:at+len(ids)]
			at += len(ids)
			assert.ElementsMatch(t, called, answered)
			if a.family != google { // which tells calls without ids by their order
				assert.Len(t, slices.Compact(slices.Sorted(slices.Values(called))), len(ids), "%v", called)
			}
		}
		for _, id := range p.calls {
			assert.Regexp(t, a.ids(), id)
		}
	})
}
