package canned

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A Case is one answer of a family's testdata, and the file of what it comes to.
type Case struct {
	// Why says what the case shows; Origin and Source, where it is from. A case of
	// a folder has the first two.
	Why    string `json:"why"`
	Origin string `json:"origin"`
	Source string `json:"source"`
	// Status is that of the answer, 200 when zero.
	Status int `json:"status"`
	// ContentType is that of the answer; empty is that of the wire's streams.
	ContentType string `json:"content_type"`
	// Vendor is whose answer it is, where vendors differ.
	Vendor string `json:"vendor"`
	// Extra is what the request has of it, where that makes a difference.
	Extra string `json:"extra"`

	Name string `json:"-"`
	Body []byte `json:"-"`
	// Want is the path of the expected events.
	Want string `json:"-"`
}

// Folders returns the cases of a folder, each a folder with case.json, one body
// (wire.sse, wire.ndjson, wire.json) and want.jsonl.
func Folders(tb testing.TB, folder string) []Case {
	tb.Helper()
	dirs, err := filepath.Glob(filepath.Join(folder, "*"))
	require.NoError(tb, err)
	require.NotEmpty(tb, dirs)
	cases := make([]Case, 0, len(dirs))
	for _, dir := range dirs {
		cases = append(cases, Folder(tb, dir))
	}
	return cases
}

// Folder returns one case of [Folders].
func Folder(tb testing.TB, dir string) Case {
	tb.Helper()
	c := Case{Name: filepath.Base(dir), Want: filepath.Join(dir, "want.jsonl")}
	text, err := os.ReadFile(filepath.Join(dir, "case.json"))
	require.NoError(tb, err)
	require.NoError(tb, json.Unmarshal(text, &c), dir)
	require.NotEmpty(tb, c.Origin, dir)
	bodies, err := filepath.Glob(filepath.Join(dir, "wire.*"))
	require.NoError(tb, err)
	require.Len(tb, bodies, 1, dir)
	c.Body, err = os.ReadFile(bodies[0])
	require.NoError(tb, err)
	return c
}

// answer returns the transport that gives the case's answer.
func (c Case) answer(w Wire) *Transport {
	answer := w.Answer(c.Body)
	answer.Status = c.Status
	if c.ContentType != "" {
		answer.Header = http.Header{"Content-Type": {c.ContentType}}
	}
	return answer
}
