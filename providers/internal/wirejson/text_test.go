package wirejson_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/providers/internal/wirejson"
)

func TestArenaKeepsEveryString(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var a wirejson.Arena
		var kept, want []string
		buffer := make([]byte, 0, 4096)
		for _, n := range rapid.SliceOfN(rapid.IntRange(0, 300), 40, 100).Draw(t, "sizes") {
			text := strings.Repeat(string(rune('a'+n%26)), n)
			// One buffer for all, as frames are.
			buffer = append(buffer[:0], text...)
			kept, want = append(kept, a.String(buffer)), append(want, text)
		}
		require.Equal(t, want, kept)
	})
}

func TestArenaAtItsBounds(t *testing.T) {
	t.Parallel()
	var a wirejson.Arena
	assert.Empty(t, a.String(nil))
	for _, n := range []int{1, 255, 256, 257, 1023, 1024, 1025, 70_000} {
		text := strings.Repeat("x", n)
		assert.Equal(t, text, a.String([]byte(text)), "of %d bytes", n)
	}
}

func TestArenaAllocatesAChunkNotAString(t *testing.T) {
	// Not parallel: testing.AllocsPerRun counts the whole process.
	var a wirejson.Arena
	small := []byte("token")
	perString := testing.AllocsPerRun(10_000, func() { _ = a.String(small) })
	assert.Zero(t, perString, "rounded down from 1/204")
	long := []byte(strings.Repeat("x", 300))
	assert.InDelta(t, 1, testing.AllocsPerRun(100, func() { _ = a.String(long) }), 0, "a long text stands alone")
}
