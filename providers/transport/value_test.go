package transport_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/transport"
)

func TestBareJSON(t *testing.T) {
	t.Parallel()
	whole := func(data ...string) []frame {
		var all []frame
		for _, d := range data {
			all = append(all, frame{data: d})
		}
		return all
	}
	for _, c := range []struct {
		why, body string
		want      []frame
	}{
		{"events are what they are", "event: x\ndata: {\"a\":1}\n\n: c\n\ndata: b\n\n", []frame{{name: "x", data: `{"a":1}`}, {data: "b"}}},
		{"an array, written piece by piece", "[{\"a\": \"]}\\\"{\"\n}\n,\r\n{\"b\":[{}]}\n]\n", whole("{\"a\": \"]}\\\"{\"\n}", `{"b":[{}]}`)},
		{"an array without its end", `[{"a":1},`, whole(`{"a":1}`)},
		{"an array without commas, and empty ones", "[] [[{}] {}]", whole("{}", "{}")},
		{"an error after the events", "data: a\r\n\r\n{\r\n  \"error\": {}\r\n}", whole("a", "{\r\n  \"error\": {}\r\n}")},
		{"an error that cuts an event short", "data: a\n{\"error\":1}\n", whole("a", `{"error":1}`)},
		{"and one of CRLF", "data: a\r\n{\"error\":1}", whole("a", `{"error":1}`)},
		{"an error after a comment", ": c\n{\"error\":1}", whole(`{"error":1}`)},
		{"events after an object", "{}\ndata: a\n\n", whole("{}", "a")},
		{"an object that the body ends in", "data: a\n\n{\"a\":\"\\", []frame{{data: "a"}, {data: `{"a":"\`, unterminated: true}}},
		{"a line that begins with a space is no event", " data: a\n\ndata: b\n\n", whole("b")},
		{"an object inside the fields of an event is no frame", "event: x\n{}\ndata: b\n\n", []frame{{name: "x", data: "b"}}},
		{"a byte order mark", "\xef\xbb\xbf[{}]", whole("{}")},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			for size := range 8 {
				var body io.Reader = strings.NewReader(c.body)
				if size > 0 {
					body = &pieces{body: []byte(c.body), size: size}
				}
				got, err := readFrames(body, transport.SSEOrJSON, 0)
				assert.Equal(t, io.EOF, err)
				require.Equal(t, c.want, got, "in reads of %d", size)
			}
		})
	}
}

// Events without bare JSON are read as SSE is.
func FuzzBareJSON(f *testing.F) {
	for _, seed := range []string{"data: a\n\n{}", "[{\"a\":\"\\\"}\"},\r\n{}]", "data: a\n{\n}\n", "\xef\xbb\xbf[,]", "event: x\r\rdata: y"} {
		f.Add([]byte(seed), uint8(1))
	}
	f.Fuzz(func(t *testing.T, body []byte, piece uint8) {
		whole, err := readFrames(bytes.NewReader(body), transport.SSEOrJSON, 0)
		require.Equal(t, io.EOF, err)
		split, err := readFrames(&pieces{body: body, size: int(piece%7) + 1}, transport.SSEOrJSON, 0)
		require.Equal(t, io.EOF, err)
		require.Equal(t, whole, split, "the same bytes, split, give the same frames")
		if bytes.ContainsAny(body, "{[],") {
			return
		}
		events, err := readFrames(bytes.NewReader(body), transport.SSE, 0)
		require.Equal(t, io.EOF, err)
		require.Equal(t, events, whole)
	})
}

func TestBareJSONIsBounded(t *testing.T) {
	t.Parallel()
	_, err := readFrames(strings.NewReader(`[{"a":"`+strings.Repeat("x", 1<<16)+`"}]`), transport.SSEOrJSON, 1<<12)
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidReply, Reason: events.ReasonTooLarge})
	broken := errors.New("broken")
	got, err := readFrames(io.MultiReader(strings.NewReader(`[{"a":1},{"b"`), failingReader{broken}), transport.SSEOrJSON, 0)
	assert.Equal(t, broken, err)
	assert.Equal(t, []frame{{data: `{"a":1}`}, {data: `{"b"`, unterminated: true}}, got)
}

type failingReader struct{ err error }

func (r failingReader) Read([]byte) (int, error) { return 0, r.err }

// An array is a stream where the framing has it, an object alone is a document
// always.
func TestBareJSONAsAStream(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why, body string
		framing   transport.Framing
		completed bool
	}{
		{"an array", `["delta Hi", "end"]`, transport.SSE, false},
		{"an array of objects", `[{"text":"Hi"},{"done":true}]`, transport.SSEOrJSON, true},
		{"a document", `{"text":"Hi"}`, transport.SSEOrJSON, false},
	} {
		rt := &canned.Transport{Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(c.body)}
		s := transport.Stream(t.Context(), &http.Client{Transport: rt}, func() (transport.Call, transport.Decoder, error) {
			return transport.Call{Provider: "p", URL: "http://127.0.0.1/", Framing: c.framing}, &countingDecoder{}, nil
		})
		completed := false
		for ev := range s {
			completed = completed || ev.Kind == events.Completed
		}
		assert.Equal(t, c.completed, completed, c.why)
	}
}

// A countingDecoder has its evidence at the second frame.
type countingDecoder struct{ n int }

func (d *countingDecoder) Frame(_ transport.Frame, emit func(events.Event) bool) (transport.State, error) {
	if d.n++; d.n == 1 {
		emit(events.NewStarted(events.Start{}))
		return transport.Open, nil
	}
	return transport.Ended, nil
}

func (d *countingDecoder) End(end transport.End) events.Event {
	if end.Kind != transport.EndDone {
		return events.NewFailed(end.Failure)
	}
	return events.NewCompleted(events.Completion{Stop: events.StopEnd})
}
