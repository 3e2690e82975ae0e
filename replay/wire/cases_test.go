package wire_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/replay/wire"
)

// TestCase062: the key is of what a request says, not of its bytes, and a miss names
// the field that differs.
func TestCase062(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	asked := post(`{"model":"m","temperature":0,"messages":[{"role":"user","content":"hi"}]}`)
	asked.Header.Set("Authorization", "Bearer sk-0123456789abcdef")
	asked.Header.Set("User-Agent", "one/1.0 (a client)")
	rec := recorder(dir, &script{reads: []string{"a"}})
	drain(t, rec, asked)
	drain(t, rec, postTo("https://api.example.com/v1/embeddings", `{"model":"m","temperature":1,"messages":[{"role":"user","content":"hi"}]}`))

	base := &script{reads: []string{"from the network"}}
	hits := []struct {
		why  string
		body string
		put  func(*http.Request)
	}{
		{"another order of keys", `{ "messages":[{"content":"hi","role":"user"}], "temperature":0, "model":"m"}`, func(*http.Request) {}},
		{"another key", `{"model":"m","temperature":0,"messages":[{"role":"user","content":"hi"}]}`, func(r *http.Request) { r.Header.Set("Authorization", "Bearer other-key-0123") }},
		{"another user agent", `{"model":"m","temperature":0,"messages":[{"role":"user","content":"hi"}]}`, func(r *http.Request) { r.Header.Set("User-Agent", "two/2.0") }},
		{"another host", `{"model":"m","temperature":0,"messages":[{"role":"user","content":"hi"}]}`, func(r *http.Request) { r.URL.Host = "127.0.0.1:1" }},
		{"another parameter that is not listed", `{"model":"m","temperature":0,"messages":[{"role":"user","content":"hi"}]}`, func(r *http.Request) { r.URL.RawQuery = "key=0123456789" }},
	}
	for _, hit := range hits {
		r := post(hit.body)
		hit.put(r)
		reads, _ := drain(t, &wire.Transport{Dir: dir, Base: base}, r)
		assert.Equal(t, []string{"a"}, reads, hit.why)
	}

	miss := func(url, body string) *wire.NotRecorded {
		_, err := (&wire.Transport{Dir: dir, Base: base}).RoundTrip(postTo(url, body))
		f, ok := events.AsFailure(err)
		require.True(t, ok)
		assert.Equal(t, events.Other, f.Kind)
		assert.Equal(t, events.ReasonNotRecorded, f.Reason)
		assert.Equal(t, events.NotSent, f.Sent)
		assert.False(t, f.Retryable())
		assert.ErrorIs(t, err, wire.ErrNotRecorded)
		var n *wire.NotRecorded
		require.ErrorAs(t, err, &n)
		assert.Contains(t, n.Error(), n.Key[:12])
		assert.Contains(t, n.Error(), n.Nearest)
		assert.Contains(t, f.Detail, n.Difference.Path)
		return n
	}
	const chat = "https://api.example.com/v1/chat/completions"
	n := miss(chat, `{"model":"m","temperature":1,"messages":[{"role":"user","content":"hi"}]}`)
	assert.Equal(t, wire.Difference{Path: "body.temperature", Recorded: "0", Asked: "1"}, n.Difference)
	assert.True(t, strings.HasPrefix(n.Nearest, "chat-completions-"), "the same place comes before the same body")
	assert.Equal(t, []int{1, 0}, []int{n.Asked, n.Recorded})
	assert.Equal(t, "POST /v1/chat/completions", n.Method+" "+n.Path)
	n = miss(chat, `{"model":"m","temperature":0,"messages":[{"role":"user","content":"ho"}]}`)
	assert.Equal(t, "body.messages[0].content", n.Difference.Path)
	n = miss("https://api.example.com/v1/chat/completions?alt=sse", `{"model":"m","temperature":0,"messages":[{"role":"user","content":"hi"}]}`)
	assert.Equal(t, wire.Difference{Path: "query.alt", Recorded: "(absent)", Asked: `["sse"]`}, n.Difference, "a listed parameter counts")
	n = miss("https://api.example.com/v2/chat/completions", `{"model":"m","temperature":0,"messages":[{"role":"user","content":"hi"}]}`)
	assert.Equal(t, "path", n.Difference.Path)
	assert.Empty(t, base.sent, "nothing reaches a network")
}

// TestNearest is the recording with the fewest differences, wherever it stands.
func TestNearest(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rec := recorder(dir, &script{})
	drain(t, rec, post(`{"a":1,"b":1,"c":1}`))
	drain(t, rec, post(`{"a":2,"b":2,"c":2}`))
	nearest := map[string]bool{}
	for body, path := range map[string]string{`{"a":1,"b":1,"c":2}`: "body.c", `{"a":1,"b":2,"c":2}`: "body.a"} {
		_, err := (&wire.Transport{Dir: dir}).RoundTrip(post(body))
		var n *wire.NotRecorded
		require.ErrorAs(t, err, &n)
		assert.Equal(t, path, n.Difference.Path)
		nearest[n.Nearest] = true
	}
	assert.Len(t, nearest, 2)
}

// TestBodiesOfOtherForms: a body that is no JSON is shown, and not told as absent.
func TestBodiesOfOtherForms(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why, recorded, asked string
		want                 wire.Difference
	}{
		{"text for JSON", `{"a":1}`, `{"a":1`, wire.Difference{Path: "body", Recorded: `{"a":1}`, Asked: `"(no JSON) {\"a\":1"`}},
		{"JSON for text", `a=1`, `{"a":1}`, wire.Difference{Path: "body", Recorded: `"(no JSON) a=1"`, Asked: `{"a":1}`}},
		{"a text for the same as JSON", `"a"`, `a`, wire.Difference{Path: "body", Recorded: `"a"`, Asked: `"(no JSON) a"`}},
		{"bytes for JSON", `{"a":1}`, "\xff", wire.Difference{Path: "body", Recorded: `{"a":1}`, Asked: `"(base64) /w=="`}},
		{"bytes for text", `a`, "\xff", wire.Difference{Path: "body", Recorded: `"(no JSON) a"`, Asked: `"(base64) /w=="`}},
		{"nothing for JSON", `{"a":1}`, ``, wire.Difference{Path: "body", Recorded: `{"a":1}`, Asked: "(absent)"}},
		{"nothing for text", `a`, ``, wire.Difference{Path: "body", Recorded: `"(no JSON) a"`, Asked: "(absent)"}},
		{"text for text", `a`, `b`, wire.Difference{Path: "text", Recorded: `"a"`, Asked: `"b"`}},
		{"JSON for JSON", `{"a":1}`, `{}`, wire.Difference{Path: "body.a", Recorded: "1", Asked: "(absent)"}},
	} {
		dir := t.TempDir()
		drain(t, recorder(dir, &script{}), post(row.recorded))
		_, err := (&wire.Transport{Dir: dir}).RoundTrip(post(row.asked))
		var n *wire.NotRecorded
		require.ErrorAs(t, err, &n, row.why)
		assert.Equal(t, row.want, n.Difference, row.why)
	}
}

// TestCase063: a recording is made at the first of end, close and break, once.
func TestCase063(t *testing.T) {
	t.Parallel()
	reset := &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)}
	rows := []struct {
		why      string
		end      error
		read     func(context.CancelFunc, io.ReadCloser)
		complete bool
		how      string
		reason   string
		plays    []string
		playsEnd error
	}{
		{
			"read to its end and never closed", nil,
			func(_ context.CancelFunc, b io.ReadCloser) { _, _ = io.ReadAll(b) },
			true, "eof", "",
			[]string{"onetwo"},
			io.EOF,
		},
		{
			"cancelled after one event", nil,
			func(cancel context.CancelFunc, b io.ReadCloser) { readOnce(b); cancel(); _ = b.Close() },
			false, "closed", "canceled",
			[]string{"one"},
			io.EOF,
		},
		{
			"left after one event", nil,
			func(_ context.CancelFunc, b io.ReadCloser) { readOnce(b); _ = b.Close() },
			false, "closed", "abandoned",
			[]string{"one"},
			io.EOF,
		},
		{
			"ended by a reset", reset,
			func(_ context.CancelFunc, b io.ReadCloser) { _, _ = io.ReadAll(b) },
			false, "broken", "reset",
			[]string{"onetwo"},
			syscall.ECONNRESET,
		},
		{
			"a read that the cancel woke", errors.New("whatever a body says then"),
			func(cancel context.CancelFunc, b io.ReadCloser) { readOnce(b); readOnce(b); cancel(); readOnce(b) },
			false, "closed", "canceled",
			[]string{"onetwo"},
			io.EOF,
		},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			rec := recorder(dir, &script{reads: []string{"one", "two"}, end: row.end})
			resp, err := rec.RoundTrip(post("{}").WithContext(ctx))
			require.NoError(t, err)
			row.read(cancel, resp.Body)
			response := only(t, dir)
			assert.Equal(t, row.complete, response["complete"])
			assert.Equal(t, row.how, response["end"])
			reason, _ := response["reason"].(string)
			if broken, ok := response["broken"].(map[string]any); ok {
				reason, _ = broken["reason"].(string)
			}
			assert.Equal(t, row.reason, reason)

			before := tree(t, dir)
			require.NoError(t, os.RemoveAll(dir))
			_, _ = resp.Body.Read(make([]byte, 9))
			_ = resp.Body.Close()
			_ = resp.Body.Close()
			assert.NoDirExists(t, dir, "written once")
			for name, text := range before {
				require.NoError(t, os.MkdirAll(dir, 0o700))
				require.NoError(t, os.WriteFile(dir+"/"+name, []byte(text), 0o600))
			}
			reads, end := drain(t, &wire.Transport{Dir: dir}, post("{}"))
			assert.Equal(t, row.plays, reads)
			assert.ErrorIs(t, end, row.playsEnd)
		})
	}
}

func readOnce(b io.Reader) { _, _ = b.Read(make([]byte, 99)) }

// TestCase143: bytes that no text encoding keeps, and a rune and CRLF split by reads.
func TestCase143(t *testing.T) {
	t.Parallel()
	split := []string{"data: \xc3", "\xa9\r", "\n\r\n\x00\xff\x1b"}
	gz := compress(t, "gzip", strings.Join(split, ""))
	for _, row := range []struct {
		encoding string
		reads    []string
	}{{"", split}, {"gzip", []string{gz[:11], gz[11:]}}} {
		dir := t.TempDir()
		header := http.Header{"Content-Type": {"text/event-stream"}}
		if row.encoding != "" {
			header.Set("Content-Encoding", row.encoding)
		}
		rec := recorder(dir, &script{header: header, reads: row.reads})
		rec.Timing = true
		drain(t, rec, post("{}"))
		resp, err := (&wire.Transport{Dir: dir}).RoundTrip(post("{}"))
		require.NoError(t, err)
		reads, end := readAll(resp.Body)
		assert.Equal(t, row.reads, reads)
		assert.Equal(t, io.EOF, end)
		assert.Equal(t, header, resp.Header, "the label fits the stored body")
		found := false
		for name, text := range tree(t, dir) {
			if strings.Contains(name, ".body-") {
				found = true
				assert.Equal(t, strings.Join(row.reads, ""), text)
				assert.Equal(t, row.encoding == "gzip", strings.HasSuffix(name, ".sse.gz"), name)
			}
		}
		assert.True(t, found)
	}
}

// TestCase188: two recordings of the same concurrent run are equal, whatever finishes
// first.
func TestCase188(t *testing.T) {
	t.Parallel()
	const calls = 4
	run := func(order []int) map[string]string {
		dir := t.TempDir()
		gates := make([]chan struct{}, calls)
		for i := range gates {
			gates[i] = make(chan struct{})
		}
		rec := recorder(dir, roundTrip(func(r *http.Request) (*http.Response, error) {
			i, err := strconv.Atoi(r.Header.Get("Traceparent"))
			require.NoError(t, err)
			return (&script{reads: []string{"answer ", strconv.Itoa(i)}, header: http.Header{"Date": {strconv.Itoa(order[i])}}}).RoundTrip(r)
		}))
		var all sync.WaitGroup
		for i := range calls {
			r := post(`{"same":true}`)
			if i == 3 {
				r = post(`{"same":false}`)
			}
			r.Header.Set("Traceparent", strconv.Itoa(i))
			resp, err := rec.RoundTrip(r) // they start in this order
			require.NoError(t, err)
			all.Go(func() {
				<-gates[i]
				_, _ = readAll(resp.Body)
			})
		}
		for _, i := range order {
			close(gates[i]) // and finish in about that one
		}
		all.Wait()
		require.NoError(t, rec.Err())
		return tree(t, dir)
	}
	first := run([]int{0, 1, 2, 3})
	require.Len(t, first, 2*calls)
	for _, order := range [][]int{{3, 2, 1, 0}, {1, 3, 0, 2}, {2, 0, 3, 1}} {
		assert.Equal(t, first, run(order))
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestConcurrentUse records and replays from many goroutines at once.
func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const n = 24
	rec := recorder(dir, roundTrip(func(r *http.Request) (*http.Response, error) {
		return (&script{reads: []string{"a", "b\n\n"}}).RoundTrip(r)
	}))
	rt := &wire.Transport{Dir: dir}
	for _, use := range []*wire.Transport{rec, rt} {
		var all sync.WaitGroup
		for i := range n {
			all.Go(func() {
				reads, end := drain(t, use, post(`{"n":`+strconv.Itoa(i%3)+`}`))
				assert.Equal(t, "ab\n\n", strings.Join(reads, ""))
				assert.Equal(t, io.EOF, end)
			})
		}
		all.Wait()
		require.NoError(t, use.Err())
	}
	assert.Empty(t, rt.Unused())
	names := slices.Sorted(func(yield func(string) bool) {
		for name := range heads(t, dir) {
			if !yield(name) {
				return
			}
		}
	})
	assert.Len(t, names, n)
	var bodies bytes.Buffer
	for name, text := range tree(t, dir) {
		if strings.Contains(name, ".body-") {
			bodies.WriteString(text)
		}
	}
	assert.Equal(t, strings.Repeat("ab\n\n", n), bodies.String())
}
