package ollama_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/ollama"
	"github.com/weirsdk/weir/stream"
)

func TestHost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ why, host, want string }{
		{"a local server", "", "http://127.0.0.1:11434/api/chat"},
		{"host and port", "gpu:1234", "http://gpu:1234/api/chat"},
		{"a host alone gets the default port", "gpu.lan", "http://gpu.lan:11434/api/chat"},
		{"a host with a colon and no port", "gpu:", "http://gpu:11434/api/chat"},
		{"IPv6", "[::1]:80", "http://[::1]:80/api/chat"},
		{"IPv6 without a port", "[::1]", "http://[::1]:11434/api/chat"},
		{"a URL is taken as it is", "https://ollama.com", "https://ollama.com/api/chat"},
		{"a slash at the end", "https://ollama.com/", "https://ollama.com/api/chat"},
		{"a path of a proxy", "https://proxy.example/ollama/", "https://proxy.example/ollama/api/chat"},
		{"host, port and path", "gpu:1234/ollama", "http://gpu:1234/ollama/api/chat"},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			s := &server{status: 200, body: reply}
			_, err := stream.Collect(newModel(t, ollama.Config{Model: "m", Host: c.host}, s).Stream(t.Context(), ask()))
			require.NoError(t, err)
			assert.Equal(t, c.want, s.got[0].URL.String())
		})
	}
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why    string
		config ollama.Config
	}{
		{"no model", ollama.Config{}},
		{"a negative context length", ollama.Config{Model: "m", ContextLength: -1}},
		{"another scheme", ollama.Config{Model: "m", Host: "unix:///run/ollama.sock"}},
		{"no host", ollama.Config{Model: "m", Host: "http://"}},
		{"a port alone", ollama.Config{Model: "m", Host: ":11434"}},
		{"user info", ollama.Config{Model: "m", Host: "https://me:canary@ollama.com"}},
		{"user info without a scheme", ollama.Config{Model: "m", Host: "me:canary@ollama.com"}},
		{"a query", ollama.Config{Model: "m", Host: "https://ollama.com?key=canary"}},
		{"no URL", ollama.Config{Model: "m", Host: "http://[::1"}},
		{"a bare IPv6 address", ollama.Config{Model: "m", Host: "::1"}},
		{"a key with the line end of its file", ollama.Config{Model: "m", Key: "canary\n"}},
		{"a key over plain http", ollama.Config{Model: "m", Host: "http://ollama.com", Key: "canary"}},
		{"a key to a host without a scheme", ollama.Config{Model: "m", Host: "gpu.lan", Key: "canary"}},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			m, err := ollama.New(c.config)
			assert.Nil(t, m)
			f, ok := events.AsFailure(err)
			require.True(t, ok, "%v", err)
			assert.Equal(t, events.InvalidRequest, f.Kind)
			assert.Equal(t, events.ReasonBadConfig, f.Reason)
			assert.Equal(t, events.NotSent, f.Sent)
			assert.Equal(t, "ollama", f.Provider)
			assert.NotContains(t, f.Error(), "canary")
		})
	}
}

func TestAKeyGoesToLoopback(t *testing.T) {
	t.Parallel()
	for _, host := range []string{"", "localhost:1", "127.0.0.1", "http://[::1]:11434", "https://ollama.com"} {
		_, err := ollama.New(ollama.Config{Model: "m", Host: host, Key: "k"})
		assert.NoError(t, err, host)
	}
}

func TestNothingPrintsTheKey(t *testing.T) {
	t.Parallel()
	c := ollama.Config{Model: "m", Key: "canary-key"}
	m, err := ollama.New(c)
	require.NoError(t, err)
	for what, v := range map[string]any{"config": c, "pointer to config": &c, "model": m, "model by value": *m} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			assert.NotContains(t, fmt.Sprintf(verb, v), "canary", "%s with %s", what, verb)
			assert.NotContains(t, fmt.Sprintf(verb, v), fmt.Sprintf("%x", "canary"), "%s with %s", what, verb)
		}
		var log bytes.Buffer
		slog.New(slog.NewTextHandler(&log, nil)).Info("x", "v", v)
		slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "v", v)
		assert.NotContains(t, log.String(), "canary", what)
	}
	text, err := json.Marshal(m) //nolint:staticcheck // that nothing comes out is what is tested
	require.NoError(t, err)
	assert.NotContains(t, string(text), "canary")
	c.HTTPClient = nil
	text, err = json.Marshal(c) //nolint:staticcheck // its HTTPClient is nil
	require.NoError(t, err)
	assert.NotContains(t, string(text), "canary")
}
