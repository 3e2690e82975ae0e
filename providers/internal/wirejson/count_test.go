package wirejson_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

func TestCount(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why, text string
		want      events.Count
		bad       bool
	}{
		{why: "null is unknown", text: `null`},
		{why: "zero is known", text: `0`, want: events.Known(0)},
		{why: "a whole number", text: `12`, want: events.Known(12)},
		{why: "a float that is whole", text: `12.0`, want: events.Known(12)},
		{why: "an exponent", text: `1e2`, want: events.Known(100)},
		{why: "upper-case exponent with a sign", text: `1.5E+1`, want: events.Known(15)},
		{why: "a negative exponent that leaves a whole number", text: `1200e-2`, want: events.Known(12)},
		{why: "minus zero", text: `-0`, want: events.Known(0)},
		{why: "the largest count", text: `9007199254740991`, want: events.Known(events.MaxCount)},
		{why: "the largest count as a float", text: `9007199254740991.0`, want: events.Known(events.MaxCount)},
		{why: "one more", text: `9007199254740992`, bad: true},
		{why: "one more as a float", text: `9.007199254740992e15`, bad: true},
		{why: "more than sixteen digits", text: `99999999999999999999`, bad: true},
		{why: "larger than an int64", text: `1e30`, bad: true},
		{why: "negative", text: `-1`, bad: true},
		{why: "a fraction", text: `1.5`, bad: true},
		{why: "a huge exponent", text: `1e400`, bad: true},
		{why: "an exponent that would need gigabytes", text: `1e999999999`, bad: true},
		{why: "a long literal", text: `1.0000000000000000000000000000000000000000`, bad: true},
		{why: "a number in quotes", text: `"12"`, bad: true},
		{why: "true", text: `true`, bad: true},
		{why: "an object", text: `{}`, bad: true},
		{why: "a list", text: `[12]`, bad: true},
		{why: "not a number, which the parser takes", text: `NaN`, bad: true},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			var p wirejson.Parser
			v, err := p.Parse([]byte(`{"n":` + c.text + `}`))
			require.NoError(t, err)
			got, err := wirejson.Count("prompt_tokens", v.Get("n"))
			assert.Equal(t, c.want, got)
			if !c.bad {
				require.NoError(t, err)
				return
			}
			f := requireFailure(t, err, events.InvalidReply, events.ReasonUnusableUsage)
			assert.Contains(t, f.Detail, "prompt_tokens", "the failure names the field")
		})
	}
}

func TestCountOfAnAbsentField(t *testing.T) {
	t.Parallel()
	got, err := wirejson.Count("n", nil)
	require.NoError(t, err)
	assert.False(t, got.IsKnown(), "nobody reported it")
}
