package request_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

func TestParseEffort(t *testing.T) {
	t.Parallel()
	for _, e := range request.Efforts() {
		got, err := request.ParseEffort(string(e))
		require.NoError(t, err)
		assert.Equal(t, e, got)
	}
	got, err := request.ParseEffort("")
	require.NoError(t, err)
	assert.Empty(t, got, "leaves it to the model")
	for _, text := range []string{"High", "none", " low", "ultra"} {
		_, err := request.ParseEffort(text)
		requireInvalid(t, err, events.ReasonBadParameter)
	}
}

func TestEffortOrder(t *testing.T) {
	t.Parallel()
	all := append([]request.Effort{""}, request.Efforts()...)
	require.Len(t, all, 8)
	for i, a := range all {
		for j, b := range all {
			assert.Equal(t, i < j, a.Compare(b) < 0, "%q %q", a, b)
			assert.Equal(t, i == j, a.Compare(b) == 0, "%q %q", a, b)
		}
	}
	assert.Negative(t, request.Effort("ultra").Compare(request.EffortOff))
}

func TestEffortResolve(t *testing.T) {
	t.Parallel()
	some := []request.Effort{request.EffortHigh, request.EffortLow} // in any order
	for _, row := range []struct {
		why        string
		want, got  request.Effort
		supporting []request.Effort
	}{
		{"exact", request.EffortLow, request.EffortLow, some},
		{"next higher", request.EffortMedium, request.EffortHigh, some},
		{"higher before nearer lower", request.EffortOff, request.EffortLow, some},
		{"else the highest", request.EffortMax, request.EffortHigh, some},
		{"nothing asked", "", "", some},
		{"nothing known", request.EffortMax, request.EffortMax, nil},
	} {
		assert.Equal(t, row.got, row.want.Resolve(row.supporting), row.why)
	}
	assert.Equal(t, request.EffortHigh, some[0], "the list is not sorted in place")
}
