package cohere_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/cohere"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/request"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const reply = `event: message-start
data: {"id":"r1","type":"message-start","delta":{"message":{"role":"assistant","content":[],"tool_plan":"","tool_calls":[],"citations":[]}}}

event: content-start
data: {"type":"content-start","index":0,"delta":{"message":{"content":{"type":"text","text":""}}}}

event: content-delta
data: {"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"Hi"}}}}

event: content-end
data: {"type":"content-end","index":0}

event: message-end
data: {"type":"message-end","delta":{"finish_reason":"COMPLETE","usage":{"billed_units":{"input_tokens":1,"output_tokens":1},"tokens":{"input_tokens":496,"output_tokens":4}}}}

data: [DONE]

`

func ok(body string) *canned.Transport {
	return &canned.Transport{Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: []byte(body)}
}

func ask() request.Request {
	return request.Request{Messages: []request.Message{request.UserText("hi")}}
}

func model(t testing.TB, c cohere.Config) *cohere.Model {
	t.Helper()
	if c.Model == "" {
		c.Model = "command-test"
	}
	m, err := cohere.New(c)
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
	m := model(t, cohere.Config{Key: "canary", ClientName: "my project", HTTPClient: &http.Client{Transport: answer}})
	s := m.Stream(t.Context(), ask())
	assert.Empty(t, answer.Requests(), "nothing is sent before the stream is ranged")
	evs := slices.Collect(s)
	start, _ := evs[0].Start()
	assert.Equal(t, events.Start{ResponseID: "r1"}, start)
	done, completed := last(t, evs).Completion()
	require.True(t, completed, "%v", last(t, evs))
	assert.Equal(t, events.StopEnd, done.Stop)
	assert.Equal(t, events.Known(496), done.Usage.Input, "what the model read, not what is billed")

	require.Len(t, answer.Requests(), 1)
	sent := answer.Requests()[0]
	assert.Equal(t, "POST", sent.Method)
	assert.Equal(t, "https://api.cohere.com/v2/chat", sent.URL)
	assert.Equal(t, "Bearer canary", sent.Header.Get("Authorization"))
	assert.Equal(t, "my project", sent.Header.Get("X-Client-Name"))
	assert.Equal(t, `{"model":"command-test","messages":[{"role":"user","content":"hi"}],"stream":true}`, string(sent.Body))
}

func TestConfig(t *testing.T) {
	t.Parallel()
	answer := ok(reply)
	m := model(t, cohere.Config{
		Model: "command-a-03-2025", Name: "mine", BaseURL: "http://127.0.0.1:8000/cohere/v2/",
		Spec: &request.Spec{MaxOutput: 777}, HTTPClient: &http.Client{Transport: answer},
	})
	assert.Equal(t, "mine", m.Name())
	assert.Equal(t, 777, m.Spec().MaxOutput)
	require.Equal(t, events.Completed, last(t, slices.Collect(m.Stream(t.Context(), ask()))).Kind)
	sent := answer.Requests()[0]
	assert.Equal(t, "http://127.0.0.1:8000/cohere/v2/chat", sent.URL)
	assert.Empty(t, sent.Header.Values("Authorization"))
	assert.Empty(t, sent.Header.Values("X-Client-Name"))
	assert.Equal(t, "cohere:command-test", model(t, cohere.Config{}).Name())
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	for why, c := range map[string]cohere.Config{
		"no model":                         {Key: "k"},
		"a key that is no header":          {Model: "m", Key: "a\nb"},
		"a client name that is no header":  {Model: "m", ClientName: "a\r\nb"},
		"a key over a plain connection":    {Model: "m", Key: "k", BaseURL: "http://example.com/v2"},
		"an address that is none":          {Model: "m", BaseURL: "example.com"},
		"an address with credentials":      {Model: "m", BaseURL: "https://u:p@example.com/v2"},
		"an address with a query":          {Model: "m", BaseURL: "https://example.com/v2?key=k"},
		"an address of another protocol":   {Model: "m", BaseURL: "ftp://example.com/v2"},
		"an address without a host":        {Model: "m", BaseURL: "https:///v2"},
		"an address that ends in fragment": {Model: "m", BaseURL: "https://example.com/v2#a"},
	} {
		_, err := cohere.New(c)
		assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadConfig}, why)
	}
}

// No credential reaches a printer, a failure or an event.
func TestCredentialsStayHidden(t *testing.T) {
	t.Parallel()
	const key = "canary-key-5f1d"
	c := cohere.Config{Model: "m", Key: key}
	c.HTTPClient = &http.Client{Transport: &canned.Transport{
		Status: 401, Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(`{"id":"e1","message":"invalid api token: ` + key + `"}`),
	}}
	m := model(t, c)
	printed := canned.Printed(slices.Collect(m.Stream(t.Context(), ask())), c, &c, m, *m)
	assert.NotContains(t, printed, key)
	assert.Contains(t, printed, "invalid api token")
}

// What was left out is told of a call that fails before its first frame too, and a
// refusal for want of a key says that there is none.
func TestRefusedCall(t *testing.T) {
	t.Parallel()
	for _, c := range []cohere.Config{{}, {Key: "canary-key-5f1d"}} {
		canned.Refused(t, cohere.ExtraKey, c.Key == "", func(client *http.Client) providers.Model {
			c.HTTPClient = client
			return model(t, c)
		})
	}
}

// Every way out of the loop, at every event, closes the body once.
func TestLeavingClosesTheBody(t *testing.T) {
	t.Parallel()
	canned.Left(t, func() *canned.Transport { return ok(reply) }, func(client *http.Client) providers.Model {
		return model(t, cohere.Config{HTTPClient: client})
	})
}
