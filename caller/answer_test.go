package caller_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger/memory"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

type invoice struct {
	Number string   `json:"number"`
	Total  float64  `json:"total"`
	Note   string   `json:"note,omitempty"`
	Lines  []string `json:"lines,omitempty"`
}

func TestAs(t *testing.T) {
	t.Parallel()
	model := newScript(says(`{"number":"7","total":12.5,"note":null}`, 10, 5))
	got, result, err := caller.As[invoice](t.Context(), caller.New(model, caller.Config{}), ask("hi"))
	require.NoError(t, err)
	assert.Equal(t, invoice{Number: "7", Total: 12.5}, got)
	assert.JSONEq(t, `{"number":"7","total":12.5}`, result.Answer, "null stands for what may be left out")
	assert.Len(t, result.Attempts, 1)
	assert.False(t, model.seen()[0].Answer.IsZero())

	numbers, _, err := caller.As[[]int](t.Context(), caller.New(newScript(says(`{"value":[1,2]}`, 1, 1)), caller.Config{}), ask("hi"))
	require.NoError(t, err)
	assert.Equal(t, []int{1, 2}, numbers, "what is no object travels in one")
	word, _, err := caller.As[string](t.Context(), caller.New(newScript(says("```json\n{\"value\":\"x\"}\n```", 1, 1)), caller.Config{}), ask("hi"))
	require.NoError(t, err)
	assert.Equal(t, "x", word)
	pointer, _, err := caller.As[*invoice](t.Context(), caller.New(newScript(says(`{"number":"7","total":1}`, 1, 1)), caller.Config{}), ask("hi"))
	require.NoError(t, err)
	assert.Equal(t, "7", pointer.Number)
	_, err = caller.Decode[[]int](result)
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidReply, Reason: events.ReasonAnswerInvalid}, "it was asked for in another form")
	_, result, err = caller.As[chan int](t.Context(), caller.New(model, caller.Config{}), ask("hi"))
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonSchemaUnsupported})
	assert.NotNil(t, result)
	assert.Len(t, model.seen(), 1, "nothing was sent")
}

func TestCorrectiveTurn(t *testing.T) {
	t.Parallel()
	bad := says(`{"number":7,"total":12.5}`, 10, 5)
	good := says(`{"number":"7","total":12.5}`, 10, 5)
	books := memory.New(memory.Options{})
	model := newScript(bad, good)
	got, result, err := caller.As[invoice](t.Context(), caller.New(model, caller.Config{Ledger: books, Prices: prices()}), ask("hi"))
	require.NoError(t, err)
	assert.Equal(t, "7", got.Number)
	require.Len(t, result.Attempts, 2)
	assert.Equal(t, events.Micros(40), result.Cost)
	second := model.seen()[1].Messages
	require.Len(t, second, 3)
	assert.Equal(t, request.RoleAssistant, second[1].Role)
	assert.Equal(t, `{"number":7,"total":12.5}`, second[1].Blocks[0].Text, "its own answer")
	assert.Contains(t, second[2].Blocks[0].Text, "/number", "what was wrong")
	assert.Contains(t, second[2].Blocks[0].Text, model.seen()[0].Answer.Schema(), "the schema")
	assert.Len(t, model.seen()[0].Messages, 1)
	rows := records(t, books)
	assert.Equal(t, charge.OK, rows[0].Status(), "it was served and is paid for")
	assert.Equal(t, events.ReasonAnswerInvalid, rows[0].Settled.FailureReason)
	assert.Empty(t, rows[1].Settled.FailureReason)

	for attempts, want := range map[int]int{0: 2, 1: 1, 2: 2, 4: 4} {
		model := newScript(bad)
		_, result, err := caller.As[invoice](t.Context(), caller.New(model, caller.Config{AnswerAttempts: attempts, MaxRetries: 3}), ask("hi"))
		assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidReply, Reason: events.ReasonAnswerInvalid})
		assert.Len(t, model.seen(), want)
		assert.Empty(t, result.Answer)
		assert.Equal(t, `{"number":7,"total":12.5}`, result.Reply.Text(), "what came is not lost")
		var issue *events.Issue
		require.ErrorAs(t, err, &issue)
		assert.Equal(t, events.IssueSchema, issue.Kind)
	}
}

func TestStreamedAnswer(t *testing.T) {
	t.Parallel()
	answer, err := request.NewAnswer("", `{"type":"object","required":["a"]}`)
	require.NoError(t, err)
	req := ask("hi")
	req.Answer = answer
	for _, tt := range []struct {
		text string
		ok   bool
	}{{`{"a":1}`, true}, {`{"b":1}`, false}, {`not JSON`, false}} {
		model := newScript(says(tt.text, 10, 5))
		call := caller.New(model, caller.Config{Prices: prices()}).Stream(t.Context(), req)
		evs := collect(call.Events())
		result, err := call.Result()
		assert.Len(t, model.seen(), 1, "there is no second turn of a stream")
		assert.Equal(t, events.Micros(20), result.Cost, "it was served")
		assert.Equal(t, charge.Exact, result.Certainty)
		if tt.ok {
			require.NoError(t, err)
			assert.Equal(t, tt.text, result.Answer)
			continue
		}
		assert.ErrorIs(t, evs[len(evs)-1].Err(), &events.Failure{Kind: events.InvalidReply, Reason: events.ReasonAnswerInvalid})
		assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidReply, Reason: events.ReasonAnswerInvalid})
	}
}

// A reply that is no answer yet is a reply.
func TestNoAnswerYet(t *testing.T) {
	t.Parallel()
	ended := func(stop events.Stop, evs ...events.Event) play {
		all := append([]events.Event{started}, evs...)
		return of(append(all, events.NewCompleted(events.Completion{Stop: stop}))...)
	}
	text := events.NewTextDelta(0, `{"number":`)
	for _, tt := range []struct {
		why  string
		play play
	}{
		{"truncated: never repaired", ended(events.StopLength, text)},
		{"refused", ended(events.StopRefusal, events.NewRefusalDelta(0, "no"))},
		{"refused, by another word", ended(events.StopEnd, events.NewRefusalDelta(0, "no"))},
		{"filtered", ended(events.StopContentFilter, text)},
		{"paused", ended(events.StopPause, text)},
	} {
		model := newScript(tt.play)
		_, result, err := caller.As[invoice](t.Context(), caller.New(model, caller.Config{}), ask("hi"))
		assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidReply, Reason: events.ReasonAnswerInvalid}, "%s: As has nothing to return", tt.why)
		assert.Len(t, model.seen(), 1, "%s: asking again is not ours to decide", tt.why)
		assert.Empty(t, result.Answer, tt.why)
		_, err = caller.New(model, caller.Config{}).Generate(t.Context(), model.seen()[0])
		require.NoError(t, err, "%s: Generate returns the reply", tt.why)
	}
}

// A loop with tools asks for its answer from the first turn on.
func TestAnswerInALoop(t *testing.T) {
	t.Parallel()
	answer, err := caller.AnswerFor[invoice]()
	require.NoError(t, err)
	call := events.ToolCall{ID: "1", Name: "find", Arguments: `{"q":"x"}`}
	model := newScript(of(started, events.NewToolCallStarted(0, "1", "find", false), events.NewToolCallCompleted(0, call),
		events.NewCompleted(events.Completion{Stop: events.StopToolUse})), says(`{"number":"7","total":1}`, 1, 1))
	c := caller.New(model, caller.Config{})
	req := ask("hi")
	req.Answer, req.Tools = answer, tools(t)
	result, err := c.Generate(t.Context(), req)
	require.NoError(t, err, "a reply that asks for tools is a reply")
	_, err = caller.Decode[invoice](result)
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidReply, Reason: events.ReasonAnswerInvalid})
	req.Messages = append(req.Messages, result.Reply.Turn(), result.Reply.Answer(func(events.ToolCall) (string, error) { return "found", nil }))
	result, err = c.Generate(t.Context(), req)
	require.NoError(t, err)
	got, err := caller.Decode[invoice](result)
	require.NoError(t, err)
	assert.Equal(t, invoice{Number: "7", Total: 1}, got)
}

// What fits the schema and not the type is asked for again.
func TestAsCorrectsTheType(t *testing.T) {
	t.Parallel()
	type number struct {
		V int64 `json:"v"`
	}
	model := newScript(says(`{"v":1e30}`, 1, 1), says(`{"v":7}`, 1, 1))
	got, result, err := caller.As[number](t.Context(), caller.New(model, caller.Config{}), ask("hi"))
	require.NoError(t, err)
	assert.Equal(t, int64(7), got.V)
	assert.Len(t, result.Attempts, 2)
	model = newScript(says(`{"v":1e30}`, 1, 1))
	got, result, err = caller.As[number](t.Context(), caller.New(model, caller.Config{}), ask("hi"))
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidReply, Reason: events.ReasonAnswerInvalid})
	assert.Zero(t, got)
	assert.Empty(t, result.Answer)
	_, err = caller.Decode[number](nil)
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidReply, Reason: events.ReasonAnswerInvalid})
}

// A corrective turn goes to the model that answered.
func TestCorrectsWhoAnswered(t *testing.T) {
	t.Parallel()
	first := newScript(fails(events.Rejected, events.ReasonQuota, status(429)))
	sealed := events.NewCompleted(events.Completion{Stop: events.StopEnd, Data: events.ProviderData{Format: "x.v1", Origin: "other", Value: "sealed"}})
	second := newScript(of(started, events.NewTextDelta(0, "no JSON"), sealed), says(`{"number":"7","total":1}`, 1, 1))
	second.name = "other:n"
	c := caller.New(first, caller.Config{Fallback: []providersModel{second}, FallbackOn: func(*events.Failure) bool { return true }})
	got, result, err := caller.As[invoice](t.Context(), c, ask("hi"))
	require.NoError(t, err)
	assert.Equal(t, "7", got.Number)
	assert.Len(t, first.seen(), 1)
	assert.Len(t, second.seen(), 2)
	assert.Len(t, result.Attempts, 3)
	assert.Equal(t, "sealed", second.seen()[1].Messages[1].Data.Value, "with the data of its own turn")
}
