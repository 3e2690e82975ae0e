package messageswire_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/messageswire"
	"github.com/weirsdk/weir/request"
)

// A key of Extra that no family reads is told after what preparing tells, and
// refused where nothing may be left out.
func TestPrepareTellsOfUnreadExtra(t *testing.T) {
	t.Parallel()
	r := ask(request.UserText("hi"))
	r.Seed = new(int64(1))
	r.Extra = map[string]string{"mesages": `{"a":1}`, "chat": `{}`, messageswire.ExtraKey: `{"b":1}`}
	call, _, err := messageswire.Prepare(r, "m", request.Spec{Seed: request.No}, anthropic())
	require.NoError(t, err)
	require.Len(t, call.Notices, 2)
	for i, field := range []string{"seed", "extra.mesages"} {
		assert.Equal(t, events.NoticeParameterDropped, call.Notices[i].Code)
		assert.True(t, strings.HasPrefix(call.Notices[i].Detail, field), call.Notices[i].Detail)
	}
	assert.Contains(t, string(call.Body), `"b":1`)
	r.Strict, r.Seed = true, nil
	_, _, err = messageswire.Prepare(r, "m", request.Spec{}, anthropic())
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadParameter})
}

// What the subset cannot express is told, refused of a strict answer, and asked for
// in words where nothing else is left.
func TestPrepareAnswer(t *testing.T) {
	t.Parallel()
	r := ask(request.UserText("hi"))
	r.Answer = answer(t)
	prepare := func(spec request.Spec) (string, []events.NoticeInfo, error) {
		call, _, err := messageswire.Prepare(r, "m", spec, messageswire.Profile{})
		return string(call.Body), call.Notices, err
	}
	body, notices, err := prepare(request.Spec{})
	require.NoError(t, err)
	assert.Contains(t, body, `"output_config":{"format":{"type":"json_schema","schema":{"type":"object"`)
	require.Len(t, notices, 1)
	assert.Equal(t, events.NoticeSchemaLossy, notices[0].Code)

	body, notices, err = prepare(request.Spec{StructuredAnswer: request.No})
	require.NoError(t, err)
	assert.NotContains(t, body, "output_config")
	assert.Contains(t, body, `"system":"Answer with one JSON object`)
	require.Len(t, notices, 1)
	assert.Equal(t, events.NoticeParameterDropped, notices[0].Code)

	r.Answer = r.Answer.WithStrict()
	body, _, err = prepare(request.Spec{})
	assert.Empty(t, body)
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonSchemaUnsupported})

	r.Answer, err = request.NewAnswer("", `{"type":"object","properties":{"next":{"$ref":"#"}}}`)
	require.NoError(t, err)
	body, notices, err = prepare(request.Spec{StructuredAnswer: request.Yes})
	require.NoError(t, err)
	assert.NotContains(t, body, "output_config")
	assert.Contains(t, body, `"system":"Answer with one JSON object`, "a schema that contains itself has no form there")
	assert.Len(t, notices, 2)
}

func TestPrepareExplainsRefusals(t *testing.T) {
	t.Parallel()
	for _, noKey := range []bool{true, false} {
		call, _, err := messageswire.Prepare(ask(request.UserText("hi")), "m", request.Spec{}, messageswire.Profile{NoKey: noKey})
		require.NoError(t, err)
		f := call.Failure(401, nil, nil)
		assert.Equal(t, events.ReasonAuth, f.Reason)
		assert.Equal(t, noKey, strings.Contains(f.Detail, "no key is configured"))
		assert.Nil(t, call.Failure(200, nil, []byte(`{}`)))
	}
}

// Arguments that end early in a reply of exactly as many tokens as were allowed:
// the failure says what that looks like. The wire has always a limit.
func TestArgumentsCutByTheOutputLimit(t *testing.T) {
	t.Parallel()
	const (
		start = `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"f","input":{}}}`
		input = `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"n\":"}}`
		stop  = `{"type":"content_block_stop","index":0}`
	)
	for _, c := range []struct {
		why           string
		limit, output int
		want          bool
	}{
		{"the whole limit was used", 300, 300, true},
		{"less was used", 300, 299, false},
		{"the default was used", 0, messageswire.DefaultMaxTokens, true},
	} {
		p := request.Prepared{Request: request.Request{MaxOutputTokens: c.limit}, FirstMinted: 1}
		end := fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":%d}}`, c.output)
		f, ok := terminal(t, play(t, answered([]byte(body(messageStart, start, input, stop, end, messageStop))), p)).Failure()
		require.True(t, ok, c.why)
		assert.Equal(t, events.ReasonBadToolArguments, f.Reason, c.why)
		assert.Equal(t, c.want, strings.Contains(f.Detail, "cut by the output limit"), "%s: %s", c.why, f.Detail)
	}
}

// Data that is within the bound as it comes, and grows past it when it is quoted.
func TestKeptDataIsBoundedAsItIsSent(t *testing.T) {
	t.Parallel()
	const (
		start = `{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}`
		stop  = `{"type":"content_block_stop","index":0}`
	)
	signature := func(n int) string {
		return `{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"` + strings.Repeat(`\u0001`, n) + `"}}`
	}
	const escaped = len(`\u0001`)
	fits := messageswire.MaxData/escaped - 100
	assert.Equal(t, events.Completed, terminal(t, playBody(t, body(messageStart, start, signature(fits), stop, stopDelta, messageStop))).Kind)
	f, ok := terminal(t, playBody(t, body(messageStart, start, signature(fits+100), stop, stopDelta, messageStop))).Failure()
	require.True(t, ok)
	assert.Equal(t, events.InvalidReply, f.Kind)
	assert.Equal(t, events.ReasonTooLarge, f.Reason)
}
