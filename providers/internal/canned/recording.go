package canned

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/stream"
)

// Shared returns what matches a pattern in the folder of recordings that lies
// beside the repository on the machines that have it. They are read in place, for
// they may not be copied; elsewhere the test is skipped.
func Shared(t *testing.T, pattern string) []string {
	t.Helper()
	root := filepath.Join("..", "..", "..", "..", "shared")
	if _, err := os.Stat(root); err != nil {
		t.Skip("the recordings in ../shared are not here")
	}
	found, err := filepath.Glob(filepath.Join(root, pattern))
	require.NoError(t, err)
	require.NotEmpty(t, found, pattern)
	return found
}

// A Recording is a body, and what was derived from it apart from this code.
type Recording struct {
	Kind             string                `json:"kind"`
	Status           int                   `json:"status"`
	BodyFile         string                `json:"body_file"`
	Text             string                `json:"text"`
	Reasoning        string                `json:"reasoning"`
	Refusal          string                `json:"refusal"`
	ToolCalls        []RecordedCall        `json:"tool_calls"`
	HostedToolCalls  []RecordedHosted      `json:"hosted_tool_calls"`
	FinishReason     string                `json:"finish_reason"`
	IncompleteReason string                `json:"incomplete_reason"`
	Usage            map[string]any        `json:"usage"`
	Signatures       []string              `json:"signatures"`
	Redacted         []string              `json:"redacted_thinking"`
	ResponseID       string                `json:"response_id"`
	Model            string                `json:"model"`
	End              struct{ Proper bool } `json:"end"`
	Error            RecordedError         `json:"error"`

	// Body is what was recorded, Folder the name of the folder of its folder.
	Body   []byte `json:"-"`
	Folder string `json:"-"`
}

// A RecordedCall is a call of a tool in a [Recording].
type RecordedCall struct{ ID, Name, Arguments string }

// A RecordedHosted is a block of a hosted tool in a [Recording].
type RecordedHosted struct {
	Type, ID, Name string
	ToolUseID      string `json:"tool_use_id"`
}

// A RecordedError is the provider's error object in a [Recording].
type RecordedError struct{ Code, Type, Message any }

// Recordings runs check with each recording of the folders of ../shared/fixtures
// that match a pattern.
func Recordings(t *testing.T, pattern string, check func(t *testing.T, r Recording)) {
	t.Helper()
	for _, dir := range Shared(t, filepath.Join("fixtures", pattern, "*")) {
		folder := filepath.Base(filepath.Dir(dir))
		t.Run(folder+"/"+filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			r := Recording{Folder: folder}
			text, err := os.ReadFile(filepath.Join(dir, "expect.json"))
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(text, &r))
			r.Body, err = os.ReadFile(filepath.Join(dir, r.BodyFile))
			require.NoError(t, err)
			check(t, r)
		})
	}
}

// Play returns the events of a recorded stream, which are the same in any reads.
func (r Recording) Play(t *testing.T, w Wire) []events.Event {
	t.Helper()
	whole := w.Play(t, w.Answer(r.Body))
	for _, size := range []int{1, 13} {
		if len(r.Body) > 300_000 && size == 1 {
			continue
		}
		split := w.Answer(r.Body)
		split.Read = func(int) int { return size }
		require.Equal(t, Lines(whole), Lines(w.Play(t, split)), "reads of %d", size)
	}
	return whole
}

// Called checks the calls of a reply, whose arguments are what was recorded;
// none are the empty object.
func (r Recording) Called(t *testing.T, reply *stream.Reply) {
	t.Helper()
	got := reply.ToolCalls()
	require.Len(t, got, len(r.ToolCalls))
	for i, call := range r.ToolCalls {
		assert.Equal(t, call.ID, got[i].ID)
		assert.Equal(t, call.Name, got[i].Name)
		if call.Arguments == "" {
			call.Arguments = "{}"
		}
		assert.Equal(t, call.Arguments, got[i].Arguments)
	}
}

// HostedIDs returns the ids of the hosted tools that started, and of those that
// ended.
func HostedIDs(evs []events.Event) (started, ended map[string]bool) {
	started, ended = map[string]bool{}, map[string]bool{}
	for _, ev := range evs {
		h, ok := ev.Hosted()
		switch {
		case !ok:
		case ev.Kind == events.HostedToolStarted:
			started[h.ID] = true
		default:
			ended[h.ID] = true
		}
	}
	return started, ended
}

// Captures plays the captures in a folder of ../shared/captures, the long ones
// too: none without the evidence is a success, and every one with it is.
func Captures(t *testing.T, folder, evidence string, w Wire) {
	t.Helper()
	for _, file := range Shared(t, filepath.Join("captures", folder, "*.response.body")) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			head, err := os.ReadFile(strings.TrimSuffix(file, ".response.body") + ".headers.txt")
			require.NoError(t, err)
			if !bytes.HasPrefix(head, []byte("HTTP/1.1 200")) {
				t.Skip("an error body, which other tests read")
			}
			body, err := os.ReadFile(file)
			require.NoError(t, err)
			last := Terminal(t, w.Play(t, w.Answer(body)))
			assert.Equal(t, bytes.Contains(body, []byte(evidence)), last.Kind == events.Completed, "%v", last)
		})
	}
}
