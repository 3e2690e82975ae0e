package canned

import (
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/stream"
)

// Lines returns events as canonical JSON, one a line.
func Lines(evs []events.Event) string {
	var out []byte
	for _, ev := range evs {
		out = append(events.AppendJSON(out, ev), '\n')
	}
	return string(out)
}

// Terminal returns the last event, which has to be a terminal.
func Terminal(t require.TestingT, evs []events.Event) events.Event {
	require.NotEmpty(t, evs)
	last := evs[len(evs)-1]
	require.True(t, last.Kind.IsTerminal(), "last event %v", last)
	return last
}

// Reply folds events.
func Reply(evs []events.Event) *stream.Reply {
	reply := new(stream.Reply)
	for _, ev := range evs {
		reply.Add(ev)
	}
	return reply
}

// KeptTexts returns every JSON text that the events carry for later.
func KeptTexts(evs []events.Event) []string {
	var kept []string
	add := func(text string) {
		if text != "" {
			kept = append(kept, text)
		}
	}
	for _, ev := range evs {
		if u, ok := ev.Usage(); ok {
			add(u.Raw)
		}
		if c, ok := ev.Call(); ok {
			add(c.Replay.Value)
		}
		if h, ok := ev.Hosted(); ok {
			add(h.Arguments)
		}
		if c, ok := ev.Completion(); ok {
			add(c.Usage.Raw)
			add(c.Data.Value)
		}
	}
	return kept
}
