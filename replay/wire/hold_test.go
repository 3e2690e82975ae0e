package wire_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"runtime"
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

// plays returns what the recordings of a request play: bodies, or "failed".
func plays(tb testing.TB, dir string) []string {
	tb.Helper()
	rt := &wire.Transport{Dir: dir}
	var all []string
	for {
		resp, err := rt.RoundTrip(post("{}"))
		switch {
		case errors.Is(err, wire.ErrNotRecorded):
			return all
		case err != nil:
			all = append(all, "failed")
		default:
			reads, _ := readAll(resp.Body)
			all = append(all, strings.Join(reads, ""))
		}
	}
}

// An answered is what an upstream did.
type answered struct {
	status int
	text   string
	err    error
}

// recordAll records answers by one Transport, and returns what it was told.
func recordAll(tb testing.TB, dir string, all ...answered) (rec *wire.Transport, told []error) {
	tb.Helper()
	s := &script{}
	rec = recorder(dir, s)
	rec.OnError = func(err error) { told = append(told, err) }
	for _, a := range all {
		s.status, s.reads, s.err = a.status, []string{a.text}, a.err
		if resp, err := rec.RoundTrip(post("{}")); err == nil {
			_, _ = readAll(resp.Body)
		}
	}
	return rec, told
}

// TestGoodRecordingsStay: what says nothing but that somebody was not reached or let in
// takes the place of nothing that was better.
func TestGoodRecordingsStay(t *testing.T) {
	t.Parallel()
	refused := answered{err: syscall.ECONNREFUSED}
	status := func(n int) answered { return answered{status: n, text: "status " + strconv.Itoa(n)} }
	old := []answered{{status: 200, text: "old 1"}, {status: 200, text: "old 2"}}
	rows := []struct {
		why   string
		old   []answered
		again []answered
		plays []string
		kept  int // how many answers were held back
		err   bool
	}{
		{"nobody was there", old, []answered{refused}, []string{"old 1", "old 2"}, 1, true},
		{"no key", old, []answered{status(401)}, []string{"old 1", "old 2"}, 1, true},
		{"no money", old, []answered{status(402)}, []string{"old 1", "old 2"}, 1, true},
		{"no right", old, []answered{status(403)}, []string{"old 1", "old 2"}, 1, true},
		{"no proxy", old, []answered{status(407)}, []string{"old 1", "old 2"}, 1, true},
		{"several", old, []answered{refused, status(401), refused}, []string{"old 1", "old 2"}, 3, true},
		{"another status is an answer", old, []answered{status(404)}, []string{"status 404"}, 0, false},
		{"and so is an outage", old, []answered{status(503)}, []string{"status 503"}, 0, false},
		{"an answer after it", old, []answered{refused, status(401), status(200)}, []string{"failed", "status 401", "status 200"}, 2, false},
		{"and after that they are written", old, []answered{refused, status(200), status(401)}, []string{"failed", "status 200", "status 401"}, 1, false},
		{"where there was nothing", nil, []answered{refused, status(401)}, []string{"failed", "status 401"}, 0, false},
		{"where there was nothing better", []answered{status(403), refused}, []answered{status(401)}, []string{"status 401"}, 0, false},
		{"where one was better", []answered{status(403), status(200)}, []answered{status(401)}, []string{"status 403", "status 200"}, 1, true},
	}
	for _, row := range rows {
		dir := t.TempDir()
		recordAll(t, dir, row.old...)
		rec, told := recordAll(t, dir, row.again...)
		assert.Equal(t, row.plays, plays(t, dir), row.why)
		assert.Len(t, told, row.kept, row.why)
		for _, err := range told {
			var kept *wire.Kept
			require.ErrorAs(t, err, &kept, row.why)
			assert.Equal(t, wire.Kept{Method: "POST", Path: "/v1/chat/completions", Got: kept.Got, Recordings: len(row.old)}, *kept, row.why)
			assert.NotEmpty(t, kept.Got, row.why)
			f, ok := events.AsFailure(err)
			require.True(t, ok)
			assert.Equal(t, events.Other, f.Kind)
			assert.Contains(t, f.Detail, kept.Got)
		}
		if row.err {
			assert.Equal(t, told[0], rec.Err(), "%s: until an answer comes it is an error", row.why)
		} else {
			assert.NoError(t, rec.Err(), row.why)
		}
	}
}

// TestCancelledRequestsStayToo: who was cancelled before the head learned nothing.
func TestCancelledRequestsStayToo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	recordAll(t, dir, answered{status: 200, text: "old"})
	ctx, cancel := context.WithCancel(t.Context())
	rec := recorder(dir, roundTrip(func(*http.Request) (*http.Response, error) {
		cancel()
		return nil, ctx.Err()
	}))
	_, err := rec.RoundTrip(post("{}").WithContext(ctx))
	require.ErrorIs(t, err, context.Canceled)
	var kept *wire.Kept
	require.ErrorAs(t, rec.Err(), &kept)
	assert.Equal(t, "context canceled", kept.Got)
	assert.Equal(t, []string{"old"}, plays(t, dir))
}

// A leaver is a round tripper whose next request ends because the one who asked leaves.
type leaver struct {
	script
	before func() // what happens before that; nil: nobody leaves
}

func (l *leaver) RoundTrip(r *http.Request) (*http.Response, error) {
	before := l.before
	if before == nil {
		return l.script.RoundTrip(r)
	}
	l.before = nil
	before()
	return nil, r.Context().Err()
}

// leave asks, and leaves after something else.
func leave(tb testing.TB, rec *wire.Transport, l *leaver, something func()) {
	tb.Helper()
	ctx, cancel := context.WithCancel(tb.Context())
	l.before = func() {
		something()
		cancel()
	}
	_, err := rec.RoundTrip(post("{}").WithContext(ctx))
	require.ErrorIs(tb, err, context.Canceled)
}

// TestWhoLeavesReplacesNothing: a request that the one who asked did not wait for says
// nothing of the provider, so it is no recording beside better ones.
func TestWhoLeavesReplacesNothing(t *testing.T) {
	t.Parallel()
	nothing := func() {}
	rows := []struct {
		why   string
		old   bool
		ask   func(rec *wire.Transport, l *leaver)
		plays []string
	}{
		{"it is asked again", true, func(rec *wire.Transport, l *leaver) {
			leave(t, rec, l, nothing)
			assert.Error(t, rec.Err(), "until then it is told")
			leave(t, rec, l, nothing)
			drain(t, rec, post("{}"))
		}, []string{"new"}},
		{"and is refused first, which is recorded", true, func(rec *wire.Transport, l *leaver) {
			leave(t, rec, l, nothing)
			l.status = 401
			drain(t, rec, post("{}"))
			l.status = 200
			drain(t, rec, post("{}"))
		}, []string{"new", "new"}},
		{"another had begun by then, whose number stays", true, func(rec *wire.Transport, l *leaver) {
			var slow *http.Response
			leave(t, rec, l, func() { slow, _ = rec.RoundTrip(post("{}")) })
			_, _ = readAll(slow.Body)
		}, []string{"failed", "new"}},
		{"there is nothing better", false, func(rec *wire.Transport, l *leaver) {
			leave(t, rec, l, nothing)
			drain(t, rec, post("{}"))
		}, []string{"failed", "new"}},
		{"better ones of its own", true, func(rec *wire.Transport, l *leaver) {
			drain(t, rec, post("{}"))
			leave(t, rec, l, nothing)
		}, []string{"new", "failed"}},
	}
	for _, row := range rows {
		dir := t.TempDir()
		if row.old {
			recordAll(t, dir, answered{status: 200, text: "old"})
		}
		l := &leaver{script: script{reads: []string{"new"}}}
		rec := recorder(dir, l)
		stored := 0
		rec.OnStored = func(string) { stored++ }
		row.ask(rec, l)
		assert.NoError(t, rec.Err(), row.why)
		assert.Len(t, row.plays, stored, row.why)
		assert.Equal(t, row.plays, plays(t, dir), row.why)
	}
}

// TestHeldBackOutOfOrder: the numbers are those in which the requests began.
func TestHeldBackOutOfOrder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	recordAll(t, dir, answered{status: 200, text: "old 1"}, answered{status: 200, text: "old 2"}, answered{status: 200, text: "old 3"})
	s := &script{reads: []string{"new"}}
	rec := recorder(dir, s)
	slow, err := rec.RoundTrip(post("{}"))
	require.NoError(t, err)
	s.status, s.reads = 401, []string{"no"}
	var stored []string
	rec.OnStored = func(file string) { stored = append(stored, file) }
	drain(t, rec, post("{}"))
	require.Error(t, rec.Err())
	_, _ = readAll(slow.Body)
	require.NoError(t, rec.Err())
	require.Len(t, stored, 2)
	assert.Contains(t, stored[1], ".2.json", "whatever is on the disk after a crash is the beginning of it")
	assert.Equal(t, []string{"new", "no"}, plays(t, dir))
	assert.Len(t, tree(t, dir), 4, "no body is left behind")
}

// TestHeldBackKeysAreApart: an answer to one request says nothing of another.
func TestHeldBackKeysAreApart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	recordAll(t, dir, answered{status: 200, text: "old"})
	s := &script{status: 401, reads: []string{"no"}}
	rec := recorder(dir, s)
	drain(t, rec, post("{}"))
	s.status = 200
	drain(t, rec, post(`{"other":1}`))
	assert.Error(t, rec.Err())
	assert.Equal(t, []string{"old"}, plays(t, dir))
}

// TestUnreadableRecordingsStay: what nobody can read may be good.
func TestUnreadableRecordingsStay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	recordAll(t, dir, answered{status: 401, text: "old"})
	for name := range heads(t, dir) {
		require.NoError(t, os.WriteFile(dir+"/"+name, []byte("edited"), 0o600))
	}
	rec, _ := recordAll(t, dir, answered{status: 401, text: "new"})
	var kept *wire.Kept
	assert.ErrorAs(t, rec.Err(), &kept)
}

// TestHeldBackIsBounded in number and in bytes; what is more is lost, and told.
func TestHeldBackIsBounded(t *testing.T) {
	t.Parallel()
	const mebi = 1 << 20
	rows := []struct {
		why       string
		size, fit int
	}{{"exchanges", 1, 256}, {"bytes", 4 * mebi, 4}}
	for _, row := range rows {
		dir := t.TempDir()
		recordAll(t, dir, answered{status: 200, text: "old"})
		s := &script{}
		rec := recorder(dir, s)
		var told []error
		rec.OnError = func(err error) { told = append(told, err) }
		ask := func(status int) {
			s.status, s.reads = status, []string{strings.Repeat("x", row.size)}
			resp, err := rec.RoundTrip(post("{}"))
			require.NoError(t, err)
			_, _ = io.Copy(io.Discard, resp.Body)
		}
		for range row.fit + 1 {
			ask(401)
		}
		require.Len(t, told, row.fit+1)
		var kept *wire.Kept
		assert.ErrorAs(t, told[row.fit-1], &kept, row.why)
		assert.NotErrorAs(t, told[row.fit], &kept, row.why)
		assert.Equal(t, told[row.fit], rec.Err(), "%s: what is lost comes before what may yet be stored", row.why)
		ask(200)
		assert.Equal(t, told[row.fit], rec.Err(), "%s: what is lost stays lost", row.why)
		assert.Len(t, heads(t, dir), row.fit+1, row.why)
	}
}

// TestPanicsOfTheUser cost no answer, and nothing waits for ever after them.
func TestPanicsOfTheUser(t *testing.T) {
	t.Parallel()
	for _, stores := range []bool{true, false} {
		dir := t.TempDir()
		s := &script{reads: []string{"a", "b"}}
		if !stores {
			s.header = http.Header{"Content-Encoding": {"br"}}
		}
		rec := recorder(dir, s)
		rec.OnError = func(error) { panic("in OnError with " + plainCanary) }
		rec.OnStored = func(string) { panic("in OnStored with " + plainCanary) }
		for range 2 {
			reads, end := drain(t, rec, post("{}"))
			assert.Equal(t, []string{"a", "b"}, reads)
			assert.Equal(t, io.EOF, end)
		}
		s.err = syscall.ECONNREFUSED
		_, err := rec.RoundTrip(post("{}"))
		assert.Equal(t, s.err, err, "an error of Base comes as it is")
		f, ok := events.AsFailure(rec.Err())
		require.True(t, ok)
		assert.Equal(t, events.Other, f.Kind)
		assert.NotContains(t, f.Error(), plainCanary)
		assert.Equal(t, stores, strings.Contains(f.Detail, "OnStored panicked: string"))
	}
}

// TestGoexitOfTheUser ends its goroutine, as FailNow of a test does, and no other.
func TestGoexitOfTheUser(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rec := recorder(dir, &script{reads: []string{"a"}})
	rec.OnStored = func(string) { runtime.Goexit() }
	for range 2 {
		var asking sync.WaitGroup
		asking.Go(func() { drain(t, rec, post("{}")) })
		asking.Wait()
	}
	assert.Equal(t, []string{"a", "a"}, plays(t, dir))
}

// TestOnStored tells the files in the order in which they came to the disk.
func TestOnStored(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := &script{reads: []string{"a"}}
	rec := recorder(dir, s)
	var stored []string
	rec.OnStored = func(file string) {
		assert.FileExists(t, dir+"/"+file)
		stored = append(stored, file)
	}
	first, err := rec.RoundTrip(post("{}"))
	require.NoError(t, err)
	drain(t, rec, post("{}"))
	_, _ = readAll(first.Body)
	require.Len(t, stored, 2)
	assert.Contains(t, stored[0], ".2.json", "the second came first")
	assert.NotContains(t, stored[1], ".2.json")
	stored = nil
	again := recorder(dir, s)
	again.OnStored = rec.OnStored
	s.status = 401
	drain(t, again, post("{}"))
	assert.Empty(t, stored, "held back is not stored")
	s.status = 200
	drain(t, again, post("{}"))
	assert.Len(t, stored, 2)
	drain(t, again, post("{}"))
	assert.Len(t, stored, 3, "what was held back is stored once")
}
