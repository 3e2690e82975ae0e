package gemini_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/gemini"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/request"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const reply = `data: {"candidates": [{"content": {"parts": [{"text": "Hi"}],"role": "model"},"index": 0}],"usageMetadata": {"promptTokenCount": 20,"totalTokenCount": 20,"serviceTier": "standard"},"modelVersion": "gemini-test","responseId": "r7"}

data: {"candidates": [{"content": {"parts": [{"text": "!"}],"role": "model"},"finishReason": "STOP","index": 0}],"usageMetadata": {"promptTokenCount": 20,"candidatesTokenCount": 5,"totalTokenCount": 25},"modelVersion": "gemini-test","responseId": "r7"}

`

func ok(body string) *canned.Transport {
	return &canned.Transport{Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: []byte(body)}
}

func ask() request.Request {
	return request.Request{Messages: []request.Message{request.UserText("hi")}}
}

func model(t testing.TB, c gemini.Config) *gemini.Model {
	t.Helper()
	if c.Model == "" {
		c.Model = "gemini-test"
	}
	m, err := gemini.New(c)
	require.NoError(t, err)
	return m
}

func last(t testing.TB, evs []events.Event) events.Event {
	t.Helper()
	require.NotEmpty(t, evs)
	return evs[len(evs)-1]
}

func TestStream(t *testing.T) {
	t.Parallel()
	answer := ok(reply)
	m := model(t, gemini.Config{Key: "AIza-canary", HTTPClient: &http.Client{Transport: answer}})
	s := m.Stream(t.Context(), ask())
	assert.Empty(t, answer.Requests(), "nothing is sent before the stream is ranged")
	evs := slices.Collect(s)
	start, _ := evs[0].Start()
	assert.Equal(t, events.Start{ResponseID: "r7", Model: "gemini-test", Metadata: map[string]string{"service_tier": "standard"}}, start)
	done, completed := last(t, evs).Completion()
	require.True(t, completed, "%v", last(t, evs))
	assert.Equal(t, events.StopEnd, done.Stop)
	assert.Equal(t, events.Known(0), done.Usage.CacheRead)

	require.Len(t, answer.Requests(), 1)
	sent := answer.Requests()[0]
	assert.Equal(t, "POST", sent.Method)
	assert.Equal(t, "https://generativelanguage.googleapis.com/v1beta/models/gemini-test:streamGenerateContent?alt=sse", sent.URL)
	assert.Equal(t, "AIza-canary", sent.Header.Get("X-Goog-Api-Key"))
	assert.Empty(t, sent.Header.Get("Authorization"))
	assert.Equal(t, "text/event-stream", sent.Header.Get("Accept"))
	assert.JSONEq(t, `{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}`, string(sent.Body))
}

// A proxy that loses the query gets an array, which says the same.
func TestArray(t *testing.T) {
	t.Parallel()
	array := "[" + strings.ReplaceAll(strings.TrimSpace(strings.ReplaceAll(reply, "data: ", "")), "\n\n", "\n,\n") + "]"
	answer := ok(array)
	answer.Header.Set("Content-Type", "application/json; charset=UTF-8")
	got := slices.Collect(model(t, gemini.Config{HTTPClient: &http.Client{Transport: answer}}).Stream(t.Context(), ask()))
	want := slices.Collect(model(t, gemini.Config{HTTPClient: &http.Client{Transport: ok(reply)}}).Stream(t.Context(), ask()))
	require.Len(t, got, len(want))
	for i := range want {
		assert.True(t, got[i].Equal(want[i]), "%v, want %v", got[i], want[i])
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ base, model, want string }{
		{"https://gateway.example/gemini/v1/", "m", "https://gateway.example/gemini/v1/models/m:streamGenerateContent?alt=sse"},
		{"http://127.0.0.1:1", "models/m", "http://127.0.0.1:1/models/m:streamGenerateContent?alt=sse"},
		{"http://127.0.0.1:1", "tunedModels/a b", "http://127.0.0.1:1/tunedModels/a%20b:streamGenerateContent?alt=sse"},
		{"http://127.0.0.1:1", "m?key=x#y", "http://127.0.0.1:1/models/m%3Fkey=x%23y:streamGenerateContent?alt=sse"},
	} {
		answer := ok(reply)
		m := model(t, gemini.Config{Key: "k", BaseURL: c.base, Model: c.model, HTTPClient: &http.Client{Transport: answer}})
		require.Equal(t, events.Completed, last(t, slices.Collect(m.Stream(t.Context(), ask()))).Kind)
		assert.Equal(t, c.want, answer.Requests()[0].URL)
	}
}

func TestName(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "gemini:gemini-test", model(t, gemini.Config{}).Name())
	assert.Equal(t, "mine", model(t, gemini.Config{Name: "mine"}).Name())
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why    string
		config gemini.Config
	}{
		{"no model", gemini.Config{Key: "k"}},
		{"a model that is a way out of the models", gemini.Config{Model: "models/../x"}},
		{"one that is the list of them", gemini.Config{Model: "models/"}},
		{"a key over plain http", gemini.Config{Model: "m", Key: "k", BaseURL: "http://example.com/v1"}},
		{"a key with the line end of its file", gemini.Config{Model: "m", Key: "canary-key\n"}},
		{"a key in the URL", gemini.Config{Model: "m", BaseURL: "https://example.com/v1?key=k"}},
		{"no URL", gemini.Config{Model: "m", BaseURL: "://"}},
	} {
		_, err := gemini.New(c.config)
		f, isFailure := events.AsFailure(err)
		require.True(t, isFailure, c.why)
		assert.Equal(t, events.InvalidRequest, f.Kind, c.why)
		assert.Equal(t, events.ReasonBadConfig, f.Reason, c.why)
		assert.Equal(t, events.NotSent, f.Sent, c.why)
	}
	_, err := gemini.New(gemini.Config{Model: "m", Key: "k", BaseURL: "http://127.0.0.1:8080"})
	assert.NoError(t, err, "loopback is as good as https")
}

// A request that does not fit is refused before anything is sent.
func TestBadRequestIsNotSent(t *testing.T) {
	t.Parallel()
	answer := ok(reply)
	m := model(t, gemini.Config{HTTPClient: &http.Client{Transport: answer}})
	open := request.Assistant(request.Call(events.ToolCall{ID: "u2", Name: "f", Arguments: "{}"}))
	for why, r := range map[string]request.Request{
		"a call without its result": {Messages: []request.Message{request.UserText("q"), open, request.UserText("go on")}},
		"a seed of 64 bits":         {Messages: ask().Messages, Seed: new(int64(1 << 40))},
		"functions in extra":        {Messages: ask().Messages, Extra: map[string]string{gemini.ExtraKey: `{"tools":[{"functionDeclarations":[]}]}`}},
	} {
		f, failed := last(t, slices.Collect(m.Stream(t.Context(), r))).Failure()
		require.True(t, failed, why)
		assert.Equal(t, events.InvalidRequest, f.Kind, why)
		assert.Equal(t, events.NotSent, f.Sent, why)
	}
	assert.Empty(t, answer.Requests())
}

// No credential reaches a printer, a failure or an event.
func TestCredentialsStayHidden(t *testing.T) {
	t.Parallel()
	const key = "canary-key-5f1d"
	refusal := []byte(`{"error":{"code":400,"message":"API key not valid: ` + key + `","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]}}`)
	c := gemini.Config{Key: key, Model: "gemini-test"}
	c.HTTPClient = &http.Client{Transport: &canned.Transport{Status: 400, Header: http.Header{"Content-Type": {"application/json"}}, Body: refusal}}
	m := model(t, c)
	printed := canned.Printed(slices.Collect(m.Stream(t.Context(), ask())), c, &c, m, *m)
	assert.NotContains(t, printed, key)
	assert.Contains(t, printed, "INVALID_ARGUMENT")
}

// Every way out of the loop, at every event, closes the body once.
func TestLeavingClosesTheBody(t *testing.T) {
	t.Parallel()
	canned.Left(t, func() *canned.Transport { return ok(reply) }, func(client *http.Client) providers.Model {
		return model(t, gemini.Config{HTTPClient: client})
	})
}

// Over a real connection, with what a server's own pauses do to the reads.
func TestOverLoopback(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if !json.Valid(body) || r.URL.Path != "/v1beta/models/gemini-test:streamGenerateContent" || r.URL.Query().Get("alt") != "sse" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for _, frame := range strings.SplitAfter(reply, "\n\n") {
			_, _ = io.WriteString(w, frame)
			w.(http.Flusher).Flush()
		}
	}))
	defer server.Close()
	m := model(t, gemini.Config{Key: "k", BaseURL: server.URL + "/v1beta", HTTPClient: server.Client()})
	evs := slices.Collect(m.Stream(t.Context(), ask()))
	require.Equal(t, events.Completed, last(t, evs).Kind, "%v", last(t, evs))
	server.Client().CloseIdleConnections()
}

// Case 124: an error of the connection names the address, where no key is.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	const key = "KEY-SECRET-123"
	rt := &canned.Transport{Err: errors.New("refused")}
	m := model(t, gemini.Config{Key: key, HTTPClient: &http.Client{Transport: rt}})
	f, failed := last(t, slices.Collect(m.Stream(t.Context(), ask()))).Failure()
	require.True(t, failed)
	assert.Equal(t, events.Unreachable, f.Kind)
	assert.Equal(t, gemini.Provider, f.Provider)
	told := fmt.Sprintf("%v %+v %#v", f, f, f)
	for err := error(f); err != nil; err = errors.Unwrap(err) {
		told += fmt.Sprintf(" %v %+v", err, err)
	}
	assert.NotContains(t, told, key)
	require.Len(t, rt.Requests(), 1)
	assert.NotContains(t, rt.Requests()[0].URL, key)
	assert.Equal(t, key, rt.Requests()[0].Header.Get("X-Goog-Api-Key"))
}

// What was left out is told of a call that fails before its first frame too, and
// a refusal for want of a key says that there is none.
func TestRefusedCall(t *testing.T) {
	t.Parallel()
	for _, c := range []gemini.Config{{}, {Key: "canary-key-5f1d"}} {
		canned.Refused(t, gemini.ExtraKey, c.Key == "", func(client *http.Client) providers.Model {
			c.HTTPClient = client
			return model(t, c)
		})
	}
}
