package wire_test

import (
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/replay/wire"
)

// TestTheSameAnswersAreTheSameFiles: how the network cuts an answer is chance, and
// stands in no file unless it is asked for.
func TestTheSameAnswersAreTheSameFiles(t *testing.T) {
	t.Parallel()
	const answer = "data: {\"text\":\"a key is sk-0123456789abcdef\"}\n\ndata: {\"text\":\"b\"}\n\ndata: [DONE]\n\n"
	origin := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		flush := http.NewResponseController(w)
		for rest := answer; rest != ""; {
			n := 1 + rand.IntN(min(len(rest), 20)) //nolint:gosec // chance is enough
			_, _ = io.WriteString(w, rest[:n])
			_ = flush.Flush()
			rest = rest[n:]
		}
	}))
	defer origin.Close()
	record := func(timing bool) map[string]string {
		dir := t.TempDir()
		rec := recorder(dir, origin.Client().Transport)
		rec.Timing = timing
		for range 2 {
			r := postTo(origin.URL+"/v1/chat/completions", "{}")
			r.Header.Set("Authorization", "Bearer sk-0123456789abcdef")
			drain(t, rec, r)
		}
		require.NoError(t, rec.Err())
		return tree(t, dir)
	}
	first := record(false)
	require.Len(t, first, 4)
	for range 3 {
		assert.Equal(t, first, record(false))
	}
	timed := record(true)
	assert.Len(t, timed, 4)
	for name, text := range timed {
		if strings.HasSuffix(name, ".json") {
			assert.Contains(t, text, `"chunks"`, "who asks for the delays gets what they are of")
		}
	}
}

// TestFrames: a body whose reads are not stored comes as its frames.
func TestFrames(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why    string
		body   string
		frames []string
	}{
		{"events end in blank lines", "data: 1\ndata: 2\n\n: ping\n\ndata: 3\n\n", []string{"data: 1\ndata: 2\n\n", ": ping\n\n", "data: 3\n\n"}},
		{"and so they do on Windows", "data: 1\r\n\r\ndata: 2\r\n\r\n", []string{"data: 1\r\n\r\n", "data: 2\r\n\r\n"}},
		{"one that was cut is a frame, too", "data: 1\n\ndata: \xc3", []string{"data: 1\n\n", "data: \xc3"}},
		{"more than one blank line", "a\n\n\n\nb", []string{"a\n\n", "\n\n", "b"}},
		{"JSON lines end in one line end", "{\"a\":1}\n{\"b\":2}\n{", []string{"{\"a\":1}\n", "{\"b\":2}\n", "{"}},
		{"a document is whole", `{"a":1}`, []string{`{"a":1}`}},
		{"bytes are whole", "\x00\x00\n\n\x01", []string{"\x00\x00\n\n\x01"}},
		{"nothing", "", nil},
	} {
		dir := t.TempDir()
		drain(t, recorder(dir, &script{reads: strings.SplitAfter(row.body, "")}), post("{}"))
		reads, end := drain(t, &wire.Transport{Dir: dir}, post("{}"))
		assert.Equal(t, row.frames, reads, row.why)
		assert.Equal(t, io.EOF, end, row.why)
	}
}

// TestChunksOfEarlierVersions: a recording that has the sizes of its reads is played
// in them, whatever is in it.
func TestChunksOfEarlierVersions(t *testing.T) {
	t.Parallel()
	files, _, _ := recorded(t)
	reads, end := drain(t, &wire.Transport{FS: files}, post(`{"temperature":0}`))
	assert.Equal(t, []string{"abc", "de"}, reads)
	assert.Equal(t, io.EOF, end)
}

// TestServerFlushesFrames: a client sees a frame before the next one is there.
func TestServerFlushesFrames(t *testing.T) {
	t.Parallel()
	loaded := recordings(t, &script{reads: []string{"data: 1\n\ndata: 2\n\n"}}, "/x", "{}")
	flushes := &flushCounter{ResponseRecorder: httptest.NewRecorder()}
	(&wire.Server{Recordings: loaded}).ServeHTTP(flushes, postTo("https://api.example.com/x", "{}"))
	assert.Equal(t, []string{"", "data: 1\n\n", "data: 1\n\ndata: 2\n\n"}, flushes.seen)
}

// A flushCounter notes what was there at each flush.
type flushCounter struct {
	*httptest.ResponseRecorder
	seen []string
}

func (f *flushCounter) Flush() { f.seen = append(f.seen, f.Body.String()) }
