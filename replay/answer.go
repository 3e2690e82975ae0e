package replay

import "github.com/weirsdk/weir/events"

// isAnswer reports whether an exchange is worth keeping more than one that is not:
// the model said something, or the provider completed or refused what was asked.
// What else may come (no connection, no right, no time, no capacity, a page that is
// no reply) says nothing of the request.
func isAnswer(evs []timed) bool {
	for _, ev := range evs {
		if ev.Kind.IsContent() || ev.Kind == events.Completed {
			return true
		}
		if f, failed := ev.Failure(); failed {
			return isRefusal(f)
		}
	}
	return false
}

// isRefusal reports whether the provider refused a request for what is in it.
func isRefusal(f *events.Failure) bool {
	if f.Kind != events.Rejected || f.Sent == events.NotSent {
		return false
	}
	switch f.Reason {
	case events.ReasonAuth, events.ReasonPermission, events.ReasonBilling, events.ReasonQuota,
		events.ReasonNotFound, events.ReasonRedirect:
		return false
	default:
		return true
	}
}

// isAnswer is isAnswer of what was recorded. What cannot be read may be one.
func (r *recording) isAnswer() bool {
	d, problem := r.decode()
	return problem != "" || d.newer || isAnswer(d.events)
}

// answered returns the recordings of a key when one of them may have an answer.
func (s shelf) answered(key string) ([]string, *events.Failure) {
	places, f := s.placesOf(key)
	if f != nil {
		return nil, f
	}
	var names []string
	found := false
	for _, p := range places {
		names = append(names, p.file())
		if !found {
			rec, f := s.read(p)
			found = f != nil || rec != nil && rec.isAnswer()
		}
	}
	if !found {
		return nil, nil
	}
	return names, nil
}
