package stream_test

import (
	"testing"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/stream"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Short words for events, so that a script reads as one line.
func started() events.Event              { return events.NewStarted(events.Start{Model: "m-1"}) }
func text(i int, s string) events.Event  { return events.NewTextDelta(i, s) }
func think(i int, s string) events.Event { return events.NewThinkingDelta(i, s) }
func refuse(i int, s string) events.Event {
	return events.NewRefusalDelta(i, s)
}

func callStart(i int, id string) events.Event { return events.NewToolCallStarted(i, id, "f", false) }
func callArgs(i int, s string) events.Event   { return events.NewToolArgumentsDelta(i, s) }
func callDone(i int, id, args string) events.Event {
	return events.NewToolCallCompleted(i, events.ToolCall{
		ID: id, Name: "f", Arguments: args,
		Replay: events.ProviderData{Format: "chat.v1", Origin: "acme", Value: "sig-" + id},
	})
}

func callBad(i int, id, args string, kind events.IssueKind) events.Event {
	return events.NewToolCallInvalid(i, events.ToolCall{ID: id, Name: "f", Arguments: args}, events.Issue{Kind: kind, Detail: "why"})
}

func usage(input, output int64) events.Event {
	return events.NewUsageUpdated(events.Usage{Input: events.Known(input), Output: events.Known(output)})
}

func sealed() events.ProviderData {
	return events.ProviderData{Format: "messages.v1", Origin: "acme", Value: `{"s":"x"}`}
}

func completed(stop events.Stop) events.Event {
	return events.NewCompleted(events.Completion{Stop: stop, RawStop: "raw_" + string(stop), Data: sealed()})
}

func failed(kind events.FailureKind, reason events.Reason) events.Event {
	return events.NewFailed(events.NewFailure(kind, reason, "it broke"))
}

// play returns a stream of the events, as they are, that can be ranged often.
func play(evs ...events.Event) stream.Stream {
	return func(yield func(events.Event) bool) {
		for _, ev := range evs {
			if !yield(ev) {
				return
			}
		}
	}
}

func fold(evs ...events.Event) *stream.Reply {
	r := new(stream.Reply)
	for _, ev := range evs {
		r.Add(ev)
	}
	return r
}

// anyEvent draws an event of any kind, in no order, built by hand without its
// payload now and then.
func anyEvent() *rapid.Generator[events.Event] {
	return rapid.Custom(func(t *rapid.T) events.Event {
		i := rapid.IntRange(-1, 3).Draw(t, "index")
		s := rapid.SampledFrom([]string{"a", "bc", "", "{}", "é", "\xff", `{"a":1}`}).Draw(t, "text")
		id := rapid.SampledFrom([]string{"", "1", "2"}).Draw(t, "id")
		stop := rapid.SampledFrom([]events.Stop{events.StopEnd, events.StopToolUse, events.StopLength, events.StopPause, events.StopRefusal, "?"}).Draw(t, "stop")
		all := []events.Event{
			started(), text(i, s), think(i, s), refuse(i, s), text(i, s), think(i, s),
			callStart(i, id), callArgs(i, s), callDone(i, id, s), callBad(i, id, s, events.IssueSchema),
			events.NewHostedToolStarted(i, id, "search"),
			events.NewHostedToolCompleted(i, events.HostedTool{ID: id, Name: "search", Outcome: "ok"}),
			events.NewCitationAdded(i, events.Citation{URL: s}), events.NewMediaCompleted(i, "image/png", []byte(s)),
			usage(1, 2), events.NewNotice(events.NoticeUnknownFrame, s),
			completed(stop), failed(events.Overloaded, ""),
			{Kind: events.Kind(rapid.IntRange(0, 20).Draw(t, "kind")), Index: int32(i), Text: s},
		}
		// Terminals are rare, so that there is something to fold.
		n := rapid.IntRange(0, len(all)*4-1).Draw(t, "which")
		if n >= len(all) {
			n %= 10
		}
		return all[n]
	})
}

func anyScript() *rapid.Generator[[]events.Event] { return rapid.SliceOfN(anyEvent(), 0, 40) }
