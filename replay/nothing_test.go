package replay_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/replay"
	"github.com/weirsdk/weir/replay/wire"
)

// TestNothingToReplay: a folder without recordings says what it holds instead, and what
// to do, to the request that is missed and at the end.
func TestNothingToReplay(t *testing.T) {
	t.Parallel()
	below := t.TempDir()
	recorded := record(t, plays(hello("a")...), ask("hi"))
	require.NoError(t, os.CopyFS(filepath.Join(below, "of", "weather"), os.DirFS(recorded)))
	for _, row := range []struct{ why, dir, says string }{
		{"a folder that is not there", filepath.Join(t.TempDir(), "none"), "none (no such folder): record first"},
		{"an empty one", t.TempDir(), ": record first"},
		{"one of HTTP exchanges", wireFolder(t), "1 recording of package replay/wire"},
		{"one above", below, `"of/weather"`},
	} {
		m, err := replay.Open(row.dir, "test:m", false, nil)
		require.NoError(t, err)
		atEnd := m.Close()
		missed := failure(t, all(m, ask("hi")))
		for _, err := range []error{atEnd, missed} {
			assert.ErrorIs(t, err, replay.ErrNotRecorded, row.why)
			assert.ErrorIs(t, err, &events.Failure{Kind: events.Other, Reason: events.ReasonNotRecorded}, row.why)
			assert.ErrorContains(t, err, row.dir, row.why)
			assert.ErrorContains(t, err, row.says, row.why)
		}
	}
}

// TestMissWithoutACandidate: recordings that cannot be compared are not told as none.
func TestMissWithoutACandidate(t *testing.T) {
	t.Parallel()
	dir := record(t, plays(hello("a")...), ask("hi"))
	edit(t, dir, func(string) string { return "{" })
	missed := failure(t, all(replayer(dir), ask("ho")))
	assert.ErrorIs(t, missed, replay.ErrNotRecorded)
	assert.Contains(t, missed.Detail, "cannot be compared with the 1 recording")
}

// wireFolder records one HTTP exchange.
func wireFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	rt := &wire.Transport{Mode: wire.Record, Dir: dir, Base: noContent{}}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://api.example.com/v1/chat", strings.NewReader("{}"))
	require.NoError(t, err)
	resp, err := rt.RoundTrip(r)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.NoError(t, rt.Err())
	return dir
}

// noContent answers each request with nothing.
type noContent struct{}

func (noContent) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusNoContent, Body: http.NoBody}, nil
}
