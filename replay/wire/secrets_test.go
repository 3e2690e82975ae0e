package wire_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/replay/wire"
)

// A secret with everything that is written in another way somewhere.
const canary = `c4nary/+"<é&= s3cret\9`

// plainCanary is one that can stand in a header or a host name.
const plainCanary = "c4nary-0123456789"

// spelled returns a secret as anybody may echo it.
func spelled(secret string) map[string]string {
	html, _ := json.Marshal(secret)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(secret)
	inside := func(s string) string { return s[1 : len(s)-1] }
	lower := strings.NewReplacer("%2F", "%2f", "%2B", "%2b", "%3C", "%3c", "%C3", "%c3", "%A9", "%a9", "%3D", "%3d", "%5C", "%5c")
	return map[string]string{
		"plain":             secret,
		"json":              inside(string(html)),
		"json without html": inside(strings.TrimSpace(b.String())),
		"json slash":        strings.ReplaceAll(inside(strings.TrimSpace(b.String())), "/", `\/`),
		"query":             url.QueryEscape(secret),
		"path":              url.PathEscape(secret),
		"lower query":       lower.Replace(url.QueryEscape(secret)),
		"base64":            base64.StdEncoding.EncodeToString([]byte(secret)),
		"base64 raw url":    base64.RawURLEncoding.EncodeToString([]byte(secret)),
		"base64 behind 1":   base64.StdEncoding.EncodeToString([]byte("a" + secret + "zz")),
		"base64 behind 2":   base64.URLEncoding.EncodeToString([]byte("ab" + secret + "y")),
		"base64 behind 3":   base64.StdEncoding.EncodeToString([]byte("abc" + secret + "xyz")),
	}
}

// assertClean looks for a secret in all that is stored, decoded where it can be.
func assertClean(tb testing.TB, dir, secret string) {
	tb.Helper()
	for name, text := range tree(tb, dir) {
		for how, form := range spelled(secret) {
			if strings.HasPrefix(how, "base64 behind") {
				form = form[4 : len(form)-5]
			}
			assert.NotContains(tb, text, form, "%s holds it as %s", name, how)
			assert.NotContains(tb, name, strings.ToLower(form))
		}
		if z, err := gzip.NewReader(strings.NewReader(text)); err == nil {
			plain, _ := io.ReadAll(z)
			assert.NotContains(tb, string(plain), secret, name)
		}
	}
}

// TestSecretsNeverReachTheDisk sends a secret in each place, and gets it echoed in
// every place and spelling.
func TestSecretsNeverReachTheDisk(t *testing.T) {
	t.Parallel()
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	rows := []struct {
		why    string
		secret string
		put    func(*http.Request)
		named  bool // nothing that is sent tells it
	}{
		{"a bearer token", plainCanary, header("Authorization", "Bearer "+plainCanary), false},
		{"a token without a scheme", plainCanary, header("Authorization", plainCanary), false},
		{"a proxy's", plainCanary, header("Proxy-Authorization", "Bearer "+plainCanary), false},
		{"the user of basic authentication", "c4nary-user", func(r *http.Request) { r.SetBasicAuth("c4nary-user", "password") }, false},
		{"the password of it", canary, func(r *http.Request) { r.SetBasicAuth("u", canary) }, false},
		{"a signature", "c4nary0123456789", header("Authorization", "AWS4-HMAC-SHA256 Credential=c4nary0123456789, Signature=0011223344"), false},
		{"Anthropic's key", plainCanary, header("X-Api-Key", plainCanary), false},
		{"Azure's", plainCanary, header("Api-Key", plainCanary), false},
		{"Google's", plainCanary, header("X-Goog-Api-Key", plainCanary), false},
		{"a short one, but its name says so", "c4na", header("X-Api-Key", "c4na"), false},
		{"a header that nobody knows", canary, header("X-Of-Our-Own", canary), false},
		{"a name that was not made canonical", plainCanary, func(r *http.Request) { r.Header["x-api-key"] = []string{plainCanary} }, false},
		{"a cookie", plainCanary, header("Cookie", "a=b; session="+plainCanary+"; c=d"), false},
		{"a cookie whose name was not made canonical", plainCanary, func(r *http.Request) { r.Header["cookie"] = []string{"a=b; s=" + plainCanary} }, false},
		{"a parameter of the query", canary, func(r *http.Request) { r.URL.RawQuery = "alt=sse&key=" + url.QueryEscape(canary) }, false},
		{"a query that cannot be parsed", plainCanary, func(r *http.Request) { r.URL.RawQuery = "a=%zz;key=" + plainCanary + "&b=1" }, false},
		{"a query of nothing else", plainCanary, func(r *http.Request) { r.URL.RawQuery = plainCanary }, false},
		{"the password of the user info", canary, func(r *http.Request) { r.URL.User = url.UserPassword("me", canary) }, false},
		{"the user of it", plainCanary, func(r *http.Request) { r.URL.User = url.User(plainCanary) }, false},
		{why: "one that the user named", secret: canary, put: func(*http.Request) {}, named: true},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			for how, form := range spelled(row.secret) {
				if how != "plain" && len(row.secret) < 8 {
					continue // in base64 too little of a short one is its own
				}
				for _, timing := range []bool{false, true} {
					dir := t.TempDir()
					body := `{"a":` + quoted(row.secret) + `,"b":"x` + form0(form) + `x","k` + form0(form) + `":1}`
					r := postTo("https://api.example.com/v1/"+url.PathEscape(row.secret)+"/chat", body)
					row.put(r)
					rec := recorder(dir, &script{
						header: http.Header{"Content-Type": {"text/event-stream"}, "X-Request-Id": {"id-" + form}, "X-Ratelimit-Reset": {form}, "Location": {"https://" + "host/a?k=" + form}},
						reads:  []string{"data: " + form[:len(form)/2], form[len(form)/2:] + "\n\n", "data: end " + form},
						end:    errors.New("broken near " + form),
					})
					rec.Timing = timing
					if row.named {
						rec.Secrets = []providers.Secret{providers.Secret(row.secret)}
					}
					reads, end := drain(t, rec, r)
					require.NoError(t, rec.Err())
					assert.Contains(t, strings.Join(reads, ""), form, "the one who asks gets it whole")
					assert.ErrorContains(t, end, form)
					assertClean(t, dir, row.secret)

					// A recording is still one: it loads, and its sizes add up.
					loaded, err := wire.Load(os.DirFS(dir))
					require.NoError(t, err, how)
					assert.Len(t, loaded.Names(), 1)
					chunks, _ := only(t, dir)["chunks"].([]any)
					assert.LessOrEqual(t, len(chunks), 3)
					assert.Equal(t, timing, len(chunks) > 0)
				}
			}
		})
	}
}

func quoted(text string) string {
	b, _ := json.Marshal(text)
	return string(b)
}

// form0 returns a form as the inside of a JSON string.
func form0(form string) string {
	q := quoted(form)
	return q[1 : len(q)-1]
}

// TestSecretsOfCookies: what a server sets it may echo as well.
func TestSecretsOfCookies(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	drain(t, recorder(dir, &script{header: http.Header{"Set-Cookie": {"s=" + plainCanary + "; Path=/"}, "X-Request-Id": {plainCanary}}, reads: []string{plainCanary}}), post("{}"))
	assertClean(t, dir, plainCanary)
}

// TestSecretsOfErrors: a request that got no answer tells its error.
func TestSecretsOfErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rec := recorder(dir, &script{err: errors.New("cannot reach host?key=" + plainCanary)})
	r := post("{}")
	r.Header.Set("X-Api-Key", plainCanary)
	_, err := rec.RoundTrip(r)
	assert.ErrorContains(t, err, plainCanary)
	assertClean(t, dir, plainCanary)
	assert.Len(t, tree(t, dir), 1)
}

func compress(tb testing.TB, encoding, text string) string {
	tb.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	switch encoding {
	case "gzip", "x-gzip", "GZIP":
		w = gzip.NewWriter(&b)
	case "deflate":
		w = zlib.NewWriter(&b)
	default:
		w, _ = flate.NewWriter(&b, 9)
	}
	_, err := w.Write([]byte(text))
	require.NoError(tb, err)
	require.NoError(tb, w.Close())
	return b.String()
}

// TestEncodedBodies: a body stays as it came, but for one that hides a secret, and
// one that cannot be searched.
func TestEncodedBodies(t *testing.T) {
	t.Parallel()
	harmless, telling := "data: hello\n\n", "data: "+plainCanary+"\n\ndata: more\n\n"
	gz := compress(t, "gzip", telling)
	rows := []struct {
		why, encoding, body string
		stored              string // the body on disk; "" when nothing is
		label               string // its content encoding there
	}{
		{"as it came", "gzip", compress(t, "gzip", harmless), compress(t, "gzip", harmless), "gzip"},
		{"a secret inside", "gzip", gz, "data: [redacted]\n\ndata: more\n\n", ""},
		{"an old name", "x-gzip", gz, "data: [redacted]\n\ndata: more\n\n", ""},
		{"in capitals", "GZIP", gz, "data: [redacted]\n\ndata: more\n\n", ""},
		{"cut, so that only a part can be read", "gzip", gz[:len(gz)-9], "data: [redacted]\n\ndata: more\n\n", ""},
		{"deflate as it is named", "deflate", compress(t, "deflate", telling), "data: [redacted]\n\ndata: more\n\n", ""},
		{"deflate as some send it", "deflate", compress(t, "", telling), "data: [redacted]\n\ndata: more\n\n", ""},
		{"it says gzip and is none", "gzip", "data: " + plainCanary, "data: [redacted]", "-"},
		{"nobody here can read it", "br", "\x0b\x02\x80hello\x03", "", ""},
		{"no encoding", "identity", telling, "data: [redacted]\n\ndata: more\n\n", "identity"},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			half := len(row.body) / 2
			rec := recorder(dir, &script{
				header: http.Header{"Content-Type": {"text/event-stream"}, "Content-Encoding": {row.encoding}},
				reads:  []string{row.body[:half], row.body[half:]},
			})
			r := post("{}")
			r.Header.Set("X-Api-Key", plainCanary)
			reads, _ := drain(t, rec, r)
			assert.Equal(t, row.body, strings.Join(reads, ""), "the one who asks gets what came")
			if row.stored == "" {
				assert.Error(t, rec.Err())
				assert.NoDirExists(t, dir+"/x")
				assert.Empty(t, tree(t, dir))
				return
			}
			require.NoError(t, rec.Err())
			assertClean(t, dir, plainCanary)
			resp, err := (&wire.Transport{Dir: dir}).RoundTrip(post("{}"))
			require.NoError(t, err)
			played, _ := readAll(resp.Body)
			assert.Equal(t, row.stored, strings.Join(played, ""))
			if row.label != "-" {
				assert.Equal(t, row.label, resp.Header.Get("Content-Encoding"), "the label fits the body")
			}
		})
	}
}

// TestEncodedRequests: a request that was compressed is stored as what it says.
func TestEncodedRequests(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := post(compress(t, "gzip", `{"a":"`+plainCanary+`"}`))
	r.Header.Set("Content-Encoding", "gzip")
	r.Header.Set("X-Api-Key", plainCanary)
	drain(t, recorder(dir, &script{reads: []string{"a"}}), r)
	assertClean(t, dir, plainCanary)
	for _, head := range heads(t, dir) {
		assert.Equal(t, map[string]any{"a": "[redacted]"}, head["request"].(map[string]any)["body"])
	}
}

// TestCredentialFields: bodies hold credentials under names that say so.
func TestCredentialFields(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	body := `{"tools":[{"type":"mcp","authorization":"Bearer ` + plainCanary + `","headers":{"X-Api-Key":"c4nary-other"}}],` +
		`"client_secret":"c4na","note":"it is ` + plainCanary + `","number":1234567812345678,"logprobs":[{"token":"Hello"}],"password":""}`
	rec := recorder(dir, &script{
		header: http.Header{"Content-Type": {"application/json"}},
		reads:  []string{`{"access_token":"c4nary-granted","token":"Hello","echo":"c4nary-granted c4nary-other ` + plainCanary + `"}`},
	})
	drain(t, rec, post(body))
	for _, head := range heads(t, dir) {
		stored, _ := head["request"].(map[string]any)["body"].(map[string]any)
		assert.Contains(t, stored, "password")
		assert.Empty(t, stored["password"], "nothing is no secret")
	}
	for _, secret := range []string{plainCanary, "c4nary-other", "c4nary-granted"} {
		assertClean(t, dir, secret)
	}
	for _, text := range tree(t, dir) {
		assert.NotContains(t, text, "c4na")
		assert.Contains(t, text, "Hello", "what a model writes is no credential")
	}
	// The key does not depend on the credential.
	reads, _ := drain(t, &wire.Transport{Dir: dir}, post(strings.NewReplacer("c4nary-other", "another-one").Replace(body)))
	assert.NotEmpty(t, reads)
}

// TestNumbersAreSearched: a secret of digits may come as a number.
func TestNumbersAreSearched(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := post(`{"account":1234567812345678,"limit":1}`)
	r.Header.Set("X-Account", "1234567812345678")
	drain(t, recorder(dir, &script{}), r)
	for _, head := range heads(t, dir) {
		assert.Equal(t, map[string]any{"account": "[redacted]", "limit": 1.0}, head["request"].(map[string]any)["body"])
	}
}

// TestHarmlessHeaders: what every client sends tears no words out of a body.
func TestHarmlessHeaders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := post(`{"prompt":"javascript and Go-http-client/1.1 and application/json"}`)
	r.Header.Set("User-Agent", "Go-http-client/1.1")
	r.Header.Set("X-Stainless-Lang", "javascript")
	r.Header.Set("Accept", "application/json")
	r.Header.Set("Weir-Fault", "cut=100,reset")
	drain(t, recorder(dir, &script{reads: []string{"javascript"}}), r)
	for name, text := range tree(t, dir) {
		assert.NotContains(t, text, "redacted", name)
		assert.NotContains(t, text, `"User-Agent"`, "clients differ in it")
	}
}

// TestStoredHeaders: the lists hold what adapters read, and no more.
func TestStoredHeaders(t *testing.T) {
	t.Parallel()
	rows := []struct {
		why       string
		header    http.Header
		name, has string
	}{
		{"the type", http.Header{"Content-Type": {"a/b"}}, "Content-Type", "a/b"},
		{"advice", http.Header{"X-Should-Retry": {"false"}}, "X-Should-Retry", "false"},
		{"the type of an error of AWS", http.Header{"X-Amzn-Errortype": {"ThrottlingException:http://internal/"}}, "X-Amzn-Errortype", "ThrottlingException:http://internal/"},
		{"a limit", http.Header{"X-Ratelimit-Remaining-Tokens": {"7"}}, "X-Ratelimit-Remaining-Tokens", "7"},
		{"Anthropic's limits", http.Header{"Anthropic-Ratelimit-Tokens-Limit": {"7"}}, "Anthropic-Ratelimit-Tokens-Limit", "7"},
		{"a name that was not made canonical", http.Header{"x-request-id": {"req_1"}}, "X-Request-Id", "req_1"},
		{"an id", http.Header{"Request-Id": {"req_1"}}, "Request-Id", "req_1"},
		{"a date that a date counts from", http.Header{"Retry-After": {"Wed, 21 Oct 2026 07:28:00 GMT"}, "Date": {"Wed, 21 Oct 2026 07:27:00 GMT"}}, "Date", "Wed, 21 Oct 2026 07:27:00 GMT"},
		{"or the moment of a reset", http.Header{"Anthropic-Ratelimit-Tokens-Reset": {"2026-10-21T07:28:00Z"}, "Date": {"Wed, 21 Oct 2026 07:27:00 GMT"}}, "Date", "Wed, 21 Oct 2026 07:27:00 GMT"},
		{"in seconds of Unix", http.Header{"X-Ratelimit-Reset": {"1792567680"}, "Date": {"Wed, 21 Oct 2026 07:27:00 GMT"}}, "Date", "Wed, 21 Oct 2026 07:27:00 GMT"},
		{"a date that nothing counts from is chance", http.Header{"Retry-After": {"5"}, "X-Ratelimit-Reset": {"6m0s"}, "Date": {"Wed, 21 Oct 2026 07:27:00 GMT"}}, "Date", ""},
		{"nor from seconds", http.Header{"X-Ratelimit-Reset": {"60"}, "Date": {"Wed, 21 Oct 2026 07:27:00 GMT"}}, "Date", ""},
		{"a place without its user and fragment", http.Header{"Location": {"https://me:secret@b.example/p%2Fq?k=v#f"}}, "Location", "https://b.example/p%2Fq?k=v"},
		{"a place below", http.Header{"Location": {"../b?a=1;b=%zz&c"}}, "Location", "../b?a=1;b=%zz&c"},
		{"a place whose port is chance", http.Header{"Location": {"http://127.0.0.1:1234/b"}}, "Location", "http://127.0.0.1/b"},
		{"whatever its address looks like", http.Header{"Location": {"http://[::1]:1234/b"}}, "Location", "http://[::1]/b"},
		{"a port that is none", http.Header{"Location": {"http://b.example:1234/b"}}, "Location", "http://b.example:1234/b"},
		{"no place", http.Header{"Location": {"http://%zz/"}}, "Location", ""},
		{
			"a place without the values of credentials",
			http.Header{"Location": {"/b?id=7&key=abcd&X-Amz-Date=1&alt=c4nary-0123456789ab&c4nary-0123456789ab&p=c4nary-0123456789ab&sig="}},
			"Location",
			"/b?id=7&key=[redacted]&X-Amz-Date=[redacted]&alt=c4nary-0123456789ab&[redacted]&p=[redacted]&sig=",
		},
		{"a cookie", http.Header{"Set-Cookie": {"a=b"}}, "Set-Cookie", ""},
		{"the server's name", http.Header{"Server": {"x"}}, "Server", ""},
		{"a length that a cut body does not have", http.Header{"Content-Length": {"7"}}, "Content-Length", ""},
	}
	for _, row := range rows {
		dir := t.TempDir()
		drain(t, recorder(dir, &script{header: row.header}), post("{}"))
		resp, err := (&wire.Transport{Dir: dir}).RoundTrip(post("{}"))
		require.NoError(t, err)
		assert.Equal(t, row.has, resp.Header.Get(row.name), row.why)
	}
}

// TestScrubbedBodiesStayWhole: whatever is echoed wherever and however split, what
// is stored is the text without it, and the sizes add up.
func TestScrubbedBodiesStayWhole(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(root, "")
		require.NoError(rt, err)
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "bc", plainCanary, "c4nary", "\n"}), 1, 8).Draw(rt, "words")
		text := strings.Join(words, "") + "."
		var reads []string
		for rest := text; rest != ""; {
			k := rapid.IntRange(1, len(rest)).Draw(rt, "size")
			reads, rest = append(reads, rest[:k]), rest[k:]
		}
		asked := func() *http.Request {
			r := post(quoted(text))
			r.Header.Set("X-Api-Key", plainCanary)
			return r
		}
		rec := recorder(dir, &script{reads: reads})
		rec.Timing = true
		drain(t, rec, asked())
		require.NoError(rt, rec.Err())
		played, end := drain(t, &wire.Transport{Dir: dir}, asked())
		assert.Equal(rt, io.EOF, end)
		assert.Equal(rt, strings.ReplaceAll(text, plainCanary, "[redacted]"), strings.Join(played, ""))
		assert.LessOrEqual(rt, len(played), len(reads))
	})
}

// TestTheMarkIsNoSecret: a credential that is a word of the mark would be found in
// every mark.
func TestTheMarkIsNoSecret(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	asked := func() *http.Request {
		r := post(`{"a":"[redacted]"}`)
		r.Header.Set("X-Api-Key", "redacted")
		return r
	}
	drain(t, recorder(dir, &script{reads: []string{"the redacted one"}}), asked())
	reads, _ := drain(t, &wire.Transport{Dir: dir}, asked())
	assert.Equal(t, []string{"the redacted one"}, reads)
}

// TestNamedSecretsAreNoIdentity: who plays with another one asks the same.
func TestNamedSecretsAreNoIdentity(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	asked := func(secret string) *http.Request { return post(`{"tenant":"` + secret + `"}`) }
	rec := recorder(dir, &script{reads: []string{"a"}})
	rec.Secrets = []providers.Secret{"tenant-one"}
	drain(t, rec, asked("tenant-one"))
	reads, _ := drain(t, &wire.Transport{Dir: dir, Secrets: []providers.Secret{"tenant-two"}}, asked("tenant-two"))
	assert.Equal(t, []string{"a"}, reads)
}

// TestSecretsInEveryPlace: a credential may come again where no credential belongs.
func TestSecretsInEveryPlace(t *testing.T) {
	t.Parallel()
	rows := []struct {
		why  string
		url  string
		body string
	}{
		{"a body of text", "https://api.example.com/x", "it is " + plainCanary + " they say"},
		{"a body of bytes", "https://api.example.com/x", "\xff" + plainCanary + "\xfe"},
		{"the host", "https://" + plainCanary + ".example.com/x", "{}"},
		{"a stored parameter", "https://api.example.com/x?alt=a-" + plainCanary, "{}"},
		{"a place", "https://api.example.com/x", "{}"},
	}
	for _, row := range rows {
		dir := t.TempDir()
		s := &script{header: http.Header{"Location": {"https://api.example.com/of/" + plainCanary + "/y"}}}
		asked := func(key string) *http.Request {
			r := postTo(strings.ReplaceAll(row.url, plainCanary, key), strings.ReplaceAll(row.body, plainCanary, key))
			r.Header.Set("X-Api-Key", key)
			return r
		}
		drain(t, recorder(dir, s), asked(plainCanary))
		assertClean(t, dir, plainCanary)
		for _, head := range heads(t, dir) {
			request, _ := head["request"].(map[string]any)
			bytes, _ := request["base64"].(string)
			plain, err := base64.StdEncoding.DecodeString(bytes)
			require.NoError(t, err)
			assert.NotContains(t, string(plain), plainCanary, row.why)
		}
		resp, err := (&wire.Transport{Dir: dir}).RoundTrip(asked("another-key-0123"))
		require.NoError(t, err, row.why)
		_ = resp.Body.Close()
		assert.Equal(t, "https://api.example.com/of/[redacted]/y", resp.Header.Get("Location"), row.why)
	}
}
