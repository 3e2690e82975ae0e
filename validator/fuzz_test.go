package validator_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
)

// FuzzObserve reads bytes as a stream, five an event, and holds the automaton to
// the slow model (pair.observe: the same verdict, a rule that the model finds
// broken too, the state unchanged by a rejected event). Nothing is legal after
// the terminal.
func FuzzObserve(f *testing.F) {
	kind := func(k events.Kind) byte { return byte(k) }
	f.Add([]byte{kind(events.Started), 0, 0, 0, 0, kind(events.TextDelta), 1, 0, 0, 0, kind(events.Completed), 0, 1, 0, 0})
	f.Add([]byte{
		kind(events.Started), 0, 0, 0, 0,
		kind(events.ToolCallStarted), 1, 0, 0, 0,
		kind(events.ToolArgumentsDelta), 1, 2, 0, 0,
		kind(events.ToolArgumentsDelta), 1, 3, 0, 0,
		kind(events.ToolCallCompleted), 1, 4, 0, 0,
		kind(events.Completed), 0, 1, 1, 0,
	})
	f.Add([]byte{
		kind(events.Started), 0, 0, 0, 0,
		kind(events.HostedToolStarted), 1, 0, 0, 0,
		kind(events.HostedToolCompleted), 1, 0, 0, 0,
		kind(events.TextDelta), 2, 8, 0, 0,
		kind(events.CitationAdded), 2, 0, 0, 0,
		kind(events.MediaCompleted), 3, 0, 0, 0,
		kind(events.UsageUpdated), 0, 5, 5, 0,
		kind(events.Failed), 0, 1, 1, 5,
		kind(events.Failed), 0, 1, 0, 0,
		kind(events.Notice), 0, 0, 0, 0,
	})
	f.Fuzz(func(t *testing.T, data []byte) {
		p := newPair(t, small())
		for ; len(data) >= 5; data = data[5:] {
			ended := p.m.ended()
			rule := p.observe(damaged(made(data[0], data[1], data[2], data[3]), data[4]), "fuzzed")
			if ended {
				require.Equal(t, "G03", string(rule))
			}
		}
		want := "G04"
		if p.m.ended() {
			want = ""
		}
		p.finish(want, "the end")
	})
}
