package wire

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/replay/internal/tape"
)

var errDisk = errors.New("the disk says no")

type answers string

func (a answers) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(string(a)))}, nil
}

// call asks once and returns what came.
func call(tb testing.TB, rt http.RoundTripper) (string, error) {
	tb.Helper()
	r, err := http.NewRequestWithContext(tb.Context(), http.MethodPost, "https://api.example.com/v1/x", strings.NewReader("{}"))
	require.NoError(tb, err)
	resp, err := rt.RoundTrip(r)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(resp.Body)
	require.NoError(tb, err)
	return string(text), resp.Body.Close()
}

// TestCrashAtEachWrite: a recorder dies at each write of a second recording. What is
// on the disk then is the beginning of the old sequence or of the new one, and the one
// who asked has the answer.
func TestCrashAtEachWrite(t *testing.T) {
	t.Parallel()
	rows := []struct {
		fails string // the write that fails
		plays []string
		why   string
	}{
		{".body-", []string{"old 1", "old 2"}, "the body comes first, and nothing was touched"},
		{".json", []string{"old 1"}, "the higher numbers went before the first is replaced"},
		{"nothing", []string{"new"}, "all went well"},
	}
	for _, row := range rows {
		t.Run(row.fails, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			old := &Transport{Mode: Record, Dir: dir}
			for _, text := range []string{"old 1", "old 2"} {
				old.Base = answers(text)
				_, err := call(t, old)
				require.NoError(t, err)
			}
			require.NoError(t, old.Err())
			var told error
			stored := 0
			rec := &Transport{
				Mode: Record, Dir: dir, Base: answers("new"), OnError: func(err error) { told = err },
				OnStored: func(string) { stored++ },
				write: func(dir, name string, data []byte) error {
					if strings.Contains(name, row.fails) {
						return errDisk
					}
					return tape.Write(dir, name, data)
				},
			}
			text, err := call(t, rec)
			require.NoError(t, err)
			assert.Equal(t, "new", text, "the call goes on")
			if row.fails == "nothing" {
				assert.NoError(t, rec.Err())
				assert.Equal(t, 1, stored)
			} else {
				assert.Zero(t, stored)
				assert.ErrorIs(t, rec.Err(), errDisk)
				assert.Equal(t, rec.Err(), told)
				f, ok := events.AsFailure(told)
				require.True(t, ok)
				assert.Equal(t, events.Other, f.Kind)
			}
			play := &Transport{Dir: dir}
			for _, want := range row.plays {
				text, err := call(t, play)
				require.NoError(t, err)
				assert.Equal(t, want, text, row.why)
			}
			_, err = call(t, play)
			assert.ErrorIs(t, err, ErrNotRecorded)
		})
	}
}

// TestHigherNumbersGoFirst: a removal that stops half-way leaves the beginning of the
// old sequence.
func TestHigherNumbersGoFirst(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	old := &Transport{Mode: Record, Dir: dir, Base: answers("old")}
	for range 3 {
		_, err := call(t, old)
		require.NoError(t, err)
	}
	heads, _, err := filesOf(dir, "x-"+keyOfCall(t, old))
	require.NoError(t, err)
	require.Len(t, heads, 3)
	second := filepath.Join(dir, heads[1])
	require.NoError(t, os.Remove(second))
	require.NoError(t, os.MkdirAll(filepath.Join(second, "cannot be removed"), 0o700))
	rec := &Transport{Mode: Record, Dir: dir, Base: answers("new")}
	_, err = call(t, rec)
	require.NoError(t, err)
	require.Error(t, rec.Err())
	assert.NoFileExists(t, filepath.Join(dir, heads[2]))
	assert.FileExists(t, filepath.Join(dir, heads[0]))
}

func keyOfCall(tb testing.TB, t *Transport) string {
	tb.Helper()
	for key := range t.sequences {
		return key[:shortKey]
	}
	return ""
}

// TestReplaceWaitsForSuccess: a recorder that could not write has replaced nothing,
// so the next answer does.
func TestReplaceWaitsForSuccess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := call(t, &Transport{Mode: Record, Dir: dir, Base: answers("old")})
	require.NoError(t, err)
	fails := true
	rec := &Transport{Mode: Record, Dir: dir, Base: answers("new"), write: func(dir, name string, data []byte) error {
		if fails {
			return errDisk
		}
		return tape.Write(dir, name, data)
	}}
	_, _ = call(t, rec)
	fails = false
	_, _ = call(t, rec)
	text, err := call(t, &Transport{Dir: dir})
	assert.ErrorIs(t, err, ErrNotRecorded, "the first was lost, and the old one is no part of the new run")
	assert.Empty(t, text)
}

// TestNoDir: a recorder without a folder says so and hands the answer on.
func TestNoDir(t *testing.T) {
	t.Parallel()
	rec := &Transport{Mode: Record, Base: answers("a")}
	text, err := call(t, rec)
	require.NoError(t, err)
	assert.Equal(t, "a", text)
	assert.ErrorIs(t, rec.Err(), errNoDir)
	_, err = call(t, &Transport{})
	assert.ErrorIs(t, err, errNoDir, "the zero Transport has nothing to play")
	_, err = call(t, &Transport{Dir: t.TempDir() + "/none"})
	assert.ErrorIs(t, err, ErrNotRecorded)
	f, ok := events.AsFailure(err)
	require.True(t, ok)
	assert.Equal(t, events.Other, f.Kind)
}

// TestBombs: a body is decoded to look into it, within bounds.
func TestBombs(t *testing.T) {
	t.Parallel()
	for more, want := range map[int]error{0: nil, 1: errBomb} {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		for range maxDecoded >> 20 {
			_, _ = w.Write(make([]byte, 1<<20))
		}
		_, _ = w.Write(make([]byte, more))
		require.NoError(t, w.Close())
		_, err := decode("gzip", b.Bytes())
		assert.Equal(t, want, err)
	}
}

// TestCausesComeBack: each kind of network error is stored under its name and comes
// back as one of its kind.
func TestCausesComeBack(t *testing.T) {
	t.Parallel()
	for _, c := range causes() {
		err := c.make("text")
		b := newBreakage(t.Context(), err, new(providers.Scrubber))
		assert.Equal(t, c.name, b.Reason)
		assert.Equal(t, err.Error(), b.err().Error())
		assert.True(t, c.is(b.err()), c.name)
		assert.Equal(t, isTimeout(err), isTimeout(b.err()), c.name)
	}
	b := newBreakage(t.Context(), errDisk, new(providers.Scrubber))
	assert.Equal(t, reasonOther, b.Reason)
	assert.EqualError(t, b.err(), errDisk.Error())
}

// TestDelaysAreRounded, so that two recordings differ less.
func TestDelaysAreRounded(t *testing.T) {
	t.Parallel()
	for micros, want := range map[time.Duration]int64{0: 0, 499: 0, 500: 1, 1499: 1, 1600: 2} {
		assert.Equal(t, want, milliseconds(micros*time.Microsecond))
	}
}
