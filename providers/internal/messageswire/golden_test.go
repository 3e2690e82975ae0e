package messageswire_test

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
	"github.com/weirsdk/weir/providers/internal/messageswire"
	"github.com/weirsdk/weir/request"
)

var update = flag.Bool("update", false, "rewrite the expected files from what the code does")

// A wireCase is a folder of testdata/decode.
type wireCase struct {
	Why         string `json:"why"`
	Origin      string `json:"origin"`
	Status      int    `json:"status"`
	ContentType string `json:"content_type"`
	// Extra is what the request has of it, if that makes a difference.
	Extra string `json:"extra"`

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
		cases = append(cases, wireCaseOf(t, filepath.Base(dir)))
	}
	return cases
}

func wireCaseOf(t testing.TB, name string) wireCase {
	t.Helper()
	c := wireCase{name: name, dir: filepath.Join("testdata/decode", name)}
	text, err := os.ReadFile(filepath.Join(c.dir, "case.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &c))
	bodies, err := filepath.Glob(filepath.Join(c.dir, "wire.*"))
	require.NoError(t, err)
	require.Len(t, bodies, 1, c.dir)
	c.body, err = os.ReadFile(bodies[0])
	require.NoError(t, err)
	return c
}

func (c wireCase) answer() *canned.Transport {
	return &canned.Transport{Status: c.Status, Header: http.Header{"Content-Type": {c.ContentType}}, Body: c.body}
}

func (c wireCase) request() request.Prepared {
	p := minting()
	if c.Extra != "" {
		p.Request.Extra = map[string]string{messageswire.ExtraKey: c.Extra}
	}
	return p
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
			got := lines(play(t, c.answer(), c.request()))
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
			whole := lines(play(t, c.answer(), c.request()))
			for _, size := range []int{1, 7} {
				split := c.answer()
				split.Read = func(int) int { return size }
				require.Equal(t, string(whole), string(lines(play(t, split, c.request()))), "reads of %d", size)
			}
			// The end that comes together with the last bytes changes nothing.
			joined := c.answer()
			joined.Joined = true
			require.Equal(t, string(whole), string(lines(play(t, joined, c.request()))))
		})
	}
}

// A body cut anywhere is Completed only once the stop reason or message_stop was
// read, and what it yields before is a beginning of what the whole body yields.
func TestDecodeEveryCut(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"thinking-then-tool", "web-search", "content-in-message-start"} {
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
					continue // a body that ends before message_start has one of its own
				}
				require.True(t, ev.Equal(whole[i]), "%s cut at %d: event %d is %v, want %v", name, n, i, ev, whole[i])
			}
		}
	}
}

// hasEvidence looks for a whole frame that says that the reply has ended, with
// nothing but the standard library.
func hasEvidence(body []byte) bool {
	for _, line := range bytes.Split(body, []byte("\n")) {
		data, ok := bytes.CutPrefix(line, []byte("data: "))
		var frame struct {
			Type  string `json:"type"`
			Delta struct {
				StopReason *string `json:"stop_reason"`
			} `json:"delta"`
		}
		if !ok || json.Unmarshal(data, &frame) != nil {
			continue
		}
		if frame.Type == "message_stop" || frame.Type == "message_delta" && frame.Delta.StopReason != nil {
			return true
		}
	}
	return false
}
