package ollama_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/ollama"
	"github.com/weirsdk/weir/providers/price"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const reply = `{"model":"m","created_at":"2026-11-30T00:00:00Z","message":{"role":"assistant","content":"Hel"},"done":false}
{"model":"m","created_at":"2026-11-30T00:00:00Z","message":{"role":"assistant","content":"lo"},"done":false}
{"model":"m","created_at":"2026-11-30T00:00:00Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":3,"eval_count":2}
`

// A server is a canned server that keeps the requests and counts what is closed.
type server struct {
	status  int
	body    string
	got     []*http.Request
	bodies  []string
	closed  atomic.Int32
	failing error
}

func (s *server) RoundTrip(r *http.Request) (*http.Response, error) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	s.got, s.bodies = append(s.got, r), append(s.bodies, string(text))
	if s.failing != nil {
		return nil, s.failing
	}
	return &http.Response{
		StatusCode: s.status, Header: http.Header{"Content-Type": {"application/x-ndjson"}},
		Body: &counted{strings.NewReader(s.body), &s.closed}, Request: r,
	}, nil
}

type counted struct {
	io.Reader
	closed *atomic.Int32
}

func (c *counted) Close() error {
	c.closed.Add(1)
	return nil
}

func ask() request.Request {
	return request.Request{Messages: []request.Message{request.UserText("hi")}}
}

func newModel(t *testing.T, c ollama.Config, s *server) *ollama.Model {
	t.Helper()
	c.HTTPClient = &http.Client{Transport: s}
	m, err := ollama.New(c)
	require.NoError(t, err)
	return m
}

func TestStream(t *testing.T) {
	t.Parallel()
	var got *http.Request
	var body string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		got, body = r, string(text)
		w.Header().Set("Content-Type", "application/x-ndjson")
		_, _ = io.WriteString(w, reply)
	}))
	defer srv.Close()
	client := &http.Client{Transport: srv.Client().Transport, Timeout: time.Nanosecond}
	m, err := ollama.New(ollama.Config{Model: "m", Host: strings.TrimPrefix(srv.URL, "http://"), Key: "canary-key", HTTPClient: client})
	require.NoError(t, err)

	r, err := stream.Collect(m.Stream(t.Context(), ask()))
	require.NoError(t, err, "the client's Timeout does not govern a stream")
	assert.Equal(t, "Hello", r.Text())
	assert.Equal(t, events.Known(3), r.Usage().Input)
	assert.Equal(t, "/api/chat", got.URL.Path)
	assert.Equal(t, http.MethodPost, got.Method)
	assert.Equal(t, "Bearer canary-key", got.Header.Get("Authorization"))
	assert.Equal(t, "application/json", got.Header.Get("Content-Type"))
	assert.JSONEq(t, `{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true}`, body)
	assert.Equal(t, time.Nanosecond, client.Timeout, "the user's client is not changed")
}

func TestStreamIsLazyAndSingleUse(t *testing.T) {
	t.Parallel()
	s := &server{status: 200, body: reply}
	m := newModel(t, ollama.Config{Model: "m"}, s)
	one := m.Stream(t.Context(), ask())
	assert.Empty(t, s.got, "nothing is sent before the stream is ranged")
	for range one {
	}
	require.Len(t, s.got, 1)
	assert.Empty(t, s.got[0].Header.Get("Authorization"), "no key, no header")
	again := slices.Collect(one)
	require.Len(t, again, 2)
	f, ok := again[1].Failure()
	require.True(t, ok)
	assert.Equal(t, events.ReasonStreamUsed, f.Reason)
	assert.Len(t, s.got, 1)
}

func TestLeavingClosesTheBodyOnce(t *testing.T) {
	t.Parallel()
	for leave := range 4 {
		s := &server{status: 200, body: reply}
		m := newModel(t, ollama.Config{Model: "m"}, s)
		n := 0
		for range m.Stream(t.Context(), ask()) {
			if n == leave {
				break
			}
			n++
		}
		assert.EqualValues(t, 1, s.closed.Load(), "left at event %d", leave)
	}
}

func TestConfigShapesTheBody(t *testing.T) {
	t.Parallel()
	levels := &request.Spec{Efforts: []request.Effort{request.EffortLow, request.EffortHigh}}
	for _, c := range []struct {
		why    string
		config ollama.Config
		effort request.Effort
		want   string
	}{
		{"nothing is set, nothing is sent", ollama.Config{}, "", ``},
		{"context length", ollama.Config{ContextLength: 8192}, "", `,"options":{"num_ctx":8192}`},
		{"keep alive", ollama.Config{KeepAlive: new(90 * time.Second)}, "", `,"keep_alive":"1m30s"`},
		{"keep alive of zero unloads", ollama.Config{KeepAlive: new(time.Duration(0))}, "", `,"keep_alive":"0s"`},
		{"keep alive for good", ollama.Config{KeepAlive: new(-time.Second)}, "", `,"keep_alive":"-1s"`},
		{"an effort turns thinking on", ollama.Config{}, request.EffortLow, `,"think":true`},
		{"off turns it off", ollama.Config{}, request.EffortOff, `,"think":false`},
		{"gpt-oss takes levels", ollama.Config{Model: "gpt-oss:20b"}, request.EffortLow, `,"think":"low"`},
		{"gpt-oss from elsewhere too", ollama.Config{Model: "hf.co/x/gpt-oss-20b-GGUF"}, request.EffortMedium, `,"think":"medium"`},
		{"gpt-oss cannot leave it off", ollama.Config{Model: "gpt-oss:20b"}, request.EffortOff, `,"think":"low"`},
		{"the user knows better", ollama.Config{Spec: levels}, request.EffortHigh, `,"think":"high"`},
		{"one middle level is enough", ollama.Config{Spec: &request.Spec{Efforts: []request.Effort{request.EffortMedium}}}, request.EffortMedium, `,"think":"medium"`},
		{"a level above high", ollama.Config{Spec: &request.Spec{Efforts: []request.Effort{request.EffortOff, request.EffortHigh, request.EffortMax}}}, request.EffortMax, `,"think":"max"`},
		{"a level of the model's own", ollama.Config{Spec: &request.Spec{Efforts: []request.Effort{request.EffortMinimal, request.EffortHigh}}}, request.EffortMinimal, `,"think":"minimal"`},
		{"high and off are on and off", ollama.Config{Spec: &request.Spec{Efforts: []request.Effort{request.EffortOff, request.EffortHigh}}}, request.EffortHigh, `,"think":true`},
		{"a spec without levels", ollama.Config{Model: "gpt-oss:20b", Spec: &request.Spec{}}, request.EffortHigh, `,"think":true`},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			s := &server{status: 200, body: reply}
			if c.config.Model == "" {
				c.config.Model = "m"
			}
			r := ask()
			r.Effort = c.effort
			_, err := stream.Collect(newModel(t, c.config, s).Stream(t.Context(), r))
			require.NoError(t, err)
			model, err := json.Marshal(c.config.Model)
			require.NoError(t, err)
			assert.Equal(t, `{"model":`+string(model)+`,"messages":[{"role":"user","content":"hi"}],"stream":true`+c.want+`}`, s.bodies[0])
		})
	}
}

func TestUnfitRequestsAreNotSent(t *testing.T) {
	t.Parallel()
	user := func(b request.Block) request.Request {
		return request.Request{Messages: []request.Message{request.User(b)}}
	}
	foreign := ask()
	foreign.Messages = append(foreign.Messages, request.Message{
		Role: request.RoleAssistant, Blocks: []request.Block{request.Text("x")},
		Data: events.ProviderData{Format: "messages.v1", Origin: "anthropic", Value: "{}"},
	}, request.UserText("go on"))
	extra := ask()
	extra.Extra = map[string]string{"ollama": `{"model":"other"}`}
	for why, r := range map[string]request.Request{
		"no message":      {},
		"audio":           user(request.AudioBytes("audio/wav", []byte("x"))),
		"a file":          user(request.FileBytes("a.pdf", "application/pdf", []byte("x"))),
		"an image by URL": user(request.ImageURL("https://example.com/a.png")),
		"foreign data":    foreign,
		"another model":   extra,
	} {
		s := &server{status: 200, body: reply}
		_, err := stream.Collect(newModel(t, ollama.Config{Model: "m"}, s).Stream(t.Context(), r))
		f, ok := events.AsFailure(err)
		require.True(t, ok, why)
		assert.Equal(t, events.InvalidRequest, f.Kind, why)
		assert.Equal(t, events.NotSent, f.Sent, why)
		assert.Equal(t, "ollama", f.Provider, why)
		assert.Empty(t, s.got, why)
	}
}

func TestWhatTheProtocolLacksIsLeftOutWithANotice(t *testing.T) {
	t.Parallel()
	tool, err := request.NewTool("f", "", `{"type":"object"}`)
	require.NoError(t, err)
	r := ask()
	r.Tools, r.ToolChoice = []request.Tool{tool}, request.ToolChoice{Mode: request.ToolRequired}
	r.Parallel, r.ThinkingBudget = new(false), new(100)
	s := &server{status: 200, body: reply}
	notices := 0
	for ev := range newModel(t, ollama.Config{Model: "m"}, s).Stream(t.Context(), r) {
		if n, ok := ev.Notice(); ok && n.Code == events.NoticeParameterDropped {
			notices++
		}
	}
	assert.Equal(t, 3, notices)
	assert.NotContains(t, s.bodies[0], "tool_choice")
}

func TestErrorStatus(t *testing.T) {
	t.Parallel()
	s := &server{status: 404, body: `{"error":"model 'm' not found, key canary-key-1234"}`}
	m := newModel(t, ollama.Config{Model: "m", Key: "canary-key-1234"}, s)
	all := slices.Collect(m.Stream(t.Context(), ask()))
	require.Len(t, all, 2)
	f, ok := all[1].Failure()
	require.True(t, ok)
	assert.Equal(t, events.Rejected, f.Kind)
	assert.Equal(t, events.ReasonNotFound, f.Reason)
	assert.Equal(t, "ollama", f.Provider)
	assert.Equal(t, 404, f.Status)
	assert.Equal(t, events.Answered, f.Sent)
	assert.NotContains(t, string(events.AppendJSON(nil, all[1])), "canary", "an echoed key is scrubbed")
	assert.EqualValues(t, 1, s.closed.Load())
}

func TestNameSpecAndFree(t *testing.T) {
	t.Parallel()
	plain, err := ollama.New(ollama.Config{Model: "m:4b", ContextLength: 4096})
	require.NoError(t, err)
	named, err := ollama.New(ollama.Config{Model: "m:4b", Name: "local:m"})
	require.NoError(t, err)
	assert.Equal(t, "ollama:m:4b", plain.Name())
	assert.Equal(t, "local:m", named.Name())
	assert.Equal(t, 4096, plain.Spec().ContextWindow)
	assert.Zero(t, named.Spec().ContextWindow, "unknown")

	table := ollama.Free(plain, named)
	assert.Len(t, table, 2)
	for _, name := range []string{"ollama:m:4b", "local:m"} {
		p, err := price.For(table, name)
		require.NoError(t, err)
		cost, err := p.Cost(events.Usage{})
		require.NoError(t, err, "free is said, whatever was counted")
		assert.Zero(t, cost)
	}
	assert.Empty(t, ollama.Free())
}

// A server of one's own takes a schema; the hosted service passes over it, so that
// the words have to do.
func TestStructuredAnswer(t *testing.T) {
	t.Parallel()
	const text = `{"type":"object","properties":{"a":{"$ref":"#"}}}`
	answer, err := request.NewAnswer("", text)
	require.NoError(t, err)
	for _, c := range []struct {
		why    string
		config ollama.Config
		native bool
	}{
		{"a local model", ollama.Config{Model: "qwen3:4b"}, true},
		{"of the cloud, through one's own server", ollama.Config{Model: "gpt-oss:120b-cloud"}, false},
		{"the same, with a tag of that name", ollama.Config{Model: "glm-5.2:cloud"}, false},
		{"of the cloud", ollama.Config{Model: "gpt-oss:120b", Host: "https://ollama.com"}, false},
		{"a host that ends alike", ollama.Config{Model: "m", Host: "https://my-ollama.com"}, true},
		{"the user knows better", ollama.Config{Model: "glm-5.2:cloud", Spec: &request.Spec{}}, true},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			s := &server{status: 200, body: reply}
			r := ask()
			r.Answer = answer
			got, err := stream.Collect(newModel(t, c.config, s).Stream(t.Context(), r))
			require.NoError(t, err)
			assert.Equal(t, c.native, strings.Contains(s.bodies[0], `,"format":`+text), "byte for byte")
			assert.Equal(t, c.native, len(got.Notices()) == 0)
			assert.Equal(t, !c.native, strings.Contains(s.bodies[0], `JSON Schema: {\"type\"`))
		})
	}
}

// What was left out is told of a call that fails before its first frame too, and
// a refusal for want of a key says that there is none.
func TestRefusedCall(t *testing.T) {
	t.Parallel()
	for _, secret := range []providers.Secret{"", "canary-key-5f1d"} {
		canned.Refused(t, ollama.ExtraKey, secret == "", func(client *http.Client) providers.Model {
			m, err := ollama.New(ollama.Config{Model: "m", Key: secret, HTTPClient: client})
			require.NoError(t, err)
			return m
		})
	}
}
