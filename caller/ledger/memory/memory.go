package memory

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/weirsdk/weir/caller/ledger"
)

// DefaultKeep is how many ended attempts are kept.
const DefaultKeep = 10_000

// LateFor is how long an attempt that Recover has booked is kept at least, by the clock
// of the machine: a settlement that comes later than that corrects nothing.
const LateFor = 24 * time.Hour

// Options configure a ledger. The zero Options are the defaults.
type Options struct {
	// Keep is how many ended attempts are kept at least, those not counted that are kept
	// for [LateFor]; older ones count in the totals only. Zero means [DefaultKeep], a
	// negative number keeps all.
	Keep int
}

// A Ledger keeps runs and attempts in memory. Make one with [New] or [Load]; the
// zero Ledger is invalid. It is safe for concurrent use.
type Ledger struct {
	keep int

	mu   sync.Mutex
	runs map[string]*book
	// order has the runs and the records as they came.
	order    []*book
	records  []*ledger.Record
	attempts map[string]*ledger.Record
	// ended is how many of the records are, and trimAt how many there may be.
	ended, trimAt int
}

// A book is a run, and what its forgotten attempts add to its totals.
type book struct {
	ledger.Run
	Forgotten ledger.Totals `json:"forgotten"`
}

// view returns the run for others, who may write into it.
func (b *book) view() ledger.Run {
	r := b.Run
	if r.Closed != nil {
		r.Closed = new(*r.Closed)
	}
	return r
}

var _ ledger.Ledger = (*Ledger)(nil)

// New returns an empty ledger.
func New(o Options) *Ledger {
	if o.Keep == 0 {
		o.Keep = DefaultKeep
	}
	return &Ledger{keep: o.Keep, trimAt: 2 * o.Keep, runs: map[string]*book{}, attempts: map[string]*ledger.Record{}}
}

// run returns a run, opened now if there is none.
func (l *Ledger) run(id string, now time.Time) *book {
	b, ok := l.runs[id]
	if !ok {
		b = &book{Run: ledger.NewRun(id, now)}
		l.runs[id] = b
		l.order = append(l.order, b)
	}
	return b
}

// opened returns a run that exists.
func (l *Ledger) opened(id string, now time.Time) (*book, error) {
	if id == "" || id == ledger.NoRun {
		return l.run(ledger.NoRun, now), nil
	}
	b, ok := l.runs[id]
	if !ok {
		return nil, ledger.NotFound("run", id)
	}
	return b, nil
}

// OpenRun opens a run, or finds it.
func (l *Ledger) OpenRun(ctx context.Context, spec ledger.RunSpec) (ledger.Run, error) {
	if err := cmp.Or(ledger.Stopped(ctx), spec.Check()); err != nil {
		return ledger.Run{}, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	b := l.run(spec.ID, now)
	err := b.Open(spec, now)
	return b.view(), err
}

// Renew puts off the end of a lease.
func (l *Ledger) Renew(ctx context.Context, run, owner string, lease time.Duration) error {
	if err := ledger.Stopped(ctx); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	b, err := l.opened(run, now)
	if err != nil {
		return err
	}
	return b.Renew(owner, lease, now)
}

// Release ends a lease.
func (l *Ledger) Release(ctx context.Context, run, owner string) error {
	if err := ledger.Stopped(ctx); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	b, err := l.opened(run, time.Now())
	if err == nil {
		b.Release(owner)
	}
	return err
}

// Reserve admits an attempt.
func (l *Ledger) Reserve(ctx context.Context, r ledger.Reservation) (ledger.Hold, error) {
	if err := cmp.Or(ledger.Stopped(ctx), r.Check()); err != nil {
		return ledger.Hold{}, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	b, err := l.opened(r.Run, now)
	if err != nil {
		return ledger.Hold{}, err
	}
	r.Run = b.ID
	if was, ok := l.attempts[r.Attempt]; ok {
		return b.Again(*was, r)
	}
	hold, err := b.Admit(r, now)
	if err != nil {
		return ledger.Hold{}, err
	}
	record := ledger.NewRecord(r, now)
	l.records = append(l.records, &record)
	l.attempts[r.Attempt] = &record
	return hold, nil
}

// Settle books an attempt.
func (l *Ledger) Settle(ctx context.Context, s ledger.Settlement) error {
	if err := ledger.Stopped(ctx); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	record, ok := l.attempts[s.Attempt]
	if !ok {
		return ledger.NotFound("attempt", s.Attempt)
	}
	was, now := record.Status(), time.Now()
	booked, err := l.runs[record.Run].Book(*record, s, now)
	if err != nil {
		return err
	}
	*record = booked
	if was == ledger.Dispatched {
		l.ended++
		if l.ended > l.trimAt {
			l.trim(now)
		}
	}
	return nil
}

// trim forgets the oldest of the attempts that have ended, but for as many as are kept
// and those that may be settled late. The next time is when there are twice as many, so
// that it costs little for each.
func (l *Ledger) trim(now time.Time) {
	if l.keep < 0 || l.ended <= 2*l.keep {
		return
	}
	late := 0
	for _, r := range l.records {
		if mayBeLate(r, now) {
			late++
		}
	}
	kept := l.records[:0]
	for _, r := range l.records {
		if r.Status() == ledger.Dispatched || l.ended-late <= l.keep || mayBeLate(r, now) {
			kept = append(kept, r)
			continue
		}
		l.ended--
		l.forget(r)
	}
	clear(l.records[len(kept):])
	l.records = kept
	l.trimAt = 2 * max(l.keep, l.ended)
}

// mayBeLate reports whether an attempt was booked though its caller may still settle it.
func mayBeLate(r *ledger.Record, now time.Time) bool {
	return r.Recovered && now.Sub(r.CompletedAt) < LateFor
}

func (l *Ledger) forget(r *ledger.Record) {
	b := l.runs[r.Run]
	b.Forgotten = b.Forgotten.Plus(ledger.TotalsOf(*r))
	delete(l.attempts, r.Attempt)
}

// BeginTool counts a tool call.
func (l *Ledger) BeginTool(ctx context.Context, run, owner string) error {
	if err := ledger.Stopped(ctx); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	b, err := l.opened(run, now)
	if err != nil {
		return err
	}
	return b.AdmitTool(owner, now)
}

// Recover books the attempts whose time is over. In one process they are those
// whose caller hangs, or was lost with its goroutine.
func (l *Ledger) Recover(ctx context.Context) ([]ledger.Record, error) {
	if err := ledger.Stopped(ctx); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	var recovered []ledger.Record
	for _, r := range l.records {
		if booked, ok := l.runs[r.Run].Recover(*r, now); ok {
			*r = booked
			recovered = append(recovered, booked)
			l.ended++
		}
	}
	l.trim(now)
	return recovered, nil
}

// Run returns a run as it is now.
func (l *Ledger) Run(ctx context.Context, id string) (ledger.Run, bool, error) {
	if err := ledger.Stopped(ctx); err != nil {
		return ledger.Run{}, false, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	b, ok := l.runs[id]
	if !ok {
		return ledger.Run{}, false, nil
	}
	return b.view(), true, nil
}

// Runs are all runs, as they are when they are ranged.
func (l *Ledger) Runs(ctx context.Context) iter.Seq2[ledger.Run, error] {
	return func(yield func(ledger.Run, error) bool) {
		if err := ledger.Stopped(ctx); err != nil {
			yield(ledger.Run{}, err)
			return
		}
		l.mu.Lock()
		runs := make([]ledger.Run, len(l.order))
		for i, b := range l.order {
			runs[i] = b.view()
		}
		l.mu.Unlock()
		for _, r := range runs {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// Records are the attempts that match, as they are when they are ranged.
func (l *Ledger) Records(ctx context.Context, match ledger.Filter) iter.Seq2[ledger.Record, error] {
	return func(yield func(ledger.Record, error) bool) {
		if err := ledger.Stopped(ctx); err != nil {
			yield(ledger.Record{}, err)
			return
		}
		l.mu.Lock()
		var found []ledger.Record
		for _, r := range l.records {
			if match.Matches(*r) {
				found = append(found, *r)
			}
		}
		l.mu.Unlock()
		for _, r := range found {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// Forget drops a run with its attempts; it reports whether it did. A run is not dropped
// while an attempt of it is open, or may still be settled late: for [LateFor] after
// Recover has booked it.
func (l *Ledger) Forget(id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, ok := l.runs[id]
	now := time.Now()
	isLate := func(r *ledger.Record) bool { return r.Run == id && mayBeLate(r, now) }
	if !ok || b.Totals.Open > 0 || slices.ContainsFunc(l.records, isLate) {
		return false
	}
	delete(l.runs, id)
	l.order = slices.DeleteFunc(l.order, func(o *book) bool { return o == b })
	l.records = slices.DeleteFunc(l.records, func(r *ledger.Record) bool {
		if r.Run != id {
			return false
		}
		delete(l.attempts, r.Attempt)
		l.ended--
		return true
	})
	return true
}
