package replay_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/replay"
)

// TestEventsAreWhatIsPlayed: whoever edits them has the reply agree, or takes it out.
func TestEventsAreWhatIsPlayed(t *testing.T) {
	t.Parallel()
	told := events.NewCompleted(events.Completion{Stop: events.StopToolUse, RawStop: "raw_end", Usage: events.Usage{Input: events.Known(5)}})
	call := events.NewToolCallCompleted(1, events.ToolCall{ID: "x", Name: "f", Arguments: "{}"})
	event := func(s string) string { return strings.Replace(s, `"text":"a"}`, `"text":"b"}`, 1) }
	for _, c := range []struct {
		why    string
		change func(string) string
		text   string
	}{
		{"both are edited", func(s string) string {
			return strings.Replace(event(s), `"tool_request","text":"a"`, `"tool_request","text":"b"`, 1)
		}, "b"},
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
		{"of a call too", func(s string) string { return strings.Replace(s, `[{"id":"x",`, `[{"mood":"glad","id":"x",`, 1) }, "a"},
		{"and counts more", func(s string) string { return strings.ReplaceAll(s, `{"input":5,`, `{"input":5,"smells":7,`) }, "a"},
	} {
		script := []events.Event{started(), events.NewTextDelta(0, "a"), events.NewToolCallStarted(1, "x", "f", false), call, told}
		dir := record(t, plays(script...), ask("hi"))
		edit(t, dir, c.change)
		script[1] = events.NewTextDelta(0, c.text)
		want := lines(script)
		assert.Equal(t, want, lines(all(replayer(dir), ask("hi"))), c.why)
	}
}

// TestAStopThatNoEventTells is found, though a reply without one leaves it out.
func TestAStopThatNoEventTells(t *testing.T) {
	t.Parallel()
	dir := record(t, plays(started(), events.NewFailed(events.NewFailure(events.Overloaded, "", ""))), ask("hi"))
	edit(t, dir, func(s string) string {
		return strings.Replace(s, `"tool_calls":[],`, `"tool_calls":[],"raw_stop":"stop",`, 1)
	})
	var bad *replay.BadRecording
	require.ErrorAs(t, failure(t, all(replayer(dir), ask("hi"))), &bad)
	assert.Contains(t, bad.Problem, "reply.raw_stop")
}

// TestAReplyBesideACredential is compared to the letter, too.
func TestAReplyBesideACredential(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	all(&replay.Recorder{Inner: plays(hello("a hunter22 b")...), Dir: dir, Secrets: []providers.Secret{"hunter22"}}, ask("hi"))
	assert.Equal(t, lines(hello("a [redacted] b")), lines(all(replayer(dir), ask("hi"))))
	edit(t, dir, func(s string) string { return strings.Replace(s, `"text":"a [redacted] b"}`, `"text":"a word b"}`, 1) })
	var bad *replay.BadRecording
	require.ErrorAs(t, failure(t, all(replayer(dir), ask("hi"))), &bad)
	assert.Contains(t, bad.Problem, "not what its events fold to")
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
