package wire_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/replay/wire"
)

// typed returns a request with a body of some type.
func typed(contentType, body string) *http.Request {
	r := post(body)
	r.Header.Set("Content-Type", contentType)
	return r
}

// TestCredentialsInBodies: whatever form a body has, what stands under the name of a
// credential is replaced in the request, and in an answer that echoes it or has the
// same form. Another credential asks the same, unless no name says that it is one.
func TestCredentialsInBodies(t *testing.T) {
	t.Parallel()
	const form, parts, object = "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json"
	for _, row := range []struct {
		why, contentType, body string
		same                   bool
	}{
		{"a form", form, "grant_type=client_credentials&client_secret=KEY", true},
		{"a form that does not say so", "text/plain", "api_key=KEY&a=b", true},
		{"a part", parts, "--x\r\nContent-Disposition: form-data; name=\"api_key\"\r\n\r\nKEY\r\n--x--\r\n", true},
		{"a part of JSON", parts, "--x\r\nContent-Type: application/json\r\n\r\n{\"api_key\":\"KEY\"}\r\n--x--\r\n", true},
		{"a part without its end", parts, "--x\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nKEY", true},
		{"parts that do not say so", "text/plain", "--x\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\nKEY\r\n--x--\r\n", true},
		{"a value a line", "application/x-ndjson", "{\"a\":1}\n{\"api_key\":\"KEY\"}\n", true},
		{"events", "text/event-stream", "event: a\ndata: {\"access_token\":\"KEY\"}\n\ndata: [DONE]\n\n", true},
		{"behind the mark of the order of bytes", object, "\xef\xbb\xbf" + `{"api_key":"KEY"}`, true},
		{"no type", "", `{"api_key":"KEY"}`, true},
		{"a value beside its type, which is no schema", object, `{"api_key":{"type":"string","value":"KEY"}}`, true},
		{"arguments of a call", object, `{"arguments":"{\"api_key\":\"KEY\"}"}`, true},
		{"arguments of a short name", object, `{"arguments":"{\"pass\":\"KEY\"}"}`, true},
		{"a value a line of a shorter one", "application/x-ndjson", "{\"a\":1}\n{\"pw\":\"KEY\"}\n", true},
		{"arguments in arguments", object, `{"a":"{\"b\":\"{\\\"api_key\\\":\\\"KEY\\\"}\"}"}`, true},
		{"an object", object, `{"client_secret":{"value":"KEY","expires_at":1767225600,"type":"bearer"}}`, true},
		{"a list", object, `{"Authorization":["Bearer KEY"]}`, true},
		{"a number", object, `{"password":NUMBER}`, true},
		{"a name of a cloud", object, `{"aws_secret_access_key":"KEY"}`, true},
		{"headers", object, `{"tools":[{"type":"mcp","headers":{"dd-api-key":"KEY"}}]}`, true},
		{"a header of a token", object, `{"headers":{"X-Auth-Token":"KEY"}}`, true},
		{"a header of a cookie", object, `{"extra_headers":{"Cookie":"session=KEY"}}`, true},
		{"a header in a list", object, `{"headers":{"X-Api-Key":["KEY"]}}`, true},
		{"the query of an address", object, `{"server_url":"https://mcp.example/sse?api_key=KEY"}`, true},
		{"the user info of an address", object, `{"server_url":"https://me:KEY@mcp.example/sse"}`, true},
		{"an address in a text", object, `{"p":"open https://me:KEY@mcp.example/sse, please"}`, false},
		{"a token of some sort", object, `{"gitlab-token":"KEY"}`, false},
		{"a key of something", object, `{"key":"KEY"}`, false},
		{"a header of no credential", object, `{"headers":{"X-Zone":"KEY"}}`, false},
	} {
		asked := func(key, number string) *http.Request {
			return typed(row.contentType, strings.NewReplacer("KEY", key, "NUMBER", number).Replace(row.body))
		}
		secret := plainCanary
		if strings.Contains(row.body, "NUMBER") {
			secret = "912345678901"
		}
		dir, other := t.TempDir(), t.TempDir()
		rec := recorder(dir, &script{reads: []string{"no such key: " + secret}})
		drain(t, rec, asked(plainCanary, "912345678901"))
		require.NoError(t, rec.Err())
		answer, _ := readAll(asked(plainCanary, "912345678901").Body)
		drain(t, recorder(other, &script{header: http.Header{"Content-Type": {row.contentType}}, reads: answer}), post("{}"))
		for _, dir := range []string{dir, other} {
			for name, text := range tree(t, dir) {
				assert.NotContains(t, text, secret, row.why+": "+name)
				if strings.Contains(row.body, "1767225600") && strings.HasPrefix(text, "{\"client") {
					assert.Contains(t, text, "1767225600", "when it ends is no credential")
				}
			}
		}
		reads, _ := drain(t, &wire.Transport{Dir: dir}, asked(plainCanary, "912345678901"))
		assert.Contains(t, strings.Join(reads, ""), "[redacted]", row.why)
		resp, err := (&wire.Transport{Dir: dir}).RoundTrip(asked("other-9876543210", "987654321098"))
		if row.same && assert.NoError(t, err, row.why) {
			_, _ = readAll(resp.Body)
		}
		if !row.same && assert.ErrorIs(t, err, wire.ErrNotRecorded, row.why) {
			assert.NotContains(t, err.Error(), "9876543210", row.why)
		}
	}
}

// TestNamesOfPasswords: what says that it is one says so in a header, in the query and in
// bodies alike, and what only sounds like it does not.
func TestNamesOfPasswords(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name   string
		secret bool
	}{
		{"pass", true},
		{"pwd", true},
		{"pw", true},
		{"passwd", true},
		{"passcode", true},
		{"passphrase", true},
		{"password", true},
		{"db_pass", true},
		{"dbPass", true},
		{"X-Proxy-Pass", true},
		{"user[pass]", true},
		{"DB_PWD", true},
		{"userPwd", true},
		{"connection_string", true},
		{"clientSecret", true},
		{"pass\xff", true},
		{"bypass", false},
		{"compass", false},
		{"passed", false},
		{"Pass-Through", false},
		{"low_pass_filter", false},
		{"pwned", false},
	} {
		const value = "a-horse-a-staple"
		quotedName, err := json.Marshal(row.name)
		require.NoError(t, err)
		for where, r := range map[string]*http.Request{
			"a header":           postTo("https://api.example.com/a", "{}"),
			"the query":          postTo("https://api.example.com/b?"+url.Values{row.name: {value}}.Encode(), "{}"),
			"a body":             postTo("https://api.example.com/c", `{`+string(quotedName)+`:"`+value+`"}`),
			"a form":             typed("application/x-www-form-urlencoded", url.Values{row.name: {value}}.Encode()),
			"a header in a body": postTo("https://api.example.com/d", `{"headers":{`+string(quotedName)+`:"`+value+`"}}`),
		} {
			if row.name == "dbPass" && strings.HasPrefix(where, "a header") {
				continue // net/http spells it Dbpass, of which nobody knows that it is two words
			}
			if where == "a header" {
				r.Header[row.name] = []string{value}
			}
			dir := t.TempDir()
			drain(t, recorder(dir, &script{reads: []string{"you said " + value}}), r)
			var body string
			for name, text := range tree(t, dir) {
				if strings.Contains(name, ".body-") {
					body = text
				}
			}
			assert.Equal(t, row.secret, body == "you said [redacted]", "%s in %s: %s", row.name, where, body)
		}
	}
}

// TestRequestsKeepApart: no two requests become one because something was replaced,
// and the header that says what is replaced does not count.
func TestRequestsKeepApart(t *testing.T) {
	t.Parallel()
	const secret, id = "sk-proj-abcdefghijkl0123", "550e8400-e29b-41d4-a716-446655440000"
	for _, row := range []struct{ why, name, one, other, body, otherBody string }{
		{"one ends as a credential begins", "Authorization", "Bearer " + secret, "Bearer " + secret, `{"p":"sk-proj-"}`, `{"p":"sk-proj-abcd"}`},
		{"a text does", "Authorization", "Bearer " + secret, "Bearer " + secret, `p sk-proj-`, `p sk-proj-abcd`},
		{"a model", "X-Default-Model", "gpt-4o-mini-2024", "gpt-4o-mini-2024", `{"m":"gpt-4o-mini-2024"}`, `{"m":"gpt-4o-mini"}`},
		{"a tenant", "X-Tenant", id, id[:35] + "1", `{"m":"` + id + `"}`, `{"m":"` + id[:35] + `1"}`},
	} {
		asked := func(value, body string) *http.Request {
			r := post(body)
			r.Header.Set(row.name, value)
			return r
		}
		dir := t.TempDir()
		drain(t, recorder(dir, &script{reads: []string{"one"}}), asked(row.one, row.body))
		assertClean(t, dir, secret)
		assertClean(t, dir, id)
		_, err := (&wire.Transport{Dir: dir}).RoundTrip(asked(row.other, row.otherBody))
		require.ErrorIs(t, err, wire.ErrNotRecorded, row.why)
		reads, _ := drain(t, &wire.Transport{Dir: dir}, post(row.body))
		assert.Equal(t, []string{"one"}, reads, row.why+": without the header")
	}
}

// TestNamedSecretInAPath is the advice of the package: a key that is part of the path
// has to be named.
func TestNamedSecretInAPath(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rec := recorder(dir, &script{reads: []string{"one"}})
	rec.Secrets = []providers.Secret{"BOT-" + plainCanary}
	drain(t, rec, postTo("https://api.example.com/bot/BOT-"+plainCanary+"/send", "{}"))
	assertClean(t, dir, "BOT-"+plainCanary)
	for name := range tree(t, dir) {
		assert.Contains(t, name, "redacted-send-")
	}
}

// TestAnOrdinaryChatStays: the words of models, of tools and of people are no
// credentials, whatever they are called.
func TestAnOrdinaryChatStays(t *testing.T) {
	t.Parallel()
	body := `{"model":"gpt-4o-mini-2024-07-18","max_tokens":1024,"max_completion_tokens":123456789,"prompt_cache_key":"user-0123456789abcdef",` +
		`"messages":[{"role":"system","content":"Never tell a password, token or key. postgres://user:password@localhost:5432/db"},` +
		`{"role":"assistant","tool_calls":[{"id":"call_0123456789abcdefABCDEF","function":{"name":"look_up","arguments":"{\"key\":\"Authorization\",  \"page_token\":\"CAoQAA0123456789\"}"}}]},` +
		`{"role":"assistant","content":[{"type":"thinking","thinking":"so","signature":"EqQBCkYIARgCIkAx+0123456789abcdef/=="}]},` +
		`{"role":"user","content":"the token was \"abc\", see https://example.com/docs?key=YOUR_API_KEY&code=short"}],` +
		`"tools":[{"type":"function","function":{"name":"put","parameters":{"type":"object","required":["key","token","password"],` +
		`"properties":{"key":{"type":"string","description":"the key of the entry"},"token":{"type":"string","enum":["BTC","ETH"]},` +
		`"password":{"type":"string","minLength":8},"client_secret":{"anyOf":[{"type":"string"},{"type":"null"}]},` +
		`"api_key":{"$ref":"#/$defs/a"},"headers":{"type":"object","properties":{"Authorization":{"type":"string"}}},` +
		`"authorization":{"type":["string","null"]},"secret":{"type":"STRING"}}}}}],"metadata":{"headers":["token","password"]}}`
	answer := `{"id":"chatcmpl-0123456789abcdef0123","choices":[{"message":{"content":"The password is a secret token of production."},` +
		`"logprobs":{"content":[{"token":"Hello0123456789abcdef","logprob":-0.1,"bytes":[72]}]}}],` +
		`"usage":{"prompt_tokens":123456789,"completion_tokens":12,"total_tokens":123456801,"prompt_tokens_details":{"cached_tokens":100000000}},` +
		`"next_page_token":"CAoQAA0123456789","model":"anthropic/gpt-4o-mini-2024-07-18","token_count":{"tokens":123456789}}`
	for _, text := range []string{answer, "data: " + answer + "\n\n"} {
		r := post(body)
		r.Header.Set("Authorization", "Bearer "+plainCanary)
		for name, value := range map[string]string{
			"X-Role": "assistant", "X-Default-Model": "gpt-4o-mini-2024-07-18", "X-Portkey-Provider": "anthropic", "X-Env": "production",
			"X-Author": "password", "X-Design": "function",
		} {
			r.Header.Set(name, value)
		}
		dir := t.TempDir()
		drain(t, recorder(dir, &script{reads: []string{text}}), r)
		reads, _ := drain(t, &wire.Transport{Dir: dir}, post(body))
		assert.Equal(t, text, strings.Join(reads, ""))
		for _, head := range heads(t, dir) {
			var wants any
			require.NoError(t, json.Unmarshal([]byte(body), &wants))
			assert.Equal(t, wants, head["request"].(map[string]any)["body"])
		}
	}
}

// TestPiecesOfHeaders: a server echoes what it takes for the key, not the header.
func TestPiecesOfHeaders(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ why, name, value string }{
		{"a protocol of a socket", "Sec-Websocket-Protocol", "realtime, openai-insecure-api-key.KEY, openai-beta.realtime-v1"},
		{"behind a scheme", "X-Upstream", "Bearer KEY"},
		{"behind a tab", "Authorization", "Bearer\tKEY"},
		{"one of two", "X-Api-Keys", "KEY, other-key-123456"},
		{"the other of two", "X-Api-Keys", "other-key-123456,KEY"},
		{"a cookie that has no name", "Cookie", "KEY"},
		{"a parameter", "Authorization", `Token token="KEY"`},
		{"a parameter of several", "Authorization", `Digest username="me", response="KEY"`},
		{"between dots", "X-Session-Token", "v1.KEY.0"},
		{"a pair without its end", "Authorization", "Basic " + base64.RawStdEncoding.EncodeToString([]byte("user1234:"+plainCanary))},
		{"an address", "X-Forward-To", "https://me:KEY@host.example/?a=b"},
		{"the query of an address", "X-Forward-To", "https://host.example/?api_key=KEY"},
	} {
		dir := t.TempDir()
		r := post("{}")
		r.Header.Set(row.name, strings.ReplaceAll(row.value, "KEY", plainCanary))
		drain(t, recorder(dir, &script{reads: []string{"wrong key: " + plainCanary}}), r)
		reads, _ := drain(t, &wire.Transport{Dir: dir}, post("{}"))
		assert.Equal(t, "wrong key: [redacted]", strings.Join(reads, ""), row.why)
	}
	dir := t.TempDir()
	r := post("{}")
	r.Header.Set("X-Upstream", "Bearer c4na")
	drain(t, recorder(dir, &script{reads: []string{"wrong key: c4na"}}), r)
	reads, _ := drain(t, &wire.Transport{Dir: dir}, post("{}"))
	assert.Equal(t, "wrong key: [redacted]", strings.Join(reads, ""), "the scheme says what it is")
}

// TestSecretsOfProxies: net/http sends them out of sight, and a replay has none.
func TestSecretsOfProxies(t *testing.T) {
	t.Parallel()
	pair := base64.StdEncoding.EncodeToString([]byte("user:c4na"))
	for _, row := range []struct {
		why         string
		user        *url.Userinfo
		header      http.Header
		echo, wants string
	}{
		{"a password", url.UserPassword("user", plainCanary), nil, "user " + plainCanary, "user [redacted]"},
		{"a short one", url.UserPassword("user", "c4na"), nil, "c4na " + pair, "[redacted] [redacted]"},
		{"a user that is all", url.User("c4na"), nil, "c4na", "[redacted]"},
		{"a header", nil, http.Header{"Proxy-Authorization": {"Bearer " + plainCanary}, "X-A": {"words"}}, plainCanary + " words", "[redacted] words"},
		{"none", nil, nil, "words", "words"},
	} {
		base := &http.Transport{ProxyConnectHeader: row.header}
		base.RegisterProtocol("test", &script{reads: []string{row.echo}})
		if row.user != nil {
			base.Proxy = http.ProxyURL(&url.URL{Scheme: "http", Host: "proxy.example", User: row.user})
		}
		dir := t.TempDir()
		asked := func() *http.Request { return postTo("test://api.example.com/v1/chat", quoted(row.echo)) }
		drain(t, &wire.Transport{Mode: wire.Record, Dir: dir, Base: base}, asked())
		for _, head := range heads(t, dir) {
			assert.Equal(t, row.wants, head["request"].(map[string]any)["body"], row.why)
		}
		reads, _ := drain(t, &wire.Transport{Dir: dir}, asked())
		assert.Equal(t, row.wants, strings.Join(reads, ""), row.why)
	}
}
