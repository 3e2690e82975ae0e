package wire_test

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/anthropic"
	"github.com/weirsdk/weir/providers/ollama"
	"github.com/weirsdk/weir/providers/openai"
	"github.com/weirsdk/weir/replay/wire"
	"github.com/weirsdk/weir/request"
)

// Replies in the three languages, written for these tests, in the pieces in which
// they are flushed. They split a rune.
func replies() map[string][]string {
	return map[string][]string{
		"openai": {
			"data: {\"id\":\"c1\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"H\xc3",
			"\xa9llo\"}}]}\r\n\r\n: ping\n\n",
			"data: {\"id\":\"c1\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n" +
				"data: {\"id\":\"c1\",\"model\":\"m\",\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2,\"total_tokens\":5}}\n\ndata: [DONE]\n\n",
		},
		"anthropic": {
			"event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m1\",\"model\":\"m\",\"role\":\"assistant\",\"content\":[],\"usage\":{\"input_tokens\":3,\"output_tokens\":1}}}\n\n",
			"event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n" +
				"event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"H\xc3",
			"\xa9llo\"}}\n\nevent: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n",
			"event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":2}}\n\n" +
				"event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
		},
		"ollama": {
			"{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"H\xc3",
			"\xa9llo\"},\"done\":false}\n",
			"{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\",\"prompt_eval_count\":3,\"eval_count\":2}\n",
		},
	}
}

const testKey = "sk-c4nary-0123456789abcdef"

// model returns a model of a vendor that talks by rt to a base address.
func model(tb testing.TB, vendor, base, key string, rt http.RoundTripper) providers.Model {
	tb.Helper()
	client := &http.Client{Transport: rt}
	var m providers.Model
	var err error
	switch vendor {
	case "openai":
		m, err = openai.New(openai.Config{Model: "gpt-4o", Key: providers.Secret(key), BaseURL: base + "/v1", HTTPClient: client})
	case "anthropic":
		m, err = anthropic.New(anthropic.Config{Model: "claude-sonnet-5", Key: providers.Secret(key), BaseURL: base + "/v1", HTTPClient: client})
	default:
		m, err = ollama.New(ollama.Config{Model: "qwen3:4b", Key: providers.Secret(key), Host: base, HTTPClient: client})
	}
	require.NoError(tb, err)
	return m
}

func hello() request.Request {
	return request.Request{Messages: []request.Message{request.UserText("Hello <you>")}, MaxOutputTokens: 64}
}

// canonical ranges a reply and returns its events as canonical JSON lines.
func canonical(tb testing.TB, m providers.Model) string {
	tb.Helper()
	var b strings.Builder
	for ev := range m.Stream(tb.Context(), hello()) {
		line, err := json.Marshal(ev)
		require.NoError(tb, err)
		b.Write(line)
		b.WriteByte('\n')
	}
	return b.String()
}

// A mishap is what a server does with a reply.
type mishap struct {
	name  string
	serve func(w http.ResponseWriter, pieces []string)
	want  string // is in the events
}

func mishaps() []mishap {
	begin := func(w http.ResponseWriter, pieces []string) {
		for _, p := range pieces {
			_, _ = w.Write([]byte(p))
			_ = http.NewResponseController(w).Flush()
		}
	}
	refuse := func(status int, header ...string) func(http.ResponseWriter, []string) {
		return func(w http.ResponseWriter, _ []string) {
			for i := 0; i < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_, _ = w.Write([]byte(`{"error":{"type":"some_error","message":"no, ` + testKey + `"},"type":"error"}`))
		}
	}
	hijack := func(w http.ResponseWriter, linger bool) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		if tcp, ok := conn.(*net.TCPConn); ok && linger {
			_ = tcp.SetLinger(0)
		}
		_ = conn.Close()
	}
	return []mishap{
		{"whole", begin, `"kind":"completed"`},
		{"not found", refuse(404), `"reason":"not_found"`},
		{"rate limit in seconds", refuse(429, "Retry-After", "7", "X-Request-Id", "req-1"), `"retry_after_ms":7000`},
		{"rate limit as a date", refuse(429, "Retry-After", "Wed, 21 Oct 2026 07:28:00 GMT", "Date", "Wed, 21 Oct 2026 07:27:00 GMT"), `"retry_after_ms":60000`},
		{"advice", refuse(503, "X-Should-Retry", "false", "X-Ratelimit-Remaining-Tokens", "5"), `"sent":"answered"`},
		{"truncated", func(w http.ResponseWriter, p []string) { begin(w, p[:len(p)-1]) }, `"reason":"truncated"`},
		{"reset in the body", func(w http.ResponseWriter, p []string) { begin(w, p[:len(p)-1]); hijack(w, true) }, `"reason":"lost_connection"`},
		{"closed in the body", func(w http.ResponseWriter, p []string) { begin(w, p[:len(p)-1]); hijack(w, false) }, `"reason":"lost_connection"`},
		{"reset before the head", func(w http.ResponseWriter, _ []string) { hijack(w, true) }, `"sent":"maybe_sent"`},
		{"closed before the head", func(w http.ResponseWriter, _ []string) { hijack(w, false) }, `"sent":"maybe_sent"`},
		{"empty", func(http.ResponseWriter, []string) {}, `"kind":"failed"`},
	}
}

// TestAdaptersReplayWhatTheySaw: real adapters over a real connection, then with no
// server, no network and no key: the same events to the byte, failures, evidence and
// all.
func TestAdaptersReplayWhatTheySaw(t *testing.T) {
	t.Parallel()
	for vendor, pieces := range replies() {
		for _, m := range mishaps() {
			t.Run(vendor+"/"+m.name, func(t *testing.T) {
				t.Parallel()
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Type", "text/event-stream")
					m.serve(w, pieces)
				}))
				defer server.Close()
				dir := t.TempDir()
				base := &http.Transport{DisableKeepAlives: true}
				defer base.CloseIdleConnections()
				rec := &wire.Transport{Mode: wire.Record, Dir: dir, Base: base}
				live := canonical(t, model(t, vendor, server.URL, testKey, rec))
				require.NoError(t, rec.Err())
				assert.Contains(t, live, m.want)
				for name, text := range tree(t, dir) {
					assert.NotContains(t, text, testKey, name)
				}
				rt := &wire.Transport{Dir: dir, Base: base}
				assert.Equal(t, live, canonical(t, model(t, vendor, "http://127.0.0.1:1", "", rt)))
				assert.Empty(t, rt.Unused())
			})
		}
	}
}

// TestAdaptersReplayUnreachable: nobody is there, and the failure says so again.
func TestAdaptersReplayUnreachable(t *testing.T) {
	t.Parallel()
	stranger := httptest.NewUnstartedServer(http.NotFoundHandler())
	stranger.Config.ErrorLog = log.New(io.Discard, "", 0) // of the handshakes that fail
	stranger.StartTLS()
	defer stranger.Close()
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	noName := func(err net.DNSError) *http.Transport {
		return &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return nil, &err }}
	}
	rows := []struct {
		why, base, want string
		rt              *http.Transport
	}{
		{"nobody listens", "http://127.0.0.1:1", `"reason":"connect"`, &http.Transport{}},
		{"no such host", "https://api.example.com", `"reason":"dns"`, noName(net.DNSError{Err: "no such host", Name: "api.example.com", IsNotFound: true})},
		{"a name server that is down", "https://api.example.com", `"reason":"dns"`, noName(net.DNSError{Err: "server misbehaving", Name: "api.example.com", IsTemporary: true})},
		{"a certificate of nobody", stranger.URL, `"reason":"tls"`, &http.Transport{}},
		{"no TLS at all", strings.Replace(plain.URL, "http", "https", 1), `"reason":"tls"`, &http.Transport{}},
	}
	for _, row := range rows {
		for vendor := range replies() {
			dir := t.TempDir()
			rec := &wire.Transport{Mode: wire.Record, Dir: dir, Base: row.rt}
			live := canonical(t, model(t, vendor, row.base, testKey, rec))
			require.NoError(t, rec.Err())
			assert.Contains(t, live, `"kind":"unreachable"`, row.why)
			assert.Contains(t, live, row.want, row.why)
			assert.Contains(t, live, `"sent":"not_sent"`, row.why)
			var retry [2]bool
			for i, m := range []providers.Model{
				model(t, vendor, row.base, testKey, &wire.Transport{Mode: wire.Passthrough, Base: row.rt}),
				model(t, vendor, "http://127.0.0.1:1", "", &wire.Transport{Dir: dir}),
			} {
				for ev := range m.Stream(t.Context(), hello()) {
					if f, ok := ev.Failure(); ok {
						retry[i] = f.Retryable()
					}
				}
			}
			assert.Equal(t, retry[0], retry[1], row.why)
			assert.Equal(t, live, canonical(t, model(t, vendor, "http://127.0.0.1:1", "", &wire.Transport{Dir: dir})), row.why)
		}
		row.rt.CloseIdleConnections()
	}
}

// TestAdaptersReplayHTTP2: a stream that HTTP/2 reset, and a whole one.
func TestAdaptersReplayHTTP2(t *testing.T) {
	t.Parallel()
	for vendor, pieces := range replies() {
		for _, whole := range []bool{true, false} {
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				for _, p := range pieces[:len(pieces)-1] {
					_, _ = w.Write([]byte(p))
				}
				_ = http.NewResponseController(w).Flush()
				if !whole {
					panic(http.ErrAbortHandler)
				}
				_, _ = w.Write([]byte(pieces[len(pieces)-1]))
			}))
			server.EnableHTTP2 = true
			server.StartTLS()
			dir := t.TempDir()
			rec := &wire.Transport{Mode: wire.Record, Dir: dir, Base: server.Client().Transport}
			live := canonical(t, model(t, vendor, server.URL, testKey, rec))
			server.Close()
			require.NoError(t, rec.Err())
			response := only(t, dir)
			assert.Equal(t, "HTTP/2.0", response["protocol"])
			if whole {
				assert.Contains(t, live, `"kind":"completed"`)
			} else {
				assert.Contains(t, live, `"reason":"lost_connection"`)
				assert.Equal(t, "stream_reset", response["broken"].(map[string]any)["reason"])
			}
			assert.Equal(t, live, canonical(t, model(t, vendor, "http://127.0.0.1:1", "", &wire.Transport{Dir: dir})))
		}
	}
}

// TestCase187: a fresh checkout has no key, and needs none.
func TestCase187(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rec := recorder(dir, &script{reads: replies()["openai"]})
	canonical(t, model(t, "openai", "https://api.example.com", testKey, rec))
	network := &script{}
	for _, m := range []string{"openai"} {
		all := canonical(t, model(t, m, "https://api.example.com", "", &wire.Transport{Dir: dir, Base: network}))
		assert.Contains(t, all, `"kind":"completed"`)
		assert.Empty(t, network.sent)
	}
}

// TestAdaptersMiss: a request that was not recorded is a failure that says so.
func TestAdaptersMiss(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	drain(t, recorder(dir, &script{}), post("{}"))
	m := model(t, "openai", "https://api.example.com", testKey, &wire.Transport{Dir: dir})
	var last events.Event
	for ev := range m.Stream(t.Context(), request.Request{Messages: []request.Message{request.UserText("Hi")}}) {
		last = ev
	}
	f, ok := last.Failure()
	require.True(t, ok)
	assert.Equal(t, events.Other, f.Kind)
	assert.Equal(t, events.ReasonNotRecorded, f.Reason)
	assert.Equal(t, events.NotSent, f.Sent)
	assert.ErrorIs(t, f, wire.ErrNotRecorded)
	var miss *wire.NotRecorded
	require.ErrorAs(t, last.Err(), &miss)
	assert.Equal(t, "openai", f.Provider)
}

// TestAdaptersReplayCancels: what ended a context before an answer came ends the
// replayed call in the same way.
func TestAdaptersReplayCancels(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	rec := recorder(dir, roundTrip(func(r *http.Request) (*http.Response, error) {
		cancel()
		<-r.Context().Done()
		return nil, r.Context().Err()
	}))
	collect := func(ctx context.Context, m providers.Model) *events.Failure {
		var f *events.Failure
		for ev := range m.Stream(ctx, request.Request{Messages: []request.Message{request.UserText("Hi")}}) {
			f, _ = ev.Failure()
		}
		require.NotNil(t, f)
		return f
	}
	live := collect(ctx, model(t, "openai", "https://api.example.com", testKey, rec))
	played := collect(t.Context(), model(t, "openai", "https://api.example.com", "", &wire.Transport{Dir: dir}))
	late, stop := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer stop()
	advice := t.TempDir()
	_, err := recorder(advice, roundTrip(func(*http.Request) (*http.Response, error) { return nil, late.Err() })).RoundTrip(post("{}").WithContext(late))
	require.ErrorIs(t, err, context.DeadlineExceeded)
	_, err = (&wire.Transport{Dir: advice}).RoundTrip(post("{}"))
	f, ok := events.AsFailure(err)
	require.True(t, ok)
	assert.Equal(t, events.ReasonDeadline, f.Reason)
	assert.False(t, f.Retryable(), "the user's own deadline is never retried")
	assert.Equal(t, events.Cancelled, live.Kind)
	assert.Equal(t, live.Kind, played.Kind)
	assert.Equal(t, live.Reason, played.Reason)
	assert.Equal(t, live.Sent, played.Sent)
	assert.ErrorIs(t, played, context.Canceled)
}
