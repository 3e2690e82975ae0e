package sqlledger

import (
	"cmp"
	"context"
	"time"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
)

func badParameter(detail string) error {
	f := events.NewFailure(events.InvalidRequest, events.ReasonBadParameter, detail)
	f.Sent = events.NotSent
	return f
}

// A terms is what an entry says of a run that was opened.
type terms struct {
	Limits     ledger.Limits `json:"limits"`
	Owner      string        `json:"owner,omitempty"`
	LeaseUntil time.Time     `json:"lease_until,omitzero"`
}

func termsOf(r ledger.Run) terms { return terms{r.Limits, r.Owner, r.LeaseUntil} }

// OpenRun opens a run, or finds it.
func (l *Ledger) OpenRun(ctx context.Context, spec ledger.RunSpec) (ledger.Run, error) {
	if err := cmp.Or(ledger.Stopped(ctx), spec.Check()); err != nil {
		return ledger.Run{}, err
	}
	var run ledger.Run
	err := l.change(ctx, subject{run: spec.ID, opens: true}, func(_ context.Context, c *change) error {
		was := termsOf(c.run)
		err := c.run.Open(spec, c.now)
		run = c.run
		switch {
		case err != nil:
			return err
		case c.fresh:
			return c.log(kindOpened, "", termsOf(run))
		case was.Limits != run.Limits:
			return c.log(kindLimits, "", termsOf(run))
		case was != termsOf(run):
			return c.log(kindLeased, "", termsOf(run))
		default:
			return nil
		}
	})
	if err != nil {
		return ledger.Run{}, err
	}
	return run, nil
}

// Renew puts off the end of a lease.
func (l *Ledger) Renew(ctx context.Context, run, owner string, lease time.Duration) error {
	return l.change(ctx, subject{run: run}, func(_ context.Context, c *change) error {
		if err := c.run.Renew(owner, lease, c.now); err != nil {
			return err
		}
		return c.log(kindRenewed, "", termsOf(c.run))
	})
}

// Release ends a lease.
func (l *Ledger) Release(ctx context.Context, run, owner string) error {
	return l.change(ctx, subject{run: run}, func(_ context.Context, c *change) error {
		was := termsOf(c.run)
		if c.run.Release(owner); was == termsOf(c.run) {
			return nil
		}
		return c.log(kindReleased, "", termsOf(c.run))
	})
}

// Reserve admits an attempt.
func (l *Ledger) Reserve(ctx context.Context, r ledger.Reservation) (ledger.Hold, error) {
	if err := cmp.Or(ledger.Stopped(ctx), r.Check()); err != nil {
		return ledger.Hold{}, err
	}
	if r.Run == "" {
		r.Run = ledger.NoRun
	}
	var hold ledger.Hold
	err := l.change(ctx, subject{run: r.Run, attempt: r.Attempt}, func(ctx context.Context, c *change) error {
		var err error
		if c.present {
			hold, err = c.run.Again(c.record, r)
			return err
		}
		if hold, err = c.run.Admit(r, c.now); err != nil {
			return err
		}
		return c.put(ctx, kindReserved, ledger.NewRecord(r, c.now))
	})
	if err != nil {
		return ledger.Hold{}, err
	}
	return hold, nil
}

// Settle books an attempt.
func (l *Ledger) Settle(ctx context.Context, s ledger.Settlement) error {
	if s.Attempt == "" {
		return ledger.NotFound("attempt", s.Attempt)
	}
	return l.change(ctx, subject{attempt: s.Attempt}, func(ctx context.Context, c *change) error {
		booked, err := c.run.Book(c.record, s, c.now)
		if err != nil || booked == c.record {
			return err
		}
		kind := kindSettled
		if c.record.Recovered {
			kind = kindCorrected
		}
		return c.put(ctx, kind, booked)
	})
}

// BeginTool counts a tool call.
func (l *Ledger) BeginTool(ctx context.Context, run, owner string) error {
	return l.change(ctx, subject{run: run}, func(ctx context.Context, c *change) error {
		if done, err := c.did(ctx, kindTool); done || err != nil {
			return err
		}
		if err := c.run.AdmitTool(owner, c.now); err != nil {
			return err
		}
		return c.log(kindTool, "", map[string]int64{"tool_calls": c.run.ToolCalls})
	})
}

// did reports whether an earlier try of the call was committed though its answer
// was lost, so that it is not done twice.
func (c *change) did(ctx context.Context, kind string) (bool, error) {
	if !c.again {
		return false, nil
	}
	var times int
	err := c.tx.QueryRowContext(ctx, `SELECT count(*) FROM weir_log WHERE run = $1 AND operation = $2 AND kind = $3`, c.run.ID, c.operation, kind).Scan(&times)
	return times > 0, err
}
