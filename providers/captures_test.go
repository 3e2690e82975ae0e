package providers_test

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
)

// A capture is what a real server answered, faults included.
func loadCaptures(tb testing.TB) []recording {
	tb.Helper()
	root := filepath.Join(shared, "captures")
	if _, err := os.Stat(root); err != nil {
		tb.Skip("the captures are not beside the repository")
	}
	var all []recording
	for folder, api := range map[string]string{"api_chat": apiOllama, "v1_chat_completions": apiChat, "v1_messages": apiMessages, "v1_responses": apiResponses} {
		bodies, err := filepath.Glob(filepath.Join(root, folder, "*.response.body"))
		require.NoError(tb, err)
		for _, path := range bodies {
			r := recording{name: folder + "/" + strings.TrimSuffix(filepath.Base(path), ".response.body"), api: api, vendor: "ollama", status: 200, header: http.Header{}}
			r.body, err = os.ReadFile(path)
			require.NoError(tb, err)
			head, err := os.ReadFile(strings.TrimSuffix(path, ".response.body") + ".headers.txt")
			require.NoError(tb, err)
			r.readHead(string(head))
			all = append(all, r)
		}
	}
	return all
}

func (r *recording) readHead(head string) {
	if m := regexp.MustCompile(`HTTP/\S+ (\d+)`).FindStringSubmatch(head); m != nil {
		r.status = 0
		for _, d := range m[1] {
			r.status = r.status*10 + int(d-'0')
		}
	}
	if m := regexp.MustCompile(`(?im)^content-type: *(.*?)\r?$`).FindStringSubmatch(head); m != nil {
		r.header.Set("Content-Type", m[1])
	}
}

// TestCaptures: an error status fails, a stream with its end marker completes
// unless it holds an error, a stream without one never does.
func TestCaptures(t *testing.T) {
	t.Parallel()
	all := loadCaptures(t)
	require.Greater(t, len(all), 70)
	marker := map[string]string{apiOllama: `"done":true`, apiChat: "[DONE]", apiMessages: "message_stop", apiResponses: `"type":"response.completed"`}
	for _, r := range all {
		evs := play(t, r.api, r.vendor, r.transport())
		completed := evs[len(evs)-1].Kind == events.Completed
		marked, holdsError := strings.Contains(string(r.body), marker[r.api]), strings.Contains(string(r.body), `"error"`)
		switch {
		case r.status >= 400 || !marked:
			assert.False(t, completed, r.name)
		case !holdsError:
			assert.True(t, completed, "%s: %v", r.name, evs[len(evs)-1])
		}
		if f, ok := evs[len(evs)-1].Failure(); ok && r.status >= 400 {
			assert.Equal(t, r.status, f.Status, r.name)
			assert.NotEqual(t, events.ReasonBadContent, f.Reason, r.name)
		}
	}
	t.Logf("%d captures", len(all))
}
