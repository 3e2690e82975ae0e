package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// heads returns the recordings of a folder without their bodies.
func heads(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range files {
		if !strings.Contains(file, ".body-") {
			names = append(names, file)
		}
	}
	return names
}

// answering is an upstream that can be made to refuse.
func answering(t *testing.T, refuses *atomic.Bool) string {
	t.Helper()
	return upstream(t, func(w http.ResponseWriter, r *http.Request) {
		if refuses.Load() {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = io.WriteString(w, "answer to "+r.URL.RawQuery)
	}).URL
}

// TestProxyKeepsGoodRecordings: an upstream that is down or refuses leaves what was
// recorded before, says so at once and is a failure, unless an answer comes.
func TestProxyKeepsGoodRecordings(t *testing.T) {
	t.Parallel()
	gone := upstream(t, nil)
	gone.Close()
	for _, row := range []struct {
		why, upstream string
		answers       bool // in the end
	}{{"down", gone.URL, false}, {"refuses", "", false}, {"refuses for a while", "", true}} {
		dir := t.TempDir()
		var refuses atomic.Bool
		url := answering(t, &refuses)
		proxy := start(t, "record", "--dir", dir, "--upstream", url)
		get(t, proxy.url+"/item?id=1", nil)
		proxy.end()
		if row.upstream == "" {
			row.upstream = url
		}
		refuses.Store(true)
		proxy = start(t, "record", "--dir", dir, "--upstream", row.upstream)
		get(t, proxy.url+"/item?id=1", nil)
		want, n := exitFailed, 1
		if row.answers {
			refuses.Store(false)
			get(t, proxy.url+"/item?id=1", nil)
			want, n = exitOK, 2
		}
		end := proxy.end()
		if end.status != want || !strings.Contains(end.err, "the 1 earlier recording of it stays") || strings.Contains(end.err, "stored: ") != row.answers {
			t.Errorf("%s: status %d, said %q", row.why, end.status, end.err)
		}
		if names := heads(t, dir); len(names) != n {
			t.Errorf("%s: stored %v", row.why, names)
		}
		if !row.answers {
			if _, text := get(t, start(t, "serve", "--dir", dir).url+"/item?id=1", nil); text != "answer to id=1" {
				t.Errorf("%s: served %q", row.why, text)
			}
		}
	}
}

// TestProxyTellsWhatIsStored when it is, in order.
func TestProxyTellsWhatIsStored(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	url := answering(t, new(atomic.Bool))
	said := &untilPrinted{text: "/z-", seen: make(chan struct{})}
	var all bytes.Buffer
	in, out := io.Pipe()
	ended := make(chan int, 1)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go func() {
		ended <- run(ctx, []string{"record", "--dir", dir, "--upstream", url, "--json"}, console{out: out, err: io.MultiWriter(said, &all)})
	}()
	line := make([]byte, 1<<10)
	n, err := in.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	proxy := strings.SplitN(string(line[:n]), "\"", 5)[3]
	get(t, proxy+"/z", nil)
	select {
	case <-said.seen: // it still runs
	case status := <-ended:
		t.Fatalf("ended with %d", status)
	}
	get(t, proxy+"/a", nil)
	stop()
	<-ended
	z, a := strings.Index(all.String(), "/z-"), strings.Index(all.String(), "/a-")
	if z < 0 || a < z || strings.Count(all.String(), "stored: ") != 2 {
		t.Errorf("said %q", all.String())
	}
}

// TestProxyKeepsSecretsOut: a key in the path and in the words of a prompt, whose name is
// given, and which is not repeated when the name is none.
func TestProxyKeepsSecretsOut(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	url := answering(t, new(atomic.Bool))
	proxy := startOn(t, console{env: env("BOT_KEY", canary)}, "record", "--dir", dir, "--upstream", url, "--secret", "BOT_KEY")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, proxy.url+"/bot"+canary+"/send", strings.NewReader(`{"prompt":"my key is `+canary+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := plain().RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if end := proxy.end(); end.status != exitOK || strings.Contains(end.err, canary) || !strings.Contains(end.err, "redacted") {
		t.Errorf("status %d, said %q", end.status, end.err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil || strings.Contains(file+string(text), canary) {
			t.Errorf("%v: %s: %s", err, file, text)
		}
	}
	for name, value := range map[string]string{canary: "", "SHORT": "abc"} {
		got := weirOn(t, console{in: strings.NewReader(""), env: env("SHORT", value)}, "record", "--dir", dir, "--upstream", url, "--secret", name)
		if got.status != exitUsage || strings.Contains(got.err, canary) || !strings.Contains(got.err, "name of a variable") {
			t.Errorf("status %d, said %q", got.status, got.err)
		}
	}
}

// TestProxyTellsWhatCameInstead: a line that a file was stored is no word that an answer
// was.
func TestProxyTellsWhatCameInstead(t *testing.T) {
	t.Parallel()
	gone := upstream(t, nil)
	gone.Close()
	breaks := upstream(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "half")
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	for says, url := range map[string]string{".json (no answer: ": gone.URL, ".json (an answer that broke: ": breaks.URL, ".json\n": answering(t, new(atomic.Bool))} {
		proxy := start(t, "record", "--dir", t.TempDir(), "--upstream", url)
		if resp, err := plain().RoundTrip(mustGet(t, proxy.url+"/x")); err == nil {
			_ = readAll(resp.Body)
			_ = resp.Body.Close()
		}
		_, line, _ := strings.Cut(proxy.end().err, "stored: ")
		line, _, _ = strings.Cut(line, "\n")
		if !strings.Contains(line+"\n", says) {
			t.Errorf("said %q, want %q", line, says)
		}
	}
}

// TestProxyTellsThatTheProgramLeft: what was read until then is stored, and that it is no
// whole answer is said behind its file.
func TestProxyTellsThatTheProgramLeft(t *testing.T) {
	t.Parallel()
	left := make(chan struct{})
	url := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "half")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		close(left)
	}).URL
	proxy := start(t, "record", "--dir", t.TempDir(), "--upstream", url)
	resp, err := plain().RoundTrip(mustGet(t, proxy.url+"/x"))
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.ReadFull(resp.Body, make([]byte, len("half")))
	_ = resp.Body.Close()
	<-left
	if end, want := proxy.end(), ".json (an answer that was left after 4 bytes: canceled)\n"; !strings.Contains(end.err, want) {
		t.Errorf("said %q, want %q", end.err, want)
	}
}

// TestProxyKeepsNames: with --keep a value can be read in the file, and without it the
// request is still one of its own.
func TestProxyKeepsNames(t *testing.T) {
	t.Parallel()
	for _, keep := range []bool{false, true} {
		dir := t.TempDir()
		args := []string{"record", "--dir", dir, "--upstream", answering(t, new(atomic.Bool))}
		if keep {
			args = append(args, "--keep", "id", "--keep", "place")
		}
		proxy := start(t, args...)
		for _, id := range []string{"one", "two"} {
			get(t, proxy.url+"/item?place=oslo&id="+id, nil)
		}
		proxy.end()
		served := start(t, "serve", "--dir", dir).url
		for _, id := range []string{"two", "one"} {
			if _, text := get(t, served+"/item?place=oslo&id="+id, nil); text != "answer to place=oslo&id="+id {
				t.Errorf("served %q", text)
			}
		}
		for _, name := range heads(t, dir) {
			text, err := os.ReadFile(name)
			if err != nil || strings.Contains(string(text), "oslo") != keep || strings.Contains(string(text), "one") && !keep {
				t.Errorf("%v: stored %s", err, text)
			}
		}
	}
}

// TestServeFailsForAWhile: a fault for the first answers, and the retry gets the
// recording, also the only one.
func TestServeFailsForAWhile(t *testing.T) {
	t.Parallel()
	dir := recorded(t, "openai-chat")
	mock := start(t, "serve", "--dir", dir, "--status", "503", "--times", "2", "--repeat=false")
	for _, want := range []int{503, 503, 0} {
		_, f := ask(t.Context(), t, target{api: "openai-chat", baseURL: mock.url + "/v1"}, plain())
		if (f == nil) != (want == 0) || f != nil && f.Status != want {
			t.Errorf("got %v, want %d", f, want)
		}
	}
}
