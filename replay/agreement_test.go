package replay_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/replay"
)

// TestEventsAreWhatIsPlayed: whoever edits them has the reply agree, or takes it out.
func TestEventsAreWhatIsPlayed(t *testing.T) {
	t.Parallel()
	told := events.NewCompleted(events.Completion{Stop: events.StopEnd, RawStop: "raw_end", Usage: events.Usage{Input: events.Known(5)}})
	event := func(s string) string { return strings.Replace(s, `"text":"a"}`, `"text":"b"}`, 1) }
	for _, c := range []struct {
		why    string
		change func(string) string
		text   string
	}{
		{"both are edited", func(s string) string { return strings.Replace(event(s), `"final","text":"a"`, `"final","text":"b"`, 1) }, "b"},
		{"the reply is taken out", func(s string) string { return strings.Replace(event(s), `"reply": {`, `"was": {`, 1) }, "b"},
		{"a part of the reply is", func(s string) string { return strings.Replace(event(s), `"text":"a",`, ``, 1) }, "b"},
		{"the body is", func(s string) string { return strings.Replace(s, `"reply"`, `"body":"of another reply","reply"`, 1) }, "a"},
		{"a formatter was at it", func(s string) string {
			var b bytes.Buffer
			require.NoError(t, json.Indent(&b, []byte(s), "", "\t"))
			return b.String()
		}, "a"},
		{"a later version says more of the reply", func(s string) string {
			return strings.Replace(s, `"reply": {`, `"reply": {"mood":"glad",`, 1)
		}, "a"},
		{"and counts more", func(s string) string { return strings.ReplaceAll(s, `{"input":5,`, `{"input":5,"smells":7,`) }, "a"},
	} {
		dir := record(t, plays(started(), events.NewTextDelta(0, "a"), told), ask("hi"))
		edit(t, dir, c.change)
		want := lines([]events.Event{started(), events.NewTextDelta(0, c.text), told})
		assert.Equal(t, want, lines(all(replayer(dir), ask("hi"))), c.why)
	}
}

// TestTheGrammarHolds for a recording of a model that breaks it, as it does live; the
// recording says so, and else it was edited.
func TestTheGrammarHolds(t *testing.T) {
	t.Parallel()
	dir := record(t, plays(started(), events.NewTextDelta(5, "a"), completed(events.StopEnd)), ask("hi"))
	_, text := only(t, dir)
	assert.Contains(t, text, `"ungrammatical": true`)
	printed, problem := replay.Reprint(text)
	assert.Empty(t, problem)
	assert.Equal(t, text, printed)
	f := failure(t, all(replayer(dir), ask("hi")))
	assert.ErrorIs(t, f, &events.Failure{Kind: events.InvalidReply, Reason: events.ReasonProtocolViolation})

	edit(t, dir, func(s string) string { return strings.Replace(s, `  "ungrammatical": true,`+"\n", "", 1) })
	f = failure(t, all(replayer(dir), ask("hi")))
	var bad *replay.BadRecording
	require.ErrorAs(t, f, &bad)
	assert.Contains(t, bad.Problem, "G05")
}

// TestTextsThatAreNoUTF8: what is stored of them is folded, so that nobody seems to
// have edited it.
func TestTextsThatAreNoUTF8(t *testing.T) {
	t.Parallel()
	dir := record(t, plays(started(), events.NewTextDelta(0, "\xc3"), events.NewTextDelta(0, "\xa9"), completed(events.StopEnd)), ask("hi"))
	evs := all(replayer(dir), ask("hi"))
	assert.Equal(t, lines([]events.Event{started(), events.NewTextDelta(0, "\ufffd"), events.NewTextDelta(0, "\ufffd"), completed(events.StopEnd)}), lines(evs))
}
