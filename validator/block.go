package validator

import "github.com/weirsdk/weir/events"

// addText takes a delta of text, thinking or refusal: the first one of a block
// opens it.
func (v *Validator) addText(ev events.Event) *Violation {
	if bad := v.checkDelta(ev.Text); bad != nil {
		return bad
	}
	if bad := v.checkIndex(ev.Index); bad != nil {
		return bad
	}
	resumed := int(ev.Index) < len(v.blocks)
	if resumed && v.blocks[ev.Index].kind != ev.Kind {
		return v.violation(G05, "%v at index %d, which is no such block", ev.Kind, ev.Index)
	}
	size, most := v.tally(ev.Kind)
	if *size+len(ev.Text) > most {
		return v.violation(G16, "more than %d bytes in all by %v", most, ev.Kind)
	}
	*size += len(ev.Text)
	if !resumed {
		v.open(block{kind: ev.Kind})
	}
	return nil
}

// checkDelta holds G14.
func (v *Validator) checkDelta(text string) *Violation {
	switch {
	case text == "":
		return v.violation(G14, "an empty delta")
	case len(text) > v.limits.DeltaBytes:
		return v.violation(G14, "a delta of %d bytes, more than %d", len(text), v.limits.DeltaBytes)
	case !isUTF8(text):
		return v.violation(G14, "a delta that is not valid UTF-8")
	default:
		return nil
	}
}

// checkIndex holds G05 as far as the number alone goes: it is in range, and no
// index before it is unused.
func (v *Validator) checkIndex(index int32) *Violation {
	switch {
	case index < 0 || int(index) > v.limits.Index:
		return v.violation(G05, "index %d outside 0..%d", index, v.limits.Index)
	case int(index) > len(v.blocks):
		return v.violation(G05, "index %d before %d was used", index, len(v.blocks))
	default:
		return nil
	}
}

// checkNew holds that the index of a block that cannot be resumed is the next
// unused one; reused is the rule that a used index breaks.
func (v *Validator) checkNew(ev events.Event, reused Rule) *Violation {
	if bad := v.checkIndex(ev.Index); bad != nil {
		return bad
	}
	if int(ev.Index) < len(v.blocks) {
		return v.violation(reused, "%v at index %d, which is used", ev.Kind, ev.Index)
	}
	return nil
}

// open gives the next index to a block.
func (v *Validator) open(b block) {
	v.blocks = append(v.blocks, b)
	v.sum.Blocks++
}

// at returns the block at an index if it is of that kind, else nil.
func (v *Validator) at(index int32, kind events.Kind) *block {
	if index < 0 || int(index) >= len(v.blocks) || v.blocks[index].kind != kind {
		return nil
	}
	return &v.blocks[index]
}

// openHosted takes HostedToolStarted.
func (v *Validator) openHosted(ev events.Event) *Violation {
	if bad := v.checkNew(ev, G05); bad != nil {
		return bad
	}
	h, _ := ev.Hosted()
	if bad := v.addData(hostedSize(h)); bad != nil {
		return bad
	}
	v.open(block{kind: ev.Kind})
	v.sum.HostedTools++
	return nil
}

// endHosted takes HostedToolCompleted.
func (v *Validator) endHosted(ev events.Event) *Violation {
	b := v.at(ev.Index, events.HostedToolStarted)
	if b == nil || b.ended {
		return v.violation(G15, "a hosted result at index %d, where no hosted tool is open", ev.Index)
	}
	h, _ := ev.Hosted()
	if bad := v.addData(hostedSize(h)); bad != nil {
		return bad
	}
	b.ended = true
	return nil
}

func hostedSize(h events.HostedTool) int {
	size := len(h.ID) + len(h.Name) + len(h.Arguments) + len(h.Outcome) + dataSize(h.Replay)
	for _, s := range h.Sources {
		size += len(s.URL) + len(s.Title) + len(s.Snippet)
	}
	return size
}

// cite takes CitationAdded.
func (v *Validator) cite(ev events.Event) *Violation {
	if v.at(ev.Index, events.TextDelta) == nil {
		return v.violation(G15, "a citation at index %d, which is no text block", ev.Index)
	}
	c, _ := ev.Citation()
	return v.addData(len(c.URL) + len(c.Title) + len(c.Text))
}

// addMedia takes MediaCompleted.
func (v *Validator) addMedia(ev events.Event) *Violation {
	if bad := v.checkNew(ev, G05); bad != nil {
		return bad
	}
	size := ev.MediaSize()
	if v.sum.MediaBytes+size > v.limits.MediaBytes {
		return v.violation(G16, "more than %d bytes of media", v.limits.MediaBytes)
	}
	v.sum.MediaBytes += size
	v.open(block{kind: ev.Kind})
	return nil
}

// notice takes Notice.
func (v *Validator) notice(ev events.Event) *Violation {
	n, _ := ev.Notice()
	return v.addData(len(n.Code) + len(n.Detail))
}

// addData counts size bytes of data, unless they break G16. It changes the
// state, so it is the last check of an event.
func (v *Validator) addData(size int) *Violation {
	if v.sum.DataBytes+size > v.limits.DataBytes {
		return v.violation(G16, "more than %d bytes of data", v.limits.DataBytes)
	}
	v.sum.DataBytes += size
	return nil
}

func dataSize(d events.ProviderData) int {
	return len(d.Format) + len(d.Origin) + len(d.Value)
}
