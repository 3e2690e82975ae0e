package responseswire_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/responseswire"
	"github.com/weirsdk/weir/stream"
)

// shared returns a folder of recordings that lies beside the repository on the
// machines that have it.
func shared(t *testing.T, folder string) string {
	t.Helper()
	dir := filepath.Join("../../../../shared", folder)
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the recordings in ../shared are not here")
	}
	return dir
}

// An expectation is what was derived from a recording apart from this code.
type expectation struct {
	Kind      string `json:"kind"`
	Status    int    `json:"status"`
	BodyFile  string `json:"body_file"`
	Text      string `json:"text"`
	Reasoning string `json:"reasoning"`
	Refusal   string `json:"refusal"`
	ToolCalls []struct {
		ID, Name, Arguments string
	} `json:"tool_calls"`
	HostedToolCalls  []struct{ Type, ID string } `json:"hosted_tool_calls"`
	FinishReason     string                      `json:"finish_reason"`
	IncompleteReason string                      `json:"incomplete_reason"`
	Usage            map[string]any              `json:"usage"`
	Signatures       []string                    `json:"signatures"`
	ResponseID       string                      `json:"response_id"`
	Model            string                      `json:"model"`
	End              struct {
		Proper bool            `json:"proper"`
		Error  json.RawMessage `json:"error"`
	} `json:"end"`
	Error struct{ Code, Type, Message any } `json:"error"`
}

func (e *expectation) count(path ...string) (int64, bool) {
	var v any = e.Usage
	for _, key := range path {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	n, ok := v.(float64)
	return int64(n), ok
}

func TestFixtures(t *testing.T) {
	t.Parallel()
	dirs, err := filepath.Glob(filepath.Join(shared(t, "fixtures"), "*-responses", "*"))
	require.NoError(t, err)
	require.Greater(t, len(dirs), 40)
	for _, dir := range dirs {
		t.Run(filepath.Base(filepath.Dir(dir))+"/"+filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			var want expectation
			text, err := os.ReadFile(filepath.Join(dir, "expect.json"))
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(text, &want))
			body, err := os.ReadFile(filepath.Join(dir, want.BodyFile))
			require.NoError(t, err)
			if want.Kind == "http_error" {
				checkErrorFixture(t, &want, body)
				return
			}
			vendor := strings.TrimSuffix(filepath.Base(filepath.Dir(dir)), "-responses")
			checkStreamFixture(t, responseswire.ProfileFor(vendor), &want, body)
		})
	}
}

func checkErrorFixture(t *testing.T, want *expectation, body []byte) {
	t.Helper()
	header := http.Header{"Content-Type": {"application/json"}}
	evs := play(t, &canned.Transport{Status: want.Status, Header: header, Body: body}, minting())
	f, ok := terminal(t, evs).Failure()
	require.True(t, ok)
	assert.Equal(t, events.Rejected, f.Kind)
	assert.Equal(t, want.Status, f.Status)
	assert.Equal(t, want.Error.Code, f.ProviderCode)
	assert.Equal(t, want.Error.Message, f.Detail)
}

func checkStreamFixture(t *testing.T, profile responseswire.Profile, want *expectation, body []byte) {
	t.Helper()
	evs := playAs(t, profile, answered(body), minting())
	for _, size := range []int{1, 13} {
		if len(body) > 300_000 && size == 1 {
			continue
		}
		split := answered(body)
		split.Read = func(int) int { return size }
		require.Equal(t, string(lines(evs)), string(lines(playAs(t, profile, split, minting()))))
	}
	var reply stream.Reply
	for _, ev := range evs {
		reply.Add(ev)
	}
	assert.Equal(t, want.Text, reply.Text())
	assert.Equal(t, want.Reasoning, reply.Thinking())
	assert.Equal(t, want.Refusal, reply.Refusal())
	last := terminal(t, evs)
	if !want.End.Proper {
		require.Equal(t, events.Failed, last.Kind)
		return
	}
	require.Equal(t, events.Completed, last.Kind, "%v", last)
	start, _ := evs[0].Start()
	assert.Equal(t, want.ResponseID, start.ResponseID)
	assert.Equal(t, want.Model, start.Model)
	done, _ := last.Completion()
	if want.FinishReason == "incomplete" {
		assert.Equal(t, want.IncompleteReason, done.RawStop)
	} else {
		assert.Equal(t, want.FinishReason, done.RawStop)
	}
	checkUsage(t, want, done.Usage)
	ticks, told := want.count("cost_in_usd_ticks")
	require.Equal(t, told && profile.Cost == responseswire.CostTicks, done.Cost != nil)
	if done.Cost != nil {
		assert.Equal(t, (ticks+9_999)/10_000, int64(done.Cost.Micros))
	}
	checkCalls(t, want, &reply)
	for _, s := range want.Signatures {
		// Reasoning that nothing followed is not kept.
		assert.Contains(t, done.Data.Value, s)
	}
	checkHosted(t, want, evs)
	odd := map[string]string{
		"vercel-shell-container-1":       "a text that differs from its pieces", // edited by hand upstream
		"vercel-image-generation-tool-1": "an image that is not base64",         // elided upstream
	}[filepath.Base(t.Name())]
	for _, n := range reply.Notices() {
		assert.Equal(t, odd, n.Detail, "a recording holds nothing else that is unknown")
	}
}

func checkUsage(t *testing.T, want *expectation, got events.Usage) {
	t.Helper()
	for _, c := range []struct {
		got  events.Count
		path []string
	}{
		{got.Input, []string{"input_tokens"}},
		{got.Output, []string{"output_tokens"}},
		{got.CacheRead, []string{"input_tokens_details", "cached_tokens"}},
		{got.CacheWrite, []string{"input_tokens_details", "cache_write_tokens"}},
		{got.Thinking, []string{"output_tokens_details", "reasoning_tokens"}},
	} {
		n, told := want.count(c.path...)
		assert.Equal(t, told, c.got.IsKnown(), c.path)
		assert.Equal(t, n, c.got.Or(0), c.path)
	}
	assert.True(t, got.Final)
	assert.False(t, got.Inconsistent)
}

func checkCalls(t *testing.T, want *expectation, reply *stream.Reply) {
	t.Helper()
	got := reply.ToolCalls()
	require.Len(t, got, len(want.ToolCalls))
	for i, call := range want.ToolCalls {
		assert.Equal(t, call.ID, got[i].ID)
		assert.Equal(t, call.Name, got[i].Name)
		if call.Arguments == "" {
			call.Arguments = "{}"
		}
		assert.Equal(t, call.Arguments, got[i].Arguments)
	}
}

// checkHosted checks that each use of a hosted tool was told from its start to its
// end. What comes of it is an item of its own on this wire and no use.
func checkHosted(t *testing.T, want *expectation, evs []events.Event) {
	t.Helper()
	started, ended := map[string]bool{}, map[string]bool{}
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
	for _, h := range want.HostedToolCalls {
		if filepath.Ext(h.Type) == "" && !bytes.HasSuffix([]byte(h.Type), []byte("_output")) {
			assert.True(t, started[h.ID], "%s %s", h.Type, h.ID)
			assert.True(t, ended[h.ID], "%s %s", h.Type, h.ID)
		}
	}
}

// Captures of a server of this wire: none without an end marker is a success, and
// every one with it is.
func TestCaptures(t *testing.T) {
	t.Parallel()
	bodies, err := filepath.Glob(filepath.Join(shared(t, "captures"), "v1_responses", "*.response.body"))
	require.NoError(t, err)
	require.NotEmpty(t, bodies)
	for _, file := range bodies {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			body, err := os.ReadFile(file)
			require.NoError(t, err)
			if !bytes.HasPrefix(body, []byte("event:")) {
				t.Skip("an error body")
			}
			last := terminal(t, play(t, answered(body), minting()))
			ended := bytes.Contains(body, []byte("event: response.completed"))
			assert.Equal(t, ended, last.Kind == events.Completed, "%v", last)
		})
	}
}
