package responseswire_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/responseswire"
	"github.com/weirsdk/weir/request"
)

// An id of another provider that is too long for the wire is spelled shorter, the same
// in the call and in its result.
func TestLongIDs(t *testing.T) {
	t.Parallel()
	long, fits := strings.Repeat("x", 65), strings.Repeat("é", 32)
	r := ask(request.UserText("hi"))
	r.Messages = append(r.Messages,
		request.Assistant(
			request.Call(events.ToolCall{ID: long, Name: "f", Arguments: "{}"}),
			request.Call(events.ToolCall{ID: fits, Name: "f", Arguments: "{}"}),
		),
		request.Results(request.Result(long, "1"), request.Result(fits, "2")))
	call, _, err := responseswire.Prepare(r, "m", request.Spec{}, openai())
	require.NoError(t, err)
	body := string(call.Body)
	assert.NotContains(t, body, long)
	assert.Equal(t, 2, strings.Count(body, `"call_id":"`+fits+`"`))
	ids := strings.Split(body, `"call_id":"xxx`)
	require.Len(t, ids, 3, body)
	first, _, _ := strings.Cut(ids[1], `"`)
	second, _, _ := strings.Cut(ids[2], `"`)
	assert.Equal(t, first, second)
	assert.Len(t, "xxx"+first, 64)
}

// A budget beside effort off bounds nothing, and is told of.
func TestBudgetBesideOff(t *testing.T) {
	t.Parallel()
	profile := openai()
	profile.ReasoningBudget = true
	r := ask(request.UserText("hi"))
	r.Effort, r.ThinkingBudget = request.EffortOff, new(2000)
	call, _, err := responseswire.Prepare(r, "m", request.Spec{}, profile)
	require.NoError(t, err)
	assert.Contains(t, string(call.Body), `"reasoning":{"effort":"none"}`)
	require.Len(t, call.Notices, 1)
	assert.Contains(t, call.Notices[0].Detail, "thinking_budget:")
	r.Strict = true
	_, _, err = responseswire.Prepare(r, "m", request.Spec{}, profile)
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadParameter})

	call, _, err = responseswire.Prepare(ask(request.UserText("hi")), "m", request.Spec{}, profile)
	require.NoError(t, err)
	assert.Empty(t, call.Notices)
}
