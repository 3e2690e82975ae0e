package responseswire_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/responseswire"
	"github.com/weirsdk/weir/request"
)

// bodyFor returns what is sent to a vendor, and the fields that notices tell of.
func bodyFor(t *testing.T, vendor string, r request.Request) (body string, told []string) {
	t.Helper()
	call, _, err := responseswire.Prepare(r, "m", request.Spec{}, responseswire.ProfileFor(vendor))
	require.NoError(t, err)
	for _, n := range call.Notices {
		field, _, _ := strings.Cut(n.Detail, ":")
		told = append(told, field)
	}
	return string(call.Body), told
}

// refused reports whether a strict request is refused by a vendor.
func refused(vendor string, r request.Request) bool {
	r.Strict = true
	_, _, err := responseswire.Prepare(r, "m", request.Spec{}, responseswire.ProfileFor(vendor))
	return err != nil
}

// rows are the vendors of the table and one that is not in it.
func rows() []string {
	return append(slices.Sorted(maps.Keys(responseswire.Vendors())), "unheard-of")
}

// An effort is sent to each vendor in its words, or as the nearest that it takes with a
// Notice, and refused of a strict request then. A word alone is sent as it is.
func TestEffortOfEachVendor(t *testing.T) {
	t.Parallel()
	const all = "off=none minimal low medium high xhigh max"
	const low = "off=low! minimal=low! low medium high xhigh=high! max=high!"
	want := map[string]string{
		"openai": all, "azure": all, "xai": all, "openrouter": all, "mistral": all, "databricks": all, "bedrockmantle": all,
		"lmstudio": all, "vllm": all, "unheard-of": all,
		"groq": low, "huggingface": low,
		"ollama":     "off=none minimal=low! low medium high xhigh=max! max",
		"deepseek":   "off=none minimal=low! low medium=high! high xhigh=max! max",
		"perplexity": "off=minimal! minimal low medium high xhigh max=xhigh!",
	}
	require.ElementsMatch(t, rows(), slices.Collect(maps.Keys(want)))
	for vendor, words := range want {
		efforts := strings.Fields(words)
		require.Len(t, efforts, len(request.Efforts()))
		for i, effort := range request.Efforts() {
			asked, sent, mapped := strings.Cut(strings.TrimSuffix(efforts[i], "!"), "=")
			if !mapped {
				sent = asked
			}
			clamped := strings.HasSuffix(efforts[i], "!")
			require.Equal(t, string(effort), asked)
			r := ask(request.UserText("hi"))
			r.Effort = effort
			body, told := bodyFor(t, vendor, r)
			assert.Contains(t, body, `"reasoning":{"effort":"`+sent+`"}`, "%s, %s", vendor, effort)
			assert.Equal(t, clamped, slices.Contains(told, "effort"), "%s, %s: %v", vendor, effort, told)
			assert.Equal(t, clamped, refused(vendor, r), "%s, %s, strict", vendor, effort)
		}
	}
}

// A budget is sent where the host takes a number, and told or refused elsewhere: nothing
// is sent in its place.
func TestBudgetOfEachVendor(t *testing.T) {
	t.Parallel()
	for _, vendor := range rows() {
		r := ask(request.UserText("hi"))
		r.ThinkingBudget = new(2000)
		body, told := bodyFor(t, vendor, r)
		takes := vendor == "openrouter"
		assert.Equal(t, takes, strings.Contains(body, `"reasoning":{"max_tokens":2000}`), vendor)
		assert.Equal(t, takes, strings.Contains(body, "reasoning\":"), vendor)
		assert.Equal(t, !takes, slices.Contains(told, "thinking_budget"), vendor)
		assert.Equal(t, !takes, refused(vendor, r), vendor)
	}
}

// The efforts of a Spec are those of the model, and come before the host's.
func TestEffortsOfASpec(t *testing.T) {
	t.Parallel()
	r := ask(request.UserText("hi"))
	r.Effort = request.EffortMedium
	spec := request.Spec{Efforts: []request.Effort{request.EffortOff, request.EffortXHigh}}
	call, _, err := responseswire.Prepare(r, "m", spec, responseswire.ProfileFor("groq"))
	require.NoError(t, err)
	assert.Contains(t, string(call.Body), `"effort":"xhigh"`)
	require.Len(t, call.Notices, 1)
	assert.Equal(t, events.NoticeEffortClamped, call.Notices[0].Code)
	none := request.Spec{Efforts: []request.Effort{}, Thinking: request.No}
	call, _, err = responseswire.Prepare(r, "m", none, responseswire.ProfileFor("groq"))
	require.NoError(t, err)
	assert.NotContains(t, string(call.Body), "reasoning")
	assert.Len(t, call.Notices, 1)
}

// A web search reaches each vendor in its words, with the options that it has.
func TestSearchOfEachVendor(t *testing.T) {
	t.Parallel()
	place := request.Location{City: "Graz", Timezone: "Europe/Vienna"}
	allowed := request.WebSearch{MaxUses: 3, AllowedDomains: []string{"a.example", "b.example"}, Location: place}
	blocked := request.WebSearch{BlockedDomains: []string{"a.example", "b.example"}}
	bare := request.WebSearch{MaxUses: 3, Location: place}
	const (
		spelled = `"user_location":{"type":"approximate","city":"Graz","timezone":"Europe/Vienna"}`
		domains = `["a.example","b.example"]`
	)
	for _, c := range []struct {
		why, vendor string
		search      request.WebSearch
		tools       string
		bound       bool // max_tool_calls
		notices     int
	}{
		{why: "as OpenAI", vendor: "openai", search: allowed, bound: true, tools: `{"type":"web_search","filters":{"allowed_domains":` + domains + `},` + spelled + `}`},
		{why: "as OpenAI", vendor: "azure", search: allowed, bound: true, tools: `{"type":"web_search","filters":{"allowed_domains":` + domains + `},` + spelled + `}`},
		{why: "a search that cannot be kept off domains is none", vendor: "openai", search: blocked, notices: 1},
		{why: "xAI has domains alone", vendor: "xai", search: allowed, notices: 2, tools: `{"type":"web_search","filters":{"allowed_domains":` + domains + `}}`},
		{why: "xAI keeps off domains", vendor: "xai", search: blocked, tools: `{"type":"web_search","filters":{"excluded_domains":` + domains + `}}`},
		{why: "OpenRouter has all options, in the tool's own parameters", vendor: "openrouter", search: allowed, tools: `{"type":"openrouter:web_search","parameters":{"max_uses":3,"allowed_domains":` + domains + `,` + spelled + `}}`},
		{why: "OpenRouter keeps off domains", vendor: "openrouter", search: blocked, tools: `{"type":"openrouter:web_search","parameters":{"excluded_domains":` + domains + `}}`},
		{why: "no parameters", vendor: "openrouter", search: request.WebSearch{}, tools: `{"type":"openrouter:web_search"}`},
		{why: "DeepSeek ignores options", vendor: "deepseek", search: bare, notices: 2, tools: `{"type":"web_search"}`},
		{why: "DeepSeek cannot be held to domains", vendor: "deepseek", search: allowed, notices: 1},
		{why: "Perplexity has one list", vendor: "perplexity", search: allowed, notices: 2, tools: `{"type":"web_search","filters":{"search_domain_filter":` + domains + `}}`},
		{why: "with hyphens", vendor: "perplexity", search: blocked, tools: `{"type":"web_search","filters":{"search_domain_filter":["-a.example","-b.example"]}}`},
		{why: "Mistral has functions alone", vendor: "mistral", search: bare, notices: 1},
		{why: "Groq's search has another name", vendor: "groq", search: bare, notices: 1},
		{why: "a server of one's own", vendor: "ollama", search: bare, notices: 1},
		{why: "one that nothing is known of is asked as OpenAI", vendor: "unheard-of", search: request.WebSearch{}, tools: `{"type":"web_search"}`},
	} {
		r := ask(request.UserText("q"))
		r.HostedTools = []request.HostedTool{request.SearchWeb(c.search)}
		body, told := bodyFor(t, c.vendor, r)
		if c.tools == "" {
			assert.NotContains(t, body, "search", "%s, %s", c.vendor, c.why)
		} else {
			assert.Contains(t, body, `"tools":[`+c.tools+`]`, "%s, %s", c.vendor, c.why)
		}
		assert.Equal(t, c.bound, strings.Contains(body, `"max_tool_calls":3`), "%s, %s", c.vendor, c.why)
		assert.Len(t, told, c.notices, "%s, %s", c.vendor, c.why)
		assert.Equal(t, c.notices > 0, refused(c.vendor, r), "%s, %s, strict", c.vendor, c.why)
	}
}

// What else a host has no word for is told, and what it has another word for is sent in
// that.
func TestRequestOfEachVendor(t *testing.T) {
	t.Parallel()
	plain := func(*request.Request) {}
	choice := func(r *request.Request) {
		r.Tools, r.Parallel = []request.Tool{tool(t, "f", "")}, new(false)
		r.ToolChoice = request.ToolChoice{Mode: request.ToolRequired}
	}
	sampled := func(r *request.Request) {
		r.Temperature, r.TopP, r.Stop, r.Seed = new(0.5), new(0.9), []string{"x"}, new(int64(7))
	}
	answered := func(r *request.Request) { r.Answer = answer(t) }
	beside := func(r *request.Request) { answered(r); r.Tools = []request.Tool{tool(t, "f", "")} }
	kept := func(r *request.Request) { r.Cache = request.Cache{Automatic: request.CacheLong, Key: "k"} }
	for _, c := range []struct {
		why, vendor string
		change      func(*request.Request)
		has, lacks  string
		told        []string
	}{
		{"nothing is stored", "mistral", plain, `"store":false`, "include", nil},
		{"Groq has no word for that", "groq", plain, `"stream":true`, "store", nil},
		{"nor Perplexity", "perplexity", plain, `"stream":true`, "store", nil},
		{"sealed reasoning", "xai", plain, `"include":["reasoning.encrypted_content"]`, "", nil},
		{"a choice of tools", "mistral", choice, `"tool_choice":"required","parallel_tool_calls":false`, "", nil},
		{"Ollama has none", "ollama", choice, `"tools":[`, "tool_c", []string{"parallel", "tool_choice"}},
		{"Perplexity has none", "perplexity", choice, `"tools":[`, "tool_c", []string{"parallel", "tool_choice"}},
		{"DeepSeek calls in parallel", "deepseek", choice, `"tool_choice":"required"`, "parallel", []string{"parallel"}},
		{"sampling", "groq", sampled, `"temperature":0.5,"top_p":0.9`, "seed", []string{"stop", "seed"}},
		{"stop and seed of vLLM", "vllm", sampled, `"temperature":0.5,"top_p":0.9,"stop":["x"],"seed":7`, "", nil},
		{"Perplexity samples for itself", "perplexity", sampled, `"stream":true`, "0.", []string{"temperature", "top_p", "stop", "seed"}},
		{"an answer", "mistral", answered, `"text":{"format":{"type":"json_schema","name":"fact","schema":{`, "response_format", []string{"answer"}},
		{"Perplexity asks for it as Chat Completions do", "perplexity", answered, `"response_format":{"type":"json_schema","json_schema":{"name":"fact","schema":{`, `"text":{`, []string{"answer"}},
		{"a schema leaves Ollama's models no room for calls", "ollama", beside, "Answer with one JSON object", "json_schema", []string{"answer"}},
		{"vLLM's likewise", "vllm", beside, "Answer with one JSON object", "json_schema", []string{"answer"}},
		{"Mistral takes both", "mistral", beside, "json_schema", "Answer with one", []string{"answer"}},
		{"OpenRouter's cache, for an hour", "openrouter", kept, `"session_id":"k","cache_control":{"type":"ephemeral","ttl":"1h"}`, "retention", nil},
		{"OpenAI's where nothing says that it keeps for longer", "openai", kept, `"prompt_cache_key":"k"`, "cache_control", []string{"cache.automatic"}},
		{"Mistral's key", "mistral", kept, `"prompt_cache_key":"k"`, "cache_control", []string{"cache.automatic"}},
		{"Groq has no key", "groq", kept, `"stream":true`, "cache", []string{"cache.automatic", "cache.key"}},
	} {
		r := ask(request.UserText("hi"))
		c.change(&r)
		body, told := bodyFor(t, c.vendor, r)
		assert.Contains(t, body, c.has, "%s, %s", c.vendor, c.why)
		if c.lacks != "" {
			assert.NotContains(t, body, c.lacks, "%s, %s", c.vendor, c.why)
		}
		assert.ElementsMatch(t, c.told, told, "%s, %s", c.vendor, c.why)
	}
}
