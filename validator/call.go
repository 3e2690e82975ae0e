package validator

import "github.com/weirsdk/weir/events"

// A call is what is kept of a tool call.
type call struct {
	id, name string
	open     bool
	// bytes and hash are of the fragments so far. A fragment is never empty, so
	// bytes is 0 exactly when there was none.
	bytes int
	hash  hash
}

// joins reports whether the fragments, joined, are the arguments; without
// fragments any are.
func (c *call) joins(arguments string) bool {
	return c.bytes == 0 || c.bytes == len(arguments) && c.hash == newHash().add(arguments)
}

// A hash is FNV-1a of 64 bits (offset and prime as in hash/fnv of Go 1.26). It costs less on a fragment of ten bytes than
// hash/maphash. It tells accidents from equal texts; a provider that wants to
// contradict itself needs no collision for it.
type hash uint64

func newHash() hash { return 14695981039346656037 }

func (h hash) add(s string) hash {
	for i := range len(s) {
		h = (h ^ hash(s[i])) * 1099511628211
	}
	return h
}

// openCall takes ToolCallStarted.
func (v *Validator) openCall(ev events.Event) *Violation {
	if bad := v.checkNew(ev, G06); bad != nil {
		return bad
	}
	c, _ := ev.Call()
	switch {
	case c.ID == "" || c.Name == "":
		return v.violation(G06, "a tool call without an id or a name")
	case len(v.calls) >= v.limits.Calls:
		return v.violation(G16, "more than %d tool calls", v.limits.Calls)
	}
	for i := range v.calls {
		if v.calls[i].id == c.ID {
			return v.violation(G07, "tool call %d has the id of tool call %d", len(v.calls)+1, i+1)
		}
	}
	if bad := v.addData(len(c.ID) + len(c.Name)); bad != nil {
		return bad
	}
	v.open(block{kind: ev.Kind, call: int32(len(v.calls))})
	v.calls = append(v.calls, call{id: c.ID, name: c.Name, open: true, hash: newHash()})
	v.sum.OpenCalls++
	return nil
}

// openAt returns the open call at an index, or nil.
func (v *Validator) openAt(index int32) *call {
	b := v.at(index, events.ToolCallStarted)
	if b == nil || !v.calls[b.call].open {
		return nil
	}
	return &v.calls[b.call]
}

// addArguments takes ToolArgumentsDelta.
func (v *Validator) addArguments(ev events.Event) *Violation {
	if bad := v.checkDelta(ev.Text); bad != nil {
		return bad
	}
	c := v.openAt(ev.Index)
	if c == nil {
		return v.violation(G08, "%v at index %d, where no call is open", ev.Kind, ev.Index)
	}
	if bad := v.checkArgumentsSize(c, c.bytes+len(ev.Text)); bad != nil {
		return bad
	}
	c.hash = c.hash.add(ev.Text)
	c.bytes += len(ev.Text)
	v.sum.ArgumentsBytes += len(ev.Text)
	return nil
}

// checkArgumentsSize holds G16 for a call whose arguments come to size bytes.
func (v *Validator) checkArgumentsSize(c *call, size int) *Violation {
	switch {
	case size > v.limits.CallBytes:
		return v.violation(G16, "a tool call with more than %d bytes of arguments", v.limits.CallBytes)
	case v.sum.ArgumentsBytes+size-c.bytes > v.limits.ArgumentsBytes:
		return v.violation(G16, "more than %d bytes of arguments in all", v.limits.ArgumentsBytes)
	default:
		return nil
	}
}

// completeCall takes ToolCallCompleted.
func (v *Validator) completeCall(ev events.Event) *Violation {
	c, got, bad := v.checkEnd(ev)
	if bad != nil {
		return bad
	}
	if bad := v.checkArgumentsSize(c, len(got.Arguments)); bad != nil {
		return bad
	}
	if !c.joins(got.Arguments) {
		return v.violation(G10, "%d bytes of arguments that are not the %d bytes of the fragments", len(got.Arguments), c.bytes)
	}
	if issue := events.CheckArguments(got.Arguments); issue != nil {
		return v.violation(G11, "completed arguments: %s", issue.Kind)
	}
	if bad := v.endCall(c, got, len(got.Arguments)); bad != nil {
		return bad
	}
	v.sum.CompletedCalls++
	return nil
}

// invalidateCall takes ToolCallInvalid.
func (v *Validator) invalidateCall(ev events.Event) *Violation {
	c, got, bad := v.checkEnd(ev)
	if bad != nil {
		return bad
	}
	// The text is what came of the fragments, bounded: a shorter one takes
	// nothing off the total.
	size := max(len(ev.Text), c.bytes)
	if bad := v.checkArgumentsSize(c, size); bad != nil {
		return bad
	}
	if issue, _ := ev.Issue(); len(issue.Detail) > v.limits.DataBytes {
		return v.violation(G16, "an issue of more than %d bytes", v.limits.DataBytes)
	}
	if bad := v.endCall(c, got, size); bad != nil {
		return bad
	}
	v.sum.InvalidCalls++
	return nil
}

// checkEnd holds G08 and G09 for the end of a call, and returns the call as kept
// and as the event tells it.
func (v *Validator) checkEnd(ev events.Event) (c *call, got events.ToolCall, bad *Violation) {
	c = v.openAt(ev.Index)
	if c == nil {
		return nil, got, v.violation(G08, "%v at index %d, where no call is open", ev.Kind, ev.Index)
	}
	got, _ = ev.Call()
	if got.ID != c.id || got.Name != c.name {
		return nil, got, v.violation(G09, "%v at index %d with another id or name than its start", ev.Kind, ev.Index)
	}
	return c, got, nil
}

// endCall ends c, whose arguments came to size bytes, unless its data break G16.
func (v *Validator) endCall(c *call, got events.ToolCall, size int) *Violation {
	if bad := v.addData(dataSize(got.Replay)); bad != nil {
		return bad
	}
	v.sum.ArgumentsBytes += size - c.bytes
	v.sum.OpenCalls--
	c.open = false
	return nil
}
