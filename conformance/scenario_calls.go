package conformance

import "github.com/weirsdk/weir/events"

func toolUse() []events.Stop { return []events.Stop{events.StopToolUse} }

// calls are the scenarios of replies that call tools. The ids are call_1 and
// call_2; a wire without ids leaves them out.
func calls() []Scenario {
	weather := call("call_1", "weather", paris)
	both := []events.ToolCall{weather, call("call_2", "weather", rome)}
	return []Scenario{
		{
			Name: "tool-call", Says: `the call call_1 of the tool weather with {"city":"Paris"}, its arguments in several pieces where the wire has pieces`,
			Clauses: []string{m08, m19}, ask: askTools,
			want: want{
				calls: []events.ToolCall{weather}, stops: toolUse(),
				sent: []string{"weather", "The weather of a place.", "city", "clock", "record", bigNumber},
			},
		},
		{
			Name: "text-and-tool-call", Says: `the text "Let me look.", then the call call_1 of weather with {"city":"Paris"}`,
			Clauses: []string{m08, m17}, ask: askTools,
			want: want{
				text: "Let me look.", calls: []events.ToolCall{weather}, stops: toolUse(),
				order: []events.Kind{events.TextDelta, events.ToolCallStarted},
			},
		},
		{
			Name: "tool-call-no-arguments", Says: "the call call_1 of the tool clock, which has no arguments, with whatever the provider sends for none",
			Clauses: []string{m08}, ask: askTools,
			want: want{calls: []events.ToolCall{call("call_1", "clock", "{}")}, stops: toolUse()},
		},
		{
			Name: "parallel-calls", Says: `the calls call_1 of weather with {"city":"Paris"} and call_2 of weather with {"city":"Rome"}, one after the other`,
			Clauses: []string{m08}, ask: askTools,
			want: want{calls: both, stops: toolUse()},
		},
		{
			Name: "parallel-calls-interleaved", Says: "the calls of parallel-calls, the pieces of their arguments in turns",
			Clauses: []string{m08}, ask: askTools,
			want: want{calls: both, stops: toolUse()},
		},
		{
			Name: "exact-arguments", Says: "the call call_1 of the tool notes.record, which is sent as notes_record where a wire takes no dots, with these arguments, byte for byte: " + exact,
			Clauses: []string{m08, m19}, ask: askTools,
			want: want{calls: []events.ToolCall{call("call_1", recordTool, exact)}, stops: toolUse()},
		},
		{
			Name: "length-in-arguments", Says: `the call call_1 of weather, cut by the output limit inside its arguments: {"city":"Par`,
			Clauses: []string{m08}, ask: askTools,
			want: want{invalid: 1, stops: []events.Stop{events.StopLength}},
		},
		{
			Name: "length-after-arguments", Says: `the call call_1 of weather with {"city":"Paris"}, whole, and then the output limit`,
			Clauses: []string{m08, m17}, ask: askTools, want: want{cut: true, stops: []events.Stop{events.StopLength}},
		},
		{
			Name: "broken-arguments", Says: `the call call_1 of weather with the arguments {"city": and nothing more, although the provider says that it ends with a call`,
			Clauses: []string{m08}, ask: askTools,
			want: want{
				invalid:  1,
				failures: []failed{{events.InvalidReply, []events.Reason{events.ReasonBadToolArguments}}},
			},
		},
		{
			Name: "no-call", Says: "the provider says that the reply ends with a tool call, and there is none",
			Clauses: []string{m17}, ask: askTools,
			want: want{failures: []failed{{events.InvalidReply, []events.Reason{events.ReasonBadToolCall, events.ReasonMalformed}}}},
		},
	}
}
