package validator_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
)

// parse makes the event of one word of a script.
func parse(tb testing.TB, word string) events.Event {
	tb.Helper()
	head, text, hasText := strings.Cut(word, "=")
	head, size, _ := strings.Cut(head, "*")
	head, damages, _ := strings.Cut(head, "~")
	head, who, hasWho := strings.Cut(head, "@")
	var ev events.Event
	if hasText {
		text = unescape(tb, text)
	}
	if index, err := strconv.Atoi(strings.TrimLeft(head, "abcdefghijklmnopqrstuvwxyz")); err == nil {
		call := events.ToolCall{ID: "id" + strconv.Itoa(index), Name: "tool"}
		if hasWho {
			call.ID, call.Name, _ = strings.Cut(who, "/")
		}
		ev = blockEvent(tb, head[0], index, call, text)
	} else {
		n, _ := strconv.Atoi(size)
		ev = plainEvent(tb, head, text, n)
	}
	return damage(tb, ev, damages)
}

// unescape reads Go's escapes and x*n.
func unescape(tb testing.TB, text string) string {
	tb.Helper()
	if unit, n, ok := strings.Cut(text, "*"); ok {
		count, err := strconv.Atoi(n)
		require.NoError(tb, err)
		return strings.Repeat(unit, count)
	}
	text, err := strconv.Unquote(`"` + strings.ReplaceAll(text, `"`, `\"`) + `"`)
	require.NoError(tb, err)
	return text
}

func blockEvent(tb testing.TB, letter byte, index int, call events.ToolCall, text string) events.Event {
	tb.Helper()
	piece := text
	if piece == "" {
		piece = "x"
	}
	switch letter {
	case 't':
		return events.NewTextDelta(index, piece)
	case 'h':
		return events.NewThinkingDelta(index, piece)
	case 'r':
		return events.NewRefusalDelta(index, piece)
	case 'c':
		return events.NewToolCallStarted(index, call.ID, call.Name, false)
	case 'a':
		return events.NewToolArgumentsDelta(index, piece)
	case 'd':
		call.Arguments = text
		return events.NewToolCallCompleted(index, call)
	case 'i':
		call.Arguments = text
		return events.NewToolCallInvalid(index, call, events.Issue{Kind: events.IssueTruncated, Detail: "cut"})
	case 's':
		return events.NewHostedToolStarted(index, call.ID, call.Name)
	case 'e':
		return events.NewHostedToolCompleted(index, events.HostedTool{
			ID: call.ID, Name: call.Name, Arguments: text, Sources: []events.Source{{URL: "https://example.com"}},
		})
	case 'q':
		return events.NewCitationAdded(index, events.Citation{URL: "https://example.com", Text: text})
	case 'm':
		return events.NewMediaCompleted(index, "image/png", []byte(piece))
	}
	require.Fail(tb, "no such word", string(letter))
	return events.Event{}
}

func plainEvent(tb testing.TB, head, text string, size int) events.Event {
	tb.Helper()
	number, _ := strconv.ParseInt(text, 10, 64)
	usage := events.Usage{Input: events.Known(number)}
	switch head {
	case "start":
		return events.NewStarted(events.Start{Metadata: map[string]string{"": strings.Repeat("m", size)}})
	case "u":
		return events.NewUsageUpdated(usage)
	case "raw":
		return events.NewUsageUpdated(events.Usage{Raw: text})
	case "n":
		return events.NewNotice(events.NoticeUnknownFrame, text)
	case "done":
		if text == "" {
			text = "end"
		}
		return events.NewCompleted(events.Completion{Stop: events.Stop(text)})
	case "doneusage":
		return events.NewCompleted(events.Completion{Stop: events.StopEnd, Usage: usage})
	case "donedata":
		return events.NewCompleted(events.Completion{Stop: events.StopEnd, Data: events.ProviderData{Format: "f.v1", Value: text}})
	case "fail":
		if text == "" {
			text = "other"
		}
		return events.NewFailed(&events.Failure{Kind: events.FailureKind(text)})
	case "failusage":
		return events.NewFailed(&events.Failure{Kind: events.Other, Usage: usage})
	case "zero":
		return events.Event{}
	}
	require.Fail(tb, "no such word", head)
	return events.Event{}
}

// damage changes an event into one that no constructor makes.
func damage(tb testing.TB, ev events.Event, kind string) events.Event {
	tb.Helper()
	raw := events.ProviderData{Origin: "somebody", Value: "v"}
	call, _ := ev.Call()
	hosted, _ := ev.Hosted()
	switch kind {
	case "":
	case "empty":
		ev.Text = ""
	case "text":
		ev.Text = "text"
	case "index":
		ev.Index = 1
	case "bare":
		ev = events.Event{Kind: ev.Kind, Index: ev.Index, Text: ev.Text}
	case "notice": // a payload of another kind
		kept := ev
		ev = events.NewNotice(events.NoticeUnknownFrame, "")
		ev.Kind, ev.Index, ev.Text = kept.Kind, kept.Index, kept.Text
	case "completed":
		ev.Kind = events.Completed
	case "started": // a completed call that says it is a start
		ev.Kind = events.ToolCallStarted
	case "replay": // a start with a replay
		call.Arguments, call.Replay = "", events.ProviderData{Format: "f.v1", Value: "v"}
		ev = events.NewToolCallCompleted(int(ev.Index), call)
		ev.Kind = events.ToolCallStarted
	case "format":
		switch ev.Kind {
		case events.ToolCallCompleted:
			call.Replay = raw
			ev = events.NewToolCallCompleted(int(ev.Index), call)
		case events.ToolCallInvalid:
			call.Replay = raw
			ev = events.NewToolCallInvalid(int(ev.Index), call, events.Issue{Kind: events.IssueTruncated})
		case events.HostedToolCompleted:
			hosted.Replay = raw
			ev = events.NewHostedToolCompleted(int(ev.Index), hosted)
		default:
			c, _ := ev.Completion()
			c.Data = raw
			ev = events.NewCompleted(c)
		}
	case "nothing": // without what the kind is about
		switch ev.Kind {
		case events.ToolCallInvalid:
			ev = events.NewToolCallInvalid(int(ev.Index), call, events.Issue{})
		case events.Notice:
			ev = events.NewNotice("", "detail")
		case events.MediaCompleted:
			ev = events.NewMediaCompleted(int(ev.Index), "image/png", nil)
		case events.HostedToolCompleted:
			ev = events.NewHostedToolCompleted(int(ev.Index), events.HostedTool{ID: "id"})
		default:
			ev = events.NewFailed(&events.Failure{})
		}
	default:
		require.Fail(tb, "no such damage", kind)
	}
	return ev
}
