package wire_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/replay/wire"
)

// TestRequestsThatAreEncoded: what a request says is searched and stored, and one that
// cannot be searched is not, but sent all the same.
func TestRequestsThatAreEncoded(t *testing.T) {
	t.Parallel()
	gz := compress(t, "gzip", `{"api_key":"`+plainCanary+`"}`)
	for _, row := range []struct {
		why       string
		encodings []string
		body      string
		stored    bool
	}{
		{"gzip", []string{"gzip"}, gz, true},
		{"a list", []string{"gzip, identity"}, gz, true},
		{"two lines", []string{"identity", "gzip"}, gz, true},
		{"twice", []string{"deflate, gzip"}, compress(t, "gzip", compress(t, "deflate", `{"api_key":"`+plainCanary+`"}`)), true},
		{"a file of gzip", nil, gz, true},
		{"it says gzip and is none", []string{"gzip"}, `{"api_key":"` + plainCanary + `"}`, true},
		{"nobody here can read it", []string{"br"}, "\x8b\x02" + plainCanary, false},
		{"nor a part of it", []string{"br, gzip"}, gz, false},
		{"broken behind the secret", []string{"gzip"}, gz[:len(gz)-9] + "-------------", false},
		{"a file that is cut", nil, gz[:len(gz)-9], false},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			asked := func() *http.Request {
				r := post(row.body)
				r.Header["content-encoding"] = row.encodings
				return r
			}
			rec := recorder(dir, &script{reads: []string{"no such key: " + plainCanary}})
			reads, _ := drain(t, rec, asked())
			assert.Equal(t, "no such key: "+plainCanary, strings.Join(reads, ""))
			if !row.stored {
				require.ErrorContains(t, rec.Err(), "cannot be searched for credentials")
				assert.Empty(t, tree(t, dir))
				return
			}
			require.NoError(t, rec.Err())
			assertClean(t, dir, plainCanary)
			for _, head := range heads(t, dir) {
				assert.Equal(t, map[string]any{"api_key": "[redacted]"}, head["request"].(map[string]any)["body"])
			}
			reads, _ = drain(t, &wire.Transport{Dir: dir}, asked())
			assert.Equal(t, "no such key: [redacted]", strings.Join(reads, ""))
		})
	}
}

// TestAnswersThatAreEncoded in ways that the first line of a header does not tell.
func TestAnswersThatAreEncoded(t *testing.T) {
	t.Parallel()
	gz := compress(t, "gzip", "key "+plainCanary)
	for _, row := range []struct {
		why       string
		encodings []string
		body      string
	}{
		{"two lines", []string{"identity", "gzip"}, gz},
		{"a list", []string{"identity, gzip"}, gz},
		{"no line", nil, gz},
		{"twice", []string{"gzip", "deflate"}, compress(t, "deflate", gz)},
		{"a file, encoded once more", []string{"deflate"}, compress(t, "deflate", gz)},
		{"two members", []string{"gzip"}, compress(t, "gzip", "one ") + gz},
		{"an escape inside", []string{"gzip"}, compress(t, "gzip", "key "+strings.ReplaceAll(plainCanary, "-", `\u002d`))},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			rec := recorder(dir, &script{header: http.Header{"Content-Encoding": row.encodings}, reads: []string{row.body}})
			r := post("{}")
			r.Header.Set("X-Api-Key", plainCanary)
			drain(t, rec, r)
			require.NoError(t, rec.Err())
			resp, err := (&wire.Transport{Dir: dir}).RoundTrip(post("{}"))
			require.NoError(t, err)
			played, _ := readAll(resp.Body)
			assert.Equal(t, "key [redacted]", strings.TrimPrefix(strings.Join(played, ""), "one "))
			assert.Empty(t, resp.Header.Values("Content-Encoding"))
		})
	}
	dir := t.TempDir()
	whole := compress(t, "gzip", "harmless")
	drain(t, recorder(dir, &script{reads: []string{whole}}), post("{}"))
	reads, _ := drain(t, &wire.Transport{Dir: dir}, post("{}"))
	assert.Equal(t, whole, strings.Join(reads, ""), "what hides nothing stays as it came")
}
