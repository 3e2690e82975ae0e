package replay_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/openai"
	"github.com/weirsdk/weir/replay"
	"github.com/weirsdk/weir/request"
)

// TestCase062 (BerriAI/litellm#37525 and others): a key is of what is asked, not of
// byte noise, and a miss names what differs.
func TestCase062(t *testing.T) {
	t.Parallel()
	base, err := request.Parse([]byte(`{"messages":[{"role":"user","content":"hi"}],"temperature":0,"max_output_tokens":100}`))
	require.NoError(t, err)
	server := answers(t, body("text/event-stream", whole("hello")))
	dir := t.TempDir()
	recorder := &replay.Recorder{Inner: openaiAt(t, server.URL), Dir: dir}
	want := lines(all(recorder, base))
	all(recorder, base)
	require.NoError(t, recorder.Err())
	server.Close()

	// Neither a key nor a user agent is known here: there is nobody to send them to.
	p := &replay.Replayer{ModelName: "openai:m", Dir: dir}
	assert.Equal(t, want, lines(all(p, base)))
	reordered, err := request.Parse([]byte(`{"max_output_tokens":100,"temperature":0,"messages":[{"content":"hi","role":"user"}]}`))
	require.NoError(t, err)
	assert.Equal(t, want, lines(all(p, reordered)), "another order of the map")

	warmer := base
	warmer.Temperature = new(1.0)
	n := missed(t, all(p, warmer))
	assert.Equal(t, "temperature", n.Difference.Path)
	assert.Contains(t, n.Error(), "temperature")
}

// TestCase063 (coder/coder#24565): a recording is complete at the terminal and not at
// Close, one that was cancelled or broken is written too, and is never replayed as
// done.
func TestCase063(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why      string
		answer   http.HandlerFunc
		cancel   bool
		complete bool
		reason   string
		kind     events.FailureKind
	}{
		{"read to done", body("text/event-stream", whole("hello")), false, true, "", ""},
		{"cancelled after one event", body("text/event-stream", whole("hello")), true, false, "cancelled/user", events.Cancelled},
		{"ended by a reset", reset(sse(textChunk("hel"))), false, false, "invalid_reply/lost_connection", events.InvalidReply},
	} {
		dir := t.TempDir()
		scope := cancel.New(context.Background())
		r := &replay.Recorder{Inner: openaiAt(t, answers(t, c.answer).URL), Dir: dir}
		var live []events.Event
		for ev := range r.Stream(scope.Context(), ask("hi")) {
			if live = append(live, ev); c.cancel {
				scope.Cancel(cancel.User)
			}
		}
		require.NoError(t, r.Err())
		_, text := only(t, dir)
		var stored struct {
			Complete bool
			Reason   string
		}
		require.NoError(t, json.Unmarshal([]byte(text), &stored))
		assert.Equal(t, c.complete, stored.Complete, c.why)
		assert.Equal(t, c.reason, stored.Reason, c.why)

		replayed := all(&replay.Replayer{ModelName: "openai:m", Dir: dir}, ask("hi"))
		assert.Equal(t, lines(live), lines(replayed), c.why)
		if c.complete {
			assert.Equal(t, events.Completed, replayed[len(replayed)-1].Kind)
		} else {
			assert.Equal(t, c.kind, failure(t, replayed).Kind, c.why)
		}
		scope.Close()
	}
}

// reset breaks the connection after the text.
func reset(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, buffered, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		_, _ = fmt.Fprintf(buffered, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n", len(text), text)
		_ = buffered.Flush()
		_ = conn.(*net.TCPConn).SetLinger(0)
		_ = conn.Close()
	}
}

// TestCase143 (dnaeon/go-vcr#130, rossoctl/cortex#864): the bytes of the provider are
// kept exactly, whatever they are, after content decoding, and the events are those
// of the live call.
func TestCase143(t *testing.T) {
	t.Parallel()
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	text := "data: " + textChunk("żó\u2028łw") + "\r\n\r\ndata: " + chunk("{}", `"stop"`) + "\r\n\r\ndata: [DONE]\r\n\r\n"
	_, err := z.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	split := []byte(text)
	for _, c := range []struct {
		why    string
		answer http.HandlerFunc
		want   string
	}{
		{"chunks that split a rune, and CRLF", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			for i := range split {
				_, _ = w.Write(split[i : i+1])
				_ = http.NewResponseController(w).Flush()
			}
		}, text},
		{"gzip", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("Content-Length", strconv.Itoa(zipped.Len()))
			_, _ = w.Write(zipped.Bytes())
		}, text},
		{"control bytes and what is no UTF-8", body("text/event-stream", ": \x00\xff\x1b\n\n"+text), ": \x00\xff\x1b\n\n" + text},
	} {
		dir := t.TempDir()
		r := &replay.Recorder{Inner: openaiAt(t, answers(t, c.answer).URL), Dir: dir}
		live := all(r, ask("hi"))
		require.Equal(t, events.Completed, live[len(live)-1].Kind, c.why)
		require.NoError(t, r.Err())
		_, file := only(t, dir)
		var stored struct {
			Body   *string
			Base64 []byte `json:"body_base64"`
		}
		require.NoError(t, json.Unmarshal([]byte(file), &stored))
		got := string(stored.Base64)
		if stored.Body != nil {
			got = *stored.Body
		}
		assert.Equal(t, c.want, got, c.why)
		assert.Equal(t, lines(live), lines(all(&replay.Replayer{ModelName: "openai:m", Dir: dir}, ask("hi"))), c.why)
	}
}

// TestCase187 (open-telemetry/opentelemetry-demo#3148): nothing needs a credential to
// replay.
func TestCase187(t *testing.T) {
	t.Parallel()
	server := answers(t, body("text/event-stream", whole("hello")))
	dir := t.TempDir()
	all(&replay.Recorder{Inner: openaiAt(t, server.URL), Dir: dir}, ask("hi"))
	server.Close()
	live := func() (providers.Model, error) {
		t.Error("the model is made")
		return openai.New(openai.Config{Model: "m"})
	}
	m, err := replay.Open(dir, "openai:m", false, live)
	require.NoError(t, err)
	evs := all(m, ask("hi"))
	assert.Equal(t, events.Completed, evs[len(evs)-1].Kind)
	assert.NoError(t, m.Close())
}

// TestCase188 (Kludex/cassetter#27): two recordings of the same concurrent calls are
// the same files, in whatever order the calls end.
func TestCase188(t *testing.T) {
	t.Parallel()
	run := func(order []int) map[string]string {
		dir := t.TempDir()
		// Each call waits at its first event until it is its turn to go on.
		turns := make([]chan struct{}, 4)
		for i := range turns {
			turns[i] = make(chan struct{})
		}
		r := &replay.Recorder{Inner: plays(hello("a")...), Dir: dir}
		var wait sync.WaitGroup
		ended := make(chan struct{})
		for i := range turns {
			first := make(chan struct{})
			wait.Go(func() {
				for ev := range r.Stream(context.Background(), ask(fmt.Sprint("call ", i/2))) {
					if ev.Kind == events.Started {
						close(first)
						<-turns[i]
					}
				}
				ended <- struct{}{}
			})
			<-first
		}
		for _, i := range order {
			close(turns[i])
			<-ended
		}
		wait.Wait()
		require.NoError(t, r.Err())
		return files(t, dir)
	}
	one := run([]int{0, 1, 2, 3})
	assert.Len(t, one, 4)
	assert.Equal(t, one, run([]int{3, 1, 2, 0}))
}
