package wirejson_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

func TestDollars(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why, literal string
		want         int64
	}{
		{"a microdollar", "0.000001", 1},
		{"a part of one is rounded up", "0.0000001", 1},
		{"an exponent", "1.5e-5", 15},
		{"free", "0", 0},
		{"a dollar", "1", 1_000_000},
		{"negative", "-1", -1},
		{"a text", `"1"`, -1},
		{"a number that would take for ever", "1e9999", -1},
		{"more than there is", "1e30", -1},
	} {
		v, err := fastjson.Parse(c.literal)
		require.NoError(t, err)
		got := wirejson.Dollars(v)
		if c.want < 0 {
			assert.Nil(t, got, c.why)
			continue
		}
		require.NotNil(t, got, c.why)
		assert.Equal(t, events.Micros(c.want), got.Micros, c.why)
		assert.Equal(t, c.literal, got.Text, c.why)
	}
	assert.Nil(t, wirejson.Dollars(nil))
}
