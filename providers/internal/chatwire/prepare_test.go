package chatwire_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/chatwire"
	"github.com/weirsdk/weir/request"
)

// A key of Extra that no family reads is told after what preparing tells, and
// refused where nothing may be left out.
func TestPrepareTellsOfUnreadExtra(t *testing.T) {
	t.Parallel()
	r := request.Request{
		Messages: []request.Message{request.UserText("hi")}, ThinkingBudget: new(100),
		Extra: map[string]string{"chta": `{"a":1}`, "messages": `{}`, chatwire.ExtraKey: `{"b":1}`},
	}
	call, _, err := chatwire.Prepare(r, "m", request.Spec{}, chatwire.Profile{})
	require.NoError(t, err)
	require.Len(t, call.Notices, 2)
	for i, field := range []string{"thinking_budget", "extra.chta"} {
		assert.Equal(t, events.NoticeParameterDropped, call.Notices[i].Code)
		assert.True(t, strings.HasPrefix(call.Notices[i].Detail, field), call.Notices[i].Detail)
	}
	assert.Contains(t, string(call.Body), `"b":1`)
	r.Strict, r.ThinkingBudget = true, nil
	_, _, err = chatwire.Prepare(r, "m", request.Spec{}, chatwire.Profile{})
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadParameter})
}

func TestPrepareExplainsRefusals(t *testing.T) {
	t.Parallel()
	r := request.Request{Messages: []request.Message{request.UserText("hi")}}
	for _, noKey := range []bool{true, false} {
		call, _, err := chatwire.Prepare(r, "m", request.Spec{}, chatwire.Profile{NoKey: noKey})
		require.NoError(t, err)
		f := call.Failure(401, nil, nil)
		assert.Equal(t, events.ReasonAuth, f.Reason)
		assert.Equal(t, noKey, strings.Contains(f.Detail, "no key is configured"))
		assert.Nil(t, call.Failure(200, nil, []byte(`{}`)))
	}
}

func TestURLFor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ why, base, want string }{
		{"a base", "https://a.test/v1", "https://a.test/v1/chat/completions"},
		{"slashes at its end", "https://a.test/v1//", "https://a.test/v1/chat/completions"},
		{"a host alone", "https://a.test", "https://a.test/chat/completions"},
		{"the whole address", "https://a.test/v1/chat/completions", ""},
		{"the whole address and a slash", "https://a.test/v1/chat/completions/", ""},
		{"the path as a part", "https://a.test/chat/completions/proxy", "https://a.test/chat/completions/proxy/chat/completions"},
		{"a key over plain http", "http://a.test/v1", ""},
	} {
		got, err := chatwire.URLFor("a", c.base, true)
		assert.Equal(t, c.want, got, c.why)
		if c.want == "" {
			f, ok := events.AsFailure(err)
			require.True(t, ok, c.why)
			assert.Equal(t, events.Failure{
				Kind: events.InvalidRequest, Reason: events.ReasonBadConfig, Sent: events.NotSent, Provider: "a", Detail: f.Detail,
			}, *f, c.why)
		}
	}
}
