package validator

import (
	"fmt"
	"unicode/utf8"

	"github.com/weirsdk/weir/events"
)

// A Validator holds one stream of events to the grammar. It is a finite
// automaton with counters: it keeps the kind of each block and the id, length
// and hash of each tool call, and no text.
//
// The zero Validator is ready for a new stream. It is for one stream, not for
// concurrent use, and must not be copied once used. A delta costs no allocation.
type Validator struct {
	// Limits bounds the stream. It is read when Started is observed; later
	// changes have no effect.
	Limits Limits

	limits Limits // with defaults; set by Started
	blocks []block
	calls  []call
	sum    Summary
}

// A block is what a used index belongs to.
type block struct {
	// kind is the kind of event that opens such a block: TextDelta,
	// ThinkingDelta, RefusalDelta, ToolCallStarted, HostedToolStarted or
	// MediaCompleted.
	kind events.Kind
	// ended is set once a hosted tool has its result.
	ended bool
	// call is the position of a tool call in Validator.calls.
	call int32
}

// Observe takes the next event of the stream. An event that breaks a rule is
// rejected with a *[Violation], and the state is as if it had never come.
func (v *Validator) Observe(ev events.Event) error {
	// The fast path: a delta that goes on with a block of text, thinking or
	// refusal and breaks no rule. What it declines is judged by step.
	if i := int(uint32(ev.Index)); i < len(v.blocks) && v.blocks[i].kind == ev.Kind && v.takesMore() {
		size, most := v.tally(ev.Kind)
		n := len(ev.Text)
		if size != nil && n > 0 && n <= v.limits.DeltaBytes && *size+n <= most && isUTF8(ev.Text) && ev.HasDetail() {
			*size += n
			v.sum.Events++
			return nil
		}
	}
	bad := v.step(ev)
	if bad != nil {
		return bad
	}
	v.sum.Events++
	return nil
}

// takesMore reports whether the stream is between Started and its end.
func (v *Validator) takesMore() bool {
	return v.sum.Terminal == 0 && v.sum.Events < v.limits.Events
}

// Finish ends the stream and returns what came. The error is nil or a
// *[Violation] of G04; the summary is right either way. Finish does not change
// the state.
func (v *Validator) Finish() (Summary, error) {
	if v.sum.Terminal == 0 {
		return v.sum, v.violation(G04, "the stream ended without Completed or Failed")
	}
	return v.sum, nil
}

// tally returns the count that a delta of text, thinking or refusal adds to, and
// its limit; nil for other kinds.
func (v *Validator) tally(kind events.Kind) (size *int, most int) {
	switch kind {
	case events.TextDelta:
		return &v.sum.TextBytes, v.limits.TextBytes
	case events.ThinkingDelta:
		return &v.sum.ThinkingBytes, v.limits.ThinkingBytes
	case events.RefusalDelta:
		return &v.sum.RefusalBytes, v.limits.TextBytes
	default:
		return nil, 0
	}
}

// isUTF8 is utf8.ValidString, quicker on a token of ASCII.
func isUTF8(s string) bool {
	if len(s) > 16 {
		return utf8.ValidString(s)
	}
	var all byte
	for i := range len(s) {
		all |= s[i]
	}
	return all < utf8.RuneSelf || utf8.ValidString(s)
}

// step judges an event by all rules, and changes the state only when it keeps
// them: each of the methods called here checks first and then, as its last act,
// changes the state.
func (v *Validator) step(ev events.Event) *Violation {
	if ev.Kind == events.ToolArgumentsDelta && v.takesMore() && ev.HasDetail() {
		return v.addArguments(ev) // the short way of the checks below
	}
	if bad := v.checkOrder(ev.Kind); bad != nil {
		return bad
	}
	if bad := v.checkShape(ev); bad != nil {
		return bad
	}
	return v.take(ev)
}

// take judges an event of the right shape by the rules of its kind.
func (v *Validator) take(ev events.Event) *Violation {
	switch ev.Kind {
	case events.Started:
		return v.start(ev)
	case events.TextDelta, events.ThinkingDelta, events.RefusalDelta:
		return v.addText(ev)
	case events.ToolCallStarted:
		return v.openCall(ev)
	case events.ToolArgumentsDelta:
		return v.addArguments(ev)
	case events.ToolCallCompleted:
		return v.completeCall(ev)
	case events.ToolCallInvalid:
		return v.invalidateCall(ev)
	case events.HostedToolStarted:
		return v.openHosted(ev)
	case events.HostedToolCompleted:
		return v.endHosted(ev)
	case events.CitationAdded:
		return v.cite(ev)
	case events.MediaCompleted:
		return v.addMedia(ev)
	case events.UsageUpdated:
		return v.checkUsage(ev)
	case events.Notice:
		return v.notice(ev)
	case events.Completed:
		return v.complete(ev)
	case events.Failed:
		return v.fail(ev)
	default:
		return v.violation(G19, "unknown kind of event")
	}
}

// checkOrder holds G01, G02, G03, and G16 for the number of events.
func (v *Validator) checkOrder(kind events.Kind) *Violation {
	started := v.sum.Events > 0
	switch {
	case v.sum.Terminal != 0:
		return v.violation(G03, "%v after %v", kind, v.sum.Terminal)
	case !started && kind != events.Started:
		return v.violation(G01, "%v before Started", kind)
	case started && kind == events.Started:
		return v.violation(G02, "a second Started")
	case started && v.sum.Events >= v.limits.Events:
		return v.violation(G16, "more than %d events", v.limits.Events)
	default:
		return nil
	}
}

// start takes Started.
func (v *Validator) start(ev events.Event) *Violation {
	s, _ := ev.Start()
	size := len(s.ResponseID) + len(s.Model) + len(s.RequestID)
	for key, value := range s.Metadata {
		size += len(key) + len(value)
	}
	limits := v.Limits.orDefaults()
	if size > limits.DataBytes {
		return v.violation(G16, "more than %d bytes of metadata", limits.DataBytes)
	}
	v.limits = limits
	v.sum.DataBytes = size
	return nil
}

// violation returns a violation at the next event.
func (v *Validator) violation(rule Rule, format string, args ...any) *Violation {
	return &Violation{Rule: rule, Event: v.sum.Events + 1, Detail: fmt.Sprintf(format, args...)}
}
