package responseswire_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/responseswire"
)

var update = flag.Bool("update", false, "rewrite the expected files from what the code does")

// A wireCase is a folder of testdata/decode.
type wireCase struct {
	Why         string `json:"why"`
	Origin      string `json:"origin"`
	Status      int    `json:"status"`
	ContentType string `json:"content_type"`
	// Vendor is whose answer it is; empty: OpenAI's.
	Vendor string `json:"vendor"`

	name, dir string
	body      []byte
}

func wireCases(t testing.TB) []wireCase {
	t.Helper()
	dirs, err := filepath.Glob("testdata/decode/*")
	require.NoError(t, err)
	require.NotEmpty(t, dirs)
	cases := make([]wireCase, 0, len(dirs))
	for _, dir := range dirs {
		c := wireCase{Vendor: "openai", name: filepath.Base(dir), dir: dir}
		text, err := os.ReadFile(filepath.Join(dir, "case.json"))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, &c))
		bodies, err := filepath.Glob(filepath.Join(dir, "wire.*"))
		require.NoError(t, err)
		require.Len(t, bodies, 1, dir)
		c.body, err = os.ReadFile(bodies[0])
		require.NoError(t, err)
		cases = append(cases, c)
	}
	return cases
}

func (c wireCase) answer() *canned.Transport {
	return &canned.Transport{Status: c.Status, Header: http.Header{"Content-Type": {c.ContentType}}, Body: c.body}
}

func (c wireCase) play(t testing.TB, answer *canned.Transport) []events.Event {
	t.Helper()
	return playAs(t, responseswire.ProfileFor(c.Vendor), answer, minting())
}

func lines(evs []events.Event) []byte {
	var out []byte
	for _, ev := range evs {
		out = append(events.AppendJSON(out, ev), '\n')
	}
	return out
}

func TestDecodeGolden(t *testing.T) {
	t.Parallel()
	for _, c := range wireCases(t) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.NotEmpty(t, c.Why)
			require.NotEmpty(t, c.Origin)
			got := lines(c.play(t, c.answer()))
			file := filepath.Join(c.dir, "want.jsonl")
			if *update {
				require.NoError(t, os.WriteFile(file, got, 0o600))
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			assert.Equal(t, string(want), string(got), c.Why)
		})
	}
}

// The same bytes in any reads give the same events.
func TestDecodeByteByByte(t *testing.T) {
	t.Parallel()
	for _, c := range wireCases(t) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			whole := lines(c.play(t, c.answer()))
			for _, size := range []int{1, 7} {
				split := c.answer()
				split.Read = func(int) int { return size }
				require.Equal(t, string(whole), string(lines(c.play(t, split))), "reads of %d", size)
			}
			// The end that comes together with the last bytes changes nothing.
			joined := c.answer()
			joined.Joined = true
			require.Equal(t, string(whole), string(lines(c.play(t, joined))))
		})
	}
}

// A body cut anywhere is Completed only once the terminal frame was read, and what it
// yields before is a beginning of what the whole body yields.
func TestDecodeEveryCut(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"reasoning-then-calls", "web-search", "text-only-in-done"} {
		body, err := os.ReadFile(filepath.Join("testdata/decode", name, "wire.sse"))
		require.NoError(t, err)
		whole := drive(string(body), len(body))
		for n := range body {
			cut := drive(string(body[:n]), len(body))
			last := terminal(t, cut)
			require.Equal(t, hasEvidence(body[:n]), last.Kind == events.Completed, "%s cut at %d: %v", name, n, last)
			if f, ok := last.Failure(); ok && n > 0 {
				require.Equal(t, events.InvalidReply, f.Kind, "%s cut at %d", name, n)
				require.Equal(t, events.ReasonTruncated, f.Reason, "%s cut at %d", name, n)
			}
			for i, ev := range cut[:len(cut)-1] {
				if i == 0 && ev.Kind == events.Started {
					continue // a body that ends before response.created has one of its own
				}
				require.True(t, ev.Equal(whole[i]), "%s cut at %d: event %d is %v, want %v", name, n, i, ev, whole[i])
			}
		}
	}
}

// hasEvidence looks for a whole frame that says that the response has ended, with
// nothing but the standard library.
func hasEvidence(body []byte) bool {
	for _, line := range bytes.Split(body, []byte("\n")) {
		data, ok := bytes.CutPrefix(line, []byte("data: "))
		var frame struct{ Type string }
		if ok && json.Unmarshal(data, &frame) == nil && (frame.Type == "response.completed" || frame.Type == "response.incomplete") {
			return true
		}
	}
	return false
}
