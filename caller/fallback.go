package caller

import (
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// models asks one model after the other, beginning with the one that answered last, and
// returns how the last one ended that could take the request.
func (s *session) models(req request.Request, yield func(events.Event) bool) outcome {
	o := s.ask(req, yield)
	for s.asked < len(s.caller.models)-1 && s.fallsBack(o) {
		s.drop(o)
		o = s.fallBack(o, req, yield)
	}
	return o
}

// ask asks the model whose turn it is.
func (s *session) ask(req request.Request, yield func(events.Event) bool) outcome {
	if s.asked > 0 {
		// Another provider's data is of no use to this one.
		req.Foreign = request.ForeignDrop
	}
	return s.tries(s.caller.models[s.asked], req, yield)
}

// fallBack asks the models after one that failed until one can take the request, and
// returns how that one ended. When none can, the call ends as it had without them: what
// it failed of is the failure, and not that nobody could help.
func (s *session) fallBack(failed outcome, req request.Request, yield func(events.Event) bool) outcome {
	last, failure := s.last, failed.failure
	for s.asked < len(s.caller.models)-1 {
		s.asked++
		s.observe(s.ctx, Step{Kind: StepFellBack, Model: s.caller.models[s.asked].Name(), Failure: failure})
		o := s.ask(req, yield)
		if !s.cannotTake(o) {
			return o
		}
		failure = o.failure
		s.dropped = append(s.dropped, events.NewNotice(events.NoticeAttemptFailed, o.refusal()))
		failed.delivery.tell(events.NoticeAttemptFailed, o.refusal())
	}
	s.last = last
	return failed
}

// fallsBack reports whether the next model is to be asked.
func (s *session) fallsBack(o outcome) bool {
	f := o.failure
	if f == nil || s.nested || s.delivered(o) || isOutOfTime(f) || !isUnavailable(f) && f.Kind != events.InvalidRequest {
		return false
	}
	configured := s.caller.config.FallbackOn
	return f.Retryable() || configured != nil && configured(f)
}

// cannotTake reports whether a model refused the request before anything was sent.
func (s *session) cannotTake(o outcome) bool {
	return o.failure != nil && o.failure.Kind == events.InvalidRequest && !s.delivered(o)
}

// refusal says which model cannot take the request, and why.
func (o outcome) refusal() string {
	if !o.made {
		return o.failure.Error() // it names the model already
	}
	return o.model + ": " + o.failure.Error()
}

// ofModel returns a refusal of a request with the name of the model that it is of.
func ofModel(f *events.Failure, model string) *events.Failure {
	if f.Kind != events.InvalidRequest {
		return f
	}
	named := *f
	named.Detail = events.CleanDetail(model + ": " + f.Detail)
	return &named
}
