package caller_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/stream"
	"github.com/weirsdk/weir/validator"
)

// What comes before the first content is held back, and comes in order.
func TestHeldBack(t *testing.T) {
	t.Parallel()
	notice := func(n int) (evs []events.Event) {
		for range n {
			evs = append(evs, events.NewNotice(events.NoticeUnknownFrame, "x"))
		}
		return evs
	}
	usage := events.NewUsageUpdated(events.Usage{Input: events.Known(1)})
	overloaded := events.NewFailed(events.NewFailure(events.Overloaded, events.ReasonServer, ""))
	with := func(parts ...[]events.Event) play {
		all := []events.Event{started}
		for _, p := range parts {
			all = append(all, p...)
		}
		return of(all...)
	}
	text := []events.Event{events.NewTextDelta(0, "a"), done(1, 1)}
	for _, tt := range []struct {
		why      string
		first    play
		attempts int
		events   int
	}{
		{"in order", with([]events.Event{usage}, notice(2), text), 1, 6},
		{"dropped with the attempt", with([]events.Event{usage}, notice(14), []events.Event{overloaded}), 2, 4},
		{"no more than sixteen: then it is delivered", with([]events.Event{usage}, notice(15), []events.Event{overloaded}), 1, 18},
		{"a reply without content", with([]events.Event{usage}, []events.Event{done(1, 1)}), 1, 3},
	} {
		synctest.Test(t, func(t *testing.T) {
			model := newScript(tt.first, with(text))
			call := caller.New(model, caller.Config{MaxRetries: 1}).Stream(t.Context(), ask("hi"))
			evs := collect(call.Events())
			assert.Len(t, model.seen(), tt.attempts, tt.why)
			assert.Len(t, evs, tt.events, tt.why)
			v := validator.Validator{}
			for _, ev := range evs {
				require.NoError(t, v.Observe(ev), tt.why)
			}
			_, err := v.Finish()
			require.NoError(t, err, tt.why)
			result, _ := call.Result()
			var fold stream.Reply
			for _, ev := range evs {
				fold.Add(ev)
			}
			assert.Equal(t, fold.Notices(), result.Reply.Notices(), "%s: the result is what was seen", tt.why)
			assert.Equal(t, fold.Usage(), result.Reply.Usage(), tt.why)
		})
	}
}

func TestContentIsNotHeldBack(t *testing.T) {
	t.Parallel()
	c := caller.New(newScript(func(_ context.Context, emit func(events.Event) bool) {
		emit(started)
		emit(events.NewTextDelta(0, "a"))
		t.Log("the first content was handed on before the second was made")
		emit(events.NewTextDelta(0, "b"))
		emit(done(1, 1))
	}), caller.Config{})
	var seen string
	for ev := range c.Stream(t.Context(), ask("hi")).Events() {
		seen += ev.Text
	}
	assert.Equal(t, "ab", seen)
}

func TestText(t *testing.T) {
	t.Parallel()
	call := caller.New(newScript(says("hello", 1, 1)), caller.Config{}).Stream(t.Context(), ask("hi"))
	got := ""
	for text, err := range call.Text() {
		require.NoError(t, err)
		got += text
	}
	assert.Equal(t, "hello", got)
	result, err := call.Result()
	require.NoError(t, err)
	assert.Equal(t, "hello", result.Reply.Text())

	call = caller.New(newScript(brokenLate()), caller.Config{}).Stream(t.Context(), ask("hi"))
	var last error
	for _, err := range call.Text() {
		last = err
	}
	var u *caller.Unavailable
	assert.ErrorAs(t, last, &u, "the error comes last")
}

// Calls of undeclared tools are refused, or reported, as the policy says.
func TestToolPolicy(t *testing.T) {
	t.Parallel()
	call := events.ToolCall{ID: "1", Name: "unknown", Arguments: "{}"}
	calls := of(started, events.NewToolCallStarted(0, "1", "unknown", false), events.NewToolCallCompleted(0, call),
		events.NewCompleted(events.Completion{Stop: events.StopToolUse}))
	req := ask("hi")
	req.Tools = tools(t)
	_, err := caller.New(newScript(calls), caller.Config{}).Generate(t.Context(), req)
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidReply, Reason: events.ReasonBadToolArguments})
	result, err := caller.New(newScript(calls), caller.Config{ToolPolicy: validator.Report}).Generate(t.Context(), req)
	require.NoError(t, err)
	assert.Len(t, result.Reply.InvalidCalls(), 1)
	assert.False(t, result.Reply.Executable())
}

func TestGrammarLimits(t *testing.T) {
	t.Parallel()
	_, err := caller.New(newScript(says("hello", 1, 1)), caller.Config{Grammar: validator.Limits{TextBytes: 2}}).Generate(t.Context(), ask("hi"))
	var v *validator.Violation
	assert.ErrorAs(t, err, &v)
}
