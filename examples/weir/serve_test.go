package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/replay/wire"
)

// TestServeGoesWrong orders each fault by flags and by the header, and an adapter
// sees the failure that it stands for over a real connection.
func TestServeGoesWrong(t *testing.T) {
	t.Parallel()
	dir := recorded(t, "openai-chat")
	short := 50 * time.Millisecond
	var patient cancel.Clocks
	rows := []struct {
		why, flags, header string
		clocks             cancel.Clocks
		want               string // kind/reason
	}{
		{"nothing", "", "", patient, ""},
		{"nothing, at a byte a time", "--split 1", "split=1", patient, ""},
		{"a body that ends early", "--cut 600", "cut=600", patient, "invalid_reply/truncated"},
		{"a connection that breaks", "--cut 600 --reset", "cut=600,reset", patient, "invalid_reply/lost_connection"},
		{"one that breaks after the end marker", "--reset", "reset", patient, ""},
		{"silence from the first byte", "--stall 0", "stall=0", cancel.Clocks{FirstToken: short}, "timed_out/first_token"},
		{"silence in the middle", "--stall 600", "stall=600", cancel.Clocks{Idle: short}, "timed_out/idle"},
		{"another status", "--status 429", "status=429", patient, "rate_limited/rate_limit"},
		{"an outage", "--status 503", "status=503", patient, "overloaded/overloaded"},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			bent := start(t, append([]string{"serve", "--dir", dir}, strings.Fields(row.flags)...)...)
			// The header takes the place of the flags, so it is tried on another fault.
			other := start(t, "serve", "--dir", dir, "--status", "404")
			for url, header := range map[string]string{bent.url: "", other.url: row.header} {
				if url == other.url && header == "" {
					continue
				}
				ctx := cancel.WithClocks(t.Context(), row.clocks)
				_, failure := ask(ctx, t, target{api: "openai-chat", baseURL: url + "/v1"}, headed{plain(), wire.FaultHeader, header})
				got := ""
				if failure != nil {
					got = fmt.Sprintf("%s/%s", failure.Kind, failure.Reason)
				}
				if got != row.want {
					t.Errorf("header %q: got %q, want %q", header, got, row.want)
				}
			}
		})
	}
}

// TestServeAnswers is about which recording answers.
func TestServeAnswers(t *testing.T) {
	t.Parallel()
	dir := recorded(t, "openai-chat")
	rows := []struct {
		why   string
		args  []string
		other bool // ask what was not recorded
		times int
		want  string
		says  string
	}{
		{"again and again", nil, false, 3, "", ""},
		{"once only", []string{"--repeat=false"}, false, 2, "rejected/not_found", ""},
		{"at once", []string{"--pace=false"}, false, 1, "", ""},
		{"what was not recorded", nil, true, 1, "rejected/not_found", "never served: chat-completions-"},
		{"anything", []string{"--any"}, true, 2, "", ""},
		{"nobody asks", nil, false, 0, "", "never served: chat-completions-"},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			mock := start(t, append([]string{"serve", "--dir", dir}, row.args...)...)
			path := "/v1"
			if row.other {
				path = "/v1/"
			}
			got := ""
			for range row.times {
				rt := http.RoundTripper(plain())
				if row.other {
					rt = otherQuestion{rt}
				}
				if _, f := ask(t.Context(), t, target{api: "openai-chat", baseURL: mock.url + path}, rt); f != nil {
					got = fmt.Sprintf("%s/%s", f.Kind, f.Reason)
				}
			}
			if got != row.want {
				t.Errorf("got %q, want %q", got, row.want)
			}
			if end := mock.end(); end.status != exitOK || (row.says == "") != (end.err == "") || !strings.Contains(end.err, row.says) {
				t.Errorf("status %d, said %q", end.status, end.err)
			}
		})
	}
}

// otherQuestion changes what is asked.
type otherQuestion struct{ http.RoundTripper }

func (o otherQuestion) RoundTrip(r *http.Request) (*http.Response, error) {
	_ = r.Body.Close()
	body := `{"model":"other"}`
	out, err := http.NewRequestWithContext(r.Context(), r.Method, r.URL.String(), strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	return o.RoundTripper.RoundTrip(out)
}

// TestServeWaitsAsRecorded plays a recording with delays at its pace, unless told.
func TestServeWaitsAsRecorded(t *testing.T) {
	t.Parallel()
	const delay = 80 * time.Millisecond
	slow := upstream(t, func(w http.ResponseWriter, _ *http.Request) {
		<-time.After(delay)
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write([]byte(chatAnswer))
	})
	dir := t.TempDir()
	proxy := start(t, "record", "--dir", dir, "--upstream", slow.URL, "--timing")
	took := func(url string) time.Duration {
		began := time.Now()
		if _, f := ask(t.Context(), t, target{api: "openai-chat", baseURL: url}, plain()); f != nil {
			t.Error(f)
		}
		return time.Since(began)
	}
	took(proxy.url)
	proxy.end()
	if d := took(start(t, "serve", "--dir", dir).url); d < delay-5*time.Millisecond {
		t.Errorf("it took %s only", d)
	}
	// Nothing can be said of how fast a busy machine is; that a delay of an hour is
	// not waited for can.
	heads, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(heads) != 1 {
		t.Fatal(heads, err)
	}
	text, err := os.ReadFile(heads[0])
	if err != nil {
		t.Fatal(err)
	}
	hours := strings.Replace(string(text), `"delays_ms": [`, `"delays_ms": [3600`, 1)
	if err := os.WriteFile(heads[0], []byte(hours), 0o600); err != nil {
		t.Fatal(err)
	}
	took(start(t, "serve", "--dir", dir, "--pace=false").url)
}

// TestServeAnnounces holds the line that scripts read.
func TestServeAnnounces(t *testing.T) {
	t.Parallel()
	dir := recorded(t, "openai-chat")
	mock := start(t, "serve", "--dir", dir)
	if want := mock.url + " serves 1 recording of " + dir + "\n"; mock.line != want || !strings.HasPrefix(want, "http://127.0.0.1:") {
		t.Errorf("printed %q, want %q", mock.line, want)
	}
	var line struct {
		URL        string
		Recordings int
	}
	asJSON := start(t, "serve", "--dir", dir, "--json")
	if err := json.Unmarshal([]byte(asJSON.line), &line); err != nil || line.Recordings != 1 || !strings.HasPrefix(line.URL, "http://127.0.0.1:") {
		t.Errorf("printed %q: %v", asJSON.line, err)
	}
}

// TestServeWarns of what is allowed and rarely meant.
func TestServeWarns(t *testing.T) {
	t.Parallel()
	mock := start(t, "serve", "--dir", t.TempDir(), "--addr", "0.0.0.0:0")
	if !strings.HasPrefix(mock.url, "http://127.0.0.1:") {
		t.Errorf("the URL is %s", mock.url)
	}
	_, failure := ask(t.Context(), t, target{api: "openai-chat", baseURL: mock.url}, plain())
	if failure == nil || failure.Status != http.StatusNotFound {
		t.Errorf("answered with %v", failure)
	}
	end := mock.end()
	if end.status != exitOK || !strings.Contains(end.err, "is not loopback") || !strings.Contains(end.err, "no recordings in") {
		t.Errorf("status %d, said %q", end.status, end.err)
	}
	recorder := start(t, "record", "--dir", t.TempDir(), "--addr", "0.0.0.0:0", "--upstream", "http://192.0.2.1")
	if end := recorder.end(); !strings.Contains(end.err, "is not loopback") || !strings.Contains(end.err, "over plain http") {
		t.Errorf("status %d, said %q", end.status, end.err)
	}
}

// TestServeGone ends when nobody can read the line that it prints.
func TestServeGone(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"serve", "--dir", t.TempDir()},
		{"record", "--dir", t.TempDir(), "--upstream", "http://127.0.0.1:1"},
	} {
		var errs strings.Builder
		if status := run(t.Context(), args, console{out: brokenPipe{}, err: &errs}); status != exitOutput {
			t.Errorf("%v: status %d, said %q", args, status, errs.String())
		}
	}
}

// TestAnswerEnds: answers under way come to their end, and what does not end is
// cut off, handler and all.
func TestAnswerEnds(t *testing.T) {
	t.Parallel()
	rows := []struct {
		why   string
		grace time.Duration
		whole bool
	}{
		{"an answer that ends in time", time.Minute, true},
		{"one that never ends, and is stored when it is cut off", time.Second, false},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			at, err := listen(t.Context(), "serve", loopback)
			if err != nil {
				t.Fatal(err)
			}
			at.grace = row.grace
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			returned := false
			handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				defer func() { returned = true }()
				w.WriteHeader(http.StatusOK)
				_ = http.NewResponseController(w).Flush()
				stop()
				if !row.whole {
					<-r.Context().Done()
					for range 20 {
						write(t, "stored", "begun")
					}
					panic(http.ErrAbortHandler)
				}
				// The end begins with the listener.
				for {
					conn, err := net.Dial("tcp", at.listener.Addr().String())
					if err != nil {
						break
					}
					_ = conn.Close()
				}
				if r.Context().Err() == nil {
					_, _ = w.Write([]byte("whole"))
				}
			})
			got := make(chan string, 1)
			go func() {
				resp, err := plain().RoundTrip(mustGet(t, at.url()))
				if err != nil {
					got <- err.Error()
					return
				}
				defer func() { _ = resp.Body.Close() }()
				got <- readAll(resp.Body)
			}()
			if err := at.answer(ctx, console{}.shared(), handler); err != nil {
				t.Error(err)
			}
			if !returned {
				t.Error("the handler still runs")
			}
			if text := <-got; (text == "whole") != row.whole {
				t.Errorf("the client got %q", text)
			}
		})
	}
}
