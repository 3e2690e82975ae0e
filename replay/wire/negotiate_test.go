package wire_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/replay/wire"
)

// TestServerDecodesForWhoCannot: a recording whose body is gzip is served so to
// those who accept it, and plain to all others.
func TestServerDecodesForWhoCannot(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err := z.Write([]byte("data: plain\n\n"))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	server := httptest.NewServer(&wire.Server{Recordings: gzipped(t, packed.Bytes()), Repeat: true})
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	defer client.CloseIdleConnections()
	for _, c := range []struct {
		why, accept string
		packed      bool
	}{
		{"nothing said", "", false},
		{"gzip", "gzip, deflate", true},
		{"in another case", "GZIP", true},
		{"anything", "*", true},
		{"another encoding", "br", false},
		{"gzip with the weight 0", "gzip;q=0, br", false},
		{"gzip with the weight 0.0", "gzip; q=0.0", false},
		{"gzip with a weight", "br, gzip;q=0.5", true},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/v1/x", http.NoBody)
		require.NoError(t, err)
		if c.accept != "" {
			req.Header.Set("Accept-Encoding", c.accept)
		}
		resp, err := client.Do(req)
		require.NoError(t, err)
		got, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		if c.packed {
			assert.Equal(t, packed.Bytes(), got, c.why)
			assert.Equal(t, "gzip", resp.Header.Get("Content-Encoding"), c.why)
		} else {
			assert.Equal(t, "data: plain\n\n", string(got), c.why)
			assert.Empty(t, resp.Header.Get("Content-Encoding"), c.why)
		}
	}
}

// TestServerDecodesNoBomb: what would take too much memory is left as it is.
func TestServerDecodesNoBomb(t *testing.T) {
	t.Parallel()
	const tooMuch = 64<<20 + 1
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	_, err := io.Copy(z, io.LimitReader(endless{}, tooMuch))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	files, head, body := recorded(t)
	text := strings.NewReplacer(body, "bomb.gz", `"chunks": [3, 2],`, "", `"end"`, `"header": {"Content-Encoding": ["gzip"]}, "end"`).Replace(string(files[head].Data))
	files[head], files["bomb.gz"] = &fstest.MapFile{Data: []byte(text)}, &fstest.MapFile{Data: bomb.Bytes()}
	loaded, err := wire.Load(files)
	require.NoError(t, err)
	answer := httptest.NewRecorder()
	(&wire.Server{Recordings: loaded}).ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/chat/completions", strings.NewReader(`{"temperature":0}`)))
	assert.Equal(t, "gzip", answer.Header().Get("Content-Encoding"))
	assert.True(t, bytes.Equal(bomb.Bytes(), answer.Body.Bytes()))
}

// gzipped records one answer with a packed body and returns the recordings.
func gzipped(t *testing.T, body []byte) *wire.Recordings {
	t.Helper()
	origin := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write(body)
	}))
	defer origin.Close()
	inner := &http.Transport{DisableCompression: true}
	defer inner.CloseIdleConnections()
	dir := t.TempDir()
	client := &http.Client{Transport: &wire.Transport{Mode: wire.Record, Dir: dir, Base: inner}}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, origin.URL+"/v1/x", http.NoBody)
	require.NoError(t, err)
	resp, err := client.Do(req)
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	recordings, err := wire.Load(os.DirFS(dir))
	require.NoError(t, err)
	return recordings
}
