package validator_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/validator"
)

// small are limits that a short random stream reaches.
func small() validator.Limits {
	return validator.Limits{
		Events: 60, Index: 7, DeltaBytes: 12, TextBytes: 60, ThinkingBytes: 50, CallBytes: 12,
		ArgumentsBytes: 30, Calls: 4, MediaBytes: 9, DataBytes: 400,
	}
}

// texts are pieces of every sort: fine, empty, too long, not UTF-8, and those
// that join to arguments.
func texts() []string {
	return []string{"x", "{}", `{"a":`, "1}", `{"a":1}`, " ", "", "żó", "\xff", "\xc5", "thirteen char", `{"a":1,"a":1}`}
}

func stops() []events.Stop {
	return []events.Stop{
		events.StopEnd, events.StopToolUse, events.StopLength, events.StopSequence, events.StopPause,
		events.StopRefusal, events.StopContentFilter, events.StopUnknown, events.StopOther, "", "stopped",
	}
}

func counts() []events.Count {
	return []events.Count{
		{},
		events.Known(0), events.Known(5), events.Known(events.MaxCount),
		events.Known(events.MaxCount + 1), events.Known(-1),
	}
}

// pick takes the nth of a list, around its end.
func pick[T any](n byte, from []T) T { return from[int(n)%len(from)] }

// made returns an event: kind, index and payload are all derived from four
// bytes, so that fuzzing reaches each of them. Most are what a constructor
// makes.
func made(kind, index, a, b byte) events.Event {
	i := int(index%10) - 1
	text, data := pick(a, texts()), events.ProviderData{}
	if b%8 == 7 {
		data = events.ProviderData{Format: pick(a, []string{"f.v1", ""}), Value: "v"}
	}
	call := events.ToolCall{ID: pick(b, []string{"p", "q", "r", "s", "t", ""}), Name: pick(b/8, []string{"tool", "tool", "tool", "other", ""})}
	ended := call
	ended.Arguments, ended.Replay = text, data
	usage := events.Usage{Input: pick(a, counts()), OutputImage: pick(b, counts()), Raw: pick(a, texts())}
	switch k := events.Kind(kind % 18); k {
	case events.Started:
		return events.NewStarted(events.Start{Model: "model", Metadata: map[string]string{"k": text}})
	case events.TextDelta, events.ThinkingDelta, events.RefusalDelta, events.ToolArgumentsDelta:
		return events.Event{Kind: k, Index: int32(i), Text: text}
	case events.ToolCallStarted:
		return events.NewToolCallStarted(i, call.ID, call.Name, false)
	case events.ToolCallCompleted:
		return events.NewToolCallCompleted(i, ended)
	case events.ToolCallInvalid:
		return events.NewToolCallInvalid(i, ended, events.Issue{Kind: pick(b/2, []events.IssueKind{events.IssueTruncated, events.IssueSchema, ""})})
	case events.HostedToolStarted:
		return events.NewHostedToolStarted(i, call.ID, call.Name)
	case events.HostedToolCompleted:
		return events.NewHostedToolCompleted(i, events.HostedTool{ID: call.ID, Name: call.Name, Sources: []events.Source{{Title: text}}, Replay: data})
	case events.CitationAdded:
		return events.NewCitationAdded(i, events.Citation{Title: text})
	case events.MediaCompleted:
		return events.NewMediaCompleted(i, "image/png", []byte(text))
	case events.UsageUpdated:
		return events.NewUsageUpdated(usage)
	case events.Notice:
		return events.NewNotice(pick(b, []events.NoticeCode{events.NoticeUnknownFrame, ""}), text)
	case events.Completed:
		return events.NewCompleted(events.Completion{Stop: pick(b, stops()), RawStop: text, Usage: usage, Data: data})
	case events.Failed:
		return events.NewFailed(&events.Failure{Kind: pick(b, []events.FailureKind{events.Other, ""}), Usage: usage})
	default:
		return events.Event{Kind: k, Index: int32(i), Text: text}
	}
}

// damaged returns ev as no constructor makes it, by one byte; most bytes leave
// it alone.
func damaged(ev events.Event, how byte) events.Event {
	switch how {
	case 1:
		ev.Kind = events.Kind(int(ev.Kind)%16 + 1)
	case 2:
		ev.Text = "text"
	case 3:
		ev.Index++
	case 4:
		ev = events.Event{Kind: ev.Kind, Index: ev.Index, Text: ev.Text}
	case 5:
		ev.Kind = events.Completed
	case 6:
		ev.Text = ""
	}
	return ev
}

// TestModelAgrees draws streams that lean towards valid ones, so that they get
// far, and breaks them at random.
func TestModelAgrees(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		p := newPair(rt, small())
		p.observe(events.NewStarted(events.Start{}), "started")
		for range rapid.IntRange(0, 40).Draw(rt, "events") {
			ev := likely(rt, p.m)
			if rapid.IntRange(0, 9).Draw(rt, "wild") == 0 {
				draw := func(name string) byte { return rapid.Byte().Draw(rt, name) }
				ev = damaged(made(draw("kind"), draw("index"), draw("a"), draw("b")), draw("damage")%32)
			}
			p.observe(ev, "drawn")
		}
		sum, err := p.v.Finish()
		p.compare(sum)
		if (err == nil) != p.m.ended() {
			rt.Fatalf("finish: %v, the model: %v", err, p.m.ended())
		}
	})
}

// likely draws an event that is probably valid after the model's past.
func likely(rt *rapid.T, m *model) events.Event {
	next := len(m.used())
	some := rapid.IntRange(0, next).Draw(rt, "index")
	call := events.ToolCall{ID: string(rune('a' + next)), Name: "tool"}
	var open []events.Event
	for _, start := range m.with(events.ToolCallStarted) {
		if _, ok := m.openCall(start.Index); ok {
			open = append(open, start)
		}
	}
	if len(open) > 0 && rapid.Bool().Draw(rt, "call") {
		start := rapid.SampledFrom(open).Draw(rt, "open")
		got, _ := start.Call()
		got.Arguments = m.fragments(start.Index)
		switch rapid.IntRange(0, 3).Draw(rt, "step") {
		case 0:
			if got.Arguments == "" {
				got.Arguments = "{}"
			}
			return events.NewToolCallCompleted(int(start.Index), got)
		case 1:
			return events.NewToolCallInvalid(int(start.Index), got, events.Issue{Kind: events.IssueTruncated})
		default:
			return events.NewToolArgumentsDelta(int(start.Index), pick(byte(len(got.Arguments)/4), []string{`{"a":`, "1}", " ", "  "}))
		}
	}
	switch rapid.IntRange(0, 12).Draw(rt, "kind") {
	case 0, 1:
		return events.NewTextDelta(some, "text")
	case 2:
		return events.NewThinkingDelta(some, "thinking")
	case 3:
		return events.NewRefusalDelta(some, "no")
	case 4, 5:
		return events.NewToolCallStarted(next, call.ID, call.Name, false)
	case 6:
		return events.NewHostedToolStarted(next, call.ID, call.Name)
	case 7:
		return events.NewHostedToolCompleted(some, events.HostedTool{Name: "search"})
	case 8:
		return events.NewCitationAdded(some, events.Citation{Title: "title"})
	case 9:
		return events.NewMediaCompleted(next, "image/png", []byte("png"))
	case 10:
		return events.NewUsageUpdated(events.Usage{Output: events.Known(int64(some))})
	case 11:
		return events.NewNotice(events.NoticeUnknownFrame, "detail")
	default:
		return events.NewCompleted(events.Completion{Stop: rapid.SampledFrom(stops()).Draw(rt, "stop")})
	}
}
