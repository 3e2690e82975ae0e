package responseswire_test

import (
	"bytes"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/responseswire"
)

// count returns a count of a recorded usage, and whether it was told.
func count(want canned.Recording, path ...string) (int64, bool) {
	var v any = want.Usage
	for _, key := range path {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	n, ok := v.(float64)
	return int64(n), ok
}

func TestFixtures(t *testing.T) {
	t.Parallel()
	require.Greater(t, len(canned.Shared(t, "fixtures/*-responses/*")), 40)
	canned.Recordings(t, "*-responses", func(t *testing.T, want canned.Recording) {
		t.Helper()
		if want.Kind == "http_error" {
			checkErrorFixture(t, want)
			return
		}
		vendor := strings.TrimSuffix(want.Folder, "-responses")
		checkStreamFixture(t, responseswire.ProfileFor(vendor), want)
	})
}

func checkErrorFixture(t *testing.T, want canned.Recording) {
	t.Helper()
	header := http.Header{"Content-Type": {"application/json"}}
	evs := play(t, &canned.Transport{Status: want.Status, Header: header, Body: want.Body}, minting())
	f, ok := terminal(t, evs).Failure()
	require.True(t, ok)
	assert.Equal(t, events.Rejected, f.Kind)
	assert.Equal(t, want.Status, f.Status)
	assert.Equal(t, want.Error.Code, f.ProviderCode)
	assert.Equal(t, want.Error.Message, f.Detail)
}

func checkStreamFixture(t *testing.T, profile responseswire.Profile, want canned.Recording) {
	t.Helper()
	evs := want.Play(t, wire(profile, minting()))
	reply := canned.Reply(evs)
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
	ticks, told := count(want, "cost_in_usd_ticks")
	require.Equal(t, told && profile.Cost == responseswire.CostTicks, done.Cost != nil)
	if done.Cost != nil {
		assert.Equal(t, (ticks+9_999)/10_000, int64(done.Cost.Micros))
	}
	want.Called(t, reply)
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

func checkUsage(t *testing.T, want canned.Recording, got events.Usage) {
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
		n, told := count(want, c.path...)
		assert.Equal(t, told, c.got.IsKnown(), c.path)
		assert.Equal(t, n, c.got.Or(0), c.path)
	}
	assert.True(t, got.Final)
	assert.False(t, got.Inconsistent)
}

// checkHosted checks that each use of a hosted tool was told from its start to its
// end. What comes of it is an item of its own on this wire and no use.
func checkHosted(t *testing.T, want canned.Recording, evs []events.Event) {
	t.Helper()
	started, ended := canned.HostedIDs(evs)
	for _, h := range want.HostedToolCalls {
		if filepath.Ext(h.Type) == "" && !bytes.HasSuffix([]byte(h.Type), []byte("_output")) {
			assert.True(t, started[h.ID], "%s %s", h.Type, h.ID)
			assert.True(t, ended[h.ID], "%s %s", h.Type, h.ID)
		}
	}
}

// Captures of a server of this wire.
func TestCaptures(t *testing.T) {
	t.Parallel()
	canned.Captures(t, "v1_responses", "event: response.completed", wire(openai(), minting()))
}
