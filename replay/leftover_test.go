package replay_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/replay"
	"github.com/weirsdk/weir/request"
)

// recordInto opens a folder for recording, asks and closes.
func recordInto(t *testing.T, dir, model string, asked ...string) error {
	t.Helper()
	m, err := replay.Open(dir, model, true, func() (providers.Model, error) {
		inner := plays(hello("a")...)
		inner.name = model
		return inner, nil
	})
	require.NoError(t, err)
	for _, text := range asked {
		all(m, ask(text))
	}
	return m.Close()
}

// TestCloseOfARecording tells what a replay of the same run would not play, when it is
// recorded and not when somebody replays it.
func TestCloseOfARecording(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why           string
		before, after []string // what is asked
		old           string   // the model of before
		says          string   // "" is nothing
	}{
		{"a new folder", nil, []string{"hi", "hi", "ho"}, "test:m", ""},
		{"no folder, and nothing asked", nil, nil, "test:m", ""},
		{"the same again", []string{"hi", "ho"}, []string{"ho", "hi"}, "test:m", ""},
		{"fewer of the same replace all", []string{"hi", "hi"}, []string{"hi"}, "test:m", ""},
		{"a changed prompt", []string{"What is  the\nweather?", "ho"}, []string{"What is the weather in Oslo?", "ho"}, "test:m", `(asked "What is the weather?")`},
		{"a renamed model", []string{"hi"}, []string{"hi"}, "test:old", `of other models than test:m: `},
		{"nothing asked any more", []string{"hi"}, nil, "test:m", "that this run did not record"},
	} {
		dir := filepath.Join(t.TempDir(), "weather")
		require.NoError(t, recordInto(t, dir, row.old, row.before...), row.why)
		err := recordInto(t, dir, "test:m", row.after...)
		replayed := replayOf(t, dir, row.after)
		if row.says == "" {
			assert.NoError(t, err, row.why)
			continue
		}
		assert.ErrorIs(t, err, &events.Failure{Kind: events.Other}, row.why)
		assert.ErrorContains(t, err, row.says, row.why)
		assert.ErrorContains(t, err, ": remove them if the test is right, or record into an empty folder", row.why)
		assert.Error(t, replayed, "%s: a replay tells it as well", row.why)
	}
}

// replayOf replays what was asked and returns what Close says.
func replayOf(t *testing.T, dir string, asked []string) error {
	t.Helper()
	m, err := replay.Open(dir, "test:m", false, nil)
	require.NoError(t, err)
	for _, text := range asked {
		all(m, ask(text))
	}
	return m.Close()
}

// TestCloseTellsPrompts: what is left over can be told apart without opening a file, and
// is not told at length.
func TestCloseTellsPrompts(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("wörd ", 100)
	inner := plays(hello("a")...)
	conversation := request.Request{Messages: []request.Message{
		request.UserText("the first"), request.UserText(long),
		request.AssistantText("an answer"),
	}}
	dir := record(t, inner, conversation, request.Request{Messages: []request.Message{request.UserText("")}}, ask("hi"))
	m, err := replay.Open(dir, "test:m", false, nil)
	require.NoError(t, err)
	all(m, ask("hi"))
	err = m.Close()
	assert.ErrorContains(t, err, `(asked "wörd wörd `)
	assert.ErrorContains(t, err, `…")`)
	assert.NotContains(t, err.Error(), "the first")
	assert.Less(t, len(err.Error()), 400)

	var asked []string
	for i := range 8 {
		asked = append(asked, strings.Repeat("x", i+1))
	}
	many := t.TempDir()
	require.NoError(t, recordInto(t, many, "test:m", asked...))
	err = recordInto(t, many, "test:m", "hi")
	assert.ErrorContains(t, err, ", and 3 more: remove")
	assert.Equal(t, 5, strings.Count(err.Error(), ".json"))
}
