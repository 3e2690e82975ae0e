package wirejson_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/events"
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

func TestEmitDelta(t *testing.T) {
	t.Parallel()
	most := wirejson.MaxDelta
	for _, c := range []struct {
		why, text string
		sizes     []int
	}{
		{"nothing for an empty text", "", nil},
		{"a small text is one", "hello", []int{5}},
		{"exactly the bound is one", strings.Repeat("x", most), []int{most}},
		{"one byte more is two", strings.Repeat("x", most+1), []int{most, 1}},
		{"a rune across the bound goes to the next", strings.Repeat("x", most-1) + "é" + "y", []int{most - 1, 3}},
		{"four bytes across the bound", strings.Repeat("x", most-3) + "😀", []int{most - 3, 4}},
		{"a rune that ends at the bound stays", strings.Repeat("x", most-2) + "é" + "y", []int{most, 1}},
		{"many", strings.Repeat("x", 3*most+7), []int{most, most, most, 7}},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			var got []events.Event
			more := wirejson.EmitDelta(collect(&got, -1), events.ThinkingDelta, 3, c.text)
			assert.True(t, more)
			var sizes []int
			var joined strings.Builder
			for _, ev := range got {
				assert.Equal(t, events.ThinkingDelta, ev.Kind)
				assert.EqualValues(t, 3, ev.Index)
				assert.True(t, utf8.ValidString(ev.Text))
				sizes = append(sizes, len(ev.Text))
				joined.WriteString(ev.Text)
			}
			assert.Equal(t, c.sizes, sizes)
			assert.Equal(t, len(c.text), joined.Len(), "the pieces are the text")
			assert.Contains(t, c.text, joined.String())
		})
	}
}

func TestEmitDeltaStopsWhenTheConsumerLeaves(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("x", 3*wirejson.MaxDelta+1)
	for leave := range 4 {
		t.Run(fmt.Sprint(leave), func(t *testing.T) {
			t.Parallel()
			var got []events.Event
			assert.False(t, wirejson.EmitDelta(collect(&got, leave), events.TextDelta, 0, text))
			assert.Len(t, got, leave+1, "nothing is emitted after false")
		})
	}
}

// collect appends events to got and leaves after the event at index leave.
func collect(got *[]events.Event, leave int) func(events.Event) bool {
	return func(ev events.Event) bool {
		*got = append(slices.Clip(*got), ev)
		return len(*got)-1 != leave
	}
}
