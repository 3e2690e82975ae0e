package conformance

import (
	"bytes"
	"io/fs"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/providers"
)

// toyWire returns the toy's bytes, some of them replaced.
func toyWire(tb testing.TB, instead map[string]string) fs.FS {
	tb.Helper()
	wire := fstest.MapFS{}
	files, err := os.ReadDir("testdata/toy")
	require.NoError(tb, err)
	for _, f := range files {
		text, err := os.ReadFile("testdata/toy/" + f.Name())
		require.NoError(tb, err)
		wire[f.Name()] = &fstest.MapFile{Data: text}
	}
	for name, text := range instead {
		if text == "" {
			delete(wire, name)
			continue
		}
		wire[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return wire
}

// asNDJSON returns the toy's bytes with each frame as a line.
func asNDJSON(tb testing.TB) fs.FS {
	tb.Helper()
	wire := fstest.MapFS{}
	sse, ok := toyWire(tb, nil).(fstest.MapFS)
	require.True(tb, ok)
	for name, f := range sse {
		base, isSSE := strings.CutSuffix(name, ".sse")
		if !isSSE {
			wire[name] = f
			continue
		}
		var lines []byte
		for line := range bytes.Lines(f.Data) {
			if data, ok := bytes.CutPrefix(line, []byte("data: ")); ok {
				lines = append(lines, data...)
			}
		}
		wire[base+".ndjson"] = &fstest.MapFile{Data: lines}
	}
	return wire
}

// asEventStream returns the toy's bytes as event streams, as text and as they are.
func asEventStream(tb testing.TB) fs.FS {
	tb.Helper()
	wire := fstest.MapFS{}
	sse, ok := toyWire(tb, nil).(fstest.MapFS)
	require.True(tb, ok)
	for name, f := range sse {
		base, isSSE := strings.CutSuffix(name, ".sse")
		switch {
		case !isSSE:
			wire[name] = f
		case len(wire)%2 == 0:
			wire[base+".eventstream"] = f
		default:
			wire[base+".eventstream"] = &fstest.MapFile{Data: framed(f.Data)}
		}
	}
	return wire
}

// findingsOf runs the suite over an adapter, in a subtest, and returns what it
// finds.
func findingsOf(t *testing.T, a Adapter, only func(string) bool) []finding {
	t.Helper()
	var mu sync.Mutex
	var all []finding
	s := &suite{adapter: a, only: only, report: func(_ *testing.T, f finding) {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, f)
	}}
	t.Run("suite", func(t *testing.T) { s.run(t) })
	return all
}

// TestHonestToys: of an adapter without a fault the suite says nothing, whether it
// is on package transport or not, with either framing.
func TestHonestToys(t *testing.T) {
	t.Parallel()
	long := func(groups string, scenarios string) func(string) bool {
		return func(name string) bool {
			scenario, group, _ := strings.Cut(name, "/")
			return !slices.Contains(strings.Fields(groups), group) || slices.Contains(strings.Fields(scenarios), scenario)
		}
	}
	for _, row := range []struct {
		why                         string
		byHand, ndjson, eventStream bool
		// What takes long, because it writes files or plays a body once for each of
		// its bytes, is done with some scenarios only.
		only func(string) bool
	}{
		{"on package transport", false, false, false, long("recorded", "text tool-call error-middle error-401")},
		{"with an exchange of its own", true, false, false, long("recorded cut split confuse", "text tool-call usage-late unicode error-middle error-429")},
		{"lines instead of events", false, true, false, func(name string) bool {
			scenario, group, _ := strings.Cut(name, "/")
			return slices.Contains(strings.Fields("text tool-call usage-late unknown-frames error-first error-middle"), scenario) && group != "recorded"
		}},
		{"binary messages", false, false, true, func(name string) bool {
			scenario, group, _ := strings.Cut(name, "/")
			return slices.Contains(strings.Fields("text tool-call unknown-frames error-middle"), scenario) && group != "recorded"
		}},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			a := Adapter{Wire: toyWire(t, nil), New: func(_ testing.TB, rt http.RoundTripper) providers.Model {
				m := newToy(rt, "")
				m.byHand, m.ndjson, m.eventStream = row.byHand, row.ndjson, row.eventStream
				return m
			}}
			if row.ndjson {
				a.Wire = asNDJSON(t)
			}
			if row.eventStream {
				a.Wire = asEventStream(t)
			}
			for _, f := range findingsOf(t, a, row.only) {
				assert.Fail(t, "a finding of an honest adapter", "%s", f)
			}
		})
	}
}
