package events_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/weirsdk/weir/events"
)

// A range that is kept can be cut out of a text that is long enough.
func TestCitationRange(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why        string
		start, end int
		kept       bool
	}{
		{"a range", 1, 3, true},
		{"a place", 3, 3, true},
		{"no end", 3, 0, false},
		{"a negative end", 0, -1, false},
		{"a negative start", -5, 3, false},
		{"the end before the start", 5, 1, false},
	} {
		got, ok := events.NewCitationAdded(0, events.Citation{
			URL: "u", Start: c.start, End: c.end, SourceStart: c.start, SourceEnd: c.end,
		}).Citation()
		assert.True(t, ok, c.why)
		want := events.Citation{URL: "u"}
		if c.kept {
			want.Start, want.End, want.SourceStart, want.SourceEnd = c.start, c.end, c.start, c.end
		}
		assert.Equal(t, want, got, c.why)
	}
}
