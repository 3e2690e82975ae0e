package customadapter_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/examples/customadapter"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// What the suite cannot see, because it does not know how Acme spells it.

// A canned transport keeps the body of the request and answers with a stream.
type canned struct{ sent, answer string }

func (c *canned) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	c.sent = string(body)
	header := http.Header{"Content-Type": {"text/event-stream"}}
	return &http.Response{StatusCode: http.StatusOK, Header: header, Body: io.NopCloser(strings.NewReader(c.answer)), Request: r}, err
}

func TestRequest(t *testing.T) {
	t.Parallel()
	rt := &canned{answer: `data: {"begin":"r_1"}

data: {"at":0,"call":"call_2","name":"weather_of"}

data: {"at":0,"call":"call_2","name":"weather_of","whole":"{}"}

data: {"end":"tools"}

`}
	tool, err := request.NewTool("weather.of", "The weather.", `{"type":"object","maxProperties":12345678901234567890}`)
	if err != nil {
		t.Fatal(err)
	}
	reply, err := stream.Collect(model(t, rt).Stream(t.Context(), request.Request{
		System: "Be brief.", MaxOutputTokens: 100, Temperature: new(0.5), Stop: []string{"END"}, Seed: new(int64(7)),
		Tools: []request.Tool{tool},
		Messages: []request.Message{
			request.UserText("Paris?"),
			request.Assistant(request.Text("I look."), request.Call(events.ToolCall{ID: "call_1", Name: "weather.of", Arguments: "{}"})),
			request.Results(request.ResultError("call_1", "It rains in.")),
		},
	}))
	if err != nil {
		t.Fatal(err)
	}
	// Keys are in order, and a part says "", false or null of what it is not.
	for _, want := range []string{
		`"limit":100,"model":"anvil-2","stop":["END"],"system":"Be brief.","temperature":0.5,`,
		`"tools":[{"about":"The weather.","name":"weather_of","schema":{"type":"object","maxProperties":12345678901234567890}}]`,
		`{"args":"{}","call":"call_1","failed":false,"name":"weather_of",`,
		`"failed":true,"name":"","parts":[{`, `"result":"call_1"`, `"text":"It rains in."`,
	} {
		if !strings.Contains(rt.sent, want) {
			t.Errorf("%s is not in the body %s", want, rt.sent)
		}
	}
	if calls := reply.ToolCalls(); len(calls) != 1 || calls[0].Name != "weather.of" {
		t.Errorf("the call is of %+v, not of the tool's declared name", calls)
	}
	notices := reply.Notices()
	if len(notices) != 1 || notices[0].Code != events.NoticeParameterDropped {
		t.Errorf("the seed is dropped without a word: %+v", notices)
	}
}

func TestEnd(t *testing.T) {
	t.Parallel()
	rt := &canned{answer: `data: {"begin":"r_1"}

data: {"end":"melted","used":{"output":0}}

`}
	reply, err := stream.Collect(model(t, rt).Stream(t.Context(), request.Request{Messages: []request.Message{request.UserText("Hi.")}}))
	if err != nil {
		t.Fatal(err)
	}
	if reply.Stop() != events.StopOther || reply.RawStop() != "melted" {
		t.Errorf("an unknown word is %q (%q), not other and the word itself", reply.Stop(), reply.RawStop())
	}
	if !reply.Usage().Final {
		t.Error("the counts of the end frame are not final")
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	rt := &canned{answer: `data: {"begin":"r_1","used":{"prompt":12}}

data: {"at":0,"say":"Hel"}

`}
	_, err := stream.Collect(model(t, rt).Stream(t.Context(), request.Request{Messages: []request.Message{request.UserText("Hi.")}}))
	f, ok := events.AsFailure(err)
	if !ok {
		t.Fatal("a cut reply is no failure")
	}
	if f.Reason != events.ReasonTruncated || f.Usage.Input != events.Known(12) {
		t.Errorf("a cut reply is %v with %s tokens of input, not truncated with the 12 that were told", err, f.Usage.Input)
	}
}

func TestConfig(t *testing.T) {
	t.Parallel()
	const base = "https://api.acme.example/v1"
	for _, c := range []struct {
		why    string
		config customadapter.Config
	}{
		{"no model", customadapter.Config{Key: "k", BaseURL: base}},
		{"no base URL", customadapter.Config{Key: "k", Model: "anvil-2"}},
		{"a key over plain http", customadapter.Config{Key: "k", BaseURL: "http://api.acme.example", Model: "anvil-2"}},
		{"a key with a line end", customadapter.Config{Key: "k\n", BaseURL: base, Model: "anvil-2"}},
	} {
		_, err := customadapter.New(c.config)
		if !errors.Is(err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadConfig}) {
			t.Errorf("%s: %v", c.why, err)
		}
	}
}
