package transport_test

import (
	"context"
	"net/http"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/stream"
)

// toy decodes frames of one word: "end" is terminal evidence, "done" the end
// marker, "bad" cannot be read, "err" is an in-band error, "panic" panics, "late"
// panics at the end, "say X" is a notice, "usage X" raw usage, "stop X" the raw
// stop, "id X" first the response's id, "call" starts a tool call, "wrong" breaks
// the grammar, "final" is an error with final usage, and anything else is text.
type toy struct {
	started, late bool
	stop          string
	usage         events.Usage
}

func (d *toy) Frame(f transport.Frame, emit func(events.Event) bool) (transport.State, error) {
	word := string(f.Data)
	head, rest, _ := strings.Cut(word, " ")
	if !d.started {
		d.started = true
		start := events.Start{ResponseID: "r1", Model: "toy-1"}
		if head == "id" {
			start = events.Start{ResponseID: rest, Model: rest, Metadata: map[string]string{"tier": rest}}
		}
		if !emit(events.NewStarted(start)) {
			return transport.Open, nil
		}
	}
	switch {
	case head == "id":
	case head == "usage":
		d.usage = events.Usage{Output: events.Known(3), Raw: rest}
		emit(events.NewUsageUpdated(d.usage))
	case head == "stop":
		d.stop = rest
	case word == "late":
		d.late = true
	case word == "call":
		emit(events.NewToolCallStarted(0, "t1", "look", false))
	case word == "wrong":
		emit(events.NewTextDelta(7, "a gap"))
	case word == "final":
		return transport.Open, &events.Failure{
			Kind: events.Overloaded, Reason: events.ReasonServer, Usage: events.Usage{Output: events.Known(1), Final: true},
		}
	case word == "end":
		return transport.Ending, nil
	case word == "done":
		return transport.Ended, nil
	case word == "bad":
		return transport.Open, events.NewFailure(events.InvalidReply, events.ReasonMalformed, "cannot be read")
	case word == "err":
		return transport.Open, events.NewFailure(events.Overloaded, events.ReasonServer, "in-band, key "+canary)
	case word == "panic":
		panic("decoder")
	case strings.HasPrefix(word, "say "):
		emit(events.NewNotice(events.NoticeUnknownFrame, word))
	default:
		emit(events.NewTextDelta(0, word))
	}
	return transport.Open, nil
}

func (d *toy) End(end transport.End) events.Event {
	if d.late {
		panic("late")
	}
	if end.Failure == nil {
		return events.NewCompleted(events.Completion{Stop: events.StopEnd, RawStop: d.stop, Usage: d.usage})
	}
	return events.NewFailed(end.Failure)
}

const canary = "tk-canary-0123456789abcdef"

// sse returns a body of one-word frames.
func body(words ...string) []byte {
	var b strings.Builder
	for _, w := range words {
		b.WriteString("data: " + w + "\n\n")
	}
	return []byte(b.String())
}

// call is the toy provider's call to url.
func call(url string) transport.Call {
	return transport.Call{
		Provider: "toy", URL: url, Body: []byte(`{}`),
		Header:  http.Header{"Authorization": {"Bearer " + canary}},
		Secrets: []string{canary},
	}
}

// open returns the stream of one call through rt.
func open(ctx context.Context, rt http.RoundTripper, change func(*transport.Call)) stream.Stream {
	c := call("http://toy.test/v1")
	if change != nil {
		change(&c)
	}
	client := transport.NewClient(&http.Client{Transport: rt})
	return transport.Stream(ctx, client, func() (transport.Call, transport.Decoder, error) { return c, &toy{}, nil })
}

// sseAnswer is a 200 of one-word frames.
func sseAnswer(words ...string) *canned.Transport {
	return &canned.Transport{Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: body(words...)}
}

// play ranges a stream to its end.
func play(s stream.Stream) []events.Event {
	var all []events.Event
	for ev := range s {
		all = append(all, ev)
	}
	return all
}

func kinds(all []events.Event) string {
	words := make([]string, len(all))
	for i, ev := range all {
		words[i] = ev.Kind.String()
		if ev.Kind == events.TextDelta {
			words[i] = "text:" + ev.Text
		}
	}
	return strings.Join(words, " ")
}

// failure returns the failure that a stream ended with, or an empty one.
func failure(all []events.Event) *events.Failure {
	if len(all) > 0 {
		if f, ok := all[len(all)-1].Failure(); ok {
			return f
		}
	}
	return &events.Failure{}
}
