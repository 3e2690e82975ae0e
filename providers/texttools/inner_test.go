package texttools_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/texttools"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// An inner is a model that says what it is given, and keeps what it was asked.
type inner struct {
	says  []events.Event
	asked *[]request.Request
}

func (inner) Name() string { return "acme:text" }
func (inner) Spec() request.Spec {
	return request.Spec{Tools: request.No, Images: request.Yes, ContextWindow: 8192}
}

func (m inner) Stream(_ context.Context, req request.Request) stream.Stream {
	return stream.New(func(emit func(events.Event) bool) {
		if m.asked != nil {
			*m.asked = append(*m.asked, req)
		}
		for _, ev := range m.says {
			if !emit(ev) {
				return
			}
		}
	})
}

// played returns the events of a reply to req whose inner model says these ones
// between Started and the end.
func played(t *testing.T, req request.Request, says ...events.Event) []events.Event {
	t.Helper()
	m, err := texttools.New(inner{says: append([]events.Event{events.NewStarted(events.Start{RequestID: "req-1"})}, says...)})
	require.NoError(t, err)
	var all []events.Event
	for ev := range m.Stream(t.Context(), req) {
		all = append(all, ev)
	}
	require.Equal(t, events.Started, all[0].Kind)
	return all[1:]
}

// asked returns what the inner model is asked for req, or the failure, and the
// notices.
func asked(t *testing.T, req request.Request) (request.Request, []events.NoticeInfo, *events.Failure) {
	t.Helper()
	var all []request.Request
	m, err := texttools.New(inner{asked: &all, says: []events.Event{events.NewStarted(events.Start{}), end(events.StopEnd)}})
	require.NoError(t, err)
	reply, err := stream.Collect(m.Stream(t.Context(), req))
	if err != nil {
		f, ok := events.AsFailure(err)
		require.True(t, ok)
		require.Empty(t, all, "a request that is refused and sent")
		return request.Request{}, nil, f
	}
	require.Len(t, all, 1)
	return all[0], reply.Notices(), nil
}

func tool(t *testing.T, name, description string) request.Tool {
	t.Helper()
	made, err := request.NewTool(name, description, `{"type": "object"}`)
	require.NoError(t, err)
	return made
}

// question is a request with the tools a, b and c.d.
func question(t *testing.T) request.Request {
	t.Helper()
	return request.Request{
		System:   "Be kind.",
		Messages: []request.Message{request.UserText("Hi.")},
		Tools:    []request.Tool{tool(t, "a", "Does a."), tool(t, "b", ""), tool(t, "c.d", "Does c.\nAnd d.")},
	}
}

func text(index int, pieces ...string) []events.Event {
	var all []events.Event
	for _, piece := range pieces {
		all = append(all, events.NewTextDelta(index, piece))
	}
	return all
}

func end(stop events.Stop) events.Event {
	return events.NewCompleted(events.Completion{Stop: stop, RawStop: "raw-" + string(stop), Usage: events.Usage{Output: events.Known(7)}})
}

// called are the events of one call that was read out of a text.
func called(index int, id, name string, pieces ...string) []events.Event {
	all := []events.Event{events.NewToolCallStarted(index, id, name, true)}
	for _, piece := range pieces {
		all = append(all, events.NewToolArgumentsDelta(index, piece))
	}
	arguments := strings.Join(pieces, "")
	if arguments == "" {
		arguments = "{}"
	}
	return append(all, events.NewToolCallCompleted(index, events.ToolCall{ID: id, Name: name, Minted: true, Arguments: arguments}))
}

func joined(parts ...[]events.Event) []events.Event {
	var all []events.Event
	for _, part := range parts {
		all = append(all, part...)
	}
	return all
}

// requireEvents compares events by what they say.
func requireEvents(t *testing.T, want, got []events.Event) {
	t.Helper()
	lines := func(all []events.Event) string {
		var b []byte
		for _, ev := range all {
			b = append(events.AppendJSON(b, ev), '\n')
		}
		return string(b)
	}
	require.Equal(t, lines(want), lines(got))
}
