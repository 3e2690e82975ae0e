package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func mustGet(t *testing.T, url string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// readAll returns a body and how it ended when it did not end well.
func readAll(body io.Reader) string {
	text, err := io.ReadAll(body)
	if err != nil {
		return string(text) + " broken: " + err.Error()
	}
	return string(text)
}

// get asks with a header and returns the answer, whose body was read.
func get(t *testing.T, url string, header http.Header) (*http.Response, string) {
	t.Helper()
	r := mustGet(t, url)
	if header != nil {
		r.Header = header
	}
	resp, err := plain().RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	return resp, readAll(resp.Body)
}

// TestProxyForwards compares what the upstream is asked with what the proxy was.
func TestProxyForwards(t *testing.T) {
	t.Parallel()
	asked := make(chan *http.Request, 1)
	server := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		asked <- r
		w.Header().Set("X-Kept", "1")
		w.Header().Set("Keep-Alive", "timeout=5")
		w.WriteHeader(http.StatusTeapot)
		_, _ = io.WriteString(w, "tea")
	})
	proxy := start(t, "record", "--dir", t.TempDir(), "--upstream", server.URL+"/api")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, proxy.url+"/v1/chat?alt=sse&key="+canary, strings.NewReader(`{"a":1}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{
		"Authorization": {"Bearer " + canary}, "Content-Type": {"application/json"}, "X-Custom": {"a", "b"}, "User-Agent": {"me/1"},
		"Connection": {"X-Hop"}, "X-Hop": {"1"}, "Proxy-Authorization": {"Basic x"}, "Expect": {"100-continue"},
	}
	resp, err := plain().RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if text := readAll(resp.Body); resp.StatusCode != http.StatusTeapot || text != "tea" || resp.Header.Get("X-Kept") != "1" || resp.Header.Get("Keep-Alive") != "" {
		t.Errorf("answered %d %v %q", resp.StatusCode, resp.Header, text)
	}
	got := <-asked
	want := http.Header{
		"Authorization": {"Bearer " + canary}, "Content-Type": {"application/json"}, "X-Custom": {"a", "b"}, "User-Agent": {"me/1"}, "Content-Length": {"7"},
	}
	for name := range got.Header {
		if want.Values(name) == nil {
			t.Errorf("the proxy added %s: %q", name, got.Header[name])
		}
	}
	for name := range want {
		if strings.Join(got.Header[name], ";") != strings.Join(want[name], ";") {
			t.Errorf("%s: %q, want %q", name, got.Header[name], want[name])
		}
	}
	if url := got.Method + " http://" + got.Host + got.URL.String(); url != "POST "+server.URL+"/api/v1/chat?alt=sse&key="+canary {
		t.Errorf("asked for %s", url)
	}
	if text := readAll(got.Body); text != `{"a":1}` {
		t.Errorf("sent %q", text)
	}
}

// TestProxyKeepsTheEncoding: the client gets the encoding that it asked for, byte for
// byte, and none that it did not; and so does the client of the mock.
func TestProxyKeepsTheEncoding(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	_, _ = zip.Write([]byte(chatAnswer))
	_ = zip.Close()
	rows := []struct {
		why, accepted, asked, encoding string
	}{
		{"no encoding", "", "", ""},
		{"one that is known", "gzip", "gzip", "gzip"},
		{"some, with weights", "br;q=1.0, gzip;q=0.8,zstd, deflate", "gzip;q=0.8, deflate", "gzip"},
		{"one that cannot be searched", "br", "identity", ""},
		{"any", "*", "identity", ""},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			asked := make(chan []string, 1)
			server := upstream(t, func(w http.ResponseWriter, r *http.Request) {
				asked <- r.Header.Values("Accept-Encoding")
				w.Header().Set("Content-Type", "text/event-stream")
				if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
					w.Header().Set("Content-Encoding", "gzip")
					_, _ = w.Write(packed.Bytes())
					return
				}
				_, _ = io.WriteString(w, chatAnswer)
			})
			header := http.Header{}
			if row.accepted != "" {
				header.Set("Accept-Encoding", row.accepted)
			}
			want := chatAnswer
			if row.encoding == "gzip" {
				want = packed.String()
			}
			dir := t.TempDir()
			proxy := start(t, "record", "--dir", dir, "--upstream", server.URL)
			resp, text := get(t, proxy.url+"/v1/chat", header)
			if got := strings.Join(<-asked, ";"); got != row.asked {
				t.Errorf("the upstream was asked for %q, want %q", got, row.asked)
			}
			if resp.Header.Get("Content-Encoding") != row.encoding || text != want {
				t.Errorf("recorded: got %q, %d bytes", resp.Header.Get("Content-Encoding"), len(text))
			}
			if end := proxy.end(); end.status != exitOK || !strings.Contains(end.err, "stored: ") {
				t.Errorf("status %d, said %q", end.status, end.err)
			}
			resp, text = get(t, start(t, "serve", "--dir", dir).url+"/v1/chat", header)
			if resp.Header.Get("Content-Encoding") != row.encoding || text != want {
				t.Errorf("served: got %q, %d bytes", resp.Header.Get("Content-Encoding"), len(text))
			}
		})
	}
}

// TestProxyStreams: a piece is at the client before the next one is sent.
func TestProxyStreams(t *testing.T) {
	t.Parallel()
	next := make(chan struct{})
	server := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		// Of a known length: such an answer is the first that a proxy would hold back.
		w.Header().Set("Content-Length", "15")
		for range 3 {
			_, _ = io.WriteString(w, "piece")
			_ = http.NewResponseController(w).Flush()
			select {
			case <-next:
			case <-r.Context().Done():
				return
			}
		}
	})
	proxy := start(t, "record", "--dir", t.TempDir(), "--upstream", server.URL)
	resp, err := plain().RoundTrip(mustGet(t, proxy.url))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	for range 3 {
		piece := make([]byte, 5)
		if _, err := io.ReadFull(resp.Body, piece); err != nil || string(piece) != "piece" {
			t.Fatalf("%q %v", piece, err)
		}
		next <- struct{}{}
	}
}

// TestProxyIsLeft: a client that leaves takes the upstream's work with it, and what
// came until then is stored and served.
func TestProxyIsLeft(t *testing.T) {
	t.Parallel()
	left := make(chan struct{})
	server := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "begun")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		close(left)
	})
	dir := t.TempDir()
	proxy := start(t, "record", "--dir", dir, "--upstream", server.URL)
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	resp, err := plain().RoundTrip(mustGet(t, proxy.url).WithContext(ctx))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if _, err := io.ReadFull(resp.Body, make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	leave()
	<-left
	if end := proxy.end(); end.status != exitOK || strings.Count(end.err, "\n") != 1 || !strings.Contains(end.err, "stored: ") {
		t.Errorf("status %d, said %q", end.status, end.err)
	}
	if _, text := get(t, start(t, "serve", "--dir", dir).url, nil); text != "begun" {
		t.Errorf("served %q", text)
	}
}

// TestProxyIsLeftBeforeTheHead says nothing of an upstream that was not waited for.
func TestProxyIsLeftBeforeTheHead(t *testing.T) {
	t.Parallel()
	asked, left := make(chan struct{}), make(chan struct{})
	server := upstream(t, func(_ http.ResponseWriter, r *http.Request) {
		close(asked)
		<-r.Context().Done()
		close(left)
	})
	proxy := start(t, "record", "--dir", t.TempDir(), "--upstream", server.URL)
	ctx, leave := context.WithCancel(t.Context())
	go func() {
		<-asked
		leave()
	}()
	if _, err := plain().RoundTrip(mustGet(t, proxy.url).WithContext(ctx)); err == nil {
		t.Error("it was answered")
	}
	<-left
	if end := proxy.end(); end.status != exitOK || strings.Count(end.err, "\n") != 1 || !strings.Contains(end.err, "stored: ") {
		t.Errorf("status %d, said %q", end.status, end.err)
	}
}

// TestProxyIsStopped: Ctrl-C in the middle of an answer stores what came.
func TestProxyIsStopped(t *testing.T) {
	t.Parallel()
	server := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "begun")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	proxy := start(t, "record", "--dir", t.TempDir(), "--upstream", server.URL)
	resp, err := plain().RoundTrip(mustGet(t, proxy.url))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if _, err := io.ReadFull(resp.Body, make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	if end := proxy.end(); end.status != exitOK || !strings.Contains(end.err, "stored: ") {
		t.Errorf("status %d, said %q", end.status, end.err)
	}
	if text := readAll(resp.Body); !strings.Contains(text, "broken") {
		t.Errorf("the client thinks that %q is all", text)
	}
}

// TestProxyFollowsNoRedirect hands it on.
func TestProxyFollowsNoRedirect(t *testing.T) {
	t.Parallel()
	server := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://elsewhere.invalid/", http.StatusTemporaryRedirect)
	})
	proxy := start(t, "record", "--dir", t.TempDir(), "--upstream", server.URL)
	resp, _ := get(t, proxy.url, nil)
	if resp.StatusCode != http.StatusTemporaryRedirect || resp.Header.Get("Location") != "https://elsewhere.invalid/" {
		t.Errorf("answered %d %v", resp.StatusCode, resp.Header)
	}
}

// TestProxyWithoutUpstream answers with an error that programs can read.
func TestProxyWithoutUpstream(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	proxy := start(t, "record", "--dir", t.TempDir(), "--upstream", gone.URL)
	resp, text := get(t, proxy.url+"/v1?key="+canary, http.Header{"Authorization": {"Bearer " + canary}})
	var answer struct {
		Error struct{ Message, Type string }
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil || resp.StatusCode != http.StatusBadGateway ||
		answer.Error.Type != "upstream_failed" || answer.Error.Message == "" || strings.Contains(text, canary) {
		t.Errorf("answered %d %q", resp.StatusCode, text)
	}
	if end := proxy.end(); end.status != exitOK || !strings.Contains(end.err, "the upstream gave no answer") || strings.Contains(end.err, canary) {
		t.Errorf("status %d, said %q", end.status, end.err)
	}
}

// TestProxySaysWholeLines of several answers at once.
func TestProxySaysWholeLines(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	proxy := start(t, "record", "--dir", t.TempDir(), "--upstream", gone.URL)
	var clients sync.WaitGroup
	for range 8 {
		clients.Go(func() { get(t, proxy.url, nil) })
	}
	clients.Wait()
	said := proxy.end().err
	for line := range strings.Lines(said) {
		if !strings.HasPrefix(line, "weir: record: ") {
			t.Errorf("said %q", line)
		}
	}
	if n := strings.Count(said, "gave no answer"); n != 8 {
		t.Errorf("said it %d times", n)
	}
}

// TestProxyPassesABreakOn: half an answer does not look whole.
func TestProxyPassesABreakOn(t *testing.T) {
	t.Parallel()
	server := upstream(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "half")
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	proxy := start(t, "record", "--dir", t.TempDir(), "--upstream", server.URL)
	if _, text := get(t, proxy.url, nil); !strings.HasPrefix(text, "half broken: ") {
		t.Errorf("got %q", text)
	}
}

// TestProxyTellsWhatIsNotStored: an encoding that nobody asked for and that cannot
// be searched reaches the client and not the folder.
func TestProxyTellsWhatIsNotStored(t *testing.T) {
	t.Parallel()
	server := upstream(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "br")
		_, _ = io.WriteString(w, "packed")
	})
	dir := t.TempDir()
	proxy := start(t, "record", "--dir", dir, "--upstream", server.URL)
	if _, text := get(t, proxy.url, nil); text != "packed" {
		t.Errorf("got %q", text)
	}
	if end := proxy.end(); end.status != exitFailed || !strings.Contains(end.err, "was not recorded") {
		t.Errorf("status %d, said %q", end.status, end.err)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*")); len(files) > 0 {
		t.Errorf("stored %v", files)
	}
}

// sent sends a request as it stands to a loopback URL and returns the answer as it came.
func sent(t *testing.T, url, request string) string {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	return readAll(conn)
}

// TestProxyForwardsTargets: what Go would have put in order reaches the upstream as it
// was sent, is recorded, and is served to who asks the same.
func TestProxyForwardsTargets(t *testing.T) {
	t.Parallel()
	server := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "target "+r.RequestURI+" end")
	})
	targets := []string{
		"/v1/chat?a=1;b=2", "/v1/chat?a=%zz&b=1", "/v1/chat?a=1&&b", "/v1/../x", "/v1/%2e%2e/x", "//v1//chat", "/./a%2Fb", "/v1/chat?",
	}
	dir := t.TempDir()
	get := func(url, target string) string {
		return sent(t, url, "GET "+target+" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	}
	for _, base := range []string{"", "/base/"} {
		proxy := start(t, "record", "--dir", dir, "--upstream", server.URL+base)
		for _, target := range targets {
			if want := "target " + strings.TrimSuffix(base, "/") + target + " end"; !strings.Contains(get(proxy.url, target), want) {
				t.Errorf("%s: %q", want, get(proxy.url, target))
			}
		}
		if end := proxy.end(); end.status != exitOK {
			t.Errorf("status %d, said %q", end.status, end.err)
		}
	}
	mock := start(t, "serve", "--dir", dir)
	for _, target := range targets {
		if text := get(mock.url, target); !strings.Contains(text, "target "+target+" end") {
			t.Errorf("%s: served %q", target, text)
		}
	}
}

// TestProxyMakesNoTunnel and says what to do instead.
func TestProxyMakesNoTunnel(t *testing.T) {
	t.Parallel()
	server := upstream(t, func(http.ResponseWriter, *http.Request) { t.Error("the upstream was asked") })
	proxy := start(t, "record", "--dir", t.TempDir(), "--upstream", server.URL)
	text := sent(t, proxy.url, "CONNECT api.example.com:443 HTTP/1.1\r\nHost: api.example.com:443\r\nConnection: close\r\n\r\n")
	if !strings.HasPrefix(text, "HTTP/1.1 405 ") || !strings.Contains(text, `"type":"no_tunnel"`) || !strings.Contains(text, "\nAllow: ") {
		t.Errorf("answered %q", text)
	}
	if end := proxy.end(); end.status != exitOK || !strings.Contains(end.err, "not as an HTTP proxy") {
		t.Errorf("status %d, said %q", end.status, end.err)
	}
}

// TestProxyTellsOfAnotherProtocol: what follows an upgrade reaches the client, and is
// told not to be recorded.
func TestProxyTellsOfAnotherProtocol(t *testing.T) {
	t.Parallel()
	server := upstream(t, func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nanother protocol")
		_ = conn.Close()
	})
	dir := t.TempDir()
	proxy := start(t, "record", "--dir", dir, "--upstream", server.URL)
	text := sent(t, proxy.url, "GET /v1/realtime HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
	if !strings.HasPrefix(text, "HTTP/1.1 101 ") || !strings.HasSuffix(text, "another protocol") {
		t.Errorf("answered %q", text)
	}
	if end := proxy.end(); end.status != exitFailed || !strings.Contains(end.err, "was not recorded") {
		t.Errorf("status %d, said %q", end.status, end.err)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*")); len(files) > 0 {
		t.Errorf("stored %v", files)
	}
}
