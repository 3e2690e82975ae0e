package wire_test

import (
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/replay/wire"
)

// TestOddExchanges are recorded, or handed on and told.
func TestOddExchanges(t *testing.T) {
	t.Parallel()
	answer := func(resp *http.Response) roundTrip {
		return func(*http.Request) (*http.Response, error) { return resp, nil }
	}
	empty := func(body io.ReadCloser) *http.Response {
		return &http.Response{StatusCode: http.StatusNoContent, Header: http.Header{}, Body: body}
	}
	for why, body := range map[string]io.ReadCloser{"no body": http.NoBody, "a nil body": nil} {
		dir := t.TempDir()
		rec := recorder(dir, answer(empty(body)))
		_, err := rec.RoundTrip(post("{}"))
		require.NoError(t, err)
		assert.Equal(t, true, only(t, dir)["complete"], "%s: nobody has to read it", why)
		reads, _ := drain(t, &wire.Transport{Dir: dir}, post("{}"))
		assert.Empty(t, reads)
	}

	dir := t.TempDir()
	for status, why := range map[int]string{
		http.StatusSwitchingProtocols: "what follows is another protocol",
		0:                             "the status line may say 000",
		1000:                          "no status line says so",
	} {
		odd := &http.Response{StatusCode: status, Body: &scriptBody{end: io.EOF}}
		rec := recorder(dir, answer(odd))
		var told error
		rec.OnError = func(err error) { told = err }
		resp, err := rec.RoundTrip(post("{}"))
		require.NoError(t, err)
		assert.Same(t, odd.Body, resp.Body, why)
		assert.Empty(t, tree(t, dir), "%s: nothing that could not be loaded", why)
		f, ok := events.AsFailure(told)
		require.True(t, ok, "%s: it is told", why)
		assert.Equal(t, events.Other, f.Kind)
		assert.Equal(t, told, rec.Err())
	}

	for _, mode := range []wire.Mode{wire.Record, wire.Replay} {
		s := &script{}
		rt := &wire.Transport{Mode: mode, Dir: dir, Base: s}
		r := post("{}")
		r.Body = io.NopCloser(brokenReader{})
		_, err := rt.RoundTrip(r)
		assert.Equal(t, errBroke, err, "a request that cannot be read")
		closed := &scriptBody{}
		_, err = rt.RoundTrip(&http.Request{Body: closed})
		assert.Error(t, err, "a request to nowhere")
		assert.Equal(t, 1, closed.closed, "a round tripper closes the body whatever happens")
		assert.Empty(t, s.sent)
	}
}

// TestWhatIsNotStored of an answer: its length, the phrase of its status and its
// trailers. What is stored can be played.
func TestWhatIsNotStored(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	live := &http.Response{
		Status: "299 Fine Enough", StatusCode: 299, ContentLength: 1234, Header: http.Header{"Content-Length": {"1234"}, "Trailer": {"X-End"}},
		Body: http.NoBody, Trailer: http.Header{"X-End": {"yes"}},
	}
	head := func() *http.Request {
		r := postTo("https://api.example.com/x", "")
		r.Method, r.Body = http.MethodHead, nil
		return r
	}
	rec := recorder(dir, roundTrip(func(*http.Request) (*http.Response, error) { return live, nil }))
	drain(t, rec, head())
	require.NoError(t, rec.Err())
	resp, err := (&wire.Transport{Dir: dir}).RoundTrip(head())
	require.NoError(t, err)
	_ = resp.Body.Close()
	assert.Equal(t, 299, resp.StatusCode)
	assert.Equal(t, "299 ", resp.Status)
	assert.Equal(t, int64(-1), resp.ContentLength)
	assert.Empty(t, resp.Header)
	assert.Empty(t, resp.Trailer)
}

// TestNamesOfHeaders: a header that was made by hand is read as any other, whether the
// one who asks made it, a Base, or the editor of a file.
func TestNamesOfHeaders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := &script{
		header: http.Header{
			"content-type": {"text/event-stream"}, "location": {"https://b.example/p"}, "x-request-id": {"2"}, "X-Request-Id": {"1"},
			"set-cookie": {"a=" + plainCanary},
		},
		reads: []string{"it is " + plainCanary},
	}
	asked := func(password string) *http.Request {
		r := post("before\r\n--x\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n" + password + "\r\n--x--\r\n")
		r.Header = http.Header{"content-type": {"multipart/form-data; boundary=x"}}
		return r
	}
	drain(t, recorder(dir, s), asked("c4nary-of-the-form"))
	assertClean(t, dir, plainCanary)
	assertClean(t, dir, "c4nary-of-the-form")
	for name, text := range tree(t, dir) {
		if strings.Contains(name, ".body-") {
			assert.True(t, strings.HasSuffix(name, ".sse"), name)
			continue
		}
		request, _ := heads(t, dir)[name]["request"].(map[string]any)
		assert.Contains(t, request["header"], "Content-Type")
		edited := strings.Replace(text, "X-Request-Id", "x-request-id", 1)
		require.NotEqual(t, text, edited)
		require.NoError(t, os.WriteFile(dir+"/"+name, []byte(edited), 0o600))
	}
	resp, err := (&wire.Transport{Dir: dir}).RoundTrip(asked("another one"))
	require.NoError(t, err)
	_ = resp.Body.Close()
	assert.Equal(t, []string{"1", "2"}, resp.Header.Values("X-Request-Id"), "in one order")
	assert.Equal(t, "https://b.example/p", resp.Header.Get("Location"))
}

// TestRequestsAreClosed: a round tripper closes the body of a request.
func TestRequestsAreClosed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, rt := range []http.RoundTripper{recorder(dir, &script{}), &wire.Transport{Dir: dir}} {
		body := &scriptBody{reads: []string{"{}"}, end: io.EOF}
		r := post("{}")
		r.Body = body
		drain(t, rt, r)
		assert.Equal(t, 1, body.closed)
	}
}

// TestRequestsWithoutBody stay without one.
func TestRequestsWithoutBody(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := &script{reads: []string{"a"}}
	get := func() *http.Request {
		return &http.Request{URL: &url.URL{Scheme: "https", Host: "h", Path: "/v1/models"}}
	}
	drain(t, recorder(dir, s), get())
	assert.Nil(t, s.sent[0].Body)
	none := get()
	none.Body = http.NoBody
	drain(t, recorder(t.TempDir(), s), none)
	assert.Equal(t, http.NoBody, s.sent[1].Body)
	reads, _ := drain(t, &wire.Transport{Dir: dir}, get())
	assert.Equal(t, []string{"a"}, reads)
	for name, head := range heads(t, dir) {
		assert.True(t, strings.HasPrefix(name, "models-"), name)
		assert.Equal(t, "GET", head["request"].(map[string]any)["method"])
	}
}

// TestFileNames are of the last words of the path and the type of the body.
func TestFileNames(t *testing.T) {
	t.Parallel()
	rows := []struct{ path, contentType, encoding, slug, extension string }{
		{"/v1/chat/completions", "text/event-stream; charset=utf-8", "", "chat-completions-", ".sse"},
		{"/api/chat", "application/x-ndjson", "", "api-chat-", ".ndjson"},
		{"/v1beta/models/gemini-2.5-flash:streamGenerateContent", "application/json", "", "models-gemini-2-5-flash-streamgenerateco", ".json"},
		{"/", "application/problem+json", "", "request-", ".json"},
		{"/v1/", "text/html", "", "request-", ".html"},
		{"/v1/%C3%A9%2Fx", "text/csv", "", "c3-a9-2fx-", ".txt"},
		{"/a", "", "", "a-", ".bin"},
		{"/v1/messages", "image/png", "", "messages-", ".bin"},
		{"/v1/messages", "application/jsonl", "", "messages-", ".ndjson"},
		{"/model/" + strings.Repeat("x", 90), "text/plain", "gzip", strings.Repeat("x", 40) + "-", ".txt.gz"},
	}
	for _, row := range rows {
		dir := t.TempDir()
		body := "a"
		if row.encoding != "" {
			body = compress(t, row.encoding, "a")
		}
		s := &script{header: http.Header{"Content-Type": {row.contentType}}, reads: []string{body}}
		if row.encoding != "" {
			s.header.Set("Content-Encoding", row.encoding)
		}
		drain(t, recorder(dir, s), postTo("https://api.example.com"+row.path, "{}"))
		for name := range tree(t, dir) {
			if strings.Contains(name, ".body-") {
				assert.True(t, strings.HasSuffix(name, row.extension), "%s: %s", row.contentType, name)
			} else if !strings.HasPrefix(name, row.slug) {
				assert.LessOrEqual(t, len(name), 40+1+12+5)
				assert.Contains(t, row.slug, "gemini", name)
			}
		}
		loaded, err := wire.Load(os.DirFS(dir))
		require.NoError(t, err)
		assert.Len(t, loaded.Names(), 1, row.path)
	}
}

// TestStoredHosts: a port of loopback is chance, any other belongs to the address.
func TestStoredHosts(t *testing.T) {
	t.Parallel()
	for host, stored := range map[string]string{
		"api.example.com": "api.example.com", "api.example.com:8443": "api.example.com:8443", "localhost:1234": "localhost",
		"127.0.0.1:1234": "127.0.0.1", "[::1]:1234": "::1", "10.0.0.1:80": "10.0.0.1:80",
	} {
		dir := t.TempDir()
		drain(t, recorder(dir, &script{}), postTo("http://"+host+"/x", "{}"))
		for _, head := range heads(t, dir) {
			assert.Equal(t, stored, head["request"].(map[string]any)["host"])
		}
	}
}

// TestHostOfTheRequest counts where the URL has none.
func TestHostOfTheRequest(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := postTo("/x", "{}")
	r.Host = "api.example.com"
	drain(t, recorder(dir, &script{}), r)
	for _, head := range heads(t, dir) {
		assert.Equal(t, "api.example.com", head["request"].(map[string]any)["host"])
	}
}
