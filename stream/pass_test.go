package stream_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/stream"
)

func TestCollect(t *testing.T) {
	t.Parallel()
	r, err := stream.Collect(play(started(), text(0, "a"), completed(events.StopRefusal)))
	require.NoError(t, err, "a refusal is a reply")
	assert.Equal(t, "a", r.Text())

	r, err = stream.Collect(play(started(), text(0, "a"), usage(5, 1), failed(events.Overloaded, events.ReasonServer)))
	f := requireFailure(t, err)
	assert.Equal(t, events.Overloaded, f.Kind)
	assert.Equal(t, "a", r.Text(), "the partial reply comes with the error")
	assert.Equal(t, events.Known(5), r.Usage().Input)
}

func TestCollectWithoutATerminal(t *testing.T) {
	t.Parallel()
	for _, script := range [][]events.Event{nil, {started(), text(0, "a"), usage(5, 1)}} {
		r, err := stream.Collect(play(script...))
		f := requireFailure(t, err)
		assert.Equal(t, events.InvalidReply, f.Kind)
		assert.Equal(t, events.ReasonTruncated, f.Reason)
		assert.Equal(t, r.Usage(), f.Usage, "the usage so far is told")
		assert.Equal(t, stream.OutcomeFailed, r.Outcome(), "the reply says what the error says")
	}
}

func TestCollectStopsAtTheTerminal(t *testing.T) {
	t.Parallel()
	r, err := stream.Collect(play(completed(events.StopEnd), failed(events.Other, ""), text(0, "late")))
	require.NoError(t, err)
	assert.Empty(t, r.Text())
}

func TestText(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, why string
		script    []events.Event
		want      string
		kind      events.FailureKind
	}{
		{"completed", "text only", []events.Event{started(), think(0, "h"), text(1, "a"), refuse(2, "r"), text(1, "b"), completed(events.StopEnd), text(1, "late")}, "ab", ""},
		{"failed", "the error is last", []events.Event{started(), text(0, "a"), failed(events.Overloaded, "")}, "a", events.Overloaded},
		{"no terminal", "an end is no success", []events.Event{started(), text(0, "a")}, "a", events.InvalidReply},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got, last := "", error(nil)
			for piece, err := range stream.Text(play(row.script...)) {
				require.NoError(t, last, "nothing comes after the error")
				got, last = got+piece, err
			}
			assert.Equal(t, row.want, got, row.why)
			if row.kind == "" {
				require.NoError(t, last)
				return
			}
			assert.Equal(t, row.kind, requireFailure(t, last).Kind, row.why)
		})
	}
	for range stream.Text(play(text(0, "a"), text(0, "b"))) {
		break
	}
}

func TestTap(t *testing.T) {
	t.Parallel()
	var order []string
	for ev := range stream.Tap(play(text(0, "a"), text(0, "b"), text(0, "c")), func(ev events.Event) { order = append(order, "see "+ev.Text) }) {
		order = append(order, "got "+ev.Text)
		if ev.Text == "b" {
			break
		}
	}
	assert.Equal(t, []string{"see a", "got a", "see b", "got b"}, order)
}

func TestCoalesce(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, why string
		size      int
		in, want  []events.Event
	}{
		{"same block", "merged", 9, []events.Event{text(0, "ab"), text(0, "cd"), completed(events.StopEnd)}, []events.Event{text(0, "abcd"), completed(events.StopEnd)}},
		{"size", "never longer than asked", 3, []events.Event{text(0, "ab"), text(0, "c"), text(0, "d")}, []events.Event{text(0, "abc"), text(0, "d")}},
		{"long piece", "passed on whole, in order", 3, []events.Event{text(0, "a"), text(0, "bcdef"), text(0, "g")}, []events.Event{text(0, "a"), text(0, "bcdef"), text(0, "g")}},
		{"other index", "not merged", 9, []events.Event{text(0, "a"), text(1, "b"), text(0, "c")}, []events.Event{text(0, "a"), text(1, "b"), text(0, "c")}},
		{"other kind", "not merged", 9, []events.Event{think(0, "a"), text(0, "b")}, []events.Event{think(0, "a"), text(0, "b")}},
		{"event between", "flushed before it", 9, []events.Event{text(0, "a"), usage(1, 1), text(0, "b")}, []events.Event{text(0, "a"), usage(1, 1), text(0, "b")}},
		{"arguments", "deltas too", 9, []events.Event{callStart(0, "1"), callArgs(0, "{"), callArgs(0, "}"), callDone(0, "1", "{}")}, []events.Event{callStart(0, "1"), callArgs(0, "{}"), callDone(0, "1", "{}")}},
		{"end without terminal", "flushed", 9, []events.Event{text(0, "a"), text(0, "b")}, []events.Event{text(0, "ab")}},
		{"size 0", "merges nothing", 0, []events.Event{text(0, "a"), text(0, "b")}, []events.Event{text(0, "a"), text(0, "b")}},
		{"empty", "a violation does not vanish", 9, []events.Event{text(0, "a"), text(0, ""), text(0, "b")}, []events.Event{text(0, "a"), text(0, ""), text(0, "b")}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got := slices.Collect(stream.Coalesce(play(row.in...), row.size))
			require.Len(t, got, len(row.want), row.why)
			for i := range got {
				assert.True(t, row.want[i].Equal(got[i]), "%s: want %v, got %v", row.why, row.want[i], got[i])
			}
		})
	}
}

func TestCoalesceHoldsNothingBackInVain(t *testing.T) {
	t.Parallel()
	var order []string
	in := stream.Tap(play(text(0, "abc"), text(0, "d"), usage(1, 1)), func(ev events.Event) { order = append(order, "in "+ev.Text) })
	for ev := range stream.Coalesce(in, 3) {
		order = append(order, "out "+ev.Text)
	}
	assert.Equal(t, []string{"in abc", "out abc", "in d", "in ", "out d", "out "}, order, "a full piece does not wait for the next event")
}

// TestCoalesceEquivalence: merging changes neither the fold nor the order of what
// is not merged, and merges all that it may.
func TestCoalesceEquivalence(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		script := anyScript().Draw(t, "script")
		size := rapid.IntRange(-1, 9).Draw(t, "size")
		got := slices.Collect(stream.Coalesce(play(script...), size))
		assert.Equal(t, string(stream.AppendReplyJSON(nil, fold(script...))), string(stream.AppendReplyJSON(nil, fold(got...))))
		assert.Equal(t, flat(script), flat(got))
		for i := 1; i < len(got); i++ {
			a, b := got[i-1], got[i]
			if a.Kind.IsDelta() && a.Kind == b.Kind && a.Index == b.Index && a.Text != "" && b.Text != "" {
				assert.Greater(t, len(a.Text)+len(b.Text), size, "%v and %v could be one", a, b)
			}
		}
	})
}

// flat spells a script so that cuts between deltas do not show.
func flat(script []events.Event) string {
	out, last := "", ""
	for _, ev := range script {
		head := ev.Kind.String() + string('0'+ev.Index)
		if !ev.Kind.IsDelta() {
			head = string(events.AppendJSON(nil, ev))
		}
		if head != last || !ev.Kind.IsDelta() {
			out += "|" + head + ":"
		}
		if ev.Kind.IsDelta() {
			out += ev.Text
		}
		last = head
	}
	return out
}
