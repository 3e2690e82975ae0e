package charge

import (
	"time"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// Exit says how the loop over an attempt's stream was left.
type Exit uint8

// The exits. They matter only when no terminal was read.
const (
	// Ended: the stream ended by itself.
	Ended Exit = iota
	// Abandoned: the consumer left the loop.
	Abandoned
	// Panicked: a panic or a runtime.Goexit came out of the loop's body.
	Panicked
	// Cancelled: the attempt was stopped and its terminal not read.
	Cancelled
)

// OnInconsistent says what becomes of a reply whose usage has a part that is
// larger than its whole.
type OnInconsistent uint8

const (
	// TakeLarger, the default, charges the larger reading.
	TakeLarger OnInconsistent = iota
	// Refuse treats the usage as unusable: the estimate is charged and the reply
	// is not handed over.
	Refuse
)

// An Estimate is what a call is expected to use at most, made before it is sent.
type Estimate struct {
	// Input is in tokens.
	Input int64
	// Output is the cap on the output in tokens, as the provider knows it; unknown
	// without one.
	Output events.Count
}

// EstimateOf returns the estimate of a request: its estimated input and its own
// output cap. Where an adapter sends another cap, set that.
func EstimateOf(r request.Request) Estimate {
	e := Estimate{Input: r.EstimateInputTokens()}
	if r.MaxOutputTokens > 0 {
		e.Output = events.Known(int64(r.MaxOutputTokens))
	}
	return e
}

// Usage returns the estimate as counts, for a reservation: saturated at
// [events.MaxCount], the output unknown without a cap, everything else unknown.
func (e Estimate) Usage() events.Usage {
	u := events.Usage{Input: events.Known(bounded(e.Input))}
	if n, known := e.Output.Get(); known {
		u.Output = events.Known(bounded(n))
	}
	return u
}

// An Attempt is what is known of one attempt that is over. Fill in the first
// four fields, hand each event to Observe, and set Exit when the loop was left
// without a terminal, and Unread; or fill in everything by hand. The zero Attempt was sent
// with an empty estimate and heard nothing. It is not for concurrent use.
type Attempt struct {
	// Estimate is what was expected.
	Estimate Estimate
	// HiddenOutput reports that the model may generate what it does not show, for
	// instance thinking of which only a summary or nothing comes: what arrived
	// then says little about the output.
	HiddenOutput bool
	// AllShown reports that the model is known to show all that it generates: it
	// does not think. False when nobody knows. Observe clears it when thinking comes,
	// which may be a summary of more.
	AllShown bool
	// OnInconsistent is the policy for inconsistent usage.
	OnInconsistent OnInconsistent

	// Exit says how the loop was left when no terminal was read.
	Exit Exit
	// Terminal is the Completed or Failed that was read, or the zero event.
	Terminal events.Event
	// Seen are the counts that were told before the terminal.
	Seen events.Usage
	// Arrived is how many bytes of output arrived: text, thinking, refusals, names
	// and arguments of tools.
	Arrived int64
	// BillingStops is what Started said ([events.Start.BillingStops]).
	BillingStops bool
	// Unread is how long the provider may have generated what nobody read: the time
	// that the consumer's code took, and the silence before the hang-up. The caller
	// has the clock.
	Unread time.Duration

	// fragments marks the blocks whose arguments came in fragments.
	fragments [maxBlocks / 64]uint64
}

// maxBlocks is how many blocks a response can have.
const maxBlocks = 1024

// Observe notes one event of the attempt's stream. What comes after a terminal is
// ignored. It allocates nothing for deltas.
func (a *Attempt) Observe(ev events.Event) {
	switch {
	case a.Terminal.Kind != 0:
	case ev.Kind == events.ToolArgumentsDelta:
		a.arrive(ev.Text)
		if uint32(ev.Index) < maxBlocks {
			a.fragments[ev.Index/64] |= 1 << (ev.Index % 64)
		}
	case ev.Kind.IsDelta():
		a.arrive(ev.Text)
		if ev.Kind == events.ThinkingDelta {
			a.AllShown = false
		}
	case ev.Kind.IsTerminal():
		a.Terminal = ev
	default:
		a.observeRare(ev)
	}
}

func (a *Attempt) observeRare(ev events.Event) {
	switch ev.Kind {
	case events.Started:
		start, _ := ev.Start()
		a.BillingStops = start.BillingStops
	case events.ToolCallStarted:
		call, _ := ev.Call()
		a.arrive(call.Name)
	case events.ToolCallCompleted, events.ToolCallInvalid:
		call, _ := ev.Call()
		if !a.cameInFragments(ev.Index) {
			a.arrive(call.Arguments + ev.Text) // one of them is empty
		}
	case events.HostedToolStarted:
		tool, _ := ev.Hosted()
		a.arrive(tool.Name)
	case events.HostedToolCompleted:
		tool, _ := ev.Hosted()
		a.arrive(tool.Arguments)
	case events.MediaCompleted:
		a.HiddenOutput = true // bytes of media are no measure of tokens
	case events.UsageUpdated:
		u, _ := ev.Usage()
		a.Seen = a.Seen.Merge(u)
	default:
	}
}

func (a *Attempt) arrive(text string) { a.Arrived += int64(len(text)) }

func (a *Attempt) cameInFragments(index int32) bool {
	return uint32(index) < maxBlocks && a.fragments[index/64]>>(index%64)&1 == 1
}
