package validator

import "github.com/weirsdk/weir/events"

// checkUsage holds G17, and G16 for the raw usage, of an event that tells usage.
func (v *Validator) checkUsage(ev events.Event) *Violation {
	u, _ := ev.Usage()
	switch {
	case !u.Sane():
		return v.violation(G17, "a count of usage outside 0..2^53-1")
	case len(u.Raw) > v.limits.DataBytes:
		return v.violation(G16, "a raw usage of more than %d bytes", v.limits.DataBytes)
	default:
		return nil
	}
}

// complete takes Completed.
func (v *Validator) complete(ev events.Event) *Violation {
	c, _ := ev.Completion()
	if bad := v.checkUsage(ev); bad != nil {
		return bad
	}
	if bad := v.checkCalls(c.Stop); bad != nil {
		return bad
	}
	if bad := v.addData(len(c.RawStop) + dataSize(c.Data)); bad != nil {
		return bad
	}
	v.sum.Terminal, v.sum.Stop = ev.Kind, c.Stop
	return nil
}

// checkCalls holds G12 and G13.
func (v *Validator) checkCalls(stop events.Stop) *Violation {
	ended := v.sum.CompletedCalls + v.sum.InvalidCalls
	if v.sum.OpenCalls > 0 {
		return v.violation(G12, "completed with %d tool calls open", v.sum.OpenCalls)
	}
	switch stop {
	case events.StopToolUse:
		if ended == 0 {
			return v.violation(G13, "tool_use without a tool call")
		}
	case events.StopEnd, events.StopSequence, events.StopUnknown, events.StopOther:
		if ended > 0 {
			return v.violation(G13, "%s with %d tool calls", stop, ended)
		}
	default:
	}
	return nil
}

// fail takes Failed.
func (v *Validator) fail(ev events.Event) *Violation {
	if bad := v.checkUsage(ev); bad != nil {
		return bad
	}
	v.sum.Terminal = ev.Kind
	return nil
}
