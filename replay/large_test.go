package replay_test

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/replay"
)

// TestTooMuchToHold: of a model that nothing bounds not everything is kept in memory.
func TestTooMuchToHold(t *testing.T) {
	t.Parallel()
	dir, long, n := t.TempDir(), strings.Repeat("a", 64<<20), 0
	script := []events.Event{started()}
	for range 5 {
		script = append(script, events.NewTextDelta(0, long))
	}
	r := &replay.Recorder{Inner: plays(append(script, completed(events.StopEnd))...), Dir: dir}
	for range r.Stream(context.Background(), ask("hi")) {
		n++
	}
	assert.Equal(t, 7, n)
	assert.ErrorIs(t, r.Err(), &events.Failure{Kind: events.Other, Reason: events.ReasonTooLarge})
	assert.Empty(t, files(t, dir))
}

// TestTooLargeToBeRead: what no Replayer would read is not stored, and told; the
// consumer has it all.
func TestTooLargeToBeRead(t *testing.T) {
	t.Parallel()
	said := hello("\x01\x02") // twelve bytes in a file
	_, text := only(t, record(t, plays(said...), ask("hi")))
	for _, c := range []struct {
		why    string
		most   int
		stored bool
	}{
		{"as large as may be", len(text), true},
		{"a byte more", len(text) - 1, false},
		{"with its events alone", 100, false},
	} {
		dir := t.TempDir()
		r := &replay.Recorder{Inner: plays(said...), Dir: dir}
		replay.StoreAtMost(r, c.most)
		assert.Equal(t, lines(said), lines(all(r, ask("hi"))), c.why)
		if c.stored {
			require.NoError(t, r.Err(), c.why)
			assert.Equal(t, lines(said), lines(all(replayer(dir), ask("hi"))), c.why)
			continue
		}
		assert.ErrorIs(t, r.Err(), &events.Failure{Kind: events.Other, Reason: events.ReasonTooLarge}, c.why)
		assert.Empty(t, files(t, dir), c.why)
	}
}

// TestTooLargeIsNotMade: of what is not stored no file is made up in memory, where it
// may be six times as large as the texts, thrice over.
func TestTooLargeIsNotMade(t *testing.T) { // alone: it counts the bytes of all
	script := []events.Event{started()}
	for range 64 {
		script = append(script, events.NewTextDelta(0, strings.Repeat("\x01", 64<<10)))
	}
	m := plays(append(script, completed(events.StopEnd))...)
	r := &replay.Recorder{Inner: m, Dir: t.TempDir()}
	replay.StoreAtMost(r, 1<<20)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range r.Stream(context.Background(), ask("hi")) {
	}
	runtime.ReadMemStats(&after)
	assert.ErrorIs(t, r.Err(), &events.Failure{Kind: events.Other, Reason: events.ReasonTooLarge})
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(16<<20))
}
