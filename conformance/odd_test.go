package conformance

import (
	"bytes"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/providers"
)

// TestOddBytes: bytes that are legal and rare are no fault of an honest adapter,
// and the suite is done with them in bearable time.
func TestOddBytes(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/toy/text.sse")
	require.NoError(t, err)
	first, rest, ok := bytes.Cut(text, []byte("\n\n"))
	require.True(t, ok)
	piece := "data: {\"t\":\"weir\"}\n\n"
	for why, body := range map[string][]byte{
		"lines that end in CR":     bytes.ReplaceAll(text, []byte("\n"), []byte("\r")),
		"a byte order mark":        append(byteOrderMark(), text...),
		"hundreds of frames":       bytes.Join([][]byte{first, []byte(strings.Repeat(piece, 800)), rest}, []byte("\n\n")),
		"a thousand ends of lines": append([]byte(strings.Repeat("\n", 2_000)), text...),
	} {
		t.Run(why, func(t *testing.T) {
			t.Parallel()
			for _, f := range findingsOfText(t, body) {
				t.Error(f.String())
			}
		})
	}
}

// TestNoBytes: a file without a byte is told, and does not end the program.
func TestNoBytes(t *testing.T) {
	t.Parallel()
	assert.NotEmpty(t, findingsOfText(t, nil))
}

// findingsOfText runs the suite over the toy with other bytes for the scenario text.
func findingsOfText(t *testing.T, body []byte) []finding {
	t.Helper()
	wire, ok := toyWire(t, nil).(fstest.MapFS)
	require.True(t, ok)
	wire["text.sse"] = &fstest.MapFile{Data: body}
	a := Adapter{Wire: wire, New: func(_ testing.TB, rt http.RoundTripper) providers.Model { return newToy(rt, "") }}
	return findingsOf(t, a, func(name string) bool { return name == "text" || strings.HasPrefix(name, "text/") })
}

func TestSome(t *testing.T) {
	t.Parallel()
	assert.Empty(t, some([]int(nil)))
	assert.Equal(t, []int{1, 2, 3}, some([]int{1, 2, 3}))
	many := make([]int, 10_000)
	for n := range many {
		many[n] = n
	}
	picked := some(many)
	assert.LessOrEqual(t, len(picked), maxTried)
	assert.Equal(t, 0, picked[0])
	assert.Equal(t, 9_999, picked[len(picked)-1])
	assert.True(t, slices.IsSorted(picked))
	assert.Len(t, slices.Compact(slices.Clone(picked)), len(picked))
}
