package replay_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/anthropic"
	"github.com/weirsdk/weir/providers/ollama"
	"github.com/weirsdk/weir/providers/openai"
	"github.com/weirsdk/weir/replay"
)

// canary is a key that every spelling changes.
const canary = `tk-canary/"<0123456789>+é`

// sse is a stream of data lines.
func sse(datas ...string) string { return "data: " + strings.Join(datas, "\n\ndata: ") + "\n\n" }

// chunk is one of OpenAI's.
func chunk(delta, finish string) string {
	return fmt.Sprintf(`{"id":"c1","model":"m-1","choices":[{"index":0,"delta":%s,"finish_reason":%s}]}`, delta, finish)
}

func textChunk(text string) string {
	quoted, _ := json.Marshal(map[string]string{"content": text})
	return chunk(string(quoted), "null")
}

const usageChunk = `{"id":"c1","model":"m-1","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13}}`

func whole(text string) string {
	return sse(textChunk(text), chunk(`{}`, `"stop"`), usageChunk, "[DONE]")
}

// answers is a server that gives the handlers in order, the last one for ever.
func answers(tb testing.TB, handlers ...http.HandlerFunc) *httptest.Server {
	tb.Helper()
	n := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		h := handlers[min(n, len(handlers)-1)]
		n++
		h(w, r)
	}))
	tb.Cleanup(server.Close)
	return server
}

func body(contentType, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = io.WriteString(w, text)
	}
}

func status(code int, text string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, text)
	}
}

// cut promises more than it sends.
func cut(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Content-Length", fmt.Sprint(len(text)+1))
		_, _ = io.WriteString(w, text)
	}
}

func openaiAt(tb testing.TB, address string) providers.Model {
	tb.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	m, err := openai.New(openai.Config{Key: "tk-canary-0123456789", Model: "m", BaseURL: address, HTTPClient: client})
	require.NoError(tb, err)
	return m
}

// TestAdapters records real adapters over a real connection and replays them when
// there is nobody to be reached and no key.
func TestAdapters(t *testing.T) {
	t.Parallel()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for _, c := range []struct {
		why, name string
		answer    http.HandlerFunc
		model     func(address string) (providers.Model, error)
	}{
		{
			"OpenAI", "openai:m", body("text/event-stream", whole("héllo <b>")),
			func(address string) (providers.Model, error) {
				return openai.New(openai.Config{Key: "tk-canary-0123456789", Model: "m", BaseURL: address, HTTPClient: client})
			},
		},
		{
			"Anthropic", "anthropic:m", body("text/event-stream", "event: message_start\n"+
				sse(`{"type":"message_start","message":{"id":"msg_1","model":"m-1","usage":{"input_tokens":3,"output_tokens":1}}}`)+
				"event: error\n"+sse(`{"type":"error","error":{"type":"overloaded_error","message":"busy"}}`)),
			func(address string) (providers.Model, error) {
				return anthropic.New(anthropic.Config{Key: "tk-canary-0123456789", Model: "m", BaseURL: address, HTTPClient: client})
			},
		},
		{
			"Ollama", "ollama:m", body("application/x-ndjson", `{"model":"m","message":{"role":"assistant","content":"hi"},"done":false}`+"\n"),
			func(address string) (providers.Model, error) {
				return ollama.New(ollama.Config{Model: "m", Host: address, HTTPClient: client})
			},
		},
		{"a refusal", "openai:m", status(429, `{"error":{"code":"rate_limit_exceeded","message":"slow"}}`, "Retry-After", "7", "X-Request-Id", "req_1"), nil},
		{"cut", "openai:m", cut(sse(textChunk("hel"))), nil},
		{"truncated", "openai:m", body("text/event-stream", sse(textChunk("hel"))), nil},
		{"nobody there", "openai:m", nil, nil},
	} {
		server := answers(t, c.answer)
		address := server.URL
		if c.answer == nil {
			server.Close()
		}
		newModel := c.model
		if newModel == nil {
			newModel = func(address string) (providers.Model, error) { return openaiAt(t, address), nil }
		}
		live, err := newModel(address)
		require.NoError(t, err, c.why)
		dir := t.TempDir()
		var raw []byte
		ctx := providers.WithTap(context.Background(), func(b []byte) { raw = append(raw, b...) })
		r := &replay.Recorder{Inner: live, Dir: dir}
		evs := allOf(ctx, r, ask("hi"))
		require.NoError(t, r.Err(), c.why)
		server.Close()

		p := &replay.Replayer{ModelName: c.name, Dir: dir}
		assert.Equal(t, lines(evs), lines(all(p, ask("hi"))), c.why)
		_, text := only(t, dir)
		var stored struct{ Body string }
		require.NoError(t, json.Unmarshal([]byte(text), &stored))
		assert.Equal(t, string(raw), stored.Body, "byte for byte: "+c.why)
	}
}

// spelled are the forms in which a credential must not be on the disk.
func spelled(secret string) []string {
	quoted, _ := json.Marshal(secret)
	plain := string(events.AppendQuoted(nil, secret))
	return []string{
		secret, url.QueryEscape(secret), url.PathEscape(secret), strings.Trim(string(quoted), `"`), strings.Trim(plain, `"`),
		base64.StdEncoding.EncodeToString([]byte(secret)),
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (r roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return r(req) }

// TestCanary sends a key and has it echoed in every place; it is in no file.
func TestCanary(t *testing.T) {
	t.Parallel()
	escaped, _ := json.Marshal(canary)
	for _, c := range []struct {
		why    string
		answer http.HandlerFunc
		wants  string
	}{
		{"sent as a header, echoed nowhere", body("text/event-stream", whole("hi")), `"body": "data: `},
		{"in a delta", body("text/event-stream", whole("your key is "+canary+", I think")), `"text":"your key is [redacted], I think"`},
		{
			"over two deltas", body("text/event-stream", sse(textChunk("key "+canary[:9]), textChunk(canary[9:]+"!"), chunk(`{}`, `"stop"`), "[DONE]")),
			`"body_left_out": "the model said a credential`,
		},
		{
			"letter by letter, interleaved with thinking", body("text/event-stream", sse(func() (all []string) {
				for _, r := range canary {
					all = append(all, textChunk(string(r)), chunk(`{"reasoning_content":"hm"}`, "null"))
				}
				return append(all, chunk(`{}`, `"stop"`), "[DONE]")
			}()...)), `"text":"[redacted]"`,
		},
		{
			"in arguments", body("text/event-stream", sse(chunk(fmt.Sprintf(`{"tool_calls":[{"index":0,"id":"x","function":{"name":"f","arguments":%q}}]}`,
				`{"key":`+string(escaped)+`}`), "null"), chunk(`{}`, `"tool_calls"`), "[DONE]")),
			`"arguments":"{\"key\":\"[redacted]\"}"`,
		},
		{"in the middle of a cut", cut(sse(textChunk("your key is " + canary[:16]))), `"complete": false`},
		{"in the text of an error", status(401, `{"error":{"message":"no such key: `+url.QueryEscape(canary)+`"}}`), `"body": "{\"error\":{\"message\":\"no such key: [redacted]`},
		{"in an error, escaped", status(401, `{"error":{"message":`+string(escaped)+`}}`), `"status":401`},
		{"in a page", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadGateway)
			_, _ = io.WriteString(w, "<html>"+canary+"</html>")
		}, `"body": "<html>[redacted]</html>"`},
		{"in a page that is no text", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadGateway)
			_, _ = io.WriteString(w, "\xff"+canary)
		}, base64.StdEncoding.EncodeToString([]byte("\xff[redacted]"))},
		{"in the head", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Request-Id", url.PathEscape(canary))
			body("text/event-stream", whole("hi"))(w, r)
		}, `"request_id":"[redacted]"`},
		{"as the id of the response", body("text/event-stream", strings.ReplaceAll(whole("hi"), `"c1"`, string(escaped))), `"response_id":"[redacted]"`},
		{"in the reason to stop", body("text/event-stream", sse(textChunk("hi"), chunk(`{}`, string(escaped)), "[DONE]")), `"raw_stop":"[redacted]"`},
		{"in an address", nil, `"reason": "unreachable`},
	} {
		server := answers(t, c.answer)
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		if c.answer == nil {
			client.Transport = roundTrip(func(*http.Request) (*http.Response, error) {
				return nil, errors.New("no route to https://x.test/?key=" + url.QueryEscape(canary))
			})
		}
		live, err := openai.New(openai.Config{Key: canary, Model: "m", BaseURL: server.URL, HTTPClient: client})
		require.NoError(t, err)
		dir := t.TempDir()
		r := &replay.Recorder{Inner: live, Dir: dir}
		evs := all(r, ask("hi"))
		require.NoError(t, r.Err(), c.why)
		_, text := only(t, dir)
		for _, form := range spelled(canary) {
			assert.NotContains(t, text, form, c.why)
		}
		assert.NotContains(t, text, canary[:16], "nor the beginning of one: "+c.why)
		assert.Contains(t, text, c.wants, c.why)
		replayed := all(&replay.Replayer{ModelName: "openai:m", Dir: dir}, ask("hi"))
		assert.Equal(t, evs[len(evs)-1].Kind, replayed[len(replayed)-1].Kind, c.why)
	}
}

// TestSecretsOfTheRequest: the key of the recording is that of the request as it was
// asked, so it is found by the same one; what is stored has no secret.
func TestSecretsOfTheRequest(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	req := ask("my password is hunter22hunter22")
	req.System = "base64 aHVudGVyMjJodW50ZXIyMg=="
	req.Extra = map[string]string{"chat": `{"hunter22hunter22":"hunter22hunter22"}`}
	r := &replay.Recorder{Inner: plays(hello("a")...), Dir: dir, Secrets: []providers.Secret{"hunter22hunter22", "abc"}}
	all(r, req)
	require.NoError(t, r.Err())
	_, text := only(t, dir)
	for _, form := range spelled("hunter22hunter22") {
		assert.NotContains(t, text, form)
	}
	assert.Contains(t, text, `"request_redacted": true`)
	assert.Equal(t, lines(hello("a")), lines(all(replayer(dir), req)))
	missed(t, all(replayer(dir), ask("my password is [redacted]")))
}

// TestSecretsThatAreNumbers: a PIN is no text everywhere. The counts of a reply are
// no credentials, whatever they equal.
func TestSecretsThatAreNumbers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	req := ask("hi")
	req.Extra = map[string]string{"chat": `{"pin":12345678,"pins":[12345678.5,1234]}`}
	m := &replay.Scripted{ModelName: "test:m", Replies: []replay.Reply{replay.Says("a").WithUsage(12345678, 1)}}
	r := &replay.Recorder{Inner: m, Dir: dir, Secrets: []providers.Secret{"12345678"}}
	said := all(r, req)
	require.NoError(t, r.Err())
	_, text := only(t, dir)
	request, _, found := strings.Cut(text, `"events":`)
	require.True(t, found)
	assert.NotContains(t, request, "12345678")
	assert.Contains(t, request, "1234\n", "the others stay as they are")
	assert.Equal(t, lines(said), lines(all(replayer(dir), req)))
	req.Temperature = new(0.5)
	n := missed(t, all(replayer(dir), req))
	assert.Equal(t, "temperature", n.Difference.Path, "a credential is no difference, and not printed")
}

// TestSecretsThatAreWordsOfTheGrammar do not make a recording unreadable.
func TestSecretsThatAreWordsOfTheGrammar(t *testing.T) {
	t.Parallel()
	script := []events.Event{
		started(), events.NewTextDelta(0, "failed"), events.NewNotice(events.NoticeUnknownFrame, "unknown_frame"),
		events.NewFailed(events.NewFailure(events.Rejected, events.ReasonAuth, "a rejected kind")),
	}
	dir := t.TempDir()
	r := &replay.Recorder{Inner: plays(script...), Dir: dir, Secrets: []providers.Secret{"failed", "unknown_frame", "rejected", "kind", "auth", "failure", "maybe_sent"}}
	all(r, ask("hi"))
	require.NoError(t, r.Err())
	replayed := all(replayer(dir), ask("hi"))
	assert.Equal(t, kinds(script), kinds(replayed))
	assert.Equal(t, "[redacted]", replayed[1].Text)
	f := failure(t, replayed)
	assert.ErrorIs(t, f, &events.Failure{Kind: events.Rejected, Reason: events.ReasonAuth})
	assert.Equal(t, "a [redacted] [redacted]", f.Detail)
}

// TestSecretsInThePlaceOfWords: a model of somebody else may put anything there.
func TestSecretsInThePlaceOfWords(t *testing.T) {
	t.Parallel()
	for _, kind := range []events.FailureKind{events.Other, events.Cancelled, "tk-canary-0123"} {
		dir := t.TempDir()
		f := &events.Failure{Kind: kind, Reason: "tk-canary-0123", Sent: "tk-canary-0123"}
		r := &replay.Recorder{Inner: plays(started(), events.NewFailed(f)), Dir: dir, Secrets: []providers.Secret{"tk-canary-0123"}}
		all(r, ask("hi"))
		require.NoError(t, r.Err())
		_, text := only(t, dir)
		assert.NotContains(t, text, "canary")
	}
}

// TestSecretsOverBlocks: the fold joins the blocks of a kind, and a block goes on
// after another one.
func TestSecretsOverBlocks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why    string
		script []events.Event
		want   []string
	}{
		{"from one block to the next", []events.Event{events.NewTextDelta(0, "a hunter"), events.NewTextDelta(1, "22 b")}, []string{"a [redacted]", " b"}},
		{
			"around another block",
			[]events.Event{events.NewTextDelta(0, "a hunter"), events.NewTextDelta(1, "x"), events.NewTextDelta(0, "22 b")},
			[]string{"a [redacted]", "x", " b"},
		},
		{"thinking is not answer", []events.Event{events.NewTextDelta(0, "a hunter"), events.NewThinkingDelta(1, "22 b")}, []string{"a hunter", "22 b"}},
	} {
		dir := t.TempDir()
		script := append(append([]events.Event{started()}, c.script...), completed(events.StopEnd))
		r := &replay.Recorder{Inner: plays(script...), Dir: dir, Secrets: []providers.Secret{"hunter22"}}
		all(r, ask("hi"))
		require.NoError(t, r.Err(), c.why)
		_, text := only(t, dir)
		assert.NotContains(t, text, "hunter22", c.why)
		replayed := all(replayer(dir), ask("hi"))
		got := []string{}
		for _, ev := range replayed[1 : len(replayed)-1] {
			got = append(got, ev.Text)
		}
		assert.Equal(t, c.want, got, c.why)
	}
}

// TestRepliesThatCannotBeScrubbed are not stored, and the recorder says so.
func TestRepliesThatCannotBeScrubbed(t *testing.T) {
	t.Parallel()
	call := events.ToolCall{ID: "x", Name: "f", Arguments: `{"pin":123456789}`}
	script := []events.Event{
		started(), events.NewToolCallStarted(0, "x", "f", false), events.NewToolArgumentsDelta(0, call.Arguments),
		events.NewToolCallCompleted(0, call), completed(events.StopToolUse),
	}
	dir := t.TempDir()
	r := &replay.Recorder{Inner: plays(script...), Dir: dir, Secrets: []providers.Secret{"123456789"}}
	assert.Equal(t, lines(script), lines(all(r, ask("hi"))))
	assert.ErrorIs(t, r.Err(), &events.Failure{Kind: events.Other, Reason: events.ReasonProtocolViolation})
	assert.Empty(t, files(t, dir))
}

func TestMediaIsScrubbed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script := []events.Event{started(), events.NewMediaCompleted(0, "text/plain", []byte("a hunter22hunter22")), completed(events.StopEnd)}
	r := &replay.Recorder{Inner: plays(script...), Dir: dir, Secrets: []providers.Secret{"hunter22hunter22"}}
	all(r, ask("hi"))
	require.NoError(t, r.Err())
	media, ok := all(replayer(dir), ask("hi"))[1].Media()
	require.True(t, ok)
	assert.Equal(t, "a [redacted]", string(media.Data))
}
