package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/request"
)

// canary is a key that must never reach a file.
const canary = "sk-canary-0123456789abcdef"

// bodies are a recorded answer of each API, in testdata.
func bodies() map[string]string {
	return map[string]string{
		"openai-chat":        "chat-tool.sse",
		"openai-responses":   "responses-tool.sse",
		"anthropic-messages": "messages-tool.sse",
		"gemini-generate":    "gemini-tool.sse",
		"ollama-chat":        "ollama-tool.ndjson",
		"cohere-chat":        "cohere-tool.sse",
		"bedrock-converse":   "converse-tool.bin",
	}
}

// provider plays a recorded answer piece by piece, and echoes what it was sent of
// the key: in a header, and before the body in a comment where there are any.
func provider(t *testing.T, api string) *httptest.Server {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("testdata", bodies()[api]))
	if err != nil {
		t.Fatal(err)
	}
	end := "\n\n"
	if api == "ollama-chat" {
		end = "\n"
	}
	return upstream(t, func(w http.ResponseWriter, r *http.Request) {
		key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ") + r.Header.Get("X-Api-Key") + r.Header.Get("X-Goog-Api-Key")
		w.Header().Set("Content-Type", contentType(api, http.StatusOK))
		w.Header().Set("X-Ratelimit-Scope", key)
		if api != "ollama-chat" && api != "bedrock-converse" {
			_, _ = io.WriteString(w, ": "+key+" "+base64.StdEncoding.EncodeToString([]byte(key))+"\n\n")
		}
		for piece := range bytes.SplitAfterSeq(body, []byte(end)) {
			_, _ = w.Write(piece)
			_ = http.NewResponseController(w).Flush()
		}
	})
}

// upstream is a provider on loopback.
func upstream(t *testing.T, serve http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(serve)
	t.Cleanup(server.Close)
	return server
}

// base returns the address that the adapter of an API wants.
func base(api, url string) string {
	if api == "ollama-chat" {
		return url
	}
	return url + "/v1"
}

// A headed round tripper adds a header to each request.
type headed struct {
	http.RoundTripper
	name, value string
}

func (h headed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	if h.value != "" {
		r.Header.Set(h.name, h.value)
	}
	return h.RoundTripper.RoundTrip(r)
}

// plain returns a round tripper that leaves no connection open and asks for no
// encoding.
func plain() *http.Transport {
	return &http.Transport{DisableKeepAlives: true, DisableCompression: true}
}

// ask sends a question by a real adapter and returns the events as lines.
func ask(ctx context.Context, t *testing.T, target target, rt http.RoundTripper) (string, *events.Failure) {
	t.Helper()
	target.model, target.client = "m", &http.Client{Transport: rt}
	model, err := openModel(target)
	if err != nil {
		t.Fatal(err)
	}
	var lines []byte
	var failure *events.Failure
	for ev := range model.Stream(ctx, request.Request{Messages: []request.Message{request.UserText("Weather in Graz?")}, MaxOutputTokens: 64}) {
		lines = append(events.AppendJSON(lines, ev), '\n')
		if f, ok := ev.Failure(); ok {
			failure = f
		}
	}
	return string(lines), failure
}

// keyed is a target with the canary.
func keyed(api, url string) target {
	return target{api: api, key: providers.Secret(canary), baseURL: base(api, url)}
}

// recorded records one answer through the proxy and returns the folder.
func recorded(t *testing.T, api string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "wire")
	proxy := start(t, "record", "--dir", dir, "--upstream", provider(t, api).URL)
	if _, failure := ask(t.Context(), t, keyed(api, proxy.url), plain()); failure != nil {
		t.Fatal(failure)
	}
	if got := proxy.end(); got.status != exitOK || strings.Count(got.err, "record: stored: "+dir) != 1 {
		t.Fatalf("status %d, said %q", got.status, got.err)
	}
	return dir
}

// leaks returns what is found of the canary in a folder, in any usual spelling.
func leaks(t *testing.T, dir string) []string {
	t.Helper()
	var found []string
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, spelling := range []string{canary, canary[10:], base64.RawStdEncoding.EncodeToString([]byte(canary))} {
			if bytes.Contains(text, []byte(spelling)) {
				found = append(found, file+": "+spelling)
			}
		}
	}
	return found
}

// TestRecordedIsServed: what an adapter sees of a provider, of the proxy, and of the
// mock that serves what the proxy recorded, without a key, is the same to the byte.
func TestRecordedIsServed(t *testing.T) {
	t.Parallel()
	for api := range bodies() {
		t.Run(api, func(t *testing.T) {
			t.Parallel()
			live := provider(t, api)
			want, failure := ask(t.Context(), t, keyed(api, live.URL), plain())
			if failure != nil {
				t.Fatal(failure)
			}
			dir := filepath.Join(t.TempDir(), "wire")
			proxy := start(t, "record", "--dir", dir, "--upstream", live.URL, "--timing")
			if got, _ := ask(t.Context(), t, keyed(api, proxy.url), plain()); got != want {
				t.Errorf("through the proxy:\n%s\nlive:\n%s", got, want)
			}
			if got := proxy.end(); got.status != exitOK {
				t.Errorf("status %d, said %q", got.status, got.err)
			}
			if found := leaks(t, dir); found != nil {
				t.Errorf("the key is in %v", found)
			}
			mock := start(t, "serve", "--dir", dir)
			got, _ := ask(t.Context(), t, target{api: api, baseURL: base(api, mock.url)}, plain())
			if got != want {
				t.Errorf("served:\n%s\nlive:\n%s", got, want)
			}
			if got := mock.end(); got.status != exitOK || got.err != "" {
				t.Errorf("status %d, said %q", got.status, got.err)
			}
		})
	}
}
