package claudethinking_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/claudethinking"
	"github.com/weirsdk/weir/request"
)

const (
	adaptive = `{"type":"adaptive"}`
	disabled = `{"type":"disabled"}`
)

func enabled(n string) string { return `{"type":"enabled","budget_tokens":` + n + `}` }

// Every effort and budget is sent, or what it comes to instead is told.
func TestOf(t *testing.T) {
	t.Parallel()
	const clamped = events.NoticeEffortClamped
	for _, c := range []struct {
		why       string
		way       claudethinking.Way
		effort    request.Effort
		budget    int // 0: none
		maxTokens int
		member    string
		said      request.Effort
		told      []events.NoticeCode
	}{
		{why: "nothing is asked for", maxTokens: 8000},
		{why: "adaptive, off", effort: "off", maxTokens: 8000, member: disabled},
		{why: "adaptive, low", effort: "low", maxTokens: 8000, member: adaptive, said: "low"},
		{why: "adaptive, max", effort: "max", maxTokens: 8000, member: adaptive, said: "max"},
		{why: "adaptive below the least budget", effort: "high", maxTokens: 500, member: adaptive, said: "high"},
		{why: "effort alone", way: claudethinking.Effort, effort: "medium", maxTokens: 8000, said: "medium"},
		{why: "effort alone, off", way: claudethinking.Effort, effort: "off", maxTokens: 8000, member: disabled},
		{why: "effort beside a budget", way: claudethinking.Effort, effort: "medium", budget: 2000, maxTokens: 8000, said: "medium", member: enabled("2000")},
		{why: "minimal as a budget", way: claudethinking.Budget, effort: "minimal", maxTokens: 64_000, member: enabled("1024")},
		{why: "low as a budget", way: claudethinking.Budget, effort: "low", maxTokens: 64_000, member: enabled("2048")},
		{why: "medium as a budget", way: claudethinking.Budget, effort: "medium", maxTokens: 64_000, member: enabled("8192")},
		{why: "high as a budget", way: claudethinking.Budget, effort: "high", maxTokens: 64_000, member: enabled("16384")},
		{why: "xhigh as a budget", way: claudethinking.Budget, effort: "xhigh", maxTokens: 64_000, member: enabled("32000")},
		{why: "max as a budget", way: claudethinking.Budget, effort: "max", maxTokens: 64_000, member: enabled("32000")},
		{why: "off, of a model that takes a budget", way: claudethinking.Budget, effort: "off", maxTokens: 64_000, member: disabled},
		{why: "an effort that fits to the token", way: claudethinking.Budget, effort: "low", maxTokens: 2049, member: enabled("2048")},
		{why: "an effort that does not fit", way: claudethinking.Budget, effort: "low", maxTokens: 2048, member: enabled("2047"), told: []events.NoticeCode{clamped}},
		{why: "the least that fits", way: claudethinking.Budget, effort: "high", maxTokens: 1025, member: enabled("1024"), told: []events.NoticeCode{clamped}},
		{why: "an effort without room", way: claudethinking.Budget, effort: "high", maxTokens: 1024, told: []events.NoticeCode{clamped}},
		{why: "an effort where the maximum is not known", way: claudethinking.Budget, effort: "max", member: enabled("32000")},
		{why: "a budget", way: claudethinking.Budget, budget: 1500, maxTokens: 8000, member: enabled("1500")},
		{why: "a budget of an adaptive model", budget: 1500, maxTokens: 8000, member: enabled("1500")},
		{why: "a budget and an effort of a model that takes both", effort: "max", budget: 1500, maxTokens: 8000, member: enabled("1500"), said: "max"},
		{why: "the least budget", budget: 1024, maxTokens: 8000, member: enabled("1024")},
		{why: "a budget below the least", budget: 1023, maxTokens: 8000, member: enabled("1024"), told: []events.NoticeCode{clamped}},
		{why: "a budget below the least, and the maximum not known", budget: 1, member: enabled("1024"), told: []events.NoticeCode{clamped}},
		{why: "a budget that leaves nothing for the answer", budget: 8000, maxTokens: 8000, member: enabled("7999"), told: []events.NoticeCode{clamped}},
		{why: "a budget without room", budget: 500, maxTokens: 600, told: []events.NoticeCode{clamped}},
		{why: "a budget beside an effort that has no word", way: claudethinking.Budget, effort: "high", budget: 1500, maxTokens: 8000, member: enabled("1500"), told: []events.NoticeCode{clamped}},
		{why: "a budget beside off", effort: "off", budget: 1500, maxTokens: 8000, member: enabled("1500"), told: []events.NoticeCode{clamped}},
	} {
		r := request.Request{Effort: c.effort}
		if c.budget != 0 {
			r.ThinkingBudget = new(c.budget)
		}
		p := claudethinking.Of(&r, c.way, c.maxTokens)
		assert.Equal(t, c.member, p.Member, c.why)
		assert.Equal(t, c.said, p.Effort, c.why)
		assert.Equal(t, c.told, codes(p), c.why)
		refused(t, p, c.why)
	}
}

func codes(p claudethinking.Plan) (told []events.NoticeCode) {
	for _, n := range p.Told {
		told = append(told, n.Code)
	}
	return told
}

// refused wants a strict request to be told what is wrong, and nothing of what is done
// about it, for nothing is.
func refused(t *testing.T, p claudethinking.Plan, why string) {
	t.Helper()
	first := ""
	if len(p.Told) > 0 {
		first, _, _ = strings.Cut(p.Told[0].Detail, ";")
	}
	assert.Equal(t, first, p.Wrong, why)
}

// What thinking does not go together with gives way, and is told.
func TestOfConflicts(t *testing.T) {
	t.Parallel()
	tool, err := request.NewTool("f", "", `{"type":"object"}`)
	require.NoError(t, err)
	required, named := request.ToolChoice{Mode: request.ToolRequired}, request.ToolChoice{Mode: request.ToolNamed, Name: "f"}
	const clamped, dropped = events.NoticeEffortClamped, events.NoticeParameterDropped
	for _, c := range []struct {
		why         string
		way         claudethinking.Way
		effort      request.Effort
		choice      request.ToolChoice
		temperature *float64
		topP        *float64
		toolless    bool
		member      string
		kept        int // of the two sampling parameters
		told        []events.NoticeCode
	}{
		{why: "a forced call", effort: "high", choice: required, told: []events.NoticeCode{clamped}},
		{why: "a forced call of one tool", effort: "high", choice: named, told: []events.NoticeCode{clamped}},
		{why: "a forced call, with a budget", way: claudethinking.Budget, effort: "low", choice: required, told: []events.NoticeCode{clamped}},
		{why: "a free choice", effort: "high", member: adaptive},
		{why: "no call", effort: "high", choice: request.ToolChoice{Mode: request.ToolNone}, member: adaptive},
		{why: "a choice among no tools", effort: "high", choice: required, toolless: true, member: adaptive},
		{why: "a forced call of a model that is told not to think", effort: "off", choice: required, member: disabled},
		{why: "a forced call beside an effort without thinking", way: claudethinking.Effort, effort: "high", choice: required},
		{why: "a temperature", effort: "high", temperature: new(0.5), member: adaptive, told: []events.NoticeCode{dropped}},
		{why: "the one temperature that goes with it", effort: "high", temperature: new(1.0), member: adaptive, kept: 1},
		{why: "a temperature of a model that does not think", temperature: new(0.5), topP: new(0.1), kept: 2},
		{why: "a temperature of a model that is told not to think", effort: "off", temperature: new(0.5), topP: new(0.1), member: disabled, kept: 2},
		{why: "a temperature beside an effort without thinking", way: claudethinking.Effort, effort: "low", temperature: new(0.0), kept: 1},
		{why: "a temperature where the thinking gave way", effort: "high", choice: required, temperature: new(0.5), kept: 1, told: []events.NoticeCode{clamped}},
		{why: "a top_p", effort: "high", topP: new(0.94), member: adaptive, told: []events.NoticeCode{dropped}},
		{why: "the least top_p that goes with it", effort: "high", topP: new(0.95), member: adaptive, kept: 1},
		{why: "both", effort: "high", temperature: new(0.0), topP: new(0.0), member: adaptive, told: []events.NoticeCode{dropped, dropped}},
	} {
		r := request.Request{Effort: c.effort, ToolChoice: c.choice, Temperature: c.temperature, TopP: c.topP, Tools: []request.Tool{tool}}
		if c.toolless {
			r.Tools = nil
		}
		p := claudethinking.Of(&r, c.way, 8000)
		assert.Equal(t, c.member, p.Member, c.why)
		kept := 0
		for _, v := range []*float64{p.Temperature, p.TopP} {
			if v != nil {
				kept++
			}
		}
		assert.Equal(t, c.kept, kept, c.why)
		assert.Equal(t, c.told, codes(p), c.why)
		refused(t, p, c.why)
	}
}

// A plan writes to no request.
func TestOfLeavesTheRequest(t *testing.T) {
	t.Parallel()
	r := request.Request{Effort: "max", ThinkingBudget: new(1), Temperature: new(0.5), TopP: new(0.5)}
	require.NotEmpty(t, claudethinking.Of(&r, claudethinking.Budget, 2000).Told)
	assert.Equal(t, request.Request{Effort: "max", ThinkingBudget: new(1), Temperature: new(0.5), TopP: new(0.5)}, r)
}
