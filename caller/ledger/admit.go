package ledger

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/weirsdk/weir/caller/charge"
)

// Check returns what is wrong with the reservation, a failure of kind
// invalid_request and reason bad_parameter, or nil.
func (r Reservation) Check() error {
	switch {
	case r.Attempt == "":
		return bad("an attempt needs an id")
	case !areNames(r.Attempt, r.Run, r.Owner, r.Call, r.Actor, r.Purpose, r.Provider, r.Model):
		return bad("the names of an attempt are UTF-8 without a zero byte, at most " + strconv.Itoa(MaxName) + " bytes")
	case !utf8.ValidString(r.Estimate.Raw):
		return bad("the text of an estimate is not UTF-8")
	case !r.Estimate.Sane() || r.EstimatedCost < 0 || !r.Priced && r.EstimatedCost != 0:
		return bad("an estimate is negative or too large, or has a cost without a price")
	default:
		return nil
	}
}

// Admit reserves an attempt, or says what refuses it and leaves the run as it is
// but for closing it.
//
// The lease has to be held. A closed run refuses with the refusal that closed it.
// Calls, elapsed and active refuse at their limit; tokens and cost refuse above it,
// the estimate counted in, or in a measured run at it. A refusal that is owed only
// to what others have reserved, and may not use, does not close the run; nor does
// one for a request without an output cap, or without a price.
func (r *Run) Admit(a Reservation, now time.Time) (Hold, error) {
	if err := a.Check(); err != nil {
		return Hold{}, err
	}
	if err := r.holds(a.Owner, now); err != nil {
		return Hold{}, err
	}
	if e := r.refusal(a, now); e != nil {
		return Hold{}, e
	}
	r.Totals = r.Totals.Plus(TotalsOf(NewRecord(a, now)))
	return Hold{DispatchedAt: now, Left: r.left(now)}, nil
}

// refusal returns what refuses an attempt, or nil.
func (r *Run) refusal(a Reservation, now time.Time) *Exceeded {
	if r.Closed != nil {
		return r.closing()
	}
	for _, check := range []func(Reservation, time.Time) *Exceeded{r.checkCalls, r.checkTime, r.checkTokens, r.checkCost} {
		e := check(a, now)
		if e == nil {
			continue
		}
		e.Run = r.ID
		if e.Closed {
			r.close(e)
		}
		return e
	}
	return nil
}

// close keeps a copy of the refusal, so that nobody who is handed it changes it.
func (r *Run) close(e *Exceeded) { r.Closed = new(*e) }

func (r *Run) closing() *Exceeded { return new(*r.Closed) }

func (r *Run) checkCalls(Reservation, time.Time) *Exceeded {
	if most := r.Limits.MaxCalls; most > 0 && r.Totals.Calls >= most {
		return &Exceeded{Limit: LimitCalls, Value: r.Totals.Calls, Max: most, Closed: true}
	}
	return nil
}

func (r *Run) checkTime(_ Reservation, now time.Time) *Exceeded {
	l := r.Limits
	if elapsed := now.Sub(r.OpenedAt); l.MaxElapsed > 0 && elapsed >= l.MaxElapsed {
		return &Exceeded{Limit: LimitElapsed, Value: int64(elapsed), Max: int64(l.MaxElapsed), Closed: true}
	}
	if l.MaxActive > 0 && r.Totals.Active >= l.MaxActive {
		return &Exceeded{Limit: LimitActive, Value: int64(r.Totals.Active), Max: int64(l.MaxActive), Closed: true}
	}
	return nil
}

func (r *Run) checkTokens(a Reservation, _ time.Time) *Exceeded {
	output, capped := a.Estimate.Output.Get()
	if most := int64(r.Limits.MaxOutputTokensPerCall); most > 0 && (!capped || output > most) {
		return &Exceeded{Limit: LimitOutput, Value: output, Max: most, Unknown: !capped}
	}
	if r.Limits.needsCap() && (!a.Estimate.Input.IsKnown() || !a.Estimate.Output.IsKnown()) {
		limit, most := LimitTokens, r.Limits.MaxTotalTokens
		if most == 0 {
			limit, most = LimitCost, int64(r.Limits.MaxCost)
		}
		return &Exceeded{Limit: limit, Max: most, Unknown: true}
	}
	return r.checkSum(LimitTokens, r.Limits.MaxTotalTokens, asked{r.Totals.Tokens, r.Totals.OpenTokens, a.tokens()})
}

func (r *Run) checkCost(a Reservation, _ time.Time) *Exceeded {
	most := int64(r.Limits.MaxCost)
	if most > 0 && !a.Priced && !r.Limits.AllowUnpriced {
		return &Exceeded{Limit: LimitCost, Max: most, Unknown: true, Unpriced: true, Model: a.Model}
	}
	return r.checkSum(LimitCost, most, asked{r.Totals.Cost, int64(r.Totals.OpenCost), int64(a.EstimatedCost)})
}

// asked is what stands against a limit: what is spent, what is reserved, and what
// an attempt reserves.
type asked struct {
	spent      Sum
	open, more int64
}

// checkSum checks a limit on a sum.
func (r *Run) checkSum(limit Limit, most int64, a asked) *Exceeded {
	spent := a.spent
	switch {
	case most == 0:
		return nil
	case r.Limits.Mode != Measured:
		value := plus(plus(spent.Charged, a.open), a.more)
		if value <= most {
			return nil
		}
		owed := plus(spent.Charged, a.more) > most
		return &Exceeded{Limit: limit, Value: value, Max: most, Reserved: a.open, Closed: owed && !r.Limits.AllowSmaller}
	case spent.Charged >= most:
		return &Exceeded{Limit: limit, Value: spent.Charged, Max: most, Closed: true}
	case !spent.IsComplete() && !r.mayBeUnpriced(limit):
		return &Exceeded{Limit: limit, Value: spent.Charged, Max: most, Unknown: true, Closed: true}
	default:
		return nil
	}
}

// mayBeUnpriced reports whether the costs of a run may be unknown by its own word.
func (r *Run) mayBeUnpriced(limit Limit) bool { return limit == LimitCost && r.Limits.AllowUnpriced }

// left returns how long an attempt that is admitted now may take; zero for no
// limit.
func (r *Run) left(now time.Time) time.Duration {
	if r.Limits.MaxElapsed <= 0 {
		return 0
	}
	return max(r.Limits.MaxElapsed-now.Sub(r.OpenedAt), 1)
}

// AdmitTool counts a tool call, or says what refuses it: the lease, a closed run,
// the time, MaxToolCalls.
func (r *Run) AdmitTool(owner string, now time.Time) error {
	if err := r.holds(owner, now); err != nil {
		return err
	}
	if r.Closed != nil {
		return r.closing()
	}
	e := r.checkTime(Reservation{}, now)
	if most := r.Limits.MaxToolCalls; e == nil && most > 0 && r.ToolCalls >= most {
		e = &Exceeded{Limit: LimitToolCalls, Value: r.ToolCalls, Max: most, Closed: true}
	}
	if e == nil {
		r.ToolCalls++
		return nil
	}
	e.Run = r.ID
	r.close(e)
	return e
}

// Book ends an attempt: it returns its record as settled now and moves it in the
// totals from open to ended. A record that Recover has booked is corrected. For a
// record that was settled before, it returns the record as it is, and an error of
// invalid_request/bad_parameter when the settlement says something else.
func (r *Run) Book(record Record, s Settlement, now time.Time) (Record, error) {
	s = s.kept()
	if err := s.check(record); err != nil {
		return record, err
	}
	if record.Status() != Dispatched && !record.Recovered {
		if record.Settled != s {
			return record, bad("the attempt " + quoted(s.Attempt) + " is settled already")
		}
		return record, nil
	}
	return r.complete(record, s, now), nil
}

// Recover ends an attempt that nobody settled, if its time is over; it reports
// whether it did.
func (r *Run) Recover(record Record, now time.Time) (Record, bool) {
	if record.Status() != Dispatched || now.Before(record.ExpiresAt) {
		return record, false
	}
	record = r.complete(record, record.Recovery(), now)
	record.Recovered = true
	return record, true
}

func (r *Run) complete(record Record, s Settlement, now time.Time) Record {
	was := TotalsOf(record)
	record.Settled, record.CompletedAt, record.Recovered = s, now, false
	r.Totals = r.Totals.Minus(was).Plus(TotalsOf(record))
	return record
}

func (s Settlement) check(record Record) error {
	switch {
	case s.Attempt != record.Attempt:
		return bad("the settlement is of another attempt")
	case s.Status != charge.OK && s.Status != charge.Error && s.Status != charge.Ambiguous:
		return bad("an attempt ends ok, error or ambiguous")
	case !s.Usage.Sane() || !s.Known.Sane() || s.Cost < 0 || s.KnownCost < 0:
		return bad("a charge is negative or too large")
	default:
		return nil
	}
}

// kept returns the settlement as every store can keep it: what a provider wrote is
// made UTF-8, what is none replaced by U+FFFD; so is a zero byte, but in usage, which
// stays as it came.
func (s Settlement) kept() Settlement {
	for _, text := range []*string{
		&s.Usage.Raw, &s.Known.Raw, &s.CostText, &s.Outcome, &s.Answered, &s.RequestID,
		(*string)(&s.FailureKind), (*string)(&s.FailureReason), (*string)(&s.Certainty), (*string)(&s.CostCertainty),
	} {
		*text = strings.ToValidUTF8(*text, "\uFFFD")
		if text != &s.Usage.Raw && text != &s.Known.Raw {
			*text = strings.ReplaceAll(*text, "\x00", "\uFFFD")
		}
	}
	return s
}

// Again returns the Hold of an attempt that is reserved a second time, which
// happens when the answer to the first was lost; invalid_request/bad_parameter when
// the two say something else.
func (r *Run) Again(was Record, a Reservation) (Hold, error) {
	if was.Reservation != a {
		return Hold{}, bad("the attempt " + quoted(a.Attempt) + " is reserved already")
	}
	return Hold{DispatchedAt: was.DispatchedAt, Left: r.left(was.DispatchedAt)}, nil
}
