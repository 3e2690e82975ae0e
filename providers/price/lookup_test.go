package price_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/price"
)

// input returns the input rate, which tells the prices of these tests apart.
func input(p price.Price) int {
	micros, _ := p.Input.Get()
	return int(micros)
}

func rate(m events.Micros) price.Price { return price.Price{Input: price.PerMillion(m)} }

func TestLookup(t *testing.T) {
	t.Parallel()
	table := price.Table{
		"a:std-1": rate(1), "a:std-1-mini": rate(2), "a:own-20240513": rate(3), "a:own": rate(4),
		"b:std-1": rate(5), "mine": rate(6), "mine:std-1": rate(9), "free-for-all": rate(7), "b:vendor/x": rate(8),
	}
	for _, tt := range []struct {
		why, name, answered string
		want                int // 0: unpriced
	}{
		{"its own entry", "a:std-1", "", 1},
		{"asked by a dated id", "a:std-1-20250101", "", 1},
		{"the other way to write a date", "a:std-1-2025-01-01", "", 1},
		{"a dated id with an entry of its own", "a:own-20240513", "", 3},
		{"another day of it", "a:own-20240806", "", 4},
		{"a mini is not its parent", "a:std-1-mini-20250101", "", 2},
		{"nor is any other ending", "a:std-1-nano", "", 0},
		{"nor a shorter name", "a:std", "", 0},
		{"digits that are no day", "a:std-1-20251301", "", 0},
		{"a day that does not exist", "a:std-1-2025-02-30", "", 0},
		{"a day and more", "a:std-1-20250101-v2", "", 0},
		{"two days", "a:std-1-20250101-20250102", "", 0},
		{"only a date", "-20250101", "", 0},
		{"no name", "", "", 0},
		{"answered by a dated id", "a:std-1", "std-1-20250101", 1},
		{"the one that answered has an entry of its own", "a:own", "own-20240513", 3},
		{"a router is asked", "a:auto", "std-1-mini-2025-01-01", 2},
		{"the smaller one answers", "a:std-1", "std-1-mini", 2},
		{"nobody knows who answered", "a:std-1", "gpt-x", 1},
		{"neither is known", "a:std-9", "gpt-x", 0},
		{"the provider did not say", "a:std-1", "", 1},
		{"who answered is never priced at another provider", "c:auto", "std-1", 0},
		{"a vendor's prefix is part of the name", "b:auto", "vendor/x-20250101", 8},
		{"and is not left out", "b:auto", "vendor/std-1", 0},
		{"a name of one's own is priced by itself", "mine", "std-1", 6},
		{"and by nothing else", "yours", "free-for-all", 0},
	} {
		p, err := price.ForReply(table, tt.name, tt.answered)
		if tt.want == 0 {
			require.ErrorIs(t, err, unpriced(), tt.why)
			assert.Equal(t, price.Price{}, p, tt.why)
			continue
		}
		require.NoError(t, err, tt.why)
		assert.Equal(t, tt.want, input(p), tt.why)
	}
}

func TestOn(t *testing.T) {
	t.Parallel()
	first, second, third := rate(1), rate(2), rate(3)
	second.From, third.From = "2026-03-01", "2026-08-21"
	current := third
	current.Before = []price.Price{first, second}
	announced := second // what is listed begins later than today
	announced.Before = []price.Price{third, first}
	late := second // nobody knows what it was before
	broken := rate(9)
	broken.From = "2026-01"
	for _, tt := range []struct {
		why   string
		price price.Price
		day   string
		want  int
	}{
		{"the day it begins", current, "2026-08-21T00:00:00Z", 3},
		{"the last moment before", current, "2026-08-20T23:59:59Z", 2},
		{"its first day in UTC, whatever the clock on the wall says", current, "2026-08-20T20:00:00-05:00", 3},
		{"long before", current, "2024-01-01T00:00:00Z", 1},
		{"long after", current, "2030-01-01T00:00:00Z", 3},
		{"the order does not matter", announced, "2026-08-21T00:00:00Z", 3},
		{"nor which one is listed", announced, "2026-03-01T00:00:00Z", 2},
		{"a price without days", rate(7), "2026-03-01T00:00:00Z", 7},
		{"the first known price is not that of the time before", late, "2026-02-28T12:00:00Z", 0},
		{"a day that is written wrong", broken, "2026-03-01T00:00:00Z", 0},
	} {
		day, err := time.Parse(time.RFC3339, tt.day)
		require.NoError(t, err, tt.why)
		p, err := tt.price.On(day)
		if tt.want == 0 {
			require.ErrorIs(t, err, unpriced(), tt.why)
			assert.Equal(t, price.Price{}, p, tt.why)
			continue
		}
		require.NoError(t, err, tt.why)
		assert.Equal(t, tt.want, input(p), tt.why)
		assert.Nil(t, p.Before, tt.why)
	}
	assert.Len(t, current.Before, 2, "the listed price is as it was")
	p, err := price.For(price.Table{"a": current}, "a")
	require.NoError(t, err)
	assert.Equal(t, current, p, "For looks at no day")
}
