package events_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/events"
)

type secretCase struct {
	why, text, want string
}

// secretCases hold invented keys in the shapes of real ones.
func secretCases() []secretCase {
	return []secretCase{
		{"OpenAI", "Incorrect API key provided: sk-proj-aB3dE6gH9jK2. See", "Incorrect API key provided: [redacted] See"},
		{"OpenAI, masked", "key sk-ab**********yz.", "key [redacted]"},
		{"OpenRouter", "sk-or-v1-0123456789abcdef", "[redacted]"},
		{"Anthropic", `"sk-ant-api03-abcdefghij"`, `"[redacted]"`},
		{"lower case only after sk-", "sk-abcdefghijkl", "[redacted]"},
		{"Groq", "gsk_0aB1cD2eF3gH4", "[redacted]"},
		{"xAI", "xai-0aB1cD2eF3gH4", "[redacted]"},
		{"Google", "AIzaSyA0bC1dE2fG3", "[redacted]"},
		{"Google, OAuth", "ya29.a0Ab1Cd2Ef", "[redacted]"},
		{"Hugging Face", "hf_abcdefghijklmnopqrstuvwxyzabcdefgh", "[redacted]"},
		{"AWS", "AKIAABCDEFGHIJKLMNOP", "[redacted]"},
		{"AWS, temporary", "id=ASIAABCDEFGHIJKLMNOP", "id=[redacted]"},
		{"GitHub", "ghp_0aB1cD2eF3gH4iJ5", "[redacted]"},
		{"a JSON web token", "got eyJhbGciOiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl here", "got [redacted] here"},
		{"a bearer header", "Authorization: Bearer abc123def456", "Authorization: Bearer [redacted]"},
		{"a basic header", "authorization: basic dXNlcjpwYXNz1", "authorization: basic [redacted]"},
		{"a printed http.Header", "map[Authorization:[Bearer abc123def456] X:[y]]", "map[Authorization:[Bearer [redacted]] X:[y]]"},
		{"a header of another name", "x-api-key: 0123456789abcdef", "x-api-key: [redacted]"},
		{"a JSON member", `{"api_key": "abcdefgh"}`, `{"api_key": "[redacted]"}`},
		{"a JSON member of a password", `{"password":"hunter"}`, `{"password":"[redacted]"}`},
		{"a setting", "api_key=abcdefgh next", "api_key=[redacted] next"},
		{"a password", "password: hunter", "password: [redacted]"},
		{"a client secret", "client_secret=abc.def~ghi", "client_secret=[redacted]"},
		{"a query", "GET https://example.org/v1?key=abcdef0123&alt=sse", "GET https://example.org/v1?key=[redacted]&alt=sse"},
		{"a signed query", "https://example.org/?a=1&sig=abcd%2F", "https://example.org/?a=1&sig=[redacted]"},
		{"a token in prose", "bearer 0123456789", "bearer [redacted]"},
		{"a long word is no word", "authorization: abcdefghijklmnopqrst", "authorization: [redacted]"},
		{"two keys", "sk-aaaaaaaa, sk-bbbbbbbb", "[redacted], [redacted]"},
		{"a key that begins where another ends", "AKIAABCDEFGHIJKLMNOPsk-aaaaaaaa", "[redacted][redacted]"},
		{"redacted before", "secret: [redacted], authorization: bearer [redacted]", "secret: [redacted], authorization: bearer [redacted]"},

		{"ordinary words about tokens", "Bearer token is missing", "Bearer token is missing"},
		{"ordinary words about keys", "Invalid API key: please check it.", "Invalid API key: please check it."},
		{"a header that is named", "Authorization: required", "Authorization: required"},
		{"the name of a model", "model xai-grok-beta not found", "model xai-grok-beta not found"},
		{"the name of a repository", "hf-internal-testing/tiny is gated", "hf-internal-testing/tiny is gated"},
		{"the name of a column", "no column pk_column_name", "no column pk_column_name"},
		{"words that contain a prefix", "the task-oriented desk-side risk-free disk_usage", "the task-oriented desk-side risk-free disk_usage"},
		{"short things after sk-", "sk-abc", "sk-abc"},
		{"a limit on tokens", "max_tokens: 8192 exceeds token=limit", "max_tokens: 8192 exceeds token=limit"},
		{"a plural", "secrets: none", "secrets: none"},
		{"an address", "see https://example.org/docs?page=2&keys=all", "see https://example.org/docs?page=2&keys=all"},
	}
}

func TestCleanDetailRedacts(t *testing.T) {
	t.Parallel()
	for _, tt := range secretCases() {
		require.NotEmpty(t, tt.why)
		assert.Equal(t, tt.want, events.CleanDetail(tt.text), tt.why)
		assert.Equal(t, tt.want, events.CleanDetail(tt.want), "%s, again", tt.why)
		requireClean(t, tt.text)
	}
}

func TestCleanDetail(t *testing.T) {
	t.Parallel()
	for _, tt := range []secretCase{
		{"nothing", "", ""},
		{"plain text stays", "plain (text) <b> & \"quotes\"", "plain (text) <b> & \"quotes\""},
		{"one line", " a\r\nb\tc\u2028d ", "a  b c d"},
		{"colours of a terminal", "\x1b[1;31mred\x1b[0m", "red"},
		{"other escapes lose what makes them work", "\x1b]0;title\x07x\u009b1m", "]0;titlex1m"},
		{"an escape that an escape uncovers", "\x1b[\x1b[0m31mx", "[31mx"},
		{"control characters", "a\x00\x08\x7f\u0085b", "ab"},
		{"not UTF-8", "a\xff\xfeb", "a\uFFFDb"},
		{"text that turns around", "a\u202eb\u2066c", "abc"},
		{"text that is not ASCII", "é 👩\u200d💻 日本", "é 👩\u200d💻 日本"},
		{"as long as may be", strings.Repeat("a", events.MaxDetail), strings.Repeat("a", events.MaxDetail)},
		{"a byte too long", strings.Repeat("a", events.MaxDetail+1), strings.Repeat("a", events.MaxDetail-4) + " ..."},
		{"cut between characters", strings.Repeat("é", events.MaxDetail), strings.Repeat("é", events.MaxDetail/2-2) + " ..."},
	} {
		require.NotEmpty(t, tt.why)
		assert.Equal(t, tt.want, events.CleanDetail(tt.text), tt.why)
		requireClean(t, tt.text)
	}
}

// requireClean holds CleanDetail to its promises.
func requireClean(tb testing.TB, text string) {
	tb.Helper()
	once := events.CleanDetail(text)
	require.LessOrEqual(tb, len(once), events.MaxDetail)
	require.True(tb, utf8.ValidString(once))
	require.Equal(tb, -1, strings.IndexFunc(once, unicode.IsControl), "%q", once)
	require.NotContains(tb, once, "\u2028")
	require.Equal(tb, once, events.CleanDetail(once), "idempotent: %q", text)
}

// cleaningSeeds are pieces out of which texts are made that come close to the
// shapes and bounds.
func cleaningSeeds() []string {
	return []string{
		"sk-", "hf_", "AKIA", "ABCDEFGHIJKL", "eyJ", "abcdef", ".", "secret", "authorization", "api key", "bearer ", "basic ", "password",
		"=", ":", " ", "\"", "'", "[", "]", "[redacted]", "?key=", "&token=", "0", "\x1b[", "31m", "\n", "\xff", "é", "\u2028", "\u00a0", "-", "*",
		strings.Repeat("a", 1000), strings.Repeat("[redacted] ", 92), strings.Repeat("\x00", 1020),
	}
}

func TestCleanDetailOfPieces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(rapid.SampledFrom(cleaningSeeds()), 0, 30).Draw(t, "pieces")
		text := strings.Join(pieces, "")
		once := events.CleanDetail(text)
		require.LessOrEqual(t, len(once), events.MaxDetail)
		require.Equal(t, once, events.CleanDetail(once))
		require.Equal(t, -1, strings.IndexFunc(once, unicode.IsControl))
	})
}

func TestFailuresAndNoticesAreClean(t *testing.T) {
	t.Parallel()
	const dirty = "a\nsk-aaaaaaaaaa\x1b[0m"
	f, _ := events.NewFailed(&events.Failure{
		Kind: events.Other, Detail: dirty, Provider: dirty, ProviderCode: dirty, RequestID: dirty, Feature: dirty, RetryAfter: -1,
	}).Failure()
	for _, text := range []string{f.Detail, f.Provider, f.ProviderCode, f.RequestID, f.Feature, events.NewFailure(events.Other, "", dirty).Detail} {
		assert.Equal(t, "a [redacted]", text)
	}
	assert.Zero(t, f.RetryAfter)
	n, _ := events.NewNotice(events.NoticeUnknownFrame, dirty).Notice()
	assert.Equal(t, "a [redacted]", n.Detail)
	var read events.Failure
	require.NoError(t, read.UnmarshalJSON([]byte(`{"kind":"other","detail":"a\nsk-aaaaaaaaaa"}`)))
	assert.Equal(t, "a [redacted]", read.Detail)
}

func TestCutText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, text string
		n         int
		want      string
	}{
		{"short enough", "abc", 3, "abc"},
		{"cut", "abc", 2, "ab"},
		{"nothing", "abc", 0, ""},
		{"less than nothing", "abc", -1, ""},
		{"not inside a character", "aé", 2, "a"},
		{"not inside a character of four bytes", "👍", 3, ""},
		{"behind a character", "éa", 2, "é"},
		{"bytes that are no text", "\x80\x80\x80\x80\x80\x80\x80\x80", 7, "\x80\x80\x80"},
	} {
		assert.Equal(t, tt.want, events.CutText(tt.text, tt.n), tt.why)
	}
}

func TestRedact(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "a [redacted] b [redacted]", events.Redact("a hunter2 b hunter2", "hunter2"))
	assert.Equal(t, "[redacted] [redacted]", events.Redact("abcd efgh", "abcd", "efgh"))
	assert.Equal(t, "the cat", events.Redact("the cat", "the", "", "a"), "three bytes tear words")
	assert.Equal(t, "plain", events.Redact("plain"))
}

func TestCleanDetailKnowsEveryShape(t *testing.T) {
	t.Parallel()
	for _, prefix := range []string{
		"sk", "pk", "rk", "gsk", "xai", "hf", "r8", "nvapi", "pplx", "csk", "fw", "tgp", "ghp", "gho", "ghs", "github_pat", "glpat", "dapi",
	} {
		for _, joint := range []string{"-", "_"} {
			assert.Equal(t, "[redacted]", events.CleanDetail(prefix+joint+"0aB1cD2eF3gH4iJ5"), prefix)
		}
	}
	for _, name := range []string{
		"Authorization", "Proxy-Authorization", "API key", "api_key", "api-key", "apikey", "X-Api-Key", "x-goog-api-key",
		"access_token", "access-token", "accesstoken", "refresh_token", "Refresh-Token", "client_secret", "clientsecret", "password", "passwd", "secret", "SECRET",
	} {
		for _, joint := range []string{": ", "=", `": "`, ":"} {
			assert.Equal(t, name+joint+"[redacted]", events.CleanDetail(name+joint+"a0b1c2d3"), name)
		}
	}
	for _, parameter := range []string{"key", "token", "sig", "signature", "api_key", "apikey", "api-key", "access_token"} {
		for _, joint := range []string{"?", "&"} {
			assert.Equal(t, "/"+joint+parameter+"=[redacted]", events.CleanDetail("/"+joint+parameter+"=abcd"), parameter)
		}
	}
}
