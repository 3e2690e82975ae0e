package wire_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/replay/wire"
)

// slow is a base whose head and reads take their time.
func slow(reads ...string) roundTrip {
	return func(r *http.Request) (*http.Response, error) {
		time.Sleep(2 * time.Second)
		resp, err := (&script{reads: reads}).RoundTrip(r)
		resp.Body = slowBody{resp.Body}
		return resp, err
	}
}

type slowBody struct{ io.ReadCloser }

func (b slowBody) Read(p []byte) (int, error) {
	time.Sleep(time.Second)
	return b.ReadCloser.Read(p)
}

// TestPace: delays are stored and played where they are asked for, by the Transport
// and by the Server. The time is synctest's.
func TestPace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		rec := recorder(dir, slow("one", "two"))
		rec.Timing = true
		drain(t, rec, post("{}"))
		assert.Equal(t, []any{2000.0, 1000.0, 1000.0, 1000.0}, only(t, dir)["delays_ms"])

		took := func(rt http.RoundTripper) time.Duration {
			began := time.Now()
			reads, _ := drain(t, rt, post("{}"))
			assert.Equal(t, []string{"one", "two"}, reads)
			return time.Since(began)
		}
		assert.Zero(t, took(&wire.Transport{Dir: dir}))
		assert.Equal(t, 5*time.Second, took(&wire.Transport{Dir: dir, Pace: true}))

		loaded, err := wire.Load(os.DirFS(dir))
		require.NoError(t, err)
		for pace, want := range map[bool]time.Duration{false: 0, true: 5 * time.Second} {
			began := time.Now()
			answer := httptest.NewRecorder()
			(&wire.Server{Recordings: loaded, Pace: pace}).ServeHTTP(answer, post("{}"))
			assert.Equal(t, "onetwo", answer.Body.String())
			assert.Equal(t, want, time.Since(began))
		}

		without := t.TempDir()
		drain(t, recorder(without, slow("one", "two")), post("{}"))
		assert.NotContains(t, only(t, without), "delays_ms", "nobody asked for them")
	})
}

// TestPaceOfScrubbedBodies: a chunk that was all secret is left out, and its delay
// is not lost.
func TestPaceOfScrubbedBodies(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		rec := recorder(dir, slow("a"+plainCanary[:7], plainCanary[7:], "z"))
		rec.Timing = true
		r := post("{}")
		r.Header.Set("X-Api-Key", plainCanary)
		drain(t, rec, r)
		response := only(t, dir)
		assert.Equal(t, []any{11.0, 1.0}, response["chunks"])
		assert.Equal(t, []any{2000.0, 1000.0, 2000.0, 1000.0}, response["delays_ms"])
	})
}

// TestPaceWakes: a wait ends with the context, and with the body.
func TestPaceWakes(t *testing.T) {
	t.Parallel()
	files, head, body := recorded(t)
	text := strings.Replace(string(files[head].Data), `"end": "eof"`, `"delays_ms": [0, 60000, 60000, 60000], "end": "eof"`, 1)
	source := fstest.MapFS{head: {Data: []byte(text)}, body: files[body]}
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		resp, err := (&wire.Transport{FS: source, Pace: true}).RoundTrip(post(`{"temperature":0}`).WithContext(ctx))
		require.NoError(t, err)
		_, err = resp.Body.Read(make([]byte, 9))
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, time.Second, time.Since(began))

		resp, err = (&wire.Transport{FS: source, Pace: true}).RoundTrip(post(`{"temperature":0}`))
		require.NoError(t, err)
		time.AfterFunc(time.Second, func() { _ = resp.Body.Close() })
		_, err = resp.Body.Read(make([]byte, 9))
		assert.ErrorIs(t, err, http.ErrBodyReadAfterClose)
		assert.Equal(t, 2*time.Second, time.Since(began))
	})
}

// TestServerIsLeftBeforeTheHead: a client that does not wait for the head gets none.
func TestServerIsLeftBeforeTheHead(t *testing.T) {
	t.Parallel()
	files, head, body := recorded(t)
	text := strings.Replace(string(files[head].Data), `"end": "eof"`, `"delays_ms": [60000, 0, 0, 0], "end": "eof"`, 1)
	loaded, err := wire.Load(fstest.MapFS{head: {Data: []byte(text)}, body: files[body]})
	require.NoError(t, err)
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		answer := httptest.NewRecorder()
		assert.PanicsWithValue(t, http.ErrAbortHandler, func() {
			(&wire.Server{Recordings: loaded, Pace: true}).ServeHTTP(answer, post(`{"temperature":0}`).WithContext(ctx))
		})
		assert.Empty(t, answer.Header())
		assert.False(t, answer.Flushed)
	})
}
