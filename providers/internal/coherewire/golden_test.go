package coherewire_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
)

var update = flag.Bool("update", false, "rewrite the expected files from what the code does")

// A wireCase is a folder of testdata/decode.
type wireCase struct {
	Why    string `json:"why"`
	Origin string `json:"origin"`
	Source string `json:"source"`

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
		c := wireCase{name: filepath.Base(dir), dir: dir}
		text, err := os.ReadFile(filepath.Join(dir, "case.json"))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, &c))
		c.body, err = os.ReadFile(filepath.Join(dir, "wire.sse"))
		require.NoError(t, err)
		cases = append(cases, c)
	}
	return cases
}

func TestDecodeGolden(t *testing.T) {
	t.Parallel()
	for _, c := range wireCases(t) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.NotEmpty(t, c.Why)
			require.NotEmpty(t, c.Origin)
			require.NotEmpty(t, c.Source)
			got := lines(play(t, answered(c.body)))
			file := filepath.Join(c.dir, "want.jsonl")
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(got), 0o600))
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			assert.Equal(t, string(want), got, c.Why)
		})
	}
}

// The same bytes in any reads give the same events.
func TestDecodeAtAnySplit(t *testing.T) {
	t.Parallel()
	for _, c := range wireCases(t) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			whole := lines(play(t, answered(c.body)))
			random := rand.New(rand.NewPCG(1, uint64(len(c.body))))
			for how, read := range map[string]func(int) int{
				"byte by byte": func(int) int { return 1 },
				"by seven":     func(int) int { return 7 },
				"at random":    func(int) int { return 1 + random.IntN(90) },
			} {
				split := answered(c.body)
				split.Read = read
				require.Equal(t, whole, lines(play(t, split)), how)
			}
			// The end that comes together with the last bytes changes nothing.
			joined := answered(c.body)
			joined.Joined = true
			require.Equal(t, whole, lines(play(t, joined)))
		})
	}
}

// A body cut anywhere is Completed only once message-end was read, and what it
// yields before is a beginning of what the whole body yields.
func TestDecodeEveryCut(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"plan-then-calls", "citations", "null-arguments", "done-missing"} {
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
					continue // a body that ends before message-start has one of its own
				}
				require.True(t, ev.Equal(whole[i]), "%s cut at %d: event %d is %v, want %v", name, n, i, ev, whole[i])
			}
		}
	}
}

// hasEvidence looks for a whole message-end that tells no error, with nothing but
// the standard library.
func hasEvidence(body []byte) bool {
	for line := range bytes.SplitSeq(body, []byte("\n")) {
		data, ok := bytes.CutPrefix(line, []byte("data: "))
		var frame struct {
			Type string
		}
		if ok && json.Unmarshal(data, &frame) == nil && frame.Type == "message-end" {
			return true
		}
	}
	return false
}
