package ledgertest

import (
	"context"
	"iter"
	"slices"
	"time"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
)

// A broken ledger changes what goes into another one and what comes out. Nil
// functions change nothing.
type broken struct {
	ledger.Ledger
	open      func(ledger.RunSpec) ledger.RunSpec
	reserving func(ctx context.Context, l ledger.Ledger, r ledger.Reservation) (ledger.Hold, error)
	settling  func(ctx context.Context, l ledger.Ledger, s ledger.Settlement) error
	tool      func(ctx context.Context, l ledger.Ledger, run, owner string) error
	renew     func(ctx context.Context, l ledger.Ledger, run, owner string, d time.Duration) error
	release   func(ctx context.Context, l ledger.Ledger, run, owner string) error
	recovers  func(ctx context.Context, l ledger.Ledger) ([]ledger.Record, error)
	filter    func(ledger.Filter) ledger.Filter
	run       func(ledger.Run) ledger.Run
	record    func(ledger.Record) ledger.Record
	records   func(iter.Seq2[ledger.Record, error]) iter.Seq2[ledger.Record, error]
	runs      func(iter.Seq2[ledger.Run, error]) iter.Seq2[ledger.Run, error]
	// lookup answers for a run that is not there.
	lookup func(id string) bool
	// ctx is what becomes of a context.
	ctx func(context.Context) context.Context
}

func (b *broken) context(ctx context.Context) context.Context {
	if b.ctx != nil {
		return b.ctx(ctx)
	}
	return ctx
}

func (b *broken) OpenRun(ctx context.Context, s ledger.RunSpec) (ledger.Run, error) {
	if b.open != nil {
		s = b.open(s)
	}
	run, err := b.Ledger.OpenRun(b.context(ctx), s)
	if b.run != nil {
		run = b.run(run)
	}
	return run, err
}

func (b *broken) Reserve(ctx context.Context, r ledger.Reservation) (ledger.Hold, error) {
	if b.reserving != nil {
		return b.reserving(b.context(ctx), b.Ledger, r)
	}
	return b.Ledger.Reserve(b.context(ctx), r)
}

func (b *broken) Settle(ctx context.Context, s ledger.Settlement) error {
	if b.settling != nil {
		return b.settling(b.context(ctx), b.Ledger, s)
	}
	return b.Ledger.Settle(b.context(ctx), s)
}

func (b *broken) BeginTool(ctx context.Context, run, owner string) error {
	if b.tool != nil {
		return b.tool(b.context(ctx), b.Ledger, run, owner)
	}
	return b.Ledger.BeginTool(b.context(ctx), run, owner)
}

func (b *broken) Renew(ctx context.Context, run, owner string, d time.Duration) error {
	if b.renew != nil {
		return b.renew(b.context(ctx), b.Ledger, run, owner, d)
	}
	return b.Ledger.Renew(b.context(ctx), run, owner, d)
}

func (b *broken) Release(ctx context.Context, run, owner string) error {
	if b.release != nil {
		return b.release(b.context(ctx), b.Ledger, run, owner)
	}
	return b.Ledger.Release(b.context(ctx), run, owner)
}

func (b *broken) Recover(ctx context.Context) ([]ledger.Record, error) {
	if b.recovers != nil {
		return b.recovers(b.context(ctx), b.Ledger)
	}
	return b.Ledger.Recover(b.context(ctx))
}

func (b *broken) Run(ctx context.Context, id string) (ledger.Run, bool, error) {
	run, ok, err := b.Ledger.Run(b.context(ctx), id)
	if b.run != nil {
		run = b.run(run)
	}
	if b.lookup != nil {
		ok = ok || b.lookup(id)
	}
	return run, ok, err
}

func (b *broken) Runs(ctx context.Context) iter.Seq2[ledger.Run, error] {
	runs := b.Ledger.Runs(b.context(ctx))
	if b.runs != nil {
		runs = b.runs(runs)
	}
	return runs
}

func (b *broken) Records(ctx context.Context, f ledger.Filter) iter.Seq2[ledger.Record, error] {
	if b.filter != nil {
		f = b.filter(f)
	}
	records := b.Ledger.Records(b.context(ctx), f)
	if b.records != nil {
		records = b.records(records)
	}
	if b.record == nil {
		return records
	}
	return func(yield func(ledger.Record, error) bool) {
		for r, err := range records {
			if !yield(b.record(r), err) {
				return
			}
		}
	}
}

// A mutant is a way to break a ledger.
type mutant struct {
	name string
	harm func(b *broken)
}

// isShared reports whether a mutant is run with the cases in which many share, which
// take their time.
func (m mutant) isShared() bool {
	return slices.Contains([]string{"what does not fit is admitted all the same", "settling something else passes", "nothing is kept"}, m.name)
}

func limiting(change func(*ledger.Limits)) func(*broken) {
	return func(b *broken) {
		b.open = func(s ledger.RunSpec) ledger.RunSpec {
			change(&s.Limits)
			return s
		}
	}
}

func asks(change func(*ledger.Reservation)) func(*broken) {
	return func(b *broken) {
		b.reserving = func(ctx context.Context, l ledger.Ledger, r ledger.Reservation) (ledger.Hold, error) {
			change(&r)
			return l.Reserve(ctx, r)
		}
	}
}

func says(change func(*ledger.Settlement)) func(*broken) {
	return func(b *broken) {
		b.settling = func(ctx context.Context, l ledger.Ledger, s ledger.Settlement) error {
			change(&s)
			return l.Settle(ctx, s)
		}
	}
}

func filters(change func(*ledger.Filter)) func(*broken) {
	return func(b *broken) {
		b.filter = func(f ledger.Filter) ledger.Filter {
			change(&f)
			return f
		}
	}
}

func shows(change func(*ledger.Record)) func(*broken) {
	return func(b *broken) {
		b.record = func(r ledger.Record) ledger.Record {
			change(&r)
			return r
		}
	}
}

func tells(change func(*ledger.Run)) func(*broken) {
	return func(b *broken) {
		b.run = func(r ledger.Run) ledger.Run {
			change(&r)
			return r
		}
	}
}

// reversed gives pairs the other way round.
func reversed[T any](pairs iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var all []T
		for v, err := range pairs {
			if err != nil {
				yield(v, err)
				return
			}
			all = append(all, v)
		}
		for _, v := range slices.Backward(all) {
			if !yield(v, nil) {
				return
			}
		}
	}
}

// swallowed hides failures of a reason.
func swallowed(err error, reason events.Reason) error {
	if f, ok := events.AsFailure(err); ok && f.Reason == reason {
		return nil
	}
	return err
}
