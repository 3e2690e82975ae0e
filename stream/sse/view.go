package sse

import "github.com/weirsdk/weir/events"

// Everything is a view that sends each event as it is: ProviderData, raw usage,
// cost and the details of failures included. It is for servers that talk to
// servers.
func Everything(ev events.Event) (events.Event, bool) { return ev, true }

// Public is the view that Serve takes by default. It keeps what a page shows and
// leaves on the server what only the server needs:
//
//   - started: response id and model;
//   - deltas, citations and media: as they are;
//   - tool calls: id, name, arguments, issue; hosted tools: all but the replay;
//   - usage: the counts, without the provider's own object;
//   - notice: the code;
//   - completed: stop, raw stop and usage, without cost and data;
//   - failed: kind, reason, how long to wait, whether another attempt may help
//     (should_retry, which is events.Failure.Retryable), how far the request got,
//     and usage, without detail, provider, status, code, request id, rate limits
//     and feature.
//
// An event of an unknown kind is dropped. To send a conversation's ProviderData
// back later, keep the folded reply on the server (stream.Tap).
func Public(ev events.Event) (events.Event, bool) {
	switch ev.Kind {
	case events.TextDelta, events.ThinkingDelta, events.RefusalDelta, events.ToolArgumentsDelta,
		events.CitationAdded, events.MediaCompleted:
		return ev, true
	case events.Started:
		s, _ := ev.Start()
		return events.NewStarted(events.Start{ResponseID: s.ResponseID, Model: s.Model}), true
	case events.ToolCallStarted, events.ToolCallCompleted, events.ToolCallInvalid:
		return publicCall(ev), true
	case events.HostedToolStarted, events.HostedToolCompleted:
		return publicHosted(ev), true
	case events.UsageUpdated:
		u, _ := ev.Usage()
		return events.NewUsageUpdated(publicUsage(u)), true
	case events.Notice:
		n, _ := ev.Notice()
		return events.NewNotice(n.Code, ""), true
	case events.Completed:
		c, _ := ev.Completion()
		return events.NewCompleted(events.Completion{Stop: c.Stop, RawStop: c.RawStop, Usage: publicUsage(c.Usage)}), true
	case events.Failed:
		return events.NewFailed(publicFailure(ev)), true
	default:
		return events.Event{}, false
	}
}

func publicCall(ev events.Event) events.Event {
	index := int(ev.Index)
	call, _ := ev.Call()
	call.Replay = events.ProviderData{}
	switch ev.Kind {
	case events.ToolCallStarted:
		return events.NewToolCallStarted(index, call.ID, call.Name, call.Minted)
	case events.ToolCallInvalid:
		issue, _ := ev.Issue()
		call.Arguments = ev.Text
		return events.NewToolCallInvalid(index, call, issue)
	default:
		return events.NewToolCallCompleted(index, call)
	}
}

func publicHosted(ev events.Event) events.Event {
	h, _ := ev.Hosted()
	h.Replay = events.ProviderData{}
	if ev.Kind == events.HostedToolStarted {
		return events.NewHostedToolStarted(int(ev.Index), h.ID, h.Name)
	}
	return events.NewHostedToolCompleted(int(ev.Index), h)
}

func publicUsage(u events.Usage) events.Usage {
	u.Raw = ""
	return u
}

func publicFailure(ev events.Event) *events.Failure {
	f, ok := ev.Failure()
	if !ok {
		return nil
	}
	again := f.Retryable()
	return &events.Failure{
		Kind: f.Kind, Reason: f.Reason, RetryAfter: f.RetryAfter, ShouldRetry: &again,
		Sent: f.Sent, Usage: publicUsage(f.Usage),
	}
}
