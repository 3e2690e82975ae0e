package ollamawire_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
)

var update = flag.Bool("update", false, "rewrite the golden files")

type golden struct {
	name string
	wire []byte
}

func goldens(tb testing.TB) []golden {
	tb.Helper()
	dirs, err := filepath.Glob("testdata/decode/*")
	require.NoError(tb, err)
	require.NotEmpty(tb, dirs)
	all := make([]golden, 0, len(dirs))
	for _, dir := range dirs {
		wire, err := os.ReadFile(filepath.Join(dir, "wire.ndjson"))
		require.NoError(tb, err)
		all = append(all, golden{filepath.Base(dir), wire})
	}
	return all
}

func TestDecodeGolden(t *testing.T) {
	t.Parallel()
	for _, g := range goldens(t) {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join("testdata/decode", g.name)
			text, err := os.ReadFile(filepath.Join(dir, "case.json"))
			require.NoError(t, err)
			var c struct{ Origin, Source, Why, Fixes string }
			require.NoError(t, json.Unmarshal(text, &c))
			assert.NotEmpty(t, c.Origin)
			assert.NotEmpty(t, c.Source)
			assert.NotEmpty(t, c.Why)

			got := jsonl(playBytes(t, g.wire))
			path := filepath.Join(dir, "want.jsonl")
			if *update {
				require.NoError(t, os.WriteFile(path, []byte(got), 0o600))
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, string(want), got, c.Why)
		})
	}
}

func TestDecodeAtAnySplit(t *testing.T) {
	t.Parallel()
	for _, g := range goldens(t) {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			want := jsonl(playBytes(t, g.wire))
			random := rand.New(rand.NewPCG(1, uint64(len(g.wire))))
			splits := [][]int{{1}, {3, 5}, {len(g.wire)/2 + 1}}
			for range 3 {
				sizes := make([]int, 1+random.IntN(20))
				for i := range sizes {
					sizes[i] = 1 + random.IntN(200)
				}
				splits = append(splits, sizes)
			}
			for _, sizes := range splits {
				require.Equal(t, want, jsonl(play(t, &chunks{rest: g.wire, sizes: sizes})), "in reads of %v bytes", sizes)
			}
		})
	}
}

// TestDecodeAtEveryCut ends bodies of every shape that a good reply ends in after
// every byte, cleanly and by a reset.
func TestDecodeAtEveryCut(t *testing.T) {
	t.Parallel()
	small := []string{
		"captured-tools-one-stream", "case-118-ollama-tool-object-args", "calls-in-done-line", "counts-missing",
		"done-no-line-end", "done-then-more", "done-without-message", "lines-crlf-and-blank", "surrogates",
	}
	for _, g := range goldens(t) {
		if !slices.Contains(small, g.name) {
			continue
		}
		whole := playBytes(t, g.wire)
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			evidence := evidenceAt(t, g.wire)
			for cut := range len(g.wire) + 1 {
				clean := terminal(t, playBytes(t, g.wire[:cut]))
				reset := terminal(t, play(t, &chunks{rest: g.wire[:cut], sizes: []int{64}, err: errReset}))
				if cut >= evidence {
					require.True(t, clean.Equal(terminal(t, whole)), "cut at %d of %d: %v", cut, len(g.wire), clean)
					require.True(t, reset.Equal(terminal(t, whole)), "reset at %d of %d: %v", cut, len(g.wire), reset)
					continue
				}
				requireReason(t, clean, events.ReasonTruncated, cut)
				requireReason(t, reset, events.ReasonLostConnection, cut)
			}
		})
	}
}

func requireReason(t *testing.T, ev events.Event, reason events.Reason, cut int) {
	t.Helper()
	f, ok := ev.Failure()
	require.True(t, ok, "cut at %d: %v", cut, ev)
	require.Equal(t, events.InvalidReply, f.Kind, "cut at %d: %v", cut, ev)
	require.Equal(t, reason, f.Reason, "cut at %d: %v", cut, ev)
}

// evidenceAt returns the offset after the closing brace of the done line.
func evidenceAt(t *testing.T, wire []byte) int {
	t.Helper()
	at := 0
	for line := range bytes.Lines(wire) {
		var l struct{ Done bool }
		if json.Unmarshal(line, &l) == nil && l.Done {
			return at + len(bytes.TrimRight(line, "\r\n"))
		}
		at += len(line)
	}
	t.Fatal("no done line")
	return 0
}
