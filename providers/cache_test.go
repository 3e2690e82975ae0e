package providers_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/chatwire"
	"github.com/weirsdk/weir/providers/internal/coherewire"
	"github.com/weirsdk/weir/providers/internal/conversewire"
	"github.com/weirsdk/weir/providers/internal/geminiwire"
	"github.com/weirsdk/weir/providers/internal/messageswire"
	"github.com/weirsdk/weir/providers/internal/ollamawire"
	"github.com/weirsdk/weir/providers/internal/responseswire"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

type preparing func(request.Request, request.Spec) (transport.Call, transport.Decoder, error)

func chatOf(vendor string) preparing {
	return func(r request.Request, s request.Spec) (transport.Call, transport.Decoder, error) {
		return chatwire.Prepare(r, "m", s, chatwire.ProfileFor(vendor))
	}
}

func responsesOf(vendor string) preparing {
	return func(r request.Request, s request.Spec) (transport.Call, transport.Decoder, error) {
		return responseswire.Prepare(r, "m", s, responseswire.ProfileFor(vendor))
	}
}

func messages(r request.Request, s request.Spec) (transport.Call, transport.Decoder, error) {
	return messageswire.Prepare(r, "m", s, messageswire.Profile{})
}

func converse(r request.Request, s request.Spec) (transport.Call, transport.Decoder, error) {
	return conversewire.Prepare(r, s, conversewire.Profile{})
}

// cached asks for the cache in every way, on every kind of block that the wires share.
func cached(t *testing.T) request.Request {
	t.Helper()
	tool, err := request.NewTool("f", "", `{"type":"object"}`)
	require.NoError(t, err)
	return request.Request{
		System: "S", Tools: []request.Tool{tool},
		Cache: request.Cache{Tools: request.CacheLong, System: request.CacheLong, Automatic: request.CacheShort, Key: "k"},
		Messages: []request.Message{
			request.User(request.Text("q").Cached(request.CacheLong)),
			request.Assistant(request.Call(events.ToolCall{ID: "a", Name: "f", Arguments: "{}"})),
			request.Results(request.Result("a", "ok")),
		},
	}
}

// What a provider is asked to keep reaches it, or a Notice tells that it does not, and
// a strict request is refused.
func TestCacheOfEachFamily(t *testing.T) {
	t.Parallel()
	const five, hour = `"cache_control":{"type":"ephemeral"}`, `"cache_control":{"type":"ephemeral","ttl":"1h"}`
	const breakpoint = `"prompt_cache_breakpoint":{"mode":"explicit"}`
	for _, c := range []struct {
		why     string
		prepare preparing
		spec    request.Spec
		has     []string
		told    []string // the fields of the notices
	}{
		{
			why: "Messages marks everything", prepare: messages, told: []string{"cache.key"},
			has: []string{
				`"tools":[{"name":"f","input_schema":{"type":"object"},` + hour + `}]`,
				`"system":[{"type":"text","text":"S",` + hour + `}]`,
				`{"type":"text","text":"q",` + hour + `}`, `"content":"ok",` + five + `}`,
			},
		},
		{
			why: "Converse marks after everything", prepare: converse, told: []string{"cache.key"},
			has: []string{
				`{"json":{"type":"object"}}}},{"cachePoint":{"type":"default","ttl":"1h"}}]`,
				`"system":[{"text":"S"},{"cachePoint":{"type":"default","ttl":"1h"}}]`,
				`{"text":"q"},{"cachePoint":{"type":"default","ttl":"1h"}}`,
				`"content":[{"text":"ok"}]}},{"cachePoint":{"type":"default"}}]`,
			},
		},
		{
			why: "OpenRouter has a word for the whole, and marks parts", prepare: chatOf("openrouter"), told: []string{"cache.tools"},
			has: []string{
				`{"role":"system","content":[{"type":"text","text":"S",` + hour + `}]}`, `[{"type":"text","text":"q",` + hour + `}]`,
				`"session_id":"k",` + five + `}`,
			},
		},
		{why: "OpenAI keeps unasked", prepare: chatOf("openai"), has: []string{`"prompt_cache_key":"k"`}, told: []string{"cache.tools"}},
		{
			why: "and has breakpoints of some models", prepare: chatOf("openai"), spec: request.Spec{CacheMarkers: request.Yes},
			has: []string{`[{"type":"text","text":"q",` + breakpoint + `}]`, `[{"type":"text","text":"S",` + breakpoint + `}]`}, told: []string{"cache.tools", "cache.system"},
		},
		{why: "a server that nothing is known of", prepare: chatOf("unheard-of"), told: []string{"cache.tools", "cache.key"}},
		{why: "Responses has a key", prepare: responsesOf("openai"), has: []string{`"prompt_cache_key":"k"`}, told: []string{"cache.tools"}},
		{
			why: "and breakpoints on input", prepare: responsesOf("openai"), spec: request.Spec{CacheMarkers: request.Yes},
			has: []string{`[{"type":"input_text","text":"q",` + breakpoint + `}]`}, told: []string{"cache.tools", "messages[0].content[0].cache"},
		},
		{why: "a server that nothing is known of", prepare: responsesOf("unheard-of"), told: []string{"cache.tools", "cache.key"}},
		{why: "Gemini keeps what another call made", told: []string{"cache.tools", "cache.key"}, prepare: func(r request.Request, s request.Spec) (transport.Call, transport.Decoder, error) {
			return geminiwire.Prepare(r, s, geminiwire.Profile{})
		}},
		{why: "Cohere has no word", told: []string{"cache.tools", "cache.key"}, prepare: func(r request.Request, s request.Spec) (transport.Call, transport.Decoder, error) {
			return coherewire.Prepare(r, "m", s, coherewire.Profile{})
		}},
		{why: "Ollama has no word", told: []string{"cache.tools", "cache.key"}, prepare: func(r request.Request, s request.Spec) (transport.Call, transport.Decoder, error) {
			return ollamawire.Prepare(r, "m", s, ollamawire.Profile{})
		}},
	} {
		r := cached(t)
		call, _, err := c.prepare(r, c.spec)
		require.NoError(t, err, c.why)
		for _, part := range c.has {
			assert.Contains(t, string(call.Body), part, c.why)
		}
		var told []string
		for _, n := range call.Notices {
			field, _, _ := strings.Cut(n.Detail, ": ")
			told = append(told, field)
			assert.Equal(t, events.NoticeParameterDropped, n.Code, c.why)
		}
		assert.Equal(t, c.told, told, c.why)
		if len(c.has) == 0 {
			plain := r
			plain.Cache = request.Cache{}
			plain.Messages = []request.Message{request.UserText("q"), r.Messages[1], r.Messages[2]}
			want, _, err := c.prepare(plain, c.spec)
			require.NoError(t, err, c.why)
			assert.Equal(t, string(want.Body), string(call.Body), "%s: nothing is sent", c.why)
		}
		r.Strict = true
		_, _, err = c.prepare(r, c.spec)
		assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadParameter}, c.why)

		r = cached(t)
		r.Options.Without = []string{request.FeatureCache}
		call, _, err = c.prepare(r, c.spec)
		require.NoError(t, err, c.why)
		assert.NotContains(t, strings.ToLower(string(call.Body)), "cache", "%s: the latch is closed", c.why)
	}
}

// An hour is asked for by the words of the provider, of models that are known to take
// them.
func TestCacheForAnHour(t *testing.T) {
	t.Parallel()
	r := request.Request{Messages: []request.Message{request.UserText("q")}, Cache: request.Cache{Automatic: request.CacheLong}}
	retains := request.Spec{CacheLong: request.Yes}
	const retention = `"prompt_cache_retention":"24h"`
	for _, c := range []struct {
		why     string
		prepare preparing
		spec    request.Spec
		has     string
		notices int
	}{
		{why: "OpenAI's longer retention", prepare: chatOf("openai"), spec: retains, has: retention},
		{why: "the same of Responses", prepare: responsesOf("openai"), spec: retains, has: retention},
		{why: "newer models refuse the word", prepare: chatOf("openai"), notices: 1},
		{why: "so they do in Responses", prepare: responsesOf("openai"), notices: 1},
		{why: "one word", prepare: chatOf("openrouter"), has: `"cache_control":{"type":"ephemeral","ttl":"1h"}`},
		{why: "a marker at the end", prepare: chatOf("alibaba"), has: `{"type":"text","text":"q","cache_control":{"type":"ephemeral","ttl":"1h"}}`},
		{why: "a marker at the end", prepare: messages, has: `{"type":"text","text":"q","cache_control":{"type":"ephemeral","ttl":"1h"}}`},
		{why: "a marker at the end", prepare: converse, has: `{"cachePoint":{"type":"default","ttl":"1h"}}`},
	} {
		call, _, err := c.prepare(r, c.spec)
		require.NoError(t, err, c.why)
		assert.Contains(t, string(call.Body), c.has, c.why)
		assert.Len(t, call.Notices, c.notices, c.why)
		if c.has == "" {
			assert.NotContains(t, string(call.Body), "cache", c.why)
		}
	}
}

// A fifth marker is refused by providers: the four that keep the most are sent.
func TestCacheMarkersAreFour(t *testing.T) {
	t.Parallel()
	for why, prepare := range map[string]preparing{"messages": messages, "converse": converse, "chat": chatOf("openrouter")} {
		var blocks []request.Block
		for _, text := range []string{"a", "b", "c", "d", "e"} {
			blocks = append(blocks, request.Text(text).Cached(request.CacheShort))
		}
		call, _, err := prepare(request.Request{Messages: []request.Message{request.User(blocks...)}}, request.Spec{})
		require.NoError(t, err, why)
		count := strings.Count(string(call.Body), "ephemeral") + strings.Count(string(call.Body), "cachePoint")
		assert.Equal(t, 4, count, why)
		require.Len(t, call.Notices, 1, why)
		assert.Contains(t, call.Notices[0].Detail, "messages[0].content[0].cache", why)
	}
}
