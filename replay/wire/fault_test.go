package wire_test

import (
	"context"
	"io"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/replay/wire"
)

func TestParseFault(t *testing.T) {
	t.Parallel()
	rows := []struct {
		text  string
		fault wire.Fault
		why   string
	}{
		{"", wire.Fault{}, "none"},
		{"  ", wire.Fault{}, "none"},
		{"cut=120", wire.Fault{Stop: wire.StopClean, After: 120}, "a clean end"},
		{"cut=0", wire.Fault{Stop: wire.StopClean}, "at once"},
		{"cut=120,reset", wire.Fault{Stop: wire.StopReset, After: 120}, "a break"},
		{"reset, cut=120", wire.Fault{Stop: wire.StopReset, After: 120}, "in any order"},
		{"reset", wire.Fault{Stop: wire.StopReset, After: math.MaxInt}, "in place of the end"},
		{"stall=5,split=1,status=503", wire.Fault{Stop: wire.StopStall, After: 5, Split: 1, Status: 503}, "all that go together"},
		{"status=503,times=2", wire.Fault{Status: 503, Times: 2}, "the first two"},
		{"times=0,status=200", wire.Fault{Status: 200}, "all of them, from the first status"},
		{"status=999,split=1", wire.Fault{Status: 999, Split: 1}, "to the last"},
	}
	for _, row := range rows {
		f, err := wire.ParseFault(row.text)
		require.NoError(t, err, row.text)
		assert.Equal(t, row.fault, f, row.why)
	}
	for text, why := range map[string]string{
		"cut": "no number", "cut=": "no number", "cut=-1": "below nothing", "cut=+1": "another spelling", "cut=-0": "a sign", "cut=1x": "no number",
		"split=0": "no progress", "status=101": "no final status", "status=1000": "no status", "later=1": "unknown",
		"cut=1,cut=2": "twice", "reset,reset": "twice", "reset=1": "reset has no number", "stall=1,cut=2": "two ends",
		"stall=1,reset": "two ends", "cut=1,": "an empty word", "cut=99999999999999999999": "too large", "status=199": "no final status",
		"times=1": "of nothing", "times=0": "of nothing", "times=-1,cut=1": "below nothing", "times=1,times=1,cut=1": "twice", "times,cut=1": "no number",
	} {
		_, err := wire.ParseFault(text)
		f, ok := events.AsFailure(err)
		require.True(t, ok, "%s: %s", text, why)
		assert.Equal(t, events.InvalidRequest, f.Kind)
		assert.Equal(t, events.ReasonBadConfig, f.Reason)
		word, err := strconv.QuotedPrefix(f.Detail)
		require.NoError(t, err, "it names the word, and of two that do not go together both")
		assert.Contains(t, `"`+text+`"`, strings.Trim(word, `"`))
		if strings.HasPrefix(text, "status=") {
			assert.Contains(t, f.Detail, "from 200 to 999")
		}
		if strings.HasPrefix(text, "split=") {
			assert.Contains(t, f.Detail, "from 1")
		}
	}
	for text, word := range map[string]string{
		"cut=1, later=1 ,split=2": `"later=1": `, "cut=1,cut=2": `"cut=2": `, "cut=1,": `"": `, "stall=1,reset": `"stall=1,reset": `,
	} {
		_, err := wire.ParseFault(text)
		assert.ErrorContains(t, err, word, "it and no other")
	}
	_, err := wire.ParseFault("cut=1," + strings.Repeat("x", 1000))
	assert.Less(t, len(err.Error()), 300, "bounded")
	assert.Empty(t, wire.Fault{Times: 2}.String(), "of nothing")
}

func FuzzParseFault(f *testing.F) {
	for _, text := range []string{"", "cut=120,reset", "stall=1,split=2,status=503", "status=429,times=1", "cut=,x"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		fault, err := wire.ParseFault(text)
		if err != nil {
			_, ok := events.AsFailure(err)
			assert.True(t, ok)
			return
		}
		again, err := wire.ParseFault(fault.String())
		assert.NoError(t, err)
		assert.Equal(t, fault, again)
	})
}

// TestFaultsAgainstAModel: what is read is what a slow, obvious model says.
func TestFaultsAgainstAModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		piece := rapid.StringMatching(`[ab]{1,6}`)
		s := &script{reads: rapid.SliceOfN(piece, 0, 5).Draw(rt, "reads")}
		fault := wire.Fault{
			Stop:  rapid.SampledFrom([]wire.Stop{wire.StopNone, wire.StopClean, wire.StopReset, wire.StopStall}).Draw(rt, "stop"),
			After: rapid.IntRange(-1, 20).Draw(rt, "after"), Split: rapid.IntRange(0, 4).Draw(rt, "split"),
			Status: rapid.SampledFrom([]int{0, 500}).Draw(rt, "status"),
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // so that a stall ends at once
		whole := strings.Join(s.reads, "")
		resp, err := (&wire.Faulty{Base: s, Fault: fault}).RoundTrip(post("{}").WithContext(ctx))
		require.NoError(rt, err)
		reads, end := readAll(resp.Body)

		want, wantEnd := whole, io.EOF
		if fault.Stop != wire.StopNone {
			want = whole[:min(max(fault.After, 0), len(whole))]
			wantEnd = map[wire.Stop]error{wire.StopClean: io.EOF, wire.StopReset: syscall.ECONNRESET, wire.StopStall: context.Canceled}[fault.Stop]
		}
		assert.Equal(rt, want, strings.Join(reads, ""))
		assert.ErrorIs(rt, end, wantEnd)
		for _, read := range reads {
			assert.True(rt, fault.Split == 0 || len(read) <= fault.Split)
		}
		assert.Equal(rt, max(200, fault.Status), resp.StatusCode)
	})
}

// TestStall: nothing comes until the context ends or the body is closed.
func TestStall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		fault := wire.Fault{Stop: wire.StopStall, After: 2}
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		began := time.Now()
		resp, err := (&wire.Faulty{Base: &script{reads: []string{"abc"}}, Fault: fault}).RoundTrip(post("{}").WithContext(ctx))
		require.NoError(t, err)
		reads, end := readAll(resp.Body)
		assert.Equal(t, []string{"ab"}, reads)
		assert.ErrorIs(t, end, context.DeadlineExceeded)
		assert.Equal(t, time.Hour, time.Since(began))

		resp, err = (&wire.Faulty{Base: &script{}, Fault: fault}).RoundTrip(post("{}"))
		require.NoError(t, err)
		time.AfterFunc(time.Minute, func() { _ = resp.Body.Close() })
		_, end = resp.Body.Read(make([]byte, 1))
		assert.ErrorIs(t, end, http.ErrBodyReadAfterClose)
	})
}

// TestFaultyHandsErrorsOn: what got no answer cannot be spoiled.
func TestFaultyHandsErrorsOn(t *testing.T) {
	t.Parallel()
	_, err := (&wire.Faulty{Base: &script{err: errBroke}, Fault: wire.Fault{Status: 500}}).RoundTrip(post("{}"))
	assert.Equal(t, errBroke, err)
}

// TestAdaptersSeeFaults: what an adapter makes of each fault is as documented.
func TestAdaptersSeeFaults(t *testing.T) {
	t.Parallel()
	for vendor, pieces := range replies() {
		rows := []struct{ fault, want string }{
			{"", `"kind":"completed"`},
			{"split=1", `"kind":"completed"`},
			{"cut=40", `"reason":"truncated"`},
			{"cut=40,reset", `"reason":"lost_connection"`},
			{"status=503", `"kind":"overloaded"`},
		}
		for _, row := range rows {
			fault, err := wire.ParseFault(row.fault)
			require.NoError(t, err)
			rt := &wire.Faulty{Base: &script{reads: pieces}, Fault: fault}
			assert.Contains(t, canonical(t, model(t, vendor, "https://api.example.com", testKey, rt)), row.want, vendor+" "+row.fault)
		}
	}
}

// TestTimes: the first few answers to a request are spoiled and the others are whole;
// every request counts for itself, and one that was not answered not at all.
func TestTimes(t *testing.T) {
	t.Parallel()
	s := &script{reads: []string{"whole"}}
	rt := &wire.Faulty{Base: s, Fault: wire.Fault{Stop: wire.StopReset, After: 2, Times: 2}}
	ask := func(body string) string {
		r := post(body)
		resp, err := rt.RoundTrip(r)
		if err != nil {
			return err.Error()
		}
		assert.Same(t, r, resp.Request)
		reads, _ := readAll(resp.Body)
		return strings.Join(reads, "")
	}
	assert.Equal(t, "wh", ask(`{"a":1,"b":2}`))
	assert.Equal(t, "wh", ask(`{"a":2}`), "another request")
	s.err = errBroke
	assert.Equal(t, errBroke.Error(), ask(`{"a":1,"b":2}`), "no answer")
	s.err = nil
	assert.Equal(t, "wh", ask(`{"b":2, "a":1}`), "the same request")
	assert.Equal(t, "whole", ask(`{"a":1,"b":2}`))
	assert.Equal(t, "wh", ask(`{"a":2}`))
	assert.Equal(t, "whole", ask(`{"a":2}`))
	sent, err := io.ReadAll(s.sent[len(s.sent)-1].Body)
	require.NoError(t, err)
	assert.Equal(t, `{"a":2}`, string(sent), "the request goes on whole")

	r := post("{}")
	r.Body = io.NopCloser(brokenReader{})
	_, err = rt.RoundTrip(r)
	assert.Equal(t, errBroke, err)
}

// TestRetriesGetOver a fault that is there for a while: what a caller makes of it is
// one result and the attempts that it took.
func TestRetriesGetOver(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	m := model(t, "openai", "https://api.example.com", testKey, recorder(dir, &script{reads: replies()["openai"]}))
	for range m.Stream(t.Context(), hello()) {
	}
	loaded, err := wire.Load(os.DirFS(dir))
	require.NoError(t, err)
	rows := []struct {
		fault    string
		attempts int
		fails    bool
	}{
		{"status=503,times=1", 2, false},
		{"status=429,times=2", 3, false},
		{"cut=0,reset,times=1", 2, false},
		{"status=503,times=3", 3, true},
		{"status=503", 3, true},
	}
	for _, row := range rows {
		fault, err := wire.ParseFault(row.fault)
		require.NoError(t, err)
		client, url := serve(t, &wire.Server{Recordings: loaded, Fault: fault, Repeat: fault.Times == 0}, false)
		byHeader, urlOfHeader := serve(t, &wire.Server{Recordings: loaded, Repeat: fault.Times == 0}, false)
		ordered := roundTrip(func(r *http.Request) (*http.Response, error) {
			r = r.Clone(r.Context())
			r.Header.Set(wire.FaultHeader, row.fault)
			return byHeader.Transport.RoundTrip(r)
		})
		models := map[string]providers.Model{
			"Faulty": model(t, "openai", "https://api.example.com", "", &wire.Faulty{Base: &wire.Transport{Dir: dir, Repeat: true}, Fault: fault}),
			"Server": model(t, "openai", url, "", client.Transport),
			"header": model(t, "openai", urlOfHeader, "", ordered),
		}
		for how, m := range models {
			result, err := caller.New(m, caller.Config{MaxRetries: 2, Backoff: -1}).Generate(t.Context(), hello())
			assert.Equal(t, row.fails, err != nil, "%s %s: %v", how, row.fault, err)
			assert.Len(t, result.Attempts, row.attempts, how+" "+row.fault)
		}
	}
}

// TestFaultyBodies: what comes together with the end is not lost, and closing closes
// what is below.
func TestFaultyBodies(t *testing.T) {
	t.Parallel()
	below := &scriptBody{reads: []string{"whole"}, end: io.EOF}
	base := roundTrip(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Status: "200 OK", ContentLength: 5, Body: struct {
			io.Reader
			io.Closer
		}{iotest.DataErrReader(below), below}}, nil
	})
	resp, err := (&wire.Faulty{Base: base, Fault: wire.Fault{Status: 503}}).RoundTrip(post("{}"))
	require.NoError(t, err)
	assert.Equal(t, "503 Service Unavailable", resp.Status)
	assert.Equal(t, int64(5), resp.ContentLength, "it is as long as it was")
	resp, err = (&wire.Faulty{Base: base, Fault: wire.Fault{Stop: wire.StopReset, After: 99}}).RoundTrip(post("{}"))
	require.NoError(t, err)
	assert.Equal(t, int64(-1), resp.ContentLength, "nobody knows")
	reads, end := readAll(resp.Body)
	assert.Equal(t, []string{"whole"}, reads)
	assert.ErrorIs(t, end, syscall.ECONNRESET)
	assert.Equal(t, 1, below.closed)
}
