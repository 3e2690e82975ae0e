package geminiwire_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/geminiwire"
	"github.com/weirsdk/weir/request"
)

// A key of Extra that no family reads is told after what preparing tells, and
// refused where nothing may be left out.
func TestPrepareTellsOfUnreadExtra(t *testing.T) {
	t.Parallel()
	r := ask(request.UserText("hi"))
	r.Seed = new(int64(1))
	r.Extra = map[string]string{"gemni": `{"a":1}`, "chat": `{}`, geminiwire.ExtraKey: `{"b":1}`}
	call, _, err := geminiwire.Prepare(r, request.Spec{Seed: request.No}, gemini())
	require.NoError(t, err)
	require.Len(t, call.Notices, 2)
	for i, field := range []string{"seed", "extra.gemni"} {
		assert.Equal(t, events.NoticeParameterDropped, call.Notices[i].Code)
		assert.True(t, strings.HasPrefix(call.Notices[i].Detail, field), call.Notices[i].Detail)
	}
	assert.Contains(t, string(call.Body), `"b":1`)
	r.Strict, r.Seed = true, nil
	_, _, err = geminiwire.Prepare(r, request.Spec{}, gemini())
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadParameter})
}

// A budget is held to what the model takes, told, and refused under Strict.
func TestPrepareBudget(t *testing.T) {
	t.Parallel()
	profile := geminiwire.Profile{LeastBudget: 128, MostBudget: 32_768}
	for _, c := range []struct {
		want, got int
	}{{1, 128}, {128, 128}, {5000, 5000}, {32_768, 32_768}, {32_769, 32_768}} {
		r := ask(request.UserText("hi"))
		r.ThinkingBudget = &c.want
		call, _, err := geminiwire.Prepare(r, request.Spec{}, profile)
		require.NoError(t, err)
		assert.Contains(t, string(call.Body), fmt.Sprintf(`"thinkingBudget":%d}`, c.got))
		r.Strict = true
		_, _, err = geminiwire.Prepare(r, request.Spec{}, profile)
		if c.got == c.want {
			assert.Empty(t, call.Notices)
			assert.NoError(t, err)
			continue
		}
		require.Len(t, call.Notices, 1)
		assert.Equal(t, events.NoticeEffortClamped, call.Notices[0].Code)
		assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadParameter})
	}
}

// What the wire has no word for is told, of a model that nobody knows too, and refused
// under Strict. A level of which it is not known that the model has it is sent.
func TestPrepareEffortOfUnknownModel(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		effort request.Effort
		sent   string
		told   bool
	}{
		{"off", `"thinkingConfig":{"thinkingBudget":0}`, false},
		{"minimal", `"thinkingLevel":"minimal"`, false},
		{"low", `"thinkingLevel":"low"`, false},
		{"medium", `"thinkingLevel":"medium"`, false},
		{"high", `"thinkingLevel":"high"`, false},
		{"xhigh", `"thinkingLevel":"xhigh"`, false},
		{"max", `"thinkingLevel":"xhigh"`, true},
	} {
		r := ask(request.UserText("hi"))
		r.Effort = c.effort
		call, _, err := geminiwire.Prepare(r, request.Spec{}, gemini())
		require.NoError(t, err, c.effort)
		assert.Contains(t, string(call.Body), c.sent, c.effort)
		assert.Equal(t, c.told, len(call.Notices) == 1 && call.Notices[0].Code == events.NoticeEffortClamped, c.effort)
		r.Strict = true
		_, _, err = geminiwire.Prepare(r, request.Spec{}, gemini())
		assert.Equal(t, c.told, err != nil, c.effort)
	}
}

// A model that refuses the provider's own tools beside declared ones gets the declared
// ones, with a notice; under Strict the request is refused.
func TestPrepareHostedAlone(t *testing.T) {
	t.Parallel()
	search := request.SearchWeb(request.WebSearch{})
	for _, c := range []struct {
		why    string
		hosted geminiwire.HostedTools
		tools  []request.Tool
		choice request.ToolMode
		sent   bool
	}{
		{"both", geminiwire.HostedAlone, []request.Tool{tool(t, "f", "")}, request.ToolAuto, false},
		{"no declared ones", geminiwire.HostedAlone, nil, request.ToolAuto, true},
		{"a model that takes both", geminiwire.HostedTold, []request.Tool{tool(t, "f", "")}, request.ToolAuto, true},
		{"a model of which it is not known", geminiwire.HostedUnknown, []request.Tool{tool(t, "f", "")}, request.ToolAuto, true},
	} {
		r := ask(request.UserText("hi"))
		r.Tools, r.ToolChoice.Mode, r.HostedTools = c.tools, c.choice, []request.HostedTool{search}
		profile := geminiwire.Profile{Hosted: c.hosted}
		call, _, err := geminiwire.Prepare(r, request.Spec{}, profile)
		require.NoError(t, err, c.why)
		assert.Equal(t, c.sent, strings.Contains(string(call.Body), "googleSearch"), c.why)
		assert.Equal(t, !c.sent, len(call.Notices) == 1 && call.Notices[0].Code == events.NoticeParameterDropped, c.why)
		r.Strict = true
		_, _, err = geminiwire.Prepare(r, request.Spec{}, profile)
		assert.Equal(t, !c.sent, err != nil, c.why)
	}
}

// A search that may not see a domain is left out where it would see it.
func TestPrepareBlockedDomains(t *testing.T) {
	t.Parallel()
	r := ask(request.UserText("hi"))
	r.HostedTools = []request.HostedTool{request.SearchWeb(request.WebSearch{BlockedDomains: []string{"a.example"}})}
	for can, want := range map[bool]string{true: `"tools":[{"googleSearch":{"excludeDomains":["a.example"]}}]`, false: ""} {
		call, _, err := geminiwire.Prepare(r, request.Spec{}, geminiwire.Profile{ExcludeDomains: can})
		require.NoError(t, err)
		assert.Contains(t, string(call.Body), want)
		assert.Equal(t, can, strings.Contains(string(call.Body), "googleSearch"))
		assert.Equal(t, can, len(call.Notices) == 0)
	}
}

// The request is the caller's: nothing in it changes, and the same one gives the same
// bytes, at the same time too.
func TestPrepareKeepsTheRequest(t *testing.T) {
	t.Parallel()
	r := everything(t, []request.Tool{tool(t, "get_weather", ""), tool(t, "über tool", "")})
	before, err := r.Canonical()
	require.NoError(t, err)
	first, _, err := geminiwire.Prepare(r, request.Spec{}, everyWay())
	require.NoError(t, err)
	require.Len(t, first.Notices, 1, "this wire takes all but a pattern in an answer")
	assert.Equal(t, events.NoticeSchemaLossy, first.Notices[0].Code)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			again, _, err := geminiwire.Prepare(r, request.Spec{}, everyWay())
			assert.NoError(t, err)
			assert.Equal(t, string(first.Body), string(again.Body))
		})
	}
	group.Wait()
	after, err := r.Canonical()
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after))
}

// What the subset cannot express is told, refused of a strict answer, and asked for
// in words where nothing else is left: for a model that takes no schema, and beside
// tools for one that does not take both.
func TestPrepareAnswer(t *testing.T) {
	t.Parallel()
	r := ask(request.UserText("hi"))
	r.Answer = answer(t)
	prepare := func(spec request.Spec, profile geminiwire.Profile) (string, []events.NoticeInfo, error) {
		call, _, err := geminiwire.Prepare(r, spec, profile)
		return string(call.Body), call.Notices, err
	}
	const native, words = `"responseJsonSchema":{"type":"object"`, `"systemInstruction":{"parts":[{"text":"Answer with one JSON object`
	body, notices, err := prepare(request.Spec{}, gemini())
	require.NoError(t, err)
	assert.Contains(t, body, native)
	assert.Contains(t, body, `"additionalProperties":false`)
	require.Len(t, notices, 1, "pattern")
	assert.Equal(t, events.NoticeSchemaLossy, notices[0].Code)

	body, notices, err = prepare(request.Spec{StructuredAnswer: request.No}, gemini())
	require.NoError(t, err)
	assert.NotContains(t, body, native)
	assert.Contains(t, body, words)
	require.Len(t, notices, 1)
	assert.Equal(t, events.NoticeParameterDropped, notices[0].Code)

	r.Tools = []request.Tool{tool(t, "f", "")}
	for _, c := range []struct {
		why    string
		both   bool
		choice request.ToolMode
		native bool
	}{
		{"a model that takes one of the two", false, request.ToolAuto, false},
		{"tools that are not to be called", false, request.ToolNone, true},
		{"a model that takes both", true, request.ToolAuto, true},
	} {
		r.ToolChoice.Mode = c.choice
		body, _, err = prepare(request.Spec{StructuredAnswer: request.Yes}, geminiwire.Profile{AnswerBesideTools: c.both})
		require.NoError(t, err, c.why)
		assert.Equal(t, c.native, strings.Contains(body, native), c.why)
		assert.Equal(t, !c.native, strings.Contains(body, words), c.why)
	}
	r.Answer, r.ToolChoice.Mode = r.Answer.WithStrict(), request.ToolAuto
	_, _, err = prepare(request.Spec{}, gemini())
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonSchemaUnsupported})
}

func TestPrepareExplainsRefusals(t *testing.T) {
	t.Parallel()
	for _, noKey := range []bool{true, false} {
		call, _, err := geminiwire.Prepare(ask(request.UserText("hi")), request.Spec{}, geminiwire.Profile{NoKey: noKey})
		require.NoError(t, err)
		f := call.Failure(401, nil, nil)
		assert.Equal(t, events.ReasonAuth, f.Reason)
		assert.Equal(t, noKey, strings.Contains(f.Detail, "no key is configured"))
		assert.Nil(t, call.Failure(200, nil, []byte(`{}`)))
	}
}

// Data of another provider is refused before anything is sent, or left out.
func TestPrepareForeignData(t *testing.T) {
	t.Parallel()
	turn := request.AssistantText("a")
	turn.Data = events.ProviderData{Format: "messages.v1", Origin: "anthropic", Value: `{"content":[]}`}
	r := ask(request.UserText("q"), turn, request.UserText("next"))
	_, _, err := geminiwire.Prepare(r, request.Spec{}, gemini())
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonForeignData})
	r.Foreign = request.ForeignDrop
	call, _, err := geminiwire.Prepare(r, request.Spec{}, gemini())
	require.NoError(t, err)
	assert.Len(t, call.Notices, 1)
}

// What the caller has learned is left out is left out.
func TestPrepareWithout(t *testing.T) {
	t.Parallel()
	r := everything(t, []request.Tool{tool(t, "get_weather", "")})
	r.ToolChoice = request.ToolChoice{}
	r.Options.Without = []string{request.FeatureTemperature, request.FeatureEffort, request.FeatureAnswerSchema}
	call, _, err := geminiwire.Prepare(r, request.Spec{}, everyWay())
	require.NoError(t, err)
	for _, gone := range []string{"temperature", "thinkingConfig", "responseJsonSchema"} {
		assert.NotContains(t, string(call.Body), gone)
	}
	assert.Contains(t, string(call.Body), `"topP":0.9`)
	assert.Len(t, call.Notices, 3)
}

// Arguments that end early in a reply of exactly as many tokens as were allowed:
// the failure says what that looks like.
func TestArgumentsCutByTheOutputLimit(t *testing.T) {
	t.Parallel()
	for output, want := range map[int]bool{300: true, 299: false} {
		p := request.Prepared{Request: request.Request{MaxOutputTokens: 300}, FirstMinted: 1}
		usage := fmt.Sprintf(`,"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":%d}`, output)
		open := `{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$.a","stringValue":"x"}],"willContinue":true}}`
		f, ok := terminal(t, play(t, answered([]byte(body(frame(open, stopped, usage)))), p)).Failure()
		require.True(t, ok)
		assert.Equal(t, events.ReasonBadToolArguments, f.Reason)
		assert.Equal(t, want, strings.Contains(f.Detail, "cut by the output limit"), f.Detail)
	}
}
