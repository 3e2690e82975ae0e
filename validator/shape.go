package validator

import "github.com/weirsdk/weir/events"

// checkShape holds G18 and G19: the event carries what its kind requires and
// nothing else. Events that the constructors of package events make keep most of
// it by themselves; one built by hand may not.
func (v *Validator) checkShape(ev events.Event) *Violation {
	if ev.Kind.IsTerminal() {
		if bad := v.checkFailure(ev); bad != nil {
			return bad
		}
	}
	switch {
	case !ev.HasDetail():
		return v.violation(G19, "%v without its payload, or with another one", ev.Kind)
	case ev.Kind.IsDelta():
		return nil
	case ev.Text != "" && ev.Kind != events.ToolCallInvalid:
		return v.violation(G19, "%v with a text", ev.Kind)
	case ev.Index != 0 && !ev.Kind.HasIndex():
		return v.violation(G19, "%v with an index", ev.Kind)
	}
	if missing := missingPart(ev); missing != "" {
		return v.violation(G19, "%v %s", ev.Kind, missing)
	}
	return nil
}

// checkFailure holds G18 of a terminal.
func (v *Validator) checkFailure(ev events.Event) *Violation {
	completed := ev.Kind == events.Completed
	ev.Kind = events.Failed // Failure answers for no other kind
	f, ok := ev.Failure()
	switch {
	case completed && ok:
		return v.violation(G18, "completed with a failure")
	case !completed && !ok:
		return v.violation(G18, "failed without a failure")
	case !completed && f.Kind == "":
		return v.violation(G18, "failed with a failure without a kind")
	default:
		return nil
	}
}

// missingPart says what an event with the right payload lacks or has too much,
// or returns the empty string.
func missingPart(ev events.Event) string {
	switch ev.Kind {
	case events.ToolCallStarted:
		if c, _ := ev.Call(); c.Arguments != "" || !c.Replay.IsZero() {
			return "with arguments or replay"
		}
	case events.ToolCallCompleted:
		c, _ := ev.Call()
		return missingFormat(c.Replay)
	case events.ToolCallInvalid:
		if issue, _ := ev.Issue(); issue.Kind == "" {
			return "without an issue"
		}
		c, _ := ev.Call()
		return missingFormat(c.Replay)
	case events.HostedToolStarted, events.HostedToolCompleted:
		h, _ := ev.Hosted()
		if h.Name == "" {
			return "without a name"
		}
		return missingFormat(h.Replay)
	case events.MediaCompleted:
		if ev.MediaSize() == 0 {
			return "without data"
		}
	case events.Notice:
		if n, _ := ev.Notice(); n.Code == "" {
			return "without a code"
		}
	case events.Completed:
		c, _ := ev.Completion()
		if !isStop(c.Stop) {
			return "without a known stop"
		}
		return missingFormat(c.Data)
	default:
	}
	return ""
}

func missingFormat(d events.ProviderData) string {
	if d.Value != "" && d.Format == "" {
		return "with provider data without a format"
	}
	return ""
}

func isStop(s events.Stop) bool {
	switch s {
	case events.StopEnd, events.StopToolUse, events.StopLength, events.StopSequence, events.StopPause,
		events.StopRefusal, events.StopContentFilter, events.StopUnknown, events.StopOther:
		return true
	default:
		return false
	}
}
