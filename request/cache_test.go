package request_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// marked has a marker of an hour wherever there may be one, and the tool that it needs.
func marked(t *testing.T) request.Request {
	t.Helper()
	return request.Request{
		System: "Be brief.", Tools: []request.Tool{mustTool(t, "f", citySchema)},
		Cache: request.Cache{Tools: request.CacheLong, System: request.CacheLong, Automatic: request.CacheShort, Key: "k"},
		Messages: []request.Message{
			request.User(request.Text("long").Cached(request.CacheLong), request.Text("q")),
			request.Assistant(call("a", "f", "{}").Cached(request.CacheShort)),
			request.Results(request.Result("a", "ok")),
		},
	}
}

// markers tells where a prepared request has markers, in the order of the prompt.
func markers(r request.Request) string {
	all := []string{"automatic " + string(r.Cache.Automatic), "tools " + string(r.Cache.Tools), "system " + string(r.Cache.System)}
	for _, m := range r.Messages {
		for _, b := range m.Blocks {
			all = append(all, string(b.Kind)+" "+string(b.Cache))
		}
	}
	var set []string
	for _, s := range all {
		if !strings.HasSuffix(s, " ") {
			set = append(set, s)
		}
	}
	return strings.Join(set, ", ")
}

func TestCacheMarkers(t *testing.T) {
	t.Parallel()
	const all = "tools 1h, system 1h, text 1h, tool_call 5m, tool_result 5m"
	for _, c := range []struct {
		why     string
		target  request.Target
		change  func(*request.Request)
		want    string
		notices int
	}{
		{why: "of a model that nothing is known of the end is marked", want: all},
		{why: "a word for the whole prompt is the family's to say", target: request.Target{Spec: request.Spec{CacheAutomatic: request.Yes}}, want: "automatic 5m, tools 1h, system 1h, text 1h, tool_call 5m"},
		{why: "the last ones keep the most", target: request.Target{Spec: request.Spec{MaxCacheMarkers: 2}}, want: "tool_call 5m, tool_result 5m", notices: 1},
		{why: "the word counts too", target: request.Target{Spec: request.Spec{CacheAutomatic: request.Yes, MaxCacheMarkers: 1}}, want: "automatic 5m", notices: 1},
		{why: "an hour becomes five minutes", target: request.Target{Spec: request.Spec{CacheLong: request.No}}, want: "tools 5m, system 5m, text 5m, tool_call 5m, tool_result 5m", notices: 1},
		{why: "no markers: the provider may keep prompts unasked", target: request.Target{Spec: request.Spec{CacheMarkers: request.No}}, want: "automatic 5m", notices: 1},
		{why: "no cache", target: request.Target{Spec: request.Spec{CacheMarkers: request.No, CacheAutomatic: request.No, CacheKey: request.No}}, notices: 3},
		{
			why: "the wire marks in some places only, and the end is the last of them", notices: 1, want: "system 1h, text 1h, text 5m",
			target: request.Target{Unmarkable: []request.CachePlace{request.CacheTools, request.CacheAssistant, request.CacheResults}},
		},
		{why: "the end is marked already", change: func(r *request.Request) { r.Messages[2].Blocks[0].Cache = request.CacheShort }, want: all},
		{why: "what is not there is not marked", change: func(r *request.Request) { r.System, r.Tools = "", nil }, want: "text 1h, tool_call 5m, tool_result 5m", notices: 1},
		{why: "the provider has refused it before", change: func(r *request.Request) { r.Options.Without = []string{request.FeatureCache} }, notices: 1},
	} {
		r := marked(t)
		if c.change != nil {
			c.change(&r)
		}
		p, err := r.Prepare(c.target)
		require.NoError(t, err, c.why)
		assert.Equal(t, c.want, markers(p.Request), c.why)
		assert.Len(t, p.Notices, c.notices, c.why)
		for _, n := range p.Notices {
			assert.Equal(t, events.NoticeParameterDropped, n.Code, c.why)
		}
		r.Strict = true
		_, err = r.Prepare(c.target)
		assert.Equal(t, c.notices > 0, err != nil, "%s: strict", c.why)
	}
	r := marked(t)
	_, err := r.Prepare(request.Target{Spec: request.Spec{MaxCacheMarkers: 1}})
	require.NoError(t, err)
	assert.Equal(t, "automatic 5m, tools 1h, system 1h, text 1h, tool_call 5m", markers(r), "the request is not written to")
}

func TestCacheProblems(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why, field string
		change     func(*request.Request)
	}{
		{"a time that is none", "cache.system", func(r *request.Request) { r.Cache.System = "2h" }},
		{"a time that is none on a block", "messages[0].content[1].cache", func(r *request.Request) { r.Messages[0].Blocks[1].Cache = "x" }},
		{"an hour after five minutes, which providers refuse", "messages[0].content[0].cache", func(r *request.Request) { r.Cache.System = request.CacheShort }},
		{"the end is after everything", "cache.automatic", func(r *request.Request) { r.Cache.Automatic = request.CacheLong }},
		{"a long key", "cache.key", func(r *request.Request) { r.Cache.Key = strings.Repeat("k", request.MaxCacheKey+1) }},
		{"a key of no characters", "cache.key", func(r *request.Request) { r.Cache.Key = "a b" }},
		{"inside a result", "messages[2].content[0].content[0].cache", func(r *request.Request) {
			r.Messages[2].Blocks[0].Result.Content[0].Cache = request.CacheShort
		}},
		{"a block that is left out before it keeps its number", "messages[0].content[1].cache", func(r *request.Request) {
			r.Messages[0].Blocks[0] = request.Text(" ").Cached(request.CacheLong)
			r.Messages[0].Blocks[1].Cache = "x"
		}},
	} {
		r := marked(t)
		c.change(&r)
		problems := r.CheckFor(request.Spec{})
		if assert.NotEmpty(t, problems, c.why) {
			assert.Equal(t, c.field, problems[0].Field, c.why)
			assert.Equal(t, events.ReasonBadParameter, problems[0].Reason, c.why)
		}
	}
}

// The JSON form has all of it, and nothing where nothing is set: keys of recordings
// stay as they are.
func TestCacheJSON(t *testing.T) {
	t.Parallel()
	r := marked(t)
	text, err := r.Canonical()
	require.NoError(t, err)
	for _, part := range []string{
		`"cache":{"automatic":"5m","key":"k","system":"1h","tools":"1h"}`,
		`{"cache":"1h","text":"long","type":"text"}`,
		`{"arguments":"{}","cache":"5m","id":"a","name":"f","type":"tool_call"}`,
	} {
		assert.Contains(t, string(text), part)
	}
	back, err := request.Parse(text)
	require.NoError(t, err)
	assert.Equal(t, markers(r), markers(back))
	assert.Equal(t, "k", back.Cache.Key)

	text, err = request.Request{Messages: []request.Message{request.UserText("hi")}}.Canonical()
	require.NoError(t, err)
	assert.NotContains(t, string(text), "cache")
	_, err = request.Parse([]byte(`{"messages":[{"role":"user","content":[{"type":"text","text":"a","cache_control":{}}]}]}`))
	require.Error(t, err)
	assert.Contains(t, err.Error(), "here it is cache")
}
