package charge

import "github.com/weirsdk/weir/events"

// A row is one row of the table.
type row struct {
	outcome string
	holds   func(*facts) bool
	charge  func(*facts) Charge
}

// rows returns the table. The first row that holds decides.
func rows() []row {
	return []row{
		{
			"Completed, the provider reports its own cost",
			func(f *facts) bool { return f.completed && f.reported.Sane() && f.cost != nil },
			func(f *facts) Charge {
				return Charge{Status: OK, Usage: f.reported, Known: f.reported, Cost: f.cost, Certainty: Provider}
			},
		},
		{
			"Completed, usage sane",
			func(f *facts) bool {
				return f.completed && f.reported.Sane() && isConsistent(f.reported) && f.isTold()
			},
			func(f *facts) Charge { return f.exact(OK) },
		},
		{
			"Completed, usage inconsistent",
			func(f *facts) bool {
				return f.completed && f.reported.Sane() && !isConsistent(f.reported) && f.OnInconsistent != Refuse
			},
			(*facts).filled,
		},
		{
			"Completed, usage partly or wholly unknown",
			func(f *facts) bool { return f.completed && f.reported.Sane() && isConsistent(f.reported) },
			(*facts).filled,
		},
		{"Completed, usage unusable", (*facts).isUnusable, (*facts).unusable},
		{
			"Failed, not_sent",
			func(f *facts) bool { return f.sent() == events.NotSent && f.isUntouched() },
			(*facts).nothing,
		},
		{
			"Failed, a definite HTTP error before any stream",
			func(f *facts) bool { return f.isRefused() && f.failure.Status >= 300 },
			(*facts).nothing,
		},
		{
			"Failed, a 200 that is no stream and whose body is the provider's error",
			(*facts).isRefused,
			(*facts).nothing,
		},
		{
			"Failed after a 2xx began, with final usage reported",
			func(f *facts) bool {
				return f.failure != nil && f.reported.Final && f.reported.Sane() && isConsistent(f.reported) && f.isTold()
			},
			func(f *facts) Charge { return f.exact(Error) },
		},
		{
			"Failed after a 2xx began",
			func(f *facts) bool {
				return !f.isStopped() && (f.failure == nil || f.sent() == events.Answered || f.sent() == events.Served)
			},
			(*facts).ambiguous,
		},
		{
			"Failed, maybe_sent, no answer",
			func(f *facts) bool { return !f.isStopped() },
			(*facts).ambiguous,
		},
		{
			"cancelled or abandoned, where billing stops when the client hangs up",
			(*facts).isCutOff,
			(*facts).cutOff,
		},
		{
			"cancelled or abandoned after dispatch, or a panic in the consumer's loop",
			func(*facts) bool { return true },
			(*facts).ambiguous,
		},
	}
}

// exact charges what was reported.
func (f *facts) exact(s Status) Charge {
	return Charge{Status: s, Usage: f.reported, Known: f.reported, Certainty: Exact}
}

// filled charges what was reported and estimates the rest.
func (f *facts) filled() Charge {
	u := counts(f.reported)
	if !u.Input.IsKnown() {
		u.Input = f.Estimate.Usage().Input
	}
	if !u.Output.IsKnown() || !f.last {
		u.Output = larger(u.Output, f.output())
	}
	return Charge{Status: OK, Usage: widened(u), Known: f.reported, Certainty: Estimated}
}

// output estimates an output that was not reported: what arrived or, where that
// says little, the cap.
func (f *facts) output() events.Count {
	arrived := arrivedTokens(f.Arrived)
	if f.HiddenOutput {
		return larger(arrived, f.Estimate.Usage().Output)
	}
	return arrived
}

// estimate returns the whole estimate. Without a cap the output is what arrived.
func (f *facts) estimate() events.Usage {
	u := f.Estimate.Usage()
	if !u.Output.IsKnown() {
		u.Output = arrivedTokens(f.Arrived)
	}
	return u
}

// unusable charges the estimate and withholds the reply.
func (f *facts) unusable() Charge {
	c := Charge{Status: Error, Usage: f.estimate(), Certainty: Estimated}
	if f.completed {
		c.Replace = events.NewFailure(events.InvalidReply, events.ReasonUnusableUsage, "nobody can tell what the reply cost")
		c.Replace.Sent = events.Served
		c.Replace.Usage.Raw = f.reported.Raw
	}
	return c
}

// nothing charges nothing: every count is known to be zero.
func (f *facts) nothing() Charge {
	zero := events.Known(0)
	u := events.Usage{
		Input: zero, CacheRead: zero, CacheWrite: zero, CacheWriteLong: zero, Output: zero, Thinking: zero,
		InputAudio: zero, InputImage: zero, OutputAudio: zero, OutputImage: zero,
	}
	return Charge{Status: Error, Usage: u, Known: u, Certainty: None}
}

// ambiguous charges the larger of the estimate and what was reported.
func (f *facts) ambiguous() Charge {
	known := believed(f.reported)
	u := counts(known)
	e := f.estimate()
	u.Input, u.Output = larger(u.Input, e.Input), larger(u.Output, e.Output)
	return Charge{Status: Ambiguous, Usage: widened(u), Known: known, Certainty: Estimated}
}

// cutOff charges like ambiguous, but not more output than came and may have been on
// its way.
func (f *facts) cutOff() Charge {
	g := *f
	most := f.Estimate.Usage().Output
	g.Estimate.Output = events.Known(min(most.Or(0), arrivedTokens(f.Arrived).Or(0)+unreadTokens(f.Unread)))
	return g.ambiguous()
}
