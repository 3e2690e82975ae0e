package caller

import (
	"time"

	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/stream"
)

// A Result is what came of a call. It is yours once the call has ended.
type Result struct {
	// Reply is the fold of the last attempt, also when it failed: never nil.
	Reply *stream.Reply
	// Answer is the JSON of the structured answer that was asked for, when it fits.
	Answer string
	// Usage is what the whole call is charged, failed attempts included, and Certainty
	// (of the usage) the least certain of them. Where it is exact the usage is what the
	// provider reported; it is empty when no attempt was made.
	Usage     events.Usage
	Certainty charge.Certainty
	// Cost is what the whole call is charged. With the CostCertainty "unknown" a model
	// had no price and Cost is of the other attempts only.
	Cost          events.Micros
	CostCertainty charge.Certainty
	// Status is that of the last attempt; empty when none was made.
	Status charge.Status
	// Attempts are all attempts, in order.
	Attempts []Attempt
	// Elapsed is how long the call took, the consumer's own time included.
	Elapsed time.Duration
	// TimeToFirstContent counts from the beginning of the call to the first content
	// of the last attempt; zero when none came.
	TimeToFirstContent time.Duration
}

// Model returns the name of the model of the last attempt, empty when none was made.
func (r *Result) Model() string {
	if len(r.Attempts) == 0 {
		return ""
	}
	return r.Attempts[len(r.Attempts)-1].Model
}

// An Attempt is one request that was, or may have been, sent.
type Attempt struct {
	// ID is its id in the ledger, Number its number in the call, from 1.
	ID     string
	Number int
	// Model is the name of the model, Answered what the provider called the one that
	// answered.
	Model, Answered string
	// Without are the features that were left out because the provider refused them.
	Without []string
	// Settlement is what the ledger has of it.
	Settlement ledger.Settlement
	// Failure is what failed, or nil. Of an attempt whose consumer left it is of kind
	// cancelled.
	Failure *events.Failure
	// Unbooked is why the ledger could not be told, or nil: the attempt is then still
	// reserved there, and will be recovered. It is the ledger's own error, whose text may
	// hold what is not for a log.
	Unbooked error
}

// add counts an attempt in.
func (r *Result) add(a Attempt) {
	first := len(r.Attempts) == 0
	r.Attempts = append(r.Attempts, a)
	s := a.Settlement
	r.Status = s.Status
	if first {
		r.Usage, r.Certainty, r.Cost, r.CostCertainty = s.Usage, s.Certainty, s.Cost, s.CostCertainty
		return
	}
	r.Usage = sumOf(r.Usage, s.Usage)
	r.Cost = addMicros(r.Cost, s.Cost)
	r.Certainty = weaker(r.Certainty, s.Certainty)
	r.CostCertainty = weaker(r.CostCertainty, s.CostCertainty)
}

// sumOf adds two usages of different attempts; what either does not know is unknown.
func sumOf(a, b events.Usage) events.Usage {
	return events.Usage{
		Input: a.Input.Plus(b.Input), CacheRead: a.CacheRead.Plus(b.CacheRead), CacheWrite: a.CacheWrite.Plus(b.CacheWrite),
		CacheWriteLong: a.CacheWriteLong.Plus(b.CacheWriteLong), Output: a.Output.Plus(b.Output), Thinking: a.Thinking.Plus(b.Thinking),
		InputAudio: a.InputAudio.Plus(b.InputAudio), InputImage: a.InputImage.Plus(b.InputImage),
		OutputAudio: a.OutputAudio.Plus(b.OutputAudio), OutputImage: a.OutputImage.Plus(b.OutputImage),
	}
}

func addMicros(a, b events.Micros) events.Micros {
	if sum := a + b; sum >= a {
		return sum
	}
	return maxMicros
}

// weaker returns the less certain of two certainties of sums: nothing, charged beside
// something, takes nothing away.
func weaker(a, b charge.Certainty) charge.Certainty {
	for _, c := range []charge.Certainty{ledger.UnknownCost, charge.Estimated, charge.Provider, charge.Exact} {
		if a == c || b == c {
			return c
		}
	}
	return charge.None
}
