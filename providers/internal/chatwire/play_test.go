package chatwire_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/chatwire"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/validator"
)

// A body is a canned answer: read n bytes at a time at most, ended by end.
type body struct {
	data []byte
	size func() int
	end  error
}

func (b *body) Read(p []byte) (int, error) {
	if len(b.data) == 0 {
		return 0, b.end
	}
	n := min(len(p), b.size(), len(b.data))
	copy(p, b.data[:n])
	b.data = b.data[n:]
	return n, nil
}

func whole() int { return 1 << 20 }

func single() int { return 1 }

func random(seed uint64) func() int {
	r := rand.New(rand.NewPCG(seed, 1))
	return func() int { return 1 + r.IntN(40) }
}

var errReset = errors.New("connection reset")

// play decodes a body as the transport would, and holds the events to the
// grammar.
func play(tb rapid.TB, b *body, p request.Prepared, profile chatwire.Profile) []events.Event {
	tb.Helper()
	var got []events.Event
	var rules validator.Validator
	emit := func(ev events.Event) bool {
		require.NoError(tb, rules.Observe(ev), "event %d: %v", len(got), ev)
		got = append(got, ev)
		return true
	}
	wire(p, profile).Decode(b, emit)
	_, err := rules.Finish()
	require.NoError(tb, err)
	return got
}

// wire reads the answer of a vendor to a request.
func wire(p request.Prepared, profile chatwire.Profile) canned.Wire {
	return canned.Wire{
		Framing: transport.SSE, Failure: chatwire.FailureOf, Notices: p.Notices,
		Decoder: func() transport.Decoder { return chatwire.NewDecoder(p, profile) },
	}
}

// feed gives the decoder its frames and returns how the body ended.
func feed(b *body, d transport.Decoder, emit func(events.Event) bool) transport.End {
	end, _ := canned.Feed(d, transport.NewFrameReader(b, transport.SSE, 0), emit)
	return end
}

func playAll(tb rapid.TB, wire []byte, profile chatwire.Profile) []events.Event {
	tb.Helper()
	return play(tb, &body{bytes.Clone(wire), whole, io.EOF}, request.Prepared{FirstMinted: 1}, profile)
}

// profileOf returns the profile that a case asks for: a vendor's, or one of the
// two that no known vendor has.
func profileOf(vendor string) chatwire.Profile {
	p := chatwire.ProfileFor(vendor)
	switch vendor {
	case "cumulative-arguments":
		p.CumulativeArguments = true
	case "placeholder-arguments":
		p.PlaceholderArguments = true
	}
	return p
}

// A fold is what a stream comes to.
type fold struct {
	text, thinking, refusal string
	calls                   []events.ToolCall
	terminal                events.Event
}

func folded(list []events.Event) fold {
	var f fold
	for _, ev := range list {
		switch ev.Kind {
		case events.TextDelta:
			f.text += ev.Text
		case events.ThinkingDelta:
			f.thinking += ev.Text
		case events.RefusalDelta:
			f.refusal += ev.Text
		case events.ToolCallCompleted:
			c, _ := ev.Call()
			f.calls = append(f.calls, c)
		default:
			f.terminal = ev
		}
	}
	// Only a reply that ended with tool_use has calls to execute.
	if c, ok := f.terminal.Completion(); !ok || c.Stop != events.StopToolUse {
		f.calls = nil
	}
	return f
}
