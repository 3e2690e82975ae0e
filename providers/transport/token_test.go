package transport_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/transport"
)

func gives(token providers.Secret, err error) providers.TokenSource {
	return func(context.Context) (providers.Secret, error) { return token, err }
}

func TestToken(t *testing.T) {
	t.Parallel()
	token, err := transport.Token(t.Context(), "acme", gives("t-1", nil))
	require.NoError(t, err)
	assert.Equal(t, providers.Secret("t-1"), token)

	own := errors.New("Post https://login.test?client_secret=canary: refused")
	busy := events.NewFailure(events.Unreachable, events.ReasonConnect, "the token endpoint is away")
	for _, tt := range []struct {
		why    string
		source providers.TokenSource
		kind   events.FailureKind
		reason events.Reason
	}{
		{"any error", gives("t", own), events.Rejected, events.ReasonAuth},
		{"a failure says itself what it is", gives("", busy), events.Unreachable, events.ReasonConnect},
		{"an empty token", gives("", nil), events.Rejected, events.ReasonAuth},
		{"a token that no header can hold", gives("t\n", nil), events.InvalidRequest, events.ReasonBadConfig},
		{"a panic", func(context.Context) (providers.Secret, error) { panic("canary") }, events.Crashed, ""},
	} {
		token, err := transport.Token(t.Context(), "acme", tt.source)
		f, ok := events.AsFailure(err)
		require.True(t, ok, tt.why)
		assert.Equal(t, tt.kind, f.Kind, tt.why)
		assert.Equal(t, tt.reason, f.Reason, tt.why)
		assert.Equal(t, events.NotSent, f.Sent, tt.why)
		assert.Equal(t, "acme", f.Provider, tt.why)
		assert.NotContains(t, f.Error(), "canary", tt.why)
		assert.NotContains(t, f.Error(), "login.test", "%s: nothing of an address, which may hold more", tt.why)
		if tt.kind != events.InvalidRequest {
			assert.Empty(t, token, tt.why)
		}
	}
	_, err = transport.Token(t.Context(), "acme", gives("", own))
	assert.ErrorIs(t, err, own, "it stays reachable")
	assert.Empty(t, busy.Provider, "the source's own failure is not written to")
}

// A source waits under the clocks and the context of the call, and what ends them is
// the failure, whatever it makes of that.
func TestTokenInTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := func(ctx context.Context) (providers.Secret, error) {
			<-ctx.Done()
			return "", errors.New("gave up")
		}
		begin := time.Now()
		ctx := cancel.WithClocks(t.Context(), cancel.Clocks{FirstToken: 7 * time.Second})
		_, err := transport.Token(ctx, "acme", slow)
		f, _ := events.AsFailure(err)
		assert.Equal(t, events.TimedOut, f.Kind)
		assert.Equal(t, events.NotSent, f.Sent)
		assert.Equal(t, 7*time.Second, time.Since(begin))
	})
	ctx, stop := context.WithCancel(t.Context())
	stop()
	asked := false
	_, err := transport.Token(ctx, "acme", func(context.Context) (providers.Secret, error) { asked = true; return "t", nil })
	f, _ := events.AsFailure(err)
	assert.Equal(t, events.Cancelled, f.Kind)
	assert.False(t, asked)
}
