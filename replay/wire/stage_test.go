package wire_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptrace"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/replay/wire"
)

// hooks returns a context whose hooks note their names.
func hooks(ctx context.Context, fired *[]string) context.Context {
	note := func(name string) { *fired = append(*fired, name) }
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { note("GetConn") },
		GotConn: func(info httptrace.GotConnInfo) {
			note("GotConn " + info.Conn.RemoteAddr().Network()) // as tracers do
		},
		WroteHeaders:         func() { note("WroteHeaders") },
		WroteRequest:         func(httptrace.WroteRequestInfo) { note("WroteRequest") },
		GotFirstResponseByte: func() { note("GotFirstResponseByte") },
	})
}

// reaching is a base that fires hooks up to a stage and fails.
func reaching(n int) roundTrip {
	return func(r *http.Request) (*http.Response, error) {
		trace := httptrace.ContextClientTrace(r.Context())
		for i, hook := range []func(){
			func() { trace.GetConn("host") },
			func() { trace.GotConn(httptrace.GotConnInfo{Conn: pipe{}}) },
			trace.WroteHeaders,
			func() { trace.WroteRequest(httptrace.WroteRequestInfo{}) },
			trace.GotFirstResponseByte,
		} {
			if i < n {
				hook()
			}
		}
		return nil, errors.New("stopped")
	}
}

// TestHooksOfAFailure: the hooks that fired fire again, and no other. Recording
// leaves those of the one who asks alone.
func TestHooksOfAFailure(t *testing.T) {
	t.Parallel()
	all := []string{"GetConn", "GotConn pipe", "WroteHeaders", "WroteRequest", "GotFirstResponseByte"}
	for n := range len(all) + 1 {
		dir := t.TempDir()
		var live, played []string
		_, err := recorder(dir, reaching(n)).RoundTrip(post("{}").WithContext(hooks(t.Context(), &live)))
		require.Error(t, err)
		assert.Equal(t, all[:n], append([]string{}, live...))
		_, again := (&wire.Transport{Dir: dir}).RoundTrip(post("{}").WithContext(hooks(t.Context(), &played)))
		assert.EqualError(t, again, err.Error())
		assert.Equal(t, live, played)
	}
}

// TestStageNeverFallsBack: a connection that is had again after a retry does not make
// a request less sent.
func TestStageNeverFallsBack(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := recorder(dir, roundTrip(func(r *http.Request) (*http.Response, error) {
		trace := httptrace.ContextClientTrace(r.Context())
		trace.WroteHeaders()
		trace.GetConn("host")
		return nil, errBroke
	})).RoundTrip(post("{}"))
	require.Equal(t, errBroke, err)
	for _, head := range heads(t, dir) {
		assert.Equal(t, "headers", head["failure"].(map[string]any)["stage"])
	}
}

// TestHooksOfAnAnswer: all fire; of a miss and of a dead context the first only.
func TestHooksOfAnAnswer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	drain(t, recorder(dir, &script{reads: []string{"a"}}), post("{}"))
	rt := &wire.Transport{Dir: dir}
	var fired []string
	drain(t, rt, post("{}").WithContext(hooks(t.Context(), &fired)))
	assert.Len(t, fired, 5)

	fired = nil
	_, err := rt.RoundTrip(post("{}").WithContext(hooks(t.Context(), &fired)))
	require.ErrorIs(t, err, wire.ErrNotRecorded)
	assert.Equal(t, []string{"GetConn"}, fired)

	fired = nil
	why := errors.New("why")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	_, err = rt.RoundTrip(post("{}").WithContext(hooks(ctx, &fired)))
	require.ErrorIs(t, err, why)
	assert.Equal(t, []string{"GetConn"}, fired)
	assert.NotErrorIs(t, err, wire.ErrNotRecorded)
}

// TestDeadContextUsesNothing: what was not played is there for the next.
func TestDeadContextUsesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	drain(t, recorder(dir, &script{reads: []string{"a"}}), post("{}"))
	rt := &wire.Transport{Dir: dir}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := rt.RoundTrip(post("{}").WithContext(ctx))
	require.ErrorIs(t, err, context.Canceled)
	assert.Len(t, rt.Unused(), 1)

	ctx, cancel = context.WithCancel(t.Context())
	resp, err := rt.RoundTrip(post("{}").WithContext(ctx))
	require.NoError(t, err)
	cancel()
	_, err = resp.Body.Read(make([]byte, 1))
	assert.ErrorIs(t, err, context.Canceled, "a body knows the context of its request")
}
