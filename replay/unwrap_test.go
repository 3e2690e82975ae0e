package replay_test

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/replay"
	"github.com/weirsdk/weir/request"
)

// counts is a model that counts tokens.
type counts struct{ providers.Model }

func (counts) CountTokens(context.Context, request.Request) (int64, error) { return 14, nil }

// What a model can do besides is found behind what records it, and leaves no trace
// there; a replay has no model to ask.
func TestWhatAModelCanDoBesides(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	inner := counts{plays(hello("a")...)}
	opened := func(record bool) providers.Model {
		m, err := replay.Open(dir, "test:m", record, func() (providers.Model, error) { return inner, nil })
		require.NoError(t, err)
		return m
	}
	for _, tt := range []struct {
		why   string
		model providers.Model
		found bool
	}{
		{"a recorder", &replay.Recorder{Inner: inner, Dir: dir}, true},
		{"a cassette that records", opened(true), true},
		{"a cassette that replays", opened(false), false},
		{"a recorder of a model that does not count", &replay.Recorder{Inner: plays(hello("a")...), Dir: dir}, false},
		{"a recorder of nothing", &replay.Recorder{}, false},
		{"a cassette that was not opened", &replay.Cassette{}, false},
	} {
		counter, ok := providers.As[providers.TokenCounter](tt.model)
		require.Equal(t, tt.found, ok, tt.why)
		if ok {
			n, err := counter.CountTokens(t.Context(), ask("hi"))
			require.NoError(t, err, tt.why)
			assert.Equal(t, int64(14), n, tt.why)
		}
	}
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, files)
}
