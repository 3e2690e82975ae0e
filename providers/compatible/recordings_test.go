package compatible_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/compatible"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// shared is where the recordings lie beside a working copy. They are not part of
// this repository.
const shared = "../../../shared"

// knownDifferences are recordings that do not decode to their expectation, each
// with the reason. One that does after all fails the test.
func knownDifferences() map[string]string {
	return map[string]string{}
}

// A recording is one entry of the recordings' index and what it must come to.
type recording struct {
	Path, API, Kind, Body string

	dir    string
	status int
	header http.Header
	body   []byte
	want   expectation
}

type expectation struct {
	Status                   int
	Text, Reasoning, Refusal string
	FinishReason             *string           `json:"finish_reason"`
	Choices                  []json.RawMessage `json:"choices"`
	ToolCalls                []struct {
		ID, Name, Arguments string
		Valid               *bool `json:"arguments_valid_json"`
	} `json:"tool_calls"`
	Usage json.RawMessage
	End   struct {
		Proper bool
		Error  json.RawMessage
	}
	Error struct{ Code, Type any }
}

func recordings(t *testing.T) []recording {
	t.Helper()
	root := filepath.Join(shared, "fixtures")
	index, err := os.ReadFile(filepath.Join(root, "index.json"))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("the recordings are not beside this working copy")
	}
	require.NoError(t, err)
	var all, mine []recording
	require.NoError(t, json.Unmarshal(index, &all))
	for _, r := range all {
		vendor, _, _ := strings.Cut(r.Path, "/")
		chat := strings.HasSuffix(vendor, "-chat") && !strings.Contains(vendor, "native") && !strings.Contains(vendor, "cohere")
		if r.Kind == "stream" && r.API == "openai-chat" || r.Kind == "http_error" && chat {
			r.load(t, filepath.Join(root, r.Path))
			if len(r.want.Choices) <= 1 {
				mine = append(mine, r)
			}
		}
	}
	require.NotEmpty(t, mine)
	return mine
}

func (r *recording) load(t *testing.T, dir string) {
	t.Helper()
	var err error
	r.body, err = os.ReadFile(filepath.Join(dir, r.Body))
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(dir, "expect.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &r.want), r.Path)
	r.status, r.header = http.StatusOK, http.Header{}
	var head struct {
		Status  int
		Headers map[string]any
	}
	if text, err := os.ReadFile(filepath.Join(dir, "headers.json")); err == nil {
		require.NoError(t, json.Unmarshal(text, &head), r.Path)
	}
	for name, value := range head.Headers {
		if s, ok := value.(string); ok {
			r.header.Set(name, s)
		}
	}
	if head.Status != 0 {
		r.status = head.Status
	}
	if r.want.Status != 0 {
		r.status = r.want.Status
	}
}

// vendor is the folder's name without the api.
func (r *recording) vendor() string {
	folder, _, _ := strings.Cut(r.Path, "/")
	return folder[:strings.LastIndexByte(folder, '-')]
}

func (r *recording) play(t *testing.T, read func(int) int) []events.Event {
	t.Helper()
	return play(t, r.vendor(), &canned.Transport{Status: r.status, Header: r.header, Body: r.body, Read: read})
}

// play sends one request to a canned endpoint and returns the events.
func play(t *testing.T, provider string, rt *canned.Transport) []events.Event {
	t.Helper()
	m, err := compatible.New(compatible.Config{
		Provider: provider, BaseURL: "http://localhost:1", Model: "m", HTTPClient: &http.Client{Transport: rt},
	})
	require.NoError(t, err)
	var got []events.Event
	for ev := range m.Stream(context.Background(), request.Request{Messages: []request.Message{request.UserText("hi")}}) {
		got = append(got, ev)
	}
	require.NotEmpty(t, got)
	return got
}

func lines(list []events.Event) string {
	var b bytes.Buffer
	for _, ev := range list {
		b.Write(append(events.AppendJSON(nil, ev), '\n'))
	}
	return b.String()
}

func TestRecordings(t *testing.T) {
	t.Parallel()
	known := knownDifferences()
	for _, r := range recordings(t) {
		t.Run(r.Path, func(t *testing.T) {
			t.Parallel()
			got := r.play(t, nil)
			differences := r.compare(t, got)
			if reason, ok := known[r.Path]; ok {
				assert.NotEmpty(t, differences, "differs no more: %s", reason)
			} else {
				assert.Empty(t, differences, "%s", lines(got))
			}
			want := lines(got)
			assert.Equal(t, want, lines(r.play(t, func(int) int { return 1 })), "one byte a read")
			random := rand.New(rand.NewPCG(7, 7))
			assert.Equal(t, want, lines(r.play(t, func(int) int { return 1 + random.IntN(200) })), "random reads")
		})
	}
}

// compare returns what differs from the expectation.
func (r *recording) compare(t *testing.T, list []events.Event) []string {
	t.Helper()
	var why []string
	differ := func(ok bool, what string) {
		if !ok {
			why = append(why, what)
		}
	}
	differ(list[0].Kind == events.Started, "the first event is not Started")
	reply, err := stream.Collect(func(yield func(events.Event) bool) {
		for _, ev := range list {
			if !yield(ev) {
				return
			}
		}
	})
	if r.Kind == "http_error" {
		f, ok := events.AsFailure(err)
		require.True(t, ok)
		differ(f.Kind == kindOfStatus(r.status), "failure "+f.Error())
		differ(f.Status == r.status, "status")
		return why
	}
	w := r.want
	proper := w.End.Proper && (len(w.End.Error) == 0 || string(w.End.Error) == "null")
	differ(proper == (err == nil), "terminal: "+list[len(list)-1].String())
	differ(reply.Text() == w.Text, "text")
	differ(reply.Thinking() == w.Reasoning, "thinking")
	differ(reply.Refusal() == w.Refusal, "refusal")
	if err == nil {
		r.compareEnd(list[len(list)-1], reply, differ)
	}
	return why
}

func (r *recording) compareEnd(end events.Event, reply *stream.Reply, differ func(bool, string)) {
	c, _ := end.Completion()
	w := r.want
	differ(c.Stop == r.stop(), "stop "+string(c.Stop))
	differ(w.FinishReason == nil || c.RawStop == *w.FinishReason, "raw stop "+c.RawStop)
	if c.Stop == events.StopToolUse {
		calls := reply.ToolCalls()
		differ(len(calls) == len(w.ToolCalls), "number of calls")
		for i := range min(len(calls), len(w.ToolCalls)) {
			differ(calls[i].Name == w.ToolCalls[i].Name, "name of a call")
			differ(w.ToolCalls[i].ID == "" || calls[i].ID == w.ToolCalls[i].ID, "id of a call")
			args := w.ToolCalls[i].Arguments
			differ(calls[i].Arguments == args || args == "" && calls[i].Arguments == "{}", "arguments "+calls[i].Arguments)
		}
	}
	var u struct {
		Prompt     *int64 `json:"prompt_tokens"`
		Completion *int64 `json:"completion_tokens"`
		In         struct {
			Cached int64 `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
		Out struct {
			Reasoning int64 `json:"reasoning_tokens"`
		} `json:"completion_tokens_details"`
		Total int64 `json:"total_tokens"`
	}
	_ = json.Unmarshal(w.Usage, &u)
	if u.Prompt != nil {
		differ(c.Usage.Input == events.Known(max(*u.Prompt, u.In.Cached)), "input "+c.Usage.Input.String())
	}
	if u.Completion != nil {
		output := max(*u.Completion, u.Out.Reasoning)
		if u.Total == *u.Prompt+*u.Completion+u.Out.Reasoning {
			output = *u.Completion + u.Out.Reasoning
		}
		differ(c.Usage.Output == events.Known(output), "output "+c.Usage.Output.String())
	}
}

// stop is what the recording's finish_reason comes to, by what it holds.
func (r *recording) stop() events.Stop {
	raw := ""
	if r.want.FinishReason != nil {
		raw = *r.want.FinishReason
	}
	switch {
	case raw == "length":
		return events.StopLength
	case raw == "content_filter":
		return events.StopContentFilter
	case len(r.want.ToolCalls) > 0:
		return events.StopToolUse
	case r.want.Refusal != "" && r.want.Text == "":
		return events.StopRefusal
	case raw == "":
		return events.StopUnknown
	default:
		return events.StopEnd
	}
}

func kindOfStatus(status int) events.FailureKind {
	switch {
	case status == http.StatusTooManyRequests:
		return events.RateLimited
	case status == http.StatusRequestTimeout || status == http.StatusGatewayTimeout:
		return events.TimedOut
	case status >= 500:
		return events.Overloaded
	default:
		return events.Rejected
	}
}
