package wire_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/replay/wire"
)

// recordings records answers to some bodies, to a path, and loads them.
func recordings(tb testing.TB, s *script, path string, bodies ...string) *wire.Recordings {
	tb.Helper()
	dir := tb.TempDir()
	rec := recorder(dir, s)
	for _, body := range bodies {
		resp, err := rec.RoundTrip(postTo("https://api.example.com"+path, body))
		if err == nil {
			_, _ = readAll(resp.Body)
		}
	}
	require.NoError(tb, rec.Err())
	loaded, err := wire.Load(os.DirFS(dir))
	require.NoError(tb, err)
	return loaded
}

// serve starts a server, over HTTP/2 when asked, and a client of it.
func serve(tb testing.TB, s *wire.Server, h2 bool) (client *http.Client, url string) {
	tb.Helper()
	server := httptest.NewUnstartedServer(s)
	server.EnableHTTP2 = h2
	if h2 {
		server.StartTLS()
	} else {
		server.Start()
	}
	tb.Cleanup(server.Close)
	return server.Client(), server.URL
}

func ask(tb testing.TB, client *http.Client, url, body string, header ...string) (*http.Response, error) {
	tb.Helper()
	r := postTo(url, body)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return client.Do(r)
}

// TestServerServes what was recorded, over both versions of HTTP.
func TestServerServes(t *testing.T) {
	t.Parallel()
	s := &script{reads: []string{"one\n", "two\n"}, status: 429, header: http.Header{"Content-Type": {"text/event-stream"}, "Retry-After": {"7"}}}
	loaded := recordings(t, s, "/v1/chat/completions", `{"a":1}`, `{"a":1}`)
	for _, h2 := range []bool{false, true} {
		server := &wire.Server{Recordings: loaded}
		client, url := serve(t, server, h2)
		for range 2 {
			resp, err := ask(t, client, url+"/v1/chat/completions", `{ "a": 1 }`, "Authorization", "Bearer whatever-it-is")
			require.NoError(t, err)
			assert.Equal(t, h2, resp.ProtoMajor == 2)
			assert.Equal(t, 429, resp.StatusCode)
			assert.Equal(t, "7", resp.Header.Get("Retry-After"))
			assert.Equal(t, "text/event-stream", resp.Header.Get("Content-Type"))
			reads, end := readAll(resp.Body)
			assert.Equal(t, "one\ntwo\n", strings.Join(reads, ""))
			assert.Equal(t, io.EOF, end)
		}
		assert.Empty(t, server.Unused())
		resp, err := ask(t, client, url+"/v1/chat/completions", `{"a":1}`)
		require.NoError(t, err)
		assert.Equal(t, http.StatusNotFound, resp.StatusCode, "no more of them")
		_ = resp.Body.Close()
	}
}

// errorOf returns what a server says that is not recorded.
func errorOf(tb testing.TB, resp *http.Response) (kind, message string) {
	tb.Helper()
	defer func() { _ = resp.Body.Close() }()
	var answer struct {
		Error struct{ Type, Message string }
	}
	require.NoError(tb, json.NewDecoder(resp.Body).Decode(&answer))
	assert.Equal(tb, "application/json", resp.Header.Get("Content-Type"))
	return answer.Error.Type, answer.Error.Message
}

// TestServerMiss names the nearest request and what differs, and no credential.
func TestServerMiss(t *testing.T) {
	t.Parallel()
	loaded := recordings(t, &script{}, "/v1/chat/completions", `{"temperature":0}`)
	client, url := serve(t, &wire.Server{Recordings: loaded}, false)
	resp, err := ask(t, client, url+"/v1/chat/completions", `{"temperature":1,"k":"`+plainCanary+`"}`, "X-Api-Key", plainCanary)
	require.NoError(t, err)
	assert.Equal(t, http.StatusNotFound, resp.StatusCode)
	kind, message := errorOf(t, resp)
	assert.Equal(t, "not_recorded", kind)
	assert.Contains(t, message, loaded.Names()[0])
	assert.Contains(t, message, "body.k: recorded (absent), asked \"[redacted]\"")

	client, url = serve(t, new(wire.Server), false)
	resp, err = ask(t, client, url, "{}")
	require.NoError(t, err)
	kind, message = errorOf(t, resp)
	assert.Equal(t, "not_recorded", kind, "the zero Server")
	assert.Contains(t, message, "there are no recordings")
}

// TestServerRefuses what it cannot read.
func TestServerRefuses(t *testing.T) {
	t.Parallel()
	client, url := serve(t, &wire.Server{Recordings: recordings(t, &script{}, "/x", "{}")}, false)
	resp, err := ask(t, client, url+"/x", "{}", wire.FaultHeader, "later=1")
	require.NoError(t, err)
	kind, message := errorOf(t, resp)
	assert.Equal(t, "bad_fault", kind)
	assert.Contains(t, message, `"later=1"`)
	assert.Equal(t, http.StatusBadRequest, resp.StatusCode)

	answer := httptest.NewRecorder()
	large := io.LimitReader(endless{}, 16<<20+1)
	new(wire.Server).ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/x", large))
	kind, _ = errorOf(t, answer.Result())
	assert.Equal(t, "too_large", kind)
	answer = httptest.NewRecorder()
	new(wire.Server).ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/x", io.LimitReader(endless{}, 16<<20)))
	assert.Equal(t, http.StatusNotFound, answer.Code, "the largest that is read")
	answer = httptest.NewRecorder()
	new(wire.Server).ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/x", io.MultiReader(strings.NewReader("{"), brokenReader{})))
	kind, _ = errorOf(t, answer.Result())
	assert.Equal(t, "bad_request", kind)
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	return copy(p, strings.Repeat("x", min(len(p), 1<<20))), nil
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errBroke }

// TestServerPrefix: a base URL may have another prefix than the recorded one.
func TestServerPrefix(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := &script{}
	rec := recorder(dir, s)
	for path, text := range map[string]string{"/v1/chat/completions": "chat", "/v1/completions": "plain", "/v1/deep/chat/completions": "deep", "/proxy/v1/completions": "proxied", "/": "root"} {
		s.reads = []string{text}
		drain(t, rec, postTo("https://api.example.com"+path, "{}"))
	}
	relative := postTo("https://api.example.com/", "{}")
	relative.URL.Path = "ons"
	drain(t, rec, relative)
	loaded, err := wire.Load(os.DirFS(dir))
	require.NoError(t, err)
	rows := []struct{ path, want, why string }{
		{"/v1/chat/completions", "chat", "the very path"},
		{"/mock/openai/v1/chat/completions", "chat", "a longer prefix"},
		{"/v1/completions", "plain", "the very path, not a longer one that ends in it"},
		{"/deep/chat/completions", "deep", "a shorter prefix"},
		{"/chat/completions", "deep", "of several the longest"},
		{"/v1/ons", "", "whole segments only"},
		{"/", "root", "the root"},
		{"/none/", "", "not everything ends in the root"},
	}
	for _, row := range rows {
		client, url := serve(t, &wire.Server{Recordings: loaded}, false)
		resp, err := ask(t, client, url+row.path, "{}")
		require.NoError(t, err)
		text, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if row.want == "" {
			assert.Equal(t, http.StatusNotFound, resp.StatusCode, row.why)
			continue
		}
		assert.Equal(t, row.want, string(text), row.why)
	}
}

// TestServerPrefixPrefersTheBody: of several paths that fit, the one that has the
// request counts.
func TestServerPrefixPrefersTheBody(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := &script{reads: []string{"long"}}
	rec := recorder(dir, s)
	drain(t, rec, postTo("https://api.example.com/v1/deep/chat", `{"a":1}`))
	s.reads = []string{"short"}
	drain(t, rec, postTo("https://api.example.com/v1/chat", `{"a":2}`))
	loaded, err := wire.Load(os.DirFS(dir))
	require.NoError(t, err)
	client, url := serve(t, &wire.Server{Recordings: loaded}, false)
	for body, want := range map[string]string{`{"a":1}`: "long", `{"a":2}`: "short"} {
		resp, err := ask(t, client, url+"/chat", body)
		require.NoError(t, err)
		text, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		assert.Equal(t, want, string(text))
	}
}

// TestServerAnyAndRepeat are off, and do what they say when they are on.
func TestServerAnyAndRepeat(t *testing.T) {
	t.Parallel()
	loaded := recordings(t, &script{reads: []string{"a"}}, "/v1/x", `{"a":1}`, `{"a":2}`, `{"a":1}`)
	statuses := func(s *wire.Server, bodies ...string) []int {
		client, url := serve(t, s, false)
		var all []int
		for _, body := range bodies {
			resp, err := ask(t, client, url+"/v1/x", body)
			require.NoError(t, err)
			_ = resp.Body.Close()
			all = append(all, resp.StatusCode)
		}
		return all
	}
	one, other := `{"a":1}`, `{"a":3}`
	assert.Equal(t, []int{200, 200, 404, 404}, statuses(&wire.Server{Recordings: loaded}, one, one, one, other))
	assert.Equal(t, []int{200, 200, 200, 200, 404}, statuses(&wire.Server{Recordings: loaded, Repeat: true}, one, one, one, one, other))
	assert.Equal(t, []int{200, 200, 200, 404}, statuses(&wire.Server{Recordings: loaded, Any: true}, other, other, other, other))
	assert.Equal(t, []int{200, 200, 200, 200}, statuses(&wire.Server{Recordings: loaded, Any: true, Repeat: true}, other, other, other, other))
	server := &wire.Server{Recordings: loaded, Any: true}
	statuses(server, other)
	assert.Len(t, server.Unused(), 2, "what is served so is served")
	client, url := serve(t, &wire.Server{Recordings: loaded, Any: true}, false)
	resp, err := ask(t, client, url+"/v1/y", one)
	require.NoError(t, err)
	_ = resp.Body.Close()
	assert.Equal(t, 404, resp.StatusCode, "another path is another question")
	r, _ := http.NewRequestWithContext(t.Context(), http.MethodPut, url+"/v1/x", strings.NewReader(one))
	resp, err = client.Do(r)
	require.NoError(t, err)
	_ = resp.Body.Close()
	assert.Equal(t, 404, resp.StatusCode, "another method too")
}

// TestServerFaults: what a client sees of each, on both versions of HTTP.
func TestServerFaults(t *testing.T) {
	t.Parallel()
	loaded := recordings(t, &script{reads: []string{"0123456789", "abcdefghij"}}, "/x", "{}")
	rows := []struct {
		fault  string
		text   string
		end    error // over HTTP/1; nil is a clean end
		status int
	}{
		{"", "0123456789abcdefghij", nil, 200},
		{"split=3", "0123456789abcdefghij", nil, 200},
		{"cut=12", "0123456789ab", nil, 200},
		{"cut=12,reset", "0123456789ab", syscall.ECONNRESET, 200},
		{"reset", "0123456789abcdefghij", syscall.ECONNRESET, 200},
		{"cut=0,reset", "", syscall.ECONNRESET, 200},
		{"status=503", "0123456789abcdefghij", nil, 503},
	}
	for _, h2 := range []bool{false, true} {
		for _, row := range rows {
			inHeader := &wire.Server{Recordings: loaded}
			fault, err := wire.ParseFault(row.fault)
			require.NoError(t, err)
			for _, s := range []*wire.Server{inHeader, {Recordings: loaded, Fault: fault}} {
				client, url := serve(t, s, h2)
				header := []string{}
				if s == inHeader {
					header = []string{wire.FaultHeader, row.fault}
				}
				resp, err := ask(t, client, url+"/x", "{}", header...)
				require.NoError(t, err)
				assert.Equal(t, row.status, resp.StatusCode)
				reads, end := readAll(resp.Body)
				assert.Equal(t, row.text, strings.Join(reads, ""), row.fault)
				switch {
				case row.end == nil:
					assert.Equal(t, io.EOF, end, row.fault)
				case h2:
					assert.ErrorContains(t, end, "stream", row.fault)
				default:
					assert.ErrorIs(t, end, row.end, row.fault)
				}
			}
		}
	}
}

// TestServerStall: nothing more comes until the client leaves, and then the handler
// comes back: closing the server waits for it.
func TestServerStall(t *testing.T) {
	t.Parallel()
	loaded := recordings(t, &script{reads: []string{"0123456789"}}, "/x", "{}")
	client, url := serve(t, &wire.Server{Recordings: loaded}, false)
	ctx, cancel := context.WithCancel(t.Context())
	r := postTo(url+"/x", "{}").WithContext(ctx)
	r.Header.Set(wire.FaultHeader, "stall=4")
	resp, err := client.Do(r)
	require.NoError(t, err)
	p := make([]byte, 4)
	_, err = io.ReadFull(resp.Body, p)
	require.NoError(t, err)
	assert.Equal(t, "0123", string(p))
	cancel()
	_, err = resp.Body.Read(p)
	assert.ErrorIs(t, err, context.Canceled)
	_ = resp.Body.Close()
}

// TestServerBreaksWhatBroke when it was recorded.
func TestServerBreaksWhatBroke(t *testing.T) {
	t.Parallel()
	rows := []struct {
		why  string
		s    *script
		head bool // a head comes
		end  error
	}{
		{"a reset", &script{reads: []string{"a"}, end: syscall.ECONNRESET}, true, syscall.ECONNRESET},
		{"a cut", &script{reads: []string{"a"}, end: io.ErrUnexpectedEOF}, true, io.ErrUnexpectedEOF},
		{"anything else", &script{reads: []string{"a"}, end: errBroke}, true, io.ErrUnexpectedEOF},
		{"no answer", &script{err: errBroke}, false, syscall.ECONNRESET},
	}
	for _, row := range rows {
		client, url := serve(t, &wire.Server{Recordings: recordings(t, row.s, "/x", "{}")}, false)
		resp, err := ask(t, client, url+"/x", "{}")
		if !row.head {
			assert.ErrorIs(t, err, row.end, row.why)
			continue
		}
		require.NoError(t, err, row.why)
		reads, end := readAll(resp.Body)
		assert.Equal(t, "a", strings.Join(reads, ""), row.why)
		assert.ErrorIs(t, end, row.end, row.why)
	}
}

// TestServerTimes: a fault that is there for a while uses up no recording, counts for
// each request, and for each text of the header.
func TestServerTimes(t *testing.T) {
	t.Parallel()
	s := &script{}
	dir := t.TempDir()
	rec := recorder(dir, s)
	for _, text := range []string{"one", "two"} {
		s.reads = []string{text}
		drain(t, rec, postTo("https://api.example.com/x", "{}"))
	}
	loaded, err := wire.Load(os.DirFS(dir))
	require.NoError(t, err)
	client, url := serve(t, &wire.Server{Recordings: loaded, Any: true}, false)
	get := func(body, fault string) string {
		resp, err := ask(t, client, url+"/x", body, wire.FaultHeader, fault)
		require.NoError(t, err)
		text, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		return strconv.Itoa(resp.StatusCode) + " " + string(text)
	}
	const twice = "status=503,times=2"
	assert.Equal(t, "503 one", get("{}", twice))
	assert.Equal(t, "503 one", get("{}", " times=2, status=503"), "the same fault")
	assert.Equal(t, "200 one", get("{}", twice))
	assert.Equal(t, "429 two", get("{}", "status=429,times=1"), "another fault")
	assert.Equal(t, "200 two", get("{}", "status=429,times=1"))
	assert.Equal(t, "503 one", get(`{"other":1}`, twice), "another request, and any recording")
	assert.Equal(t, "503 one", get(`{"other":1}`, twice))
	assert.Equal(t, "200 one", get(`{"other":1}`, twice))

	client, url = serve(t, &wire.Server{Recordings: loaded}, false)
	assert.Equal(t, "503 one", get("{}", "status=503"))
	assert.Equal(t, "503 two", get("{}", "status=503"), "without a number each answer is one")
}

// TestFaultHeaderReplaces the fault of the server for one answer, also by none; more
// than one header count together.
func TestFaultHeaderReplaces(t *testing.T) {
	t.Parallel()
	s := &wire.Server{Recordings: recordings(t, &script{reads: []string{"abcde"}}, "/x", "{}"), Repeat: true, Fault: wire.Fault{Status: 503}}
	rows := []struct {
		why    string
		header []string
		want   string
	}{
		{"no header", nil, "503 abcde"},
		{"an empty one", []string{""}, "200 abcde"},
		{"another fault", []string{"cut=2"}, "200 ab"},
		{"two that go together", []string{"cut=2", "status=429"}, "429 ab"},
		{"two that do not", []string{"cut=2", "stall=2"}, "400"},
	}
	for _, row := range rows {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/x", strings.NewReader("{}"))
		r.Header[wire.FaultHeader] = row.header
		answer := httptest.NewRecorder()
		s.ServeHTTP(answer, r)
		text := strconv.Itoa(answer.Code) + " " + answer.Body.String()
		assert.True(t, strings.HasPrefix(text, row.want), "%s: %s", row.why, text)
	}
}

// TestTransportRepeats begins anew where it is told to.
func TestTransportRepeats(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := &script{}
	rec := recorder(dir, s)
	for _, text := range []string{"one", "two"} {
		s.reads = []string{text}
		drain(t, rec, post("{}"))
	}
	rt := &wire.Transport{Dir: dir, Repeat: true}
	for _, want := range []string{"one", "two", "one", "two"} {
		reads, _ := drain(t, rt, post("{}"))
		assert.Equal(t, []string{want}, reads)
	}
	assert.NoError(t, rt.Err())
	_, err := rt.RoundTrip(post("[]"))
	assert.ErrorIs(t, err, wire.ErrNotRecorded)
}
