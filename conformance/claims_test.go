package conformance

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/providers"
)

// TestClaimsAndBytes: bytes and claims that do not fit each other, or cannot be
// read, are each told, once and without a clause.
func TestClaimsAndBytes(t *testing.T) {
	t.Parallel()
	const file, raw = "citations.sse", "citations.http"
	for _, row := range []struct {
		why    string
		wire   map[string]string
		claims map[string]string
		// of is what the finding is of, tells a piece of it; empty: no finding.
		of, tells string
	}{
		{"all is there", nil, nil, "", ""},
		{"a claim instead of bytes", map[string]string{file: ""}, map[string]string{"citations": "no word for it"}, "", ""},
		{"the credential may be claimed", nil, map[string]string{NoCredential: "a local server"}, "", ""},
		{"that no model is named may be claimed", nil, map[string]string{NoModel: "one model is served"}, "", ""},
		{"no bytes and no claim", map[string]string{file: ""}, nil, "citations", "no bytes for this scenario and no claim"},
		{"an empty reason", map[string]string{file: ""}, map[string]string{"citations": ""}, "citations", "a claim without a reason"},
		{"a blank reason", map[string]string{file: ""}, map[string]string{"citations": " \t"}, "citations", "a claim without a reason"},
		{"a stale claim", nil, map[string]string{"citations": "no word for it"}, "citations", "stale"},
		{"a claim of no scenario", nil, map[string]string{"citation": "no word for it"}, "citation", "a claim of no scenario"},
		{"two files", map[string]string{"citations.json": "{}"}, nil, "citations", "one file says a scenario"},
		{"a stray file", map[string]string{"citation.sse": "data: 1\n\n"}, nil, "citation.sse", "bytes of no scenario"},
		{"a stray response", map[string]string{"citation.http": "HTTP/1.1 200 OK\r\n\r\n"}, nil, "citation.http", "bytes of no scenario"},
		{"a file that is none of the suite's", map[string]string{"README.md": "where these are from", "origin.txt": ""}, nil, "", ""},
		{"an extension that says nothing", map[string]string{file: "", "citations.txt": "data: 1\n\n"}, nil, "citations", "a file ends in .sse"},
		{"a response that is none", map[string]string{file: "", raw: "HTTP/1.1\r\n"}, nil, "citations", "no raw HTTP/1.1 response"},
		{"a response that is cut", map[string]string{file: "", raw: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"}, nil, "citations", "the body"},
		{"a refusal where an answer is due", map[string]string{file: "", raw: "HTTP/1.1 400 No\r\nContent-Length: 0\r\n\r\n"}, nil, "citations", "status 200"},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			a := Adapter{
				Wire: toyWire(t, row.wire), Unsupported: row.claims,
				New: func(_ testing.TB, rt http.RoundTripper) providers.Model { return newToy(rt, "") },
			}
			var told []string
			for _, f := range findingsOf(t, a, func(name string) bool { return name == "citations" }) {
				assert.Empty(t, f.clause)
				told = append(told, f.String())
			}
			if row.tells == "" {
				assert.Empty(t, told)
				return
			}
			require.Len(t, told, 1)
			assert.True(t, strings.HasPrefix(told[0], "scenario "+row.of+": "), told[0])
			assert.Contains(t, told[0], row.tells)
		})
	}
}

// TestMissingInOrder: of an adapter without bytes the scenarios are told in their
// order, which is that in which they are best written.
func TestMissingInOrder(t *testing.T) {
	t.Parallel()
	a := Adapter{Wire: fstest.MapFS{}, New: func(_ testing.TB, rt http.RoundTripper) providers.Model { return newToy(rt, "") }}
	var want, told []string
	for _, sc := range Scenarios() {
		want = append(want, sc.Name)
	}
	for _, f := range findingsOf(t, a, nil) {
		told = append(told, f.scenario)
	}
	assert.Equal(t, append(want, "text"), told, "and then what is checked once needs that of text")
}

// TestTextIsRequired: what is checked once is checked with the first scenario.
func TestTextIsRequired(t *testing.T) {
	t.Parallel()
	for why, a := range map[string]Adapter{
		"a claim":   {Wire: toyWire(t, map[string]string{"text.sse": ""}), Unsupported: map[string]string{"text": "no word for it"}},
		"no folder": {},
	} {
		t.Run(why, func(t *testing.T) {
			t.Parallel()
			a.New = func(_ testing.TB, rt http.RoundTripper) providers.Model { return newToy(rt, "") }
			found := findingsOf(t, a, func(string) bool { return false })
			require.Len(t, found, 1)
			assert.Equal(t, "scenario text: every adapter has bytes for it", found[0].String())
		})
	}
}

// TestLoad: what a file's name and head say.
func TestLoad(t *testing.T) {
	t.Parallel()
	refusal := Scenario{Name: "x", Status: 429}
	for _, row := range []struct {
		why, file, text string
		sc              Scenario
		want            response
		frames          int
	}{
		{"events", "x.sse", "data: 1\n\n", Scenario{Name: "x"}, response{200, http.Header{"Content-Type": {"text/event-stream"}}, []byte("data: 1\n\n"), "x.sse"}, 1},
		{"lines", "x.ndjson", "1\n2\n", Scenario{Name: "x"}, response{200, http.Header{"Content-Type": {"application/x-ndjson"}}, []byte("1\n2\n"), "x.ndjson"}, 2},
		{"the status is the scenario's", "x.json", "{}", refusal, response{429, http.Header{"Content-Type": {"application/json"}}, []byte("{}"), "x.json"}, 1},
		{
			"the status is the file's, and chunks are the transport's", "x.http",
			"HTTP/1.1 402 No\r\nA: b\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", refusal,
			response{402, http.Header{"A": {"b"}}, []byte("{}"), "x.http"},
			1,
		},
		{
			"a length is not kept: the body is mutated", "x.http", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
			Scenario{Name: "x"},
			response{200, http.Header{}, []byte("{}"), "x.http"},
			1,
		},
	} {
		got, there, err := load(fstest.MapFS{row.file: &fstest.MapFile{Data: []byte(row.text)}}, row.sc)
		require.NoError(t, err, row.why)
		assert.True(t, there, row.why)
		assert.Equal(t, row.want, got, row.why)
		assert.Len(t, got.frames(), row.frames, row.why)
	}
	_, there, err := load(fstest.MapFS{}, refusal)
	assert.False(t, there)
	assert.NoError(t, err)
}

// TestOnly: a run may be of some scenarios; the others are not looked for, and a
// name of none is told.
func TestOnly(t *testing.T) {
	t.Parallel()
	var played atomic.Int64
	a := Adapter{
		Wire: toyWire(t, map[string]string{"citations.sse": ""}), Only: []string{"usage", "citation"},
		New: func(_ testing.TB, rt http.RoundTripper) providers.Model {
			played.Add(1)
			return newToy(rt, "")
		},
	}
	told := findingsOf(t, a, func(name string) bool { return !strings.Contains(name, "/") })
	require.Len(t, told, 1)
	assert.Contains(t, told[0].String(), "Only names no scenario")
	few := played.Load()
	a.Only = nil
	told = findingsOf(t, a, func(name string) bool { return !strings.Contains(name, "/") })
	require.Len(t, told, 1)
	assert.Contains(t, told[0].String(), "no bytes for this scenario and no claim")
	assert.Greater(t, played.Load()-few, few, "all of them are more")
}
