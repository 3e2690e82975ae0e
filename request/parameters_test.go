package request_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// with returns a valid request with a change.
func with(change func(*request.Request)) request.Request {
	req := asks()
	change(&req)
	return req
}

func TestParametersRefused(t *testing.T) {
	t.Parallel()
	tool := mustTool(t, "f", `{"type":"object"}`)
	bad := func(why string, reason events.Reason, change func(*request.Request), fields ...string) problemRow {
		return problemRow{why: why, req: with(change), fields: fields, reason: reason}
	}
	parameter := events.ReasonBadParameter
	checkProblems(t, request.Spec{}, []problemRow{
		bad("all at their bounds", "", func(r *request.Request) {
			r.Temperature, r.TopP, r.Seed, r.ThinkingBudget = new(2.0), new(1.0), new(int64(math.MinInt64)), new(5)
			r.MaxOutputTokens, r.Stop, r.Effort = 5, repeat("x", request.MaxStop), request.EffortMax
			r.Extra = map[string]string{"chat": `{"a":{}}`}
			r.Tools, r.ToolChoice, r.Parallel = []request.Tool{tool}, request.ToolChoice{Mode: request.ToolNamed, Name: "f"}, new(false)
		}),
		bad("zero is a value", "", func(r *request.Request) { r.Temperature, r.TopP = new(0.0), new(0.0) }),
		bad("no choice without tools is no contradiction", "", func(r *request.Request) { r.ToolChoice.Mode = request.ToolNone }),
		bad("temperature below", parameter, func(r *request.Request) { r.Temperature = new(-0.1) }, "temperature"),
		bad("temperature above", parameter, func(r *request.Request) { r.Temperature = new(2.1) }, "temperature"),
		bad("temperature no number", parameter, func(r *request.Request) { r.Temperature = new(math.NaN()) }, "temperature"),
		bad("top_p above", parameter, func(r *request.Request) { r.TopP = new(1.01) }, "top_p"),
		bad("top_p infinite", parameter, func(r *request.Request) { r.TopP = new(math.Inf(1)) }, "top_p"),
		bad("a negative cap", parameter, func(r *request.Request) { r.MaxOutputTokens = -1 }, "max_output_tokens"),
		bad("too many stop sequences", parameter, func(r *request.Request) { r.Stop = repeat("x", request.MaxStop+1) }, "stop"),
		bad("an empty stop sequence", parameter, func(r *request.Request) { r.Stop = []string{"x", ""} }, "stop"),
		bad("an unknown effort", parameter, func(r *request.Request) { r.Effort = "ultra" }, "effort"),
		bad("an unknown foreign", parameter, func(r *request.Request) { r.Foreign = "keep" }, "foreign"),
		bad("no thinking budget", parameter, func(r *request.Request) { r.ThinkingBudget = new(0) }, "thinking_budget"),
		bad("a thinking budget above the cap", parameter, func(r *request.Request) { r.ThinkingBudget, r.MaxOutputTokens = new(11), 10 }, "thinking_budget"),
		bad("extra no object", parameter, func(r *request.Request) { r.Extra = map[string]string{"b": "1", "a": "{"} }, "extra.a", "extra.b"),
		bad("extra with half a pair", parameter, func(r *request.Request) { r.Extra = map[string]string{"a": `{"x":"\udc00"}`} }, "extra.a"),
		bad("a tool required of none", parameter, func(r *request.Request) { r.ToolChoice.Mode = request.ToolRequired }, "tool_choice"),
		bad("a tool that is not declared", parameter, func(r *request.Request) {
			r.Tools, r.ToolChoice = []request.Tool{tool}, request.ToolChoice{Mode: request.ToolNamed, Name: "g"}
		}, "tool_choice"),
		bad("a name without its mode", parameter, func(r *request.Request) { r.ToolChoice.Name = "f" }, "tool_choice"),
		bad("an unknown mode", parameter, func(r *request.Request) { r.ToolChoice.Mode = "any" }, "tool_choice"),
		bad("the zero Tool", events.ReasonBadTool, func(r *request.Request) { r.Tools = []request.Tool{{}} }, "tools[0]"),
		bad("two tools of one name", events.ReasonBadTool, func(r *request.Request) { r.Tools = []request.Tool{tool, tool} }, "tools[1]"),
	})
}

func TestTooManyTools(t *testing.T) {
	t.Parallel()
	tools := make([]request.Tool, request.MaxTools+1)
	for i := range tools {
		tools[i] = mustTool(t, "t"+string(rune('a'+i%26))+string(rune('a'+i/26)), `{"type":"object"}`)
	}
	checkProblems(t, request.Spec{}, []problemRow{
		{why: "the most", req: with(func(r *request.Request) { r.Tools = tools[1:] })},
		{why: "one more", req: with(func(r *request.Request) { r.Tools = tools }), fields: []string{"tools"}, reason: events.ReasonBadTool},
	})
}

func TestEveryProblemIsReported(t *testing.T) {
	t.Parallel()
	req := request.Request{
		Messages:        []request.Message{request.Results(request.Result("c", "1"))},
		Tools:           []request.Tool{{}},
		Temperature:     new(9.0),
		MaxOutputTokens: -1,
	}
	problems := req.CheckFor(request.Spec{Tools: request.No})
	var fields []string
	for _, p := range problems {
		fields = append(fields, p.Field)
	}
	assert.Equal(t, []string{"messages[0]", "tools[0]", "tools", "max_output_tokens", "temperature"}, fields)
	f := request.FailureOf(problems)
	requireInvalid(t, f, problems[0].Reason)
	for _, field := range fields {
		assert.Contains(t, f.Detail, field)
	}
}

func TestFailureOf(t *testing.T) {
	t.Parallel()
	assert.Nil(t, request.FailureOf(nil))
	many := repeat(request.Problem{Field: "messages[1]", Reason: events.ReasonBadHistory, Detail: "no result"}, 1000)
	many[0].Reason = events.ReasonBadTool
	f := requireInvalid(t, request.FailureOf(many), events.ReasonBadTool)
	assert.LessOrEqual(t, len(f.Detail), events.MaxDetail)
	assert.Contains(t, f.Detail, " more", "says that there are others")
}

// tuned is a request with every parameter set.
func tuned(tb testing.TB) request.Request {
	return with(func(r *request.Request) {
		r.Temperature, r.TopP, r.Seed = new(0.0), new(0.5), new(int64(7))
		r.Stop, r.Parallel, r.MaxOutputTokens = []string{"x"}, new(false), 100
		r.Effort, r.ThinkingBudget = request.EffortMedium, new(50)
		r.Tools = []request.Tool{mustTool(tb, "f", `{"type":"object"}`)}
		r.ToolChoice = request.ToolChoice{Mode: request.ToolRequired}
	})
}

func TestParametersLeftOut(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why     string
		spec    request.Spec
		without []string
		change  func(*request.Request) // before
		want    func(*request.Request) // the only differences after
		codes   []events.NoticeCode
	}{
		{why: "unknown leaves all"},
		{why: "yes leaves all", spec: request.Spec{
			Tools: request.Yes, ParallelTools: request.Yes, ToolChoice: request.Yes, Thinking: request.Yes, ThinkingBudget: request.Yes,
			Temperature: request.Yes, TopP: request.Yes, StopSequences: request.Yes, Seed: request.Yes, MaxOutput: 100, Efforts: request.Efforts(),
		}},
		{why: "temperature (case 003)", spec: request.Spec{Temperature: request.No}, want: func(r *request.Request) { r.Temperature = nil }, codes: dropped(1)},
		{why: "temperature that was refused before", without: []string{request.FeatureTemperature}, want: func(r *request.Request) { r.Temperature = nil }, codes: dropped(1)},
		{why: "top_p", spec: request.Spec{TopP: request.No}, want: func(r *request.Request) { r.TopP = nil }, codes: dropped(1)},
		{why: "one sampler of two", spec: request.Spec{BothSamplers: request.No}, want: func(r *request.Request) { r.TopP = nil }, codes: dropped(1)},
		{
			why: "one sampler where the other is not taken anyway", spec: request.Spec{BothSamplers: request.No, Temperature: request.No},
			want: func(r *request.Request) { r.Temperature = nil }, codes: dropped(1),
		},
		{why: "seed", spec: request.Spec{Seed: request.No}, want: func(r *request.Request) { r.Seed = nil }, codes: dropped(1)},
		{why: "stop", spec: request.Spec{StopSequences: request.No}, want: func(r *request.Request) { r.Stop = nil }, codes: dropped(1)},
		{why: "parallel", spec: request.Spec{ParallelTools: request.No}, want: func(r *request.Request) { r.Parallel = nil }, codes: dropped(1)},
		{why: "parallel that was refused before", without: []string{request.FeatureParallelTools}, want: func(r *request.Request) { r.Parallel = nil }, codes: dropped(1)},
		{why: "choice", spec: request.Spec{ToolChoice: request.No}, want: func(r *request.Request) { r.ToolChoice = request.ToolChoice{} }, codes: dropped(1)},
		{
			why: "choice of none is kept, exactly, by leaving out the tools", spec: request.Spec{ToolChoice: request.No},
			change: func(r *request.Request) { r.ToolChoice.Mode = request.ToolNone },
			want:   func(r *request.Request) { r.Tools, r.ToolChoice = nil, request.ToolChoice{} },
		},
		{
			why: "no choice, nothing to leave out", spec: request.Spec{ToolChoice: request.No},
			change: func(r *request.Request) { r.ToolChoice = request.ToolChoice{} },
		},
		{
			why: "tools that were refused before", spec: request.Spec{Tools: request.No}, without: []string{request.FeatureTools},
			want:  func(r *request.Request) { r.Tools, r.ToolChoice, r.Parallel = nil, request.ToolChoice{}, nil },
			codes: dropped(1),
		},
		{why: "effort that was refused before", without: []string{request.FeatureEffort}, want: func(r *request.Request) { r.Effort, r.ThinkingBudget = "", nil }, codes: dropped(2)},
		{why: "a budget", spec: request.Spec{ThinkingBudget: request.No}, want: func(r *request.Request) { r.ThinkingBudget = nil }, codes: dropped(1)},
		{
			why: "thinking", spec: request.Spec{Thinking: request.No}, want: func(r *request.Request) { r.Effort, r.ThinkingBudget = "", nil },
			codes: []events.NoticeCode{events.NoticeParameterDropped, events.NoticeEffortClamped},
		},
		{
			why: "off is what a model without thinking does", spec: request.Spec{Thinking: request.No},
			change: func(r *request.Request) { r.Effort, r.ThinkingBudget = request.EffortOff, nil },
			want:   func(r *request.Request) { r.Effort = "" },
		},
		{
			why: "effort upward", spec: request.Spec{Efforts: []request.Effort{request.EffortLow, request.EffortHigh}}, want: func(r *request.Request) { r.Effort = request.EffortHigh },
			codes: []events.NoticeCode{events.NoticeEffortClamped},
		},
		{
			why: "effort downward", spec: request.Spec{Efforts: []request.Effort{request.EffortLow}}, want: func(r *request.Request) { r.Effort = request.EffortLow },
			codes: []events.NoticeCode{events.NoticeEffortClamped},
		},
		{why: "a model that thinks and takes no effort", spec: request.Spec{Efforts: []request.Effort{}}, want: func(r *request.Request) { r.Effort = "" }, codes: dropped(1)},
		{why: "a cap above the model's", spec: request.Spec{MaxOutput: 99}, want: func(r *request.Request) { r.MaxOutputTokens = 99 }, codes: dropped(1)},
		{why: "features that families leave out", without: []string{request.FeatureMaxTokensField, request.FeatureStreamOptions, request.FeatureAnswerSchema}},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			req := tuned(t)
			req.Options.Without = row.without
			if row.change != nil {
				row.change(&req)
			}
			want := req
			if row.want != nil {
				row.want(&want)
			}
			got, err := req.Prepare(request.Target{Spec: row.spec})
			require.NoError(t, err)
			assert.Equal(t, want, got.Request)
			var codes []events.NoticeCode
			for _, n := range got.Notices {
				codes = append(codes, n.Code)
			}
			assert.Equal(t, row.codes, codes)

			req.Strict = true
			_, err = req.Prepare(request.Target{Spec: row.spec})
			assert.Len(t, req.CheckFor(row.spec), len(row.codes))
			if len(row.codes) > 0 {
				requireInvalid(t, err, events.ReasonBadParameter)
			} else {
				require.NoError(t, err)
			}
		})
	}
}

func dropped(n int) []events.NoticeCode { return repeat(events.NoticeParameterDropped, n) }

func TestToolsTheModelDoesNotTake(t *testing.T) {
	t.Parallel()
	checkProblems(t, request.Spec{Tools: request.No}, []problemRow{
		{why: "declared", req: tuned(t), fields: []string{"tools"}, reason: events.ReasonBadParameter},
		{why: "none declared", req: asks()},
	})
}

func TestBlankSystemIsLeftOut(t *testing.T) {
	t.Parallel()
	got, err := with(func(r *request.Request) { r.System = " \n" }).Prepare(request.Target{})
	require.NoError(t, err)
	assert.Empty(t, got.Request.System)
	require.Len(t, got.Notices, 1)
	assert.Equal(t, events.NoticeEmptyBlockDropped, got.Notices[0].Code)
}
