package interop_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// A script is an http.RoundTripper that gives its answers in turn, the last one again
// and again, and keeps what it was sent.
type script struct {
	answers [][]byte
	media   string

	mu   sync.Mutex
	sent []string
}

func (s *script) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	answer := s.answers[min(len(s.sent), len(s.answers)-1)]
	s.sent = append(s.sent, string(body))
	return &http.Response{
		StatusCode: http.StatusOK, ProtoMajor: 1, ProtoMinor: 1, ContentLength: -1, Request: r,
		Header: http.Header{"Content-Type": {s.media}}, Body: io.NopCloser(bytes.NewReader(answer)),
	}, nil
}

// bodies returns what was sent so far.
func (s *script) bodies() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.sent...)
}

// answering returns a script of an adapter's own bytes for each scenario of the
// conformance suite.
func (a adapter) answering(tb testing.TB, scenarios ...string) *script {
	tb.Helper()
	s := &script{media: a.media()}
	for _, name := range scenarios {
		wire, ok := a.wire(tb, name)
		require.True(tb, ok, "%s has no bytes for %s", a.name, name)
		s.answers = append(s.answers, wire)
	}
	return s
}

// saying returns a script of replies that are these texts.
func (a adapter) saying(tb testing.TB, texts ...string) *script {
	tb.Helper()
	s := &script{media: a.media()}
	for _, text := range texts {
		s.answers = append(s.answers, a.says(tb, text))
	}
	return s
}

func (a adapter) media() string {
	switch {
	case a.framed:
		return "application/vnd.amazon.eventstream"
	case a.family == ollamaAPI:
		return "application/x-ndjson"
	default:
		return "text/event-stream"
	}
}

// wire returns the bytes of a scenario; ok is false where the adapter has none.
func (a adapter) wire(tb testing.TB, scenario string) (wire []byte, ok bool) {
	tb.Helper()
	for _, dir := range a.bytes {
		names, err := filepath.Glob(filepath.Join(dir, scenario+".*"))
		require.NoError(tb, err)
		if len(names) == 0 {
			continue
		}
		text, err := os.ReadFile(names[0])
		require.NoError(tb, err)
		return a.frame(text), true
	}
	return nil, false
}

// frame puts the events of a text into messages of an AWS event stream where the
// adapter reads one: as they are, or for Anthropic's language inside chunks.
func (a adapter) frame(text []byte) []byte {
	if !a.framed {
		return text
	}
	frames := transport.NewFrameReader(bytes.NewReader(text), transport.SSE, 0)
	var body []byte
	for {
		f, err := frames.Next()
		switch {
		case err != nil:
			return body
		case a.family == converse:
			body = transport.AppendMessage(body, transport.Frame{Name: bytes.Clone(f.Name), Data: bytes.Clone(f.Data)})
		case string(f.Name) != "ping":
			chunk := `{"bytes":"` + base64.StdEncoding.EncodeToString(f.Data) + `"}`
			body = transport.AppendMessage(body, transport.Frame{Name: []byte("chunk"), Data: []byte(chunk)})
		}
	}
}

// says returns the bytes of a reply that is one text.
func (a adapter) says(tb testing.TB, text string) []byte {
	tb.Helper()
	quoted := string(events.AppendQuoted(nil, text))
	event := func(lines ...string) []byte {
		var b strings.Builder
		for _, line := range lines {
			name, data, _ := strings.Cut(line, " ")
			b.WriteString("event: " + name + "\ndata: " + data + "\n\n")
		}
		return a.frame([]byte(b.String()))
	}
	switch a.family {
	case ollamaAPI:
		return []byte(`{"model":"m","message":{"role":"assistant","content":` + quoted + `},"done":true,"done_reason":"stop"}` + "\n")
	case cohereV2:
		return event(
			`message-start {"type":"message-start","id":"a"}`,
			`content-start {"type":"content-start","index":0,"delta":{"message":{"content":{"type":"text","text":`+quoted+`}}}}`,
			`message-end {"type":"message-end","delta":{"finish_reason":"COMPLETE"}}`,
		)
	case google:
		return event(`x {"candidates":[{"content":{"parts":[{"text":` + quoted + `}],"role":"model"},"finishReason":"STOP"}]}`)
	case messages:
		return event(
			`message_start {"type":"message_start","message":{"id":"a","model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}`,
			`content_block_start {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
			`content_block_delta {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":`+quoted+`}}`,
			`content_block_stop {"type":"content_block_stop","index":0}`,
			`message_delta {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}`,
			`message_stop {"type":"message_stop"}`,
		)
	case converse:
		return event(
			`messageStart {"role":"assistant"}`,
			`contentBlockDelta {"contentBlockIndex":0,"delta":{"text":`+quoted+`}}`,
			`contentBlockStop {"contentBlockIndex":0}`,
			`messageStop {"stopReason":"end_turn"}`,
			`metadata {"usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2}}`,
		)
	case responses:
		const item = `{"id":"m1","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","annotations":[],"text":%}]}`
		whole := strings.ReplaceAll(item, "%", quoted)
		return event(
			`response.created {"type":"response.created","response":{"id":"r1","model":"m","status":"in_progress","output":[]}}`,
			`response.output_item.added {"type":"response.output_item.added","output_index":0,"item":{"id":"m1","type":"message","role":"assistant","content":[]}}`,
			`response.output_text.delta {"type":"response.output_text.delta","item_id":"m1","output_index":0,"content_index":0,"delta":`+quoted+`}`,
			`response.output_item.done {"type":"response.output_item.done","output_index":0,"item":`+whole+`}`,
			`response.completed {"type":"response.completed","response":{"id":"r1","model":"m","status":"completed","output":[`+whole+`]}}`,
		)
	default:
		return []byte(`data: {"id":"a","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":` + quoted + `},"finish_reason":"stop"}]}` +
			"\n\ndata: [DONE]\n\n")
	}
}

// An outcome is what came of one request: sent or refused, and what was told.
type outcome struct {
	body    string
	leaves  []leaf // of the body
	failure *events.Failure
	notices []events.NoticeInfo
	reply   *stream.Reply
}

// ask sends one request to a model whose exchanges go through s.
func ask(tb testing.TB, m providers.Model, s *script, req request.Request) outcome {
	tb.Helper()
	before := len(s.bodies())
	reply, err := stream.Collect(m.Stream(tb.Context(), req))
	o := outcome{reply: reply, notices: reply.Notices()}
	switch sent := s.bodies()[before:]; {
	case len(sent) == 1:
		o.body, o.leaves = sent[0], leaves(tb, sent[0])
		require.NoError(tb, err)
	case len(sent) > 1:
		tb.Fatalf("%d requests were sent", len(sent))
	default:
		f, ok := events.AsFailure(err)
		require.True(tb, ok, "nothing was sent and nothing failed")
		require.Equal(tb, events.NotSent, f.Sent)
		o.failure = f
	}
	return o
}

func (o outcome) sent() bool { return o.failure == nil }

// refused reports whether nothing was sent because of what the request asks.
func (o outcome) refused() bool { return o.failure != nil && o.failure.Kind == events.InvalidRequest }

// tells reports whether a notice speaks of a field of the request.
func (o outcome) tells(field string) bool {
	for _, n := range o.notices {
		if strings.Contains(n.Detail, field) {
			return true
		}
	}
	return false
}

// A leaf is a value in a JSON text that holds no other, and where it is:
// "messages.0.content". The value of a text is the text, of anything else its JSON.
type leaf struct{ path, value string }

// leaves returns the values of a JSON text in their order.
func leaves(tb testing.TB, text string) []leaf {
	tb.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var out []leaf
	require.NoError(tb, appendLeaves(d, "", &out), "%s", text)
	return out
}

func appendLeaves(d *json.Decoder, path string, out *[]leaf) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	delim, ok := token.(json.Delim)
	if !ok {
		*out = append(*out, leaf{strings.TrimPrefix(path, "."), scalar(token)})
		return nil
	}
	if !d.More() {
		*out = append(*out, leaf{strings.TrimPrefix(path, "."), map[json.Delim]string{'{': "{}", '[': "[]"}[delim]})
	}
	for n := 0; d.More(); n++ {
		at := path + "." + strconv.Itoa(n)
		if delim == '{' {
			key, err := d.Token()
			if err != nil {
				return err
			}
			at = path + "." + scalar(key)
		}
		if err := appendLeaves(d, at, out); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}

func scalar(token json.Token) string {
	switch v := token.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	default:
		return "null"
	}
}

// changed returns the leaves of what was sent that another request does not have, as
// often.
func (o outcome) changed(base outcome) []leaf {
	there := map[leaf]int{}
	for _, l := range base.leaves {
		there[l]++
	}
	var out []leaf
	for _, l := range o.leaves {
		if there[l]--; there[l] < 0 {
			out = append(out, l)
		}
	}
	return out
}
