package wire_test

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/replay/wire"
)

// get returns a request of an ordinary API.
func get(query string) *http.Request {
	r := postTo("https://api.example.com/item", "")
	r.Method, r.URL.RawQuery = http.MethodGet, query
	return r
}

// recordQueries records an answer to each query and returns the folder.
func recordQueries(tb testing.TB, queries ...string) string {
	tb.Helper()
	dir := tb.TempDir()
	rec := recorder(dir, &script{reads: []string{"answer"}})
	for _, query := range queries {
		drain(tb, rec, get(query))
	}
	require.NoError(tb, rec.Err())
	return dir
}

// TestQueriesAreIdentity: two requests that differ in the query are two requests, but
// for what its name says is a credential.
func TestQueriesAreIdentity(t *testing.T) {
	t.Parallel()
	rows := []struct {
		why, one, other string
		same            bool
	}{
		{"an id", "id=1", "id=2", false},
		{"a listed one", "version=1", "version=2", false},
		{"another name", "id=1", "no=1", false},
		{"one more", "id=1", "id=1&page=2", false},
		{"none", "id=1", "", false},
		{"twice", "id=1", "id=1&id=1", false},
		{"the order of values", "id=1&id=2", "id=2&id=1", false},
		{"what is not UTF-8", "id=%fe", "id=%ff", false},
		{"a flag", "archived", "", false},
		{"what cannot be parsed", "a=1;b=2", "a=1;b=3", false},
		{"nor unescaped", "a=%zz1", "a=%zz2", false},
		{"a word that has key in it", "keyword=a", "keyword=b", false},
		{"a number of tokens", "max_tokens=1", "max_tokens=2", false},
		{"the next page", "page_token=a", "page_token=b", false},
		{"an author", "author=a", "author=b", false},
		{"a hint", "password_hint=a", "password_hint=b", false},
		{"a sort key", "sort_key=a", "sort_key=b", false},
		{"the order of names", "id=1&page=2", "page=2&id=1", true},
		{"an escape", "id=%61", "id=a", true},
		{"a key", "id=1&key=aaaa", "id=1&key=bbbb", true},
		{"a key or none", "id=1&api_key=aaaa", "id=1", true},
		{"in other letters", "Api-Key=aaaa", "", true},
		{"with a name before", "OPENAI_API_KEY=aaaa", "", true},
		{"a token", "token=aaaa", "token=bbbb", true},
		{"of OAuth", "access_token=a", "access_token=b", true},
		{"the code of OAuth", "code=a", "code=b", true},
		{"a signature", "sig=a", "sig=b", true},
		{"in full", "signature=a", "signature=b", true},
		{"a password", "password=a", "password=b", true},
		{"a secret", "client_secret=a", "client_secret=b", true},
		{"auth", "auth=a", "auth=b", true},
		{"signed for Amazon", "X-Amz-Date=20260101&X-Amz-Signature=a", "X-Amz-Date=20260102&X-Amz-Signature=b", true},
		{"signed for Google", "x-goog-credential=a&X-Goog-Expires=60", "", true},
	}
	for _, row := range rows {
		dir := recordQueries(t, row.one)
		reads, _ := drain(t, &wire.Transport{Dir: dir}, get(row.one))
		assert.Equal(t, "answer", strings.Join(reads, ""), row.why)
		resp, err := (&wire.Transport{Dir: dir}).RoundTrip(get(row.other))
		if row.same {
			if assert.NoError(t, err, row.why) {
				_ = resp.Body.Close()
			}
			continue
		}
		assert.ErrorIs(t, err, wire.ErrNotRecorded, row.why)
	}
}

// TestQueryValuesAreNotStored: the files have the names and one digest, which holds
// the key to what was asked.
func TestQueryValuesAreNotStored(t *testing.T) {
	t.Parallel()
	dir := recordQueries(t, "zone=oslo&id=weather&alt=sse&key=aaaa")
	for name, head := range heads(t, dir) {
		request, _ := head["request"].(map[string]any)
		redacted := []any{"[redacted]"}
		assert.Equal(t, map[string]any{"alt": []any{"sse"}, "id": redacted, "key": redacted, "zone": redacted}, request["query"])
		// printf 'id=weather&zone=oslo' | sha256sum
		sum := sha256.Sum256([]byte("id=weather&zone=oslo"))
		assert.Equal(t, hex.EncodeToString(sum[:]), request["query_digest"])

		text, err := os.ReadFile(dir + "/" + name)
		require.NoError(t, err)
		other := strings.Replace(string(text), `"query_digest": "`, `"query_digest": "0`, 1)
		require.NoError(t, os.WriteFile(dir+"/"+name, []byte(other), 0o600))
		_, err = wire.Load(os.DirFS(dir))
		var bad *wire.BadRecording
		require.ErrorAs(t, err, &bad, "the key is of the digest")
	}
}

// TestOrdinaryValuesAreNotTornOut: what looks like no key stays in the body, whether
// it came in the query or in a header.
func TestOrdinaryValuesAreNotTornOut(t *testing.T) {
	t.Parallel()
	rows := []struct {
		why, value string
		torn       bool
	}{
		{"words", "weather-oslo", false},
		{"fifteen letters", "abcdefghijklmno", false},
		{"sixteen of them", "abcdefghijklmnop", true},
		{"a day", "2026-10-21", false},
		{"eleven, mixed", "abcdef12345", false},
		{"twelve, mixed", "abcdef123456", true},
		{"in capitals", "ABCDEF123456", true},
		{"a model", "gpt-4o-mini-2024-07-18", false},
		{"with its maker", "meta-llama/Llama-3.1-8B-Instruct", false},
		{"a day in the name of one", "us.anthropic.claude-sonnet-4-5-20250929-v1:0", false},
		{"a role", "assistant", false},
		{"nine digits in a row", "north-west-123456789", true},
		{"a mark that stands between no words", "a~short-word~of~16", true},
		{"a number of an account", "urn:uuid:550e8400-e29b-41d4-a716-446655440000", true},
	}
	for _, row := range rows {
		for _, where := range []string{"query", "header", "flag", "Sec-Fetch-Mode", "Sec-Ch-Ua", "Origin"} {
			r := get("")
			switch where {
			case "query":
				r.URL.RawQuery = "place=" + row.value
			case "flag":
				r.URL.RawQuery = row.value
			case "header":
				r.Header.Set("X-Place", row.value)
			default:
				r.Header.Set(where, row.value)
			}
			dir := t.TempDir()
			drain(t, recorder(dir, &script{reads: []string{"it is " + row.value + " there"}}), r)
			reads, _ := drain(t, &wire.Transport{Dir: dir}, r)
			torn := row.torn && (where == "query" || where == "header" || where == "flag")
			assert.Equal(t, torn, strings.Contains(strings.Join(reads, ""), "[redacted]"), where+": "+row.why)
		}
	}
	// What belongs to a signed address goes by the same rule, and not by its name.
	dir := t.TempDir()
	r := get("X-Amz-SignedHeaders=host&X-Amz-Expires=3600&X-Amz-Security-Token=c4na&X-Amz-Date=20260101T000000Z")
	drain(t, recorder(dir, &script{reads: []string{"host 3600 c4na 20260101T000000Z"}}), r)
	reads, _ := drain(t, &wire.Transport{Dir: dir}, r)
	assert.Equal(t, "host 3600 [redacted] [redacted]", strings.Join(reads, ""))
}

// TestHiddenValuesAreSecrets: they may be echoed wherever they look like a key, and
// the request is still another one for another value.
func TestHiddenValuesAreSecrets(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rec := recorder(dir, &script{reads: []string{plainCanary}})
	asked := func(value string) *http.Request {
		r := get("ref=" + value + "&" + value)
		r.URL.Path = "/item/" + value
		return r
	}
	drain(t, rec, asked(plainCanary))
	assertClean(t, dir, plainCanary)
	drain(t, &wire.Transport{Dir: dir}, asked(plainCanary))
	_, err := (&wire.Transport{Dir: dir}).RoundTrip(asked("other-0123456789"))
	assert.ErrorIs(t, err, wire.ErrNotRecorded)
}

// TestDigestHasNoCredential: who asks with another one asks the same.
func TestDigestHasNoCredential(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	asked := func(key string) *http.Request {
		return get("key=" + key + "&next=" + url.QueryEscape("/x?key="+key) + "&k" + key + "=1")
	}
	drain(t, recorder(dir, &script{}), asked("aaaa-1111"))
	drain(t, &wire.Transport{Dir: dir}, asked("bbbb-2222"))
}

// TestKeep stores what the user says is no credential, and no more.
func TestKeep(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := &script{header: http.Header{"X-Zone": {"north-123456"}, "Set-Cookie": {"s=c4nary-0"}, "X-Other": {"1"}}, reads: []string{"north-123456 or abcd1234"}}
	rec := recorder(dir, s)
	rec.Keep = []string{"x-zone", "ID", "code", "Authorization", "Set-Cookie"}
	r := get("id=abcd1234&code=no&q=1")
	r.Header.Set("X-Zone", "north-123456")
	r.Header.Set("Authorization", "Bearer "+plainCanary)
	drain(t, rec, r)
	require.NoError(t, rec.Err())
	assertClean(t, dir, plainCanary)
	for _, head := range heads(t, dir) {
		request, _ := head["request"].(map[string]any)
		assert.Equal(t, map[string]any{"id": []any{"abcd1234"}, "code": []any{"no"}, "q": []any{"[redacted]"}}, request["query"])
		assert.Equal(t, map[string]any{"X-Zone": []any{"north-123456"}, "Content-Type": []any{"application/json"}}, request["header"])
		assert.Equal(t, map[string]any{"X-Zone": []any{"north-123456"}}, only(t, dir)["header"])
	}
	// Whoever plays them need not know the names.
	loaded, err := wire.Load(os.DirFS(dir))
	require.NoError(t, err)
	client, base := serve(t, &wire.Server{Recordings: loaded, Repeat: true}, false)
	resp, err := client.Get(base + "/item?id=abcd1234&code=no&q=1")
	require.NoError(t, err)
	_ = resp.Body.Close()
	assert.Equal(t, 200, resp.StatusCode)
	reads, _ := drain(t, &wire.Transport{Dir: dir}, r)
	assert.Equal(t, "north-123456 or abcd1234", strings.Join(reads, ""))

	miss := func(query string) wire.Difference {
		_, err := (&wire.Transport{Dir: dir}).RoundTrip(get(query))
		var n *wire.NotRecorded
		require.ErrorAs(t, err, &n)
		return n.Difference
	}
	assert.Equal(t, wire.Difference{Path: "query.id[0]", Recorded: `"abcd1234"`, Asked: `"abcd1235"`}, miss("id=abcd1235&code=no&q=1"))
	assert.Equal(t, "query.code[0]", miss("id=abcd1234&code=yes&q=1").Path, "the user's word counts")
	assert.Equal(t, "query_digest", miss("id=abcd1234&code=no&q=2").Path, "the value is not stored")
	assert.Equal(t, wire.Difference{Path: "query.r", Recorded: "(absent)", Asked: `["[redacted]"]`}, miss("id=abcd1234&code=no&q=1&r=2"), "the name is")
	assert.Equal(t, "query.q", miss("id=abcd1234&code=no&key=1").Path, "a credential is no difference")
}

// TestQueriesAgainstAModel: two requests get each other's answer if and only if a slow
// comparison says that they ask the same.
func TestQueriesAgainstAModel(t *testing.T) {
	t.Parallel()
	pair := rapid.Custom(func(rt *rapid.T) [2]string {
		return [2]string{rapid.SampledFrom([]string{"a", "b", "alt", "key"}).Draw(rt, "name"), rapid.SampledFrom([]string{"", "1", "2"}).Draw(rt, "value")}
	})
	build := func(pairs [][2]string) (query string, counts map[string][]string) {
		counts = map[string][]string{}
		var parts []string
		for _, p := range pairs {
			parts = append(parts, p[0]+"="+p[1])
			if p[0] != "key" {
				counts[p[0]] = append(counts[p[0]], p[1])
			}
		}
		return strings.Join(parts, "&"), counts
	}
	root := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		pairs := rapid.SliceOfN(pair, 0, 4)
		one, countsOne := build(pairs.Draw(rt, "one"))
		other, countsOther := build(pairs.Draw(rt, "other"))
		same := len(countsOne) == len(countsOther)
		for name, values := range countsOne {
			same = same && slices.Equal(values, countsOther[name])
		}
		dir, err := os.MkdirTemp(root, "")
		require.NoError(rt, err)
		resp, err := recorder(dir, &script{}).RoundTrip(get(one))
		require.NoError(rt, err)
		_, _ = readAll(resp.Body)
		resp, err = (&wire.Transport{Dir: dir}).RoundTrip(get(other))
		assert.Equal(rt, same, err == nil, "%s and %s", one, other)
		if err == nil {
			_, _ = readAll(resp.Body)
		}
	})
}
