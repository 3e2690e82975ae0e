package caller_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger/memory"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/stream"
)

func TestGenerate(t *testing.T) {
	t.Parallel()
	books := memory.New(memory.Options{})
	c := caller.New(newScript(says("hello", 10, 5)), caller.Config{Prices: prices(), Ledger: books})
	result, err := c.Generate(t.Context(), ask("hi"))
	require.NoError(t, err)
	assert.Equal(t, "hello", result.Reply.Text())
	assert.True(t, result.Reply.Done())
	assert.Equal(t, events.Micros(20), result.Cost)
	assert.Equal(t, charge.Exact, result.Certainty)
	assert.Equal(t, charge.Exact, result.CostCertainty)
	assert.Equal(t, charge.OK, result.Status)
	assert.Equal(t, "test:m", result.Model())
	assert.Positive(t, result.TimeToFirstContent)
	booked := records(t, books)
	require.Len(t, booked, 1)
	assert.Equal(t, result.Attempts[0].Settlement, booked[0].Settled)
	assert.Equal(t, "m", booked[0].Settled.Answered)
	assert.Equal(t, "test", booked[0].Provider)
}

func TestStream(t *testing.T) {
	t.Parallel()
	model := newScript(says("hello", 10, 5))
	c := caller.New(model, caller.Config{Prices: prices()})
	call := c.Stream(t.Context(), ask("hi"))
	result, err := call.Result()
	assert.Empty(t, result.Attempts, "the loop has not begun")
	assert.Equal(t, stream.OutcomeInProgress, result.Reply.Outcome())
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest})
	assert.Empty(t, model.seen(), "nothing is sent before it is ranged")

	evs := collect(call.Events())
	assert.Equal(t, []events.Kind{events.Started, events.TextDelta, events.Completed}, kinds(evs))
	result, err = call.Result()
	require.NoError(t, err)
	assert.Equal(t, "hello", result.Reply.Text())
	assert.Equal(t, events.Micros(20), result.Cost)

	again := collect(call.Events())
	require.Len(t, again, 2)
	assert.ErrorIs(t, again[1].Err(), &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonStreamUsed})
	assert.Len(t, model.seen(), 1)
	after, err := call.Result()
	require.NoError(t, err, "a second range changes nothing of the result")
	assert.Same(t, result, after)
}

// What a model can do besides streams is reached through the caller.
func TestModel(t *testing.T) {
	t.Parallel()
	type model struct{ providers.Model }
	first := &model{}
	c := caller.New(first, caller.Config{Fallback: []providers.Model{&model{}}})
	assert.Same(t, first, c.Model())
}
