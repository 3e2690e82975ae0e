package caller_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/anthropic"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// Bug case 028, strict-mode-optional-properties: what strict mode makes of a property
// that may be left out is undone in the answer.
func TestBugStrictAnswer(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../request/schema/testdata/cases/028-strict-mode-optional-properties/schema.in.json")
	require.NoError(t, err)
	answer, err := request.NewAnswer("", string(text))
	require.NoError(t, err)
	req := hello()
	req.Answer = answer
	rt := &cannedTransport{exchanges: []cannedExchange{sseAnswer(chatText(`{\"a\":\"\",\"o\":null,\"rows\":[]}`) + chatEnd)}}
	result, err := bugCaller(t, "openai", rt, nil).Generate(t.Context(), req)
	require.NoError(t, err)
	assert.JSONEq(t, `{"a":"","rows":[]}`, result.Answer)
	require.Len(t, rt.bodies(), 1, "no corrective turn")
	assert.Contains(t, string(rt.bodies()[0]), `"required":["a","o","rows"]`)
	assert.Equal(t, string(text), req.Answer.Schema(), "the declared schema is as it was")
}

// Bug case 045, structured-truncated: a typed answer that was cut is none, and is
// neither repaired nor asked for again.
func TestBugTruncatedAnswer(t *testing.T) {
	t.Parallel()
	type list struct {
		T string `json:"t"`
		L []int  `json:"l"`
	}
	for _, c := range loadBugs(t, "../providers/*/testdata/cases/045-*/case.json") {
		require.NotNil(t, c.Expected.Structured)
		rt := &cannedTransport{exchanges: c.Exchanges}
		value, result, err := caller.As[list](t.Context(), bugCaller(t, "openai", rt, nil), hello())
		require.ErrorIs(t, err, &events.Failure{Kind: events.InvalidReply, Reason: events.ReasonAnswerInvalid})
		assert.Zero(t, value)
		assert.Equal(t, stream.OutcomeTruncated, result.Reply.Outcome())
		assert.Equal(t, micros(*c.Expected.Charge.NanoUSD), result.Cost)
		assert.Len(t, rt.requests(), 1)
	}
}

// Bug case 129, two-retry-layers: a caller around a caller makes no more requests than
// one, and says when to come back.
func TestBugTwoRetryLayers(t *testing.T) {
	t.Parallel()
	for _, c := range loadBugs(t, "../providers/*/testdata/cases/129-*/case.json") {
		synctest.Test(t, func(t *testing.T) {
			rt := &cannedTransport{exchanges: c.Exchanges}
			inner := bugCaller(t, "openai", rt, nil)
			_, err := inner.Generate(t.Context(), hello())
			var u *caller.Unavailable
			require.ErrorAs(t, err, &u)
			assert.Equal(t, 3, u.Attempts)
			assert.Equal(t, ms(c.Expected.Terminal.RetryAfterMS), u.Last.RetryAfter)

			rt = &cannedTransport{exchanges: c.Exchanges}
			outer := caller.New(layered{bugModel(t, "openai", "std-1", rt), bugCaller(t, "openai", rt, nil)}, caller.Config{MaxRetries: 2})
			result, err := outer.Generate(t.Context(), hello())
			require.ErrorIs(t, err, &events.Failure{Kind: events.RateLimited})
			assert.Len(t, rt.requests(), 3, "three and not nine")
			assert.Len(t, result.Attempts, 3)
		})
	}
}

// Bug case 124, key-not-in-errors, of the providers that are here: neither a failure to
// connect nor a body that repeats the key tells it.
func TestBugKeyIsNotTold(t *testing.T) {
	t.Parallel()
	const key = "KEY-SECRET-123456"
	for _, x := range []cannedExchange{
		jsonAnswer(401, `{"error":{"message":"bad key `+key+`","type":"`+key+`"}}`),
		sseAnswer(chatText("x") + "data: {\"error\":{\"message\":\"" + key + "\"}}\n\n"),
		{},
	} {
		rt := &cannedTransport{exchanges: []cannedExchange{x}}
		model, err := anthropic.New(anthropic.Config{Key: key, Model: "std-1", HTTPClient: &http.Client{Transport: rt}})
		require.NoError(t, err)
		result, err := caller.New(model, caller.Config{}).Generate(t.Context(), hello())
		require.Error(t, err)
		for e := err; e != nil; e = errors.Unwrap(e) {
			assert.NotContains(t, e.Error(), key)
			assert.NotContains(t, fmt.Sprintf("%+v %#v", e, e), key)
		}
		assert.NotContains(t, fmt.Sprintf("%+v", result.Attempts), key)
	}
}

// layered is a model whose stream is another caller's.
type layered struct {
	providers.Model

	inner *caller.Caller
}

func (l layered) Stream(ctx context.Context, req request.Request) stream.Stream {
	return l.inner.Stream(ctx, req).Events()
}
