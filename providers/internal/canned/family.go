package canned

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// A Family is a wire family as its tests see it: what differs between families.
// Each method is one test; the family names it and makes it parallel.
type Family struct {
	// Cases returns the answers of its testdata; nil is [Folders] of testdata/decode.
	Cases func(tb testing.TB) []Case
	// Wire reads the answer of a case; of no case, with the defaults.
	Wire func(c Case) Wire
	// Sourced says that each case names its source.
	Sourced bool

	// Evidence looks in a body for what says that the reply has ended, with nothing
	// but the standard library. Final says that nothing follows it.
	Evidence func(body []byte) bool
	Final    bool

	// Target and Encode send a turn back.
	Target request.Target
	Encode func(p request.Prepared) ([]byte, error)
	// Guarded is a rule of the grammar that the family leaves to the guard.
	Guarded string
}

func (f Family) cases(tb testing.TB) []Case {
	tb.Helper()
	if f.Cases != nil {
		return f.Cases(tb)
	}
	return Folders(tb, "testdata/decode")
}

// Play returns the events of a case, by way of the real transport.
func (f Family) Play(tb testing.TB, c Case) []events.Event {
	tb.Helper()
	w := f.Wire(c)
	return w.Play(tb, c.answer(w))
}

// Golden holds the events of each case to its golden file, byte for byte.
func (f Family) Golden(t *testing.T, update bool) {
	t.Helper()
	for _, c := range f.cases(t) {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			require.NotEmpty(t, c.Why)
			require.True(t, c.Source != "" || !f.Sourced, "the case names no source")
			t.Log(c.Why)
			Golden(t, c.Want, []byte(Lines(f.Play(t, c))), update)
		})
	}
}

// Splits plays each case in any reads: the same bytes give the same events.
func (f Family) Splits(t *testing.T) {
	t.Helper()
	for _, c := range f.cases(t) {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			w := f.Wire(c)
			whole := Lines(f.Play(t, c))
			for how, read := range reads(len(c.Body)) {
				split := c.answer(w)
				split.Read = read
				require.Equal(t, whole, Lines(w.Play(t, split)), "reads of %s", how)
			}
			// The end that comes together with the last bytes changes nothing.
			joined := c.answer(w)
			joined.Joined = true
			require.Equal(t, whole, Lines(w.Play(t, joined)), "joined")
		})
	}
}

// reads returns ways to cut a body of n bytes into reads.
func reads(n int) map[string]func(int) int {
	ways := map[string]func(int) int{
		"1":      func(int) int { return 1 },
		"7":      func(int) int { return 7 },
		"3 or 5": func(turn int) int { return 3 + turn%2*2 },
		"half":   func(int) int { return n/2 + 1 },
	}
	for name, most := range map[string]int{"up to 20": 20, "up to 90": 90, "up to 200": 200} {
		random := rand.New(rand.NewPCG(uint64(most), uint64(n)))
		ways[name] = func(int) int { return 1 + random.IntN(most) }
	}
	return ways
}

// Cuts ends the body of each named case after every byte, cleanly and by a break:
// it is Completed only once the evidence was read, else it says how it ended, and
// what it yields before is a beginning of what the whole body yields.
func (f Family) Cuts(t *testing.T, names ...string) {
	t.Helper()
	cases := map[string]Case{}
	for _, c := range f.cases(t) {
		cases[c.Name] = c
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, ok := cases[name]
			require.True(t, ok, "no such case")
			whole := f.Play(t, c)
			require.Equal(t, events.Completed, Terminal(t, whole).Kind)
			for n := range len(c.Body) + 1 {
				f.cut(t, c, n, whole)
			}
		})
	}
}

// cut plays the first n bytes of a case.
func (f Family) cut(t *testing.T, c Case, n int, whole []events.Event) {
	t.Helper()
	ended := f.Evidence(c.Body[:n])
	for reason, end := range map[events.Reason]error{
		events.ReasonTruncated: nil, events.ReasonLostConnection: errors.New("connection reset by peer"),
	} {
		w := f.Wire(c)
		answer := c.answer(w)
		answer.Body, answer.End = c.Body[:n], end
		got := w.Play(t, answer)
		last := Terminal(t, got)
		require.Equal(t, ended, last.Kind == events.Completed, "cut at %d: %v", n, last)
		if failure, failed := last.Failure(); failed {
			require.Equal(t, events.InvalidReply, failure.Kind, "cut at %d", n)
			require.Equal(t, reason, failure.Reason, "cut at %d", n)
		} else if f.Final {
			require.True(t, last.Equal(Terminal(t, whole)), "cut at %d: %v", n, last)
		}
		for i, ev := range got[:len(got)-1] {
			if i == 0 && ev.Equal(events.NewStarted(events.Start{})) {
				continue // a body that ends before its first frame has one of its own
			}
			require.True(t, ev.Equal(whole[i]), "cut at %d: event %d is %v, want %v", n, i, ev, whole[i])
		}
	}
}
