package caller

import (
	"context"
	"slices"
	"time"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// StepKind names a step of a call.
type StepKind string

// The steps, in the order in which they can come.
const (
	// StepRefused: a limit, a check of the request or the ledger refused an attempt;
	// Failure says which.
	StepRefused StepKind = "refused"
	// StepReserved: the ledger admitted an attempt.
	StepReserved StepKind = "reserved"
	// StepDispatched: the attempt is about to be sent.
	StepDispatched StepKind = "dispatched"
	// StepStarted: its answer has begun.
	StepStarted StepKind = "started"
	// StepFirstContent: its first content came, after Elapsed.
	StepFirstContent StepKind = "first_content"
	// StepSettled: it is over and booked; Attempt says how.
	StepSettled StepKind = "settled"
	// StepLatched: the provider refused Feature, which is left out from now on.
	StepLatched StepKind = "latched"
	// StepRetried: another attempt follows after Wait.
	StepRetried StepKind = "retried"
	// StepFellBack: the next model, Model, is asked.
	StepFellBack StepKind = "fell_back"
	// StepCorrected: the structured answer did not fit and is asked for again.
	StepCorrected StepKind = "corrected"
	// StepFinished: the call is over; Result says how, Failure what failed.
	StepFinished StepKind = "finished"
)

// A Step is one step of a call, for an [Observer]. Fields that do not belong to a
// step are zero. What it points to is shared: read it, and not after Observe.
type Step struct {
	Kind StepKind
	// Call is the id of the call, the same for all its attempts; Attempt is the attempt,
	// with the Settlement once it is settled.
	Call    string
	Attempt Attempt
	// Run is the id of the run, Scope who it is for.
	Run   string
	Scope Scope
	// Model is the name of the model.
	Model string
	// Request is what is asked. It holds content: an observer that records it says so.
	Request *request.Request
	// Reply is what has come of the attempt so far, and Terminal how its stream ended
	// (the zero event until then, and when the loop was left): content too. Terminal is
	// not in Reply yet.
	Reply    *stream.Reply
	Terminal events.Event
	// Stream reports that the call streams to a consumer.
	Stream bool
	// Nested reports that the call is made by a model that a caller is calling: its
	// attempts are those of the outer call, and are counted there.
	Nested bool
	// Elapsed is the time since the attempt was dispatched, of StepFinished since the
	// call began.
	Elapsed time.Duration
	// Wait, Feature, Failure and Result belong to the steps that name them.
	Wait    time.Duration
	Feature string
	Failure *events.Failure
	Result  *Result
}

// An Observer is told of each step of each call. It is called on the goroutine of the
// call, so it should be quick; it is safe for concurrent use. A panic of it is
// contained as the call's failure.
type Observer interface {
	Observe(ctx context.Context, step Step)
}

// A ContextObserver is an Observer that adds something to the context of an attempt,
// for instance a span.
type ContextObserver interface {
	Observer
	// AttemptContext returns the context of an attempt that is about to be dispatched;
	// it is called right before its StepDispatched is observed, with that step. The
	// steps of the attempt are observed with what it returns.
	AttemptContext(ctx context.Context, step Step) context.Context
}

// ObserverFunc is a function as an Observer; a nil one observes nothing.
type ObserverFunc func(ctx context.Context, step Step)

// Observe calls f.
func (f ObserverFunc) Observe(ctx context.Context, step Step) {
	if f != nil {
		f(ctx, step)
	}
}

// Observers returns an observer that tells all of them, in order; nil ones are left out.
func Observers(observers ...Observer) Observer {
	return several(slices.DeleteFunc(slices.Clone(observers), func(o Observer) bool { return o == nil }))
}

type several []Observer

func (s several) Observe(ctx context.Context, step Step) {
	for _, o := range s {
		o.Observe(ctx, step)
	}
}

func (s several) AttemptContext(ctx context.Context, step Step) context.Context {
	for i, o := range s {
		if c, ok := o.(ContextObserver); ok {
			return s[i+1:].AttemptContext(c.AttemptContext(ctx, step), step)
		}
	}
	return ctx
}
