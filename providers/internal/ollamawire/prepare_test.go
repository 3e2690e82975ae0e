package ollamawire_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/ollamawire"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

// A key of Extra that no family reads is told after what preparing tells, and
// refused where nothing may be left out.
func TestPrepareTellsOfUnreadExtra(t *testing.T) {
	t.Parallel()
	r := request.Request{
		Messages: []request.Message{request.UserText("hi")}, Seed: new(int64(1)),
		Extra: map[string]string{"olama": `{"a":1}`, "chat": `{}`, ollamawire.ExtraKey: `{"b":1}`},
	}
	call, _, err := ollamawire.Prepare(r, "m", request.Spec{Seed: request.No}, ollamawire.Profile{})
	require.NoError(t, err)
	require.Len(t, call.Notices, 2)
	for i, field := range []string{"seed", "extra.olama"} {
		assert.Equal(t, events.NoticeParameterDropped, call.Notices[i].Code)
		assert.True(t, strings.HasPrefix(call.Notices[i].Detail, field), call.Notices[i].Detail)
	}
	assert.Contains(t, string(call.Body), `"b":1`)
	assert.Equal(t, transport.NDJSON, call.Framing)
	r.Strict, r.Seed = true, nil
	_, _, err = ollamawire.Prepare(r, "m", request.Spec{}, ollamawire.Profile{})
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadParameter})
}

// A schema would keep the model from calling tools, so beside tools the answer is
// asked for in words.
func TestPrepareAnswer(t *testing.T) {
	t.Parallel()
	hi := request.Request{Messages: []request.Message{request.UserText("hi")}, Answer: structured(t)}
	for _, c := range []struct {
		why    string
		change func(*request.Request)
		native bool
		fails  bool
	}{
		{"no tools", func(*request.Request) {}, true, false},
		{"tools", func(r *request.Request) { r.Tools = []request.Tool{tool(t, "f")} }, false, false},
		{"tools that are not to be called are not sent", func(r *request.Request) {
			r.Tools, r.ToolChoice.Mode = []request.Tool{tool(t, "f")}, request.ToolNone
		}, true, false},
		{"tools beside a strict answer", func(r *request.Request) {
			r.Tools, r.Answer = []request.Tool{tool(t, "f")}, r.Answer.WithStrict()
		}, false, true},
	} {
		r := hi
		c.change(&r)
		call, _, err := ollamawire.Prepare(r, "m", request.Spec{StructuredAnswer: request.Yes}, ollamawire.Profile{})
		if c.fails {
			assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonSchemaUnsupported}, c.why)
			continue
		}
		require.NoError(t, err, c.why)
		assert.Equal(t, c.native, strings.Contains(string(call.Body), `"format":{`), c.why)
		assert.Equal(t, c.native, len(call.Notices) == 0, c.why)
		assert.Equal(t, !c.native, strings.Contains(string(call.Body), "JSON Schema: "), c.why)
	}
}

func TestPrepareExplainsRefusals(t *testing.T) {
	t.Parallel()
	r := request.Request{Messages: []request.Message{request.UserText("hi")}}
	for _, noKey := range []bool{true, false} {
		call, _, err := ollamawire.Prepare(r, "m", request.Spec{}, ollamawire.Profile{NoKey: noKey})
		require.NoError(t, err)
		f := call.Failure(401, nil, []byte(`{"error":"unauthorized"}`))
		assert.Equal(t, events.ReasonAuth, f.Reason)
		assert.Equal(t, noKey, strings.Contains(f.Detail, "no key is configured"))
		assert.Nil(t, call.Failure(200, nil, []byte(`{}`)))
	}
}

// Where thinking is on or off, an effort between is told to be the one that there is,
// and refused where nothing may be changed; a Spec that knows the levels decides.
func TestPrepareTellsOfEffortsBetween(t *testing.T) {
	t.Parallel()
	levels := []request.Effort{request.EffortLow, request.EffortHigh}
	for _, c := range []struct {
		why     string
		effort  request.Effort
		spec    request.Spec
		profile ollamawire.Profile
		think   string
		told    bool
	}{
		{"on", request.EffortHigh, request.Spec{}, ollamawire.Profile{}, `"think":true`, false},
		{"off", request.EffortOff, request.Spec{}, ollamawire.Profile{}, `"think":false`, false},
		{"less than on", request.EffortLow, request.Spec{}, ollamawire.Profile{}, `"think":true`, true},
		{"more than on", request.EffortMax, request.Spec{}, ollamawire.Profile{}, `"think":true`, true},
		{"a level", request.EffortLow, request.Spec{Efforts: levels}, ollamawire.Profile{ThinkLevels: true}, `"think":"low"`, false},
		{"a Spec that knows of nothing but on", request.EffortOff, request.Spec{Efforts: levels[1:]}, ollamawire.Profile{}, `"think":true`, true},
		{"a level that nobody has listed", request.EffortLow, request.Spec{}, ollamawire.Profile{ThinkLevels: true}, `"think":"low"`, false},
	} {
		r := request.Request{Messages: []request.Message{request.UserText("hi")}, Effort: c.effort}
		call, _, err := ollamawire.Prepare(r, "m", c.spec, c.profile)
		require.NoError(t, err, c.why)
		assert.Contains(t, string(call.Body), c.think, c.why)
		var told []events.NoticeCode
		for _, n := range call.Notices {
			told = append(told, n.Code)
		}
		r.Strict = true
		_, _, err = ollamawire.Prepare(r, "m", c.spec, c.profile)
		if !c.told {
			assert.Empty(t, told, c.why)
			assert.NoError(t, err, c.why)
			continue
		}
		assert.Equal(t, []events.NoticeCode{events.NoticeEffortClamped}, told, c.why)
		assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadParameter}, c.why)
	}
}
