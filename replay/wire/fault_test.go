package wire_test

import (
	"context"
	"io"
	"math"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/events"
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
	}
	for _, row := range rows {
		f, err := wire.ParseFault(row.text)
		require.NoError(t, err, row.text)
		assert.Equal(t, row.fault, f, row.why)
	}
	for text, why := range map[string]string{
		"cut": "no number", "cut=": "no number", "cut=-1": "below nothing", "cut=+1": "another spelling", "cut=1x": "no number",
		"split=0": "no progress", "status=101": "no final status", "status=1000": "no status", "later=1": "unknown",
		"cut=1,cut=2": "twice", "reset,reset": "twice", "reset=1": "reset has no number", "stall=1,cut=2": "two ends",
		"stall=1,reset": "two ends", "cut=1,": "an empty word", "cut=99999999999999999999": "too large",
	} {
		_, err := wire.ParseFault(text)
		f, ok := events.AsFailure(err)
		require.True(t, ok, "%s: %s", text, why)
		assert.Equal(t, events.InvalidRequest, f.Kind)
		assert.Equal(t, events.ReasonBadConfig, f.Reason)
	}
}

func FuzzParseFault(f *testing.F) {
	for _, text := range []string{"", "cut=120,reset", "stall=1,split=2,status=503", "cut=,x"} {
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
