package stream_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// runner returns a run that notes the ids of the calls and fails for one of them.
func runner(ran *[]string, fails string) func(events.ToolCall) (string, error) {
	return func(c events.ToolCall) (string, error) {
		*ran = append(*ran, c.ID)
		if c.ID == fails {
			return "half a result", errors.New("no such city")
		}
		return "did " + c.Arguments, nil
	}
}

func TestAnswer(t *testing.T) {
	t.Parallel()
	script := []events.Event{
		started(), text(0, "I look."),
		callStart(1, "a"), callStart(2, "b"), callStart(3, "c"), callStart(4, "d"), callStart(5, "e"),
		callDone(3, "c", `{"n":3}`), callBad(2, "b", `{"n":`, events.IssueTruncated), callDone(1, "a", `{"n":1}`),
		callBad(4, "d", `{"n":4}`, events.IssueUnknownTool), completed(events.StopToolUse),
	}
	r := fold(script...)
	var ran []string
	turn := r.Answer(runner(&ran, "a"))
	assert.Equal(t, []string{"a", "c"}, ran, "executable calls only, in order; an error does not stop the next")
	assert.Equal(t, request.Results(
		request.ResultError("a", "no such city"),
		request.ResultError("b", "tool call invalid: truncated: why"),
		request.Result("c", `did {"n":3}`),
		request.ResultError("d", "tool call invalid: unknown_tool: why"),
	), turn, "every call of the turn, in its order; the open one is not of it")

	req := request.Request{Messages: []request.Message{request.UserText("q"), r.Turn(), turn}}
	assert.Empty(t, req.CheckFor(request.Spec{}), "a history that is accepted")
	req.Messages = req.Messages[:2]
	assert.NotEmpty(t, req.CheckFor(request.Spec{}), "and would not be without it")
}

func TestAnswerRunsNothingOfOtherReplies(t *testing.T) {
	t.Parallel()
	calls := []events.Event{started(), callStart(0, "a"), callDone(0, "a", "{}"), callStart(1, "b"), callBad(1, "b", "{", events.IssueTruncated)}
	for name, end := range map[string][]events.Event{
		"cut":         {completed(events.StopLength)},
		"paused":      {completed(events.StopPause)},
		"filtered":    {completed(events.StopContentFilter)},
		"end":         {completed(events.StopEnd)},
		"failed":      {failed(events.Overloaded, "")},
		"in progress": nil,
	} {
		var ran []string
		turn := fold(append(append([]events.Event{}, calls...), end...)...).Answer(runner(&ran, ""))
		assert.Empty(t, ran, name)
		assert.Equal(t, request.Results(), turn, name)
	}
}

func TestAnswerLeavesAPanicAlone(t *testing.T) {
	t.Parallel()
	r := fold(callDone(0, "a", "{}"), completed(events.StopToolUse))
	assert.PanicsWithValue(t, "tool", func() { r.Answer(func(events.ToolCall) (string, error) { panic("tool") }) })
}

// TestAnswerMatchesTheTurn: whatever came, each call of the turn has one result,
// and what ran are the executable calls.
func TestAnswerMatchesTheTurn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		script := append(anyScript().Draw(t, "script"), completed(events.StopToolUse))
		r := fold(script...)
		var ran []events.ToolCall
		answer := r.Answer(func(c events.ToolCall) (string, error) {
			ran = append(ran, c)
			return "", nil
		})
		assert.Equal(t, r.ToolCalls(), ran)
		var want, got []string
		for _, b := range r.Turn().Blocks {
			if b.Kind == request.BlockToolCall {
				want = append(want, b.Call.ID)
			}
		}
		failed := 0
		for _, b := range answer.Blocks {
			require.Equal(t, request.BlockToolResult, b.Kind)
			got = append(got, b.Result.CallID)
			if b.Result.IsError {
				failed++
			}
		}
		assert.Equal(t, want, got)
		assert.Equal(t, len(got)-len(ran), failed)
		if r.Outcome() != stream.OutcomeToolRequest {
			assert.Empty(t, got)
		}
	})
}
