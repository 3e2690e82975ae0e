package gemini_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/gemini"
	"github.com/weirsdk/weir/request"
)

func TestSpecFor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		id, why  string
		output   int
		thinking request.Support
		budget   request.Support
	}{
		{"gemini-2.5-pro", "budgets", 65_536, request.Yes, request.Yes},
		{"models/gemini-2.5-pro", "by the name of the resource", 65_536, request.Yes, request.Yes},
		{"gemini-3.8-flash", "levels, and budgets for old clients", 65_536, request.Yes, request.Unknown},
		{"gemini-4-argon", "levels alone", 0, request.Yes, request.No},
		{"gemini-4-neon", "and another one of its family", 0, request.Yes, request.No},
		{"gemini-3.8-flash-cyber", "not the model that it begins like", 0, request.Unknown, request.Unknown},
		{"tunedModels/gemini-2.5-pro", "a tuned one", 0, request.Unknown, request.Unknown},
	} {
		s := gemini.SpecFor(c.id)
		assert.Equal(t, c.output, s.MaxOutput, "%s: %s", c.id, c.why)
		assert.Equal(t, c.thinking, s.Thinking, "%s: %s", c.id, c.why)
		assert.Equal(t, c.budget, s.ThinkingBudget, "%s: %s", c.id, c.why)
		assert.Equal(t, request.No, s.ParallelTools, c.id)
	}
}

// Every model is told every effort and every budget its own way: what it does not take
// is the next that it takes, with a notice, and refused under Strict.
func TestThinkingByModel(t *testing.T) {
	t.Parallel()
	const none = "" // nothing is sent
	flash := []string{"0", "1024", "2048", "8192", "16384", "24576", "24576*"}
	minimal := []string{"minimal!", "minimal", "low", "medium", "high", "high!", "high!"}
	low := []string{"low!", "low!", "low", "medium", "high", "high!", "high!"}
	xhigh := []string{"low!", "low!", "low", "medium", "high", "xhigh", "xhigh!"}
	as := []string{"1", "100", "5000", "30000", "100000"}
	dropped := []string{"!", "!", "!", "!", "!"}
	for id, want := range map[string]struct{ efforts, budgets []string }{
		"gemini-2.5-pro":         {[]string{"1024!", "1024", "2048", "8192", "16384", "24576", "32768"}, []string{"128!", "128!", "5000", "30000", "32768!"}},
		"gemini-2.5-flash":       {flash, []string{"1", "100", "5000", "24576!", "24576!"}},
		"gemini-2.5-flash-lite":  {flash, []string{"512!", "512!", "5000", "24576!", "24576!"}},
		"gemini-3-pro-preview":   {[]string{"low!", "low!", "low", "high!", "high", "high!", "high!"}, as},
		"gemini-3-flash-preview": {minimal, as},
		"gemini-3.1-pro-preview": {low, as},
		"gemini-3.1-flash-lite":  {minimal, as},
		"gemini-3.5-flash":       {minimal, as},
		"gemini-3.5-flash-lite":  {minimal, as},
		"gemini-3.6-flash":       {minimal, as},
		"gemini-3.7-flash":       {low, as},
		"gemini-3.8-flash":       {low, as},
		"gemini-4-argon":         {low, dropped},
		"gemini-4-carbon":        {low, dropped},
		"gemini-4-neon":          {xhigh, dropped},
		"gemini-4-hydrogen":      {xhigh, dropped},
		"gemini-next":            {[]string{"0", "minimal", "low", "medium", "high", "xhigh", "xhigh!"}, as},
	} {
		for i, effort := range request.Efforts() {
			r := ask()
			r.Effort = effort
			thinksAs(t, id, string(effort), r, want.efforts[i])
		}
		for i, budget := range []int{1, 100, 5000, 30_000, 100_000} {
			r := ask()
			r.ThinkingBudget = &budget
			thinksAs(t, id, strconv.Itoa(budget), r, want.budgets[i])
		}
		thinksAs(t, id, "nothing", ask(), none)
	}
}

// thinksAs holds a request to the budget or level that is sent for it, with a mark where
// a notice tells that it is another one. A star marks a size of weir's own that is the
// same as the one below.
func thinksAs(t *testing.T, id, asked string, r request.Request, want string) {
	t.Helper()
	want, told := strings.CutSuffix(strings.TrimSuffix(want, "*"), "!")
	config := `"thinkingLevel":"` + want + `"`
	if _, err := strconv.Atoi(want); err == nil {
		config = `"thinkingBudget":` + want + "}"
	}
	answer := ok(reply)
	m := model(t, gemini.Config{Model: id, HTTPClient: &http.Client{Transport: answer}})
	evs := slices.Collect(m.Stream(t.Context(), r))
	require.Len(t, answer.Requests(), 1, id)
	body := string(answer.Requests()[0].Body)
	if want == "" {
		assert.NotContains(t, body, "thinking", "%s: %s", id, asked)
	} else {
		assert.Contains(t, body, config, "%s: %s", id, asked)
		assert.Equal(t, want != "0", strings.Contains(body, `"includeThoughts":true`), "%s: %s", id, asked)
	}
	notice := slices.ContainsFunc(evs, func(e events.Event) bool { return e.Kind == events.Notice })
	assert.Equal(t, told, notice, "%s: %s", id, asked)
	r.Strict = true
	strict := slices.Collect(m.Stream(t.Context(), r))
	assert.Equal(t, told, last(t, strict).Kind == events.Failed, "strict: %s: %s", id, asked)
}

// Google's own tools beside declared ones are told of where the model takes both.
func TestHostedBesideTools(t *testing.T) {
	t.Parallel()
	tool, err := request.NewTool("f", "", `{"type":"object"}`)
	require.NoError(t, err)
	for id, want := range map[string]struct {
		sent, told bool
	}{"gemini-3.8-flash": {true, true}, "gemini-4-neon": {true, true}, "gemini-2.5-pro": {false, false}, "gemini-next": {true, false}} {
		rt := ok(reply)
		r := ask()
		r.Tools, r.HostedTools = []request.Tool{tool}, []request.HostedTool{request.SearchWeb(request.WebSearch{})}
		require.NotEmpty(t, slices.Collect(model(t, gemini.Config{Model: id, HTTPClient: &http.Client{Transport: rt}}).Stream(t.Context(), r)))
		body := string(rt.Requests()[0].Body)
		assert.Equal(t, want.sent, strings.Contains(body, "googleSearch"), id)
		assert.Equal(t, want.told, strings.Contains(body, `"toolConfig":{"includeServerSideToolInvocations":true}`), id)
	}
}

// A call of another model gets the placeholder where a call without a signature is
// refused, and of a model that nobody knows.
func TestForeignCall(t *testing.T) {
	t.Parallel()
	for id, signed := range map[string]bool{
		"gemini-3.8-flash": true, "gemini-4-neon": true, "gemini-next": true, "gemini-2.5-pro": false, "tunedModels/mine": false,
	} {
		rt := ok(reply)
		call := events.ToolCall{
			ID: "toolu_1", Name: "f", Arguments: "{}",
			Replay: events.ProviderData{Format: "messages.v1", Origin: "anthropic", Value: "{}"},
		}
		r := request.Request{Foreign: request.ForeignDrop, Messages: []request.Message{
			request.UserText("q"), request.Assistant(request.Call(call)), request.Results(request.Result("toolu_1", "a")),
		}}
		evs := slices.Collect(model(t, gemini.Config{Model: id, HTTPClient: &http.Client{Transport: rt}}).Stream(t.Context(), r))
		require.Equal(t, events.Completed, last(t, evs).Kind, id)
		n, _ := evs[1].Notice()
		assert.Equal(t, events.NoticeForeignDropped, n.Code, id)
		signature := ""
		if signed {
			signature = `,"thoughtSignature":"skip_thought_signature_validator"`
		}
		assert.Contains(t, string(rt.Requests()[0].Body), `{"functionCall":{"id":"toolu_1","name":"f","args":{}}`+signature+`}]},`, id)
	}
}

// A structured answer is asked for beside tools where the model takes both.
func TestAnswerBesideTools(t *testing.T) {
	t.Parallel()
	tool, err := request.NewTool("f", "", `{"type":"object"}`)
	require.NoError(t, err)
	answer, err := request.NewAnswer("", `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`)
	require.NoError(t, err)
	for id, native := range map[string]bool{
		"gemini-3.8-flash": true, "gemini-3.1-pro-preview": true, "gemini-3.5-flash-lite": false, "gemini-2.5-pro": false, "gemini-next": false,
	} {
		rt := ok(reply)
		r := ask()
		r.Tools, r.Answer = []request.Tool{tool}, answer
		require.NotEmpty(t, slices.Collect(model(t, gemini.Config{Model: id, HTTPClient: &http.Client{Transport: rt}}).Stream(t.Context(), r)))
		body := string(rt.Requests()[0].Body)
		if native {
			assert.Contains(t, body, `"responseJsonSchema"`, id)
		} else {
			assert.NotContains(t, body, `"responseJsonSchema"`, id)
			assert.Contains(t, body, `"systemInstruction"`, id)
		}
	}
}

func TestConfigSpecReplacesTheTable(t *testing.T) {
	t.Parallel()
	answer := ok(reply)
	m := model(t, gemini.Config{
		Model: "gemini-4-argon", Spec: &request.Spec{MaxOutput: 777}, HTTPClient: &http.Client{Transport: answer},
	})
	assert.Equal(t, 777, m.Spec().MaxOutput)
	r := ask()
	r.Temperature, r.MaxOutputTokens = new(0.5), 1000
	require.NotEmpty(t, slices.Collect(m.Stream(t.Context(), r)))
	assert.Contains(t, string(answer.Requests()[0].Body), `{"maxOutputTokens":777,"temperature":0.5}`)
}

// The table is nobody's to change.
func TestSpecIsACopy(t *testing.T) {
	t.Parallel()
	gemini.SpecFor("gemini-3.8-flash").Efforts[0] = "x"
	assert.Equal(t, request.EffortLow, gemini.SpecFor("gemini-3.8-flash").Efforts[0])
}
