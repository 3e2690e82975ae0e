package transport_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/transport"
)

func squeezed(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := io.WriteString(z, text)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}

func document(t *testing.T, rt http.RoundTripper, call transport.Call) ([]byte, *events.Failure) {
	t.Helper()
	call.Provider, call.URL = "acme", "https://acme.test/v1/models"
	text, err := transport.Document(t.Context(), transport.NewClient(&http.Client{Transport: rt}), call)
	if err == nil {
		return text, nil
	}
	f, ok := events.AsFailure(err)
	require.True(t, ok)
	assert.Nil(t, text)
	assert.Equal(t, "acme", f.Provider)
	return nil, f
}

func TestDocument(t *testing.T) {
	t.Parallel()
	header := http.Header{"X-Key": {"k"}}
	rt := &canned.Transport{Body: []byte(" \n{\"data\":[]}")}
	text, f := document(t, rt, transport.Call{Header: header})
	require.Nil(t, f)
	assert.Equal(t, " \n{\"data\":[]}", string(text))
	sent := rt.Requests()[0]
	assert.Equal(t, http.MethodGet, sent.Method)
	assert.Equal(t, "application/json", sent.Header.Get("Accept"))
	assert.Equal(t, http.Header{"X-Key": {"k"}}, header, "the adapter's own header is not written to")
	assert.Equal(t, []int{1}, rt.Closes())

	rt = &canned.Transport{Header: http.Header{"Content-Encoding": {"gzip"}}, Body: squeezed(t, `[1]`)}
	text, f = document(t, rt, transport.Call{})
	require.Nil(t, f)
	assert.Equal(t, "[1]", string(text), "a round tripper that leaves gzip on")
}

func TestDocumentFails(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why    string
		rt     *canned.Transport
		call   transport.Call
		kind   events.FailureKind
		reason events.Reason
	}{
		{why: "no such page", rt: &canned.Transport{Status: 404, Body: []byte("<html>")}, kind: events.Rejected, reason: events.ReasonNotFound},
		{why: "the adapter knows better", rt: &canned.Transport{Status: 404, Body: []byte(`{"error":"auth"}`)}, call: transport.Call{Failure: func(int, http.Header, []byte) *events.Failure {
			return events.NewFailure(events.Rejected, events.ReasonAuth, "no")
		}}, kind: events.Rejected, reason: events.ReasonAuth},
		{why: "an error object on 200", rt: &canned.Transport{Body: []byte(`{"error":"x"}`)}, call: transport.Call{Failure: func(int, http.Header, []byte) *events.Failure {
			return events.NewFailure(events.Overloaded, "", "busy")
		}}, kind: events.Overloaded},
		{why: "a redirect", rt: &canned.Transport{Status: 302, Header: http.Header{"Location": {"https://evil.test"}}}, kind: events.Rejected, reason: events.ReasonRedirect},
		{why: "a page", rt: &canned.Transport{Body: []byte("<html>")}, kind: events.InvalidReply, reason: events.ReasonBadContent},
		{why: "nothing", rt: &canned.Transport{}, kind: events.InvalidReply, reason: events.ReasonBadContent},
		{why: "an encoding nobody asked for", rt: &canned.Transport{Header: http.Header{"Content-Encoding": {"br"}}, Body: []byte("{}")}, kind: events.InvalidReply, reason: events.ReasonBadContent},
		{why: "one byte too many", rt: &canned.Transport{Body: []byte(`{"a":1}`)}, call: transport.Call{Limits: transport.Limits{MaxBody: 6}}, kind: events.InvalidReply, reason: events.ReasonTooLarge},
		{why: "it breaks", rt: &canned.Transport{Body: []byte(`{"a":1`), End: io.ErrUnexpectedEOF}, kind: events.InvalidReply, reason: events.ReasonLostConnection},
		{why: "no connection", rt: &canned.Transport{Err: errors.New("refused")}, kind: events.Unreachable},
	} {
		_, f := document(t, tt.rt, tt.call)
		require.NotNil(t, f, tt.why)
		assert.Equal(t, tt.kind, f.Kind, tt.why)
		if tt.reason != "" {
			assert.Equal(t, tt.reason, f.Reason, tt.why)
		}
		for _, closed := range tt.rt.Closes() {
			assert.Equal(t, 1, closed, tt.why)
		}
	}
	text, f := document(t, &canned.Transport{Body: []byte(`{"a":1}`)}, transport.Call{Limits: transport.Limits{MaxBody: 7}})
	assert.Nil(t, f)
	assert.Len(t, text, 7, "exactly the limit")
}

// What a server echoes of the key is in no failure, and a recorder's scrubber is
// told of it.
func TestDocumentTellsNoSecret(t *testing.T) {
	t.Parallel()
	const key = "sk-canary-0123456789"
	var scrubber providers.Scrubber
	ctx := providers.WithScrubber(t.Context(), &scrubber)
	_, err := transport.Document(ctx, &http.Client{Transport: &canned.Transport{Status: 500}}, transport.Call{
		Provider: "acme", URL: "https://acme.test/", Secrets: []string{key},
		Failure: func(int, http.Header, []byte) *events.Failure {
			return events.NewFailure(events.Overloaded, "", "bad "+key)
		},
	})
	assert.NotContains(t, err.Error(), "canary")
	assert.Equal(t, "a [redacted]", scrubber.Scrub("a "+key))
}

func TestDocumentIsBoundedInTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		rt := &canned.Transport{Body: []byte(`{`), Hang: true}
		_, f := document(t, rt, transport.Call{})
		assert.Equal(t, events.TimedOut, f.Kind)
		assert.Equal(t, events.Reason(cancel.Idle), f.Reason)
		assert.Equal(t, []int{1}, rt.Closes())
	})
	ctx, stop := context.WithCancel(t.Context())
	stop()
	rt := &canned.Transport{}
	_, err := transport.Document(ctx, &http.Client{Transport: rt}, transport.Call{Provider: "acme", URL: "https://acme.test/"})
	f, _ := events.AsFailure(err)
	assert.Equal(t, events.Cancelled, f.Kind)
	assert.Equal(t, events.NotSent, f.Sent)
	assert.Empty(t, rt.Requests())
}

func TestDocumentOverTheNetwork(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = io.WriteString(w, `{"method":"`+r.Method+`","body":"`+string(body)+`"}`)
	}))
	defer server.Close()
	text, err := transport.Document(t.Context(), server.Client(), transport.Call{Provider: "acme", URL: server.URL})
	require.NoError(t, err)
	assert.Equal(t, `{"method":"GET","body":""}`, strings.TrimSpace(string(text)))
}

// What goes wrong before a call is sent is told as a stream tells it.
func TestPreparedDocument(t *testing.T) {
	t.Parallel()
	const key = "sk-canary-0123456789"
	rt := &canned.Transport{Body: []byte(`{"a":1}`)}
	client := &http.Client{Transport: rt}
	ready := transport.Call{Provider: "acme", Method: http.MethodPost, URL: "https://acme.test/count", Body: []byte(`{}`), Secrets: []string{key}}
	text, err := transport.PreparedDocument(t.Context(), client, func() (transport.Call, error) { return ready, nil })
	require.NoError(t, err)
	assert.Equal(t, `{"a":1}`, string(text))
	assert.Equal(t, http.MethodPost, rt.Requests()[0].Method)
	for _, tt := range []struct {
		why     string
		prepare func() (transport.Call, error)
		kind    events.FailureKind
	}{
		{"a failure, with a secret of the call", func() (transport.Call, error) {
			return ready, events.NewFailure(events.Rejected, events.ReasonAuth, "no "+key)
		}, events.Rejected},
		{"an error", func() (transport.Call, error) { return ready, errors.New("no " + key) }, events.InvalidRequest},
		{"a panic", func() (transport.Call, error) { panic("no " + key) }, events.Crashed},
	} {
		text, err := transport.PreparedDocument(t.Context(), client, tt.prepare)
		f, ok := events.AsFailure(err)
		require.True(t, ok, tt.why)
		assert.Nil(t, text, tt.why)
		assert.Equal(t, tt.kind, f.Kind, tt.why)
		assert.Equal(t, events.NotSent, f.Sent, tt.why)
		assert.NotContains(t, f.Error(), "canary", tt.why)
	}
	assert.Len(t, rt.Requests(), 1)
}
