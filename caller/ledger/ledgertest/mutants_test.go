package ledgertest

import (
	"context"
	"errors"
	"iter"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
)

func mutants() []mutant {
	return slices.Concat(limitMutants(), statefulMutants(), ownerMutants(), readingMutants(), fidelityMutants())
}

func limitMutants() []mutant {
	return []mutant{
		{"no limit on calls", limiting(func(l *ledger.Limits) { l.MaxCalls = 0 })},
		{"one call more", limiting(func(l *ledger.Limits) { l.MaxCalls++ })},
		{"no limit on tokens", limiting(func(l *ledger.Limits) { l.MaxTotalTokens = 0 })},
		{"no limit on cost", limiting(func(l *ledger.Limits) { l.MaxCost = 0 })},
		{"one microdollar less", limiting(func(l *ledger.Limits) { l.MaxCost = max(0, l.MaxCost-1) })},
		{"no limit on time", limiting(func(l *ledger.Limits) { l.MaxElapsed = 0 })},
		{"no limit on active time", limiting(func(l *ledger.Limits) { l.MaxActive = 0 })},
		{"no limit on tools", limiting(func(l *ledger.Limits) { l.MaxToolCalls = 0 })},
		{"measured is reserved", limiting(func(l *ledger.Limits) { l.Mode = ledger.Reserved })},
		{"reserved is measured", limiting(func(l *ledger.Limits) { l.Mode = ledger.Measured })},
		{"smaller ones are not allowed", limiting(func(l *ledger.Limits) { l.AllowSmaller = false })},
		{"smaller ones always are", limiting(func(l *ledger.Limits) { l.AllowSmaller = true })},
		{"unpriced ones always are", limiting(func(l *ledger.Limits) { l.AllowUnpriced = true })},
		{"unpriced ones never are", limiting(func(l *ledger.Limits) { l.AllowUnpriced = false })},
		{"always a limit", limiting(func(l *ledger.Limits) { l.MaxCost = max(l.MaxCost, 1) })},
		{"the runs are one", func(b *broken) {
			asks(func(r *ledger.Reservation) {
				if r.Run == "s" {
					r.Run = "r"
				}
			})(b)
		}},
		{"invalid runs are made valid", func(b *broken) {
			b.open = func(s ledger.RunSpec) ledger.RunSpec {
				if s.Check() != nil {
					return ledger.RunSpec{ID: "valid"}
				}
				return s
			}
		}},
		{"refusals open the run again", func(b *broken) {
			b.reserving = func(ctx context.Context, l ledger.Ledger, r ledger.Reservation) (ledger.Hold, error) {
				hold, err := l.Reserve(ctx, r)
				if run, ok, _ := l.Run(ctx, r.Run); err != nil && ok && run.Closed != nil {
					limits := run.Limits
					limits.MaxOutputTokensPerCall++
					_, _ = l.OpenRun(ctx, ledger.RunSpec{ID: r.Run, Limits: limits})
					_, _ = l.OpenRun(ctx, ledger.RunSpec{ID: r.Run, Limits: run.Limits})
				}
				return hold, err
			}
		}},
		{"what does not fit is admitted all the same", func(b *broken) {
			b.reserving = func(ctx context.Context, l ledger.Ledger, r ledger.Reservation) (ledger.Hold, error) {
				hold, err := l.Reserve(ctx, r)
				var e *ledger.Exceeded
				if !errors.As(err, &e) || e.Unknown {
					return hold, err
				}
				run, _, _ := l.Run(ctx, r.Run)
				_, _ = l.OpenRun(ctx, ledger.RunSpec{ID: r.Run, Limits: ledger.Limits{MaxCalls: math.MaxInt64}})
				hold, err = l.Reserve(ctx, r)
				_, _ = l.OpenRun(ctx, ledger.RunSpec{ID: r.Run, Limits: run.Limits})
				return hold, err
			}
		}},
	}
}

func statefulMutants() []mutant {
	return []mutant{
		{"reserving again makes another attempt", func(b *broken) {
			seen := map[string]int{}
			var mu sync.Mutex
			b.reserving = func(ctx context.Context, l ledger.Ledger, r ledger.Reservation) (ledger.Hold, error) {
				mu.Lock()
				seen[r.Attempt]++
				r.Attempt += strings.Repeat("'", seen[r.Attempt]-1)
				mu.Unlock()
				return l.Reserve(ctx, r)
			}
		}},
		{"reserving the same again is refused", func(b *broken) {
			seen := map[string]bool{}
			var mu sync.Mutex
			b.reserving = func(ctx context.Context, l ledger.Ledger, r ledger.Reservation) (ledger.Hold, error) {
				mu.Lock()
				defer mu.Unlock()
				if seen[r.Attempt] {
					return ledger.Hold{}, ledger.NotFound("attempt", r.Attempt)
				}
				hold, err := l.Reserve(ctx, r)
				seen[r.Attempt] = err == nil
				return hold, err
			}
		}},
		{"reserving something else passes", func(b *broken) {
			b.reserving = func(ctx context.Context, l ledger.Ledger, r ledger.Reservation) (ledger.Hold, error) {
				hold, err := l.Reserve(ctx, r)
				return hold, swallowed(err, events.ReasonBadParameter)
			}
		}},
		{"a refused id is used up", func(b *broken) {
			refused := map[string]error{}
			var mu sync.Mutex
			b.reserving = func(ctx context.Context, l ledger.Ledger, r ledger.Reservation) (ledger.Hold, error) {
				mu.Lock()
				defer mu.Unlock()
				if err := refused[r.Attempt]; err != nil {
					return ledger.Hold{}, err
				}
				hold, err := l.Reserve(ctx, r)
				refused[r.Attempt] = err
				return hold, err
			}
		}},
		{"an unknown run is opened", func(b *broken) {
			b.reserving = func(ctx context.Context, l ledger.Ledger, r ledger.Reservation) (ledger.Hold, error) {
				if _, ok, _ := l.Run(ctx, r.Run); !ok && r.Run != "" && r.Run != ledger.NoRun {
					_, _ = l.OpenRun(ctx, ledger.RunSpec{ID: r.Run})
				}
				return l.Reserve(ctx, r)
			}
		}},
		{"settling something else passes", func(b *broken) {
			b.settling = func(ctx context.Context, l ledger.Ledger, s ledger.Settlement) error {
				return swallowed(l.Settle(ctx, s), events.ReasonBadParameter)
			}
		}},
		{"settling again is refused", func(b *broken) {
			seen := map[string]bool{}
			var mu sync.Mutex
			b.settling = func(ctx context.Context, l ledger.Ledger, s ledger.Settlement) error {
				mu.Lock()
				defer mu.Unlock()
				if seen[s.Attempt] {
					return ledger.NotFound("attempt", s.Attempt)
				}
				seen[s.Attempt] = true
				return l.Settle(ctx, s)
			}
		}},
		{"nothing is charged beyond the estimate", says(func(s *ledger.Settlement) { s.Cost = min(s.Cost, 100) })},
		{"settlements are lost", func(b *broken) {
			b.settling = func(context.Context, ledger.Ledger, ledger.Settlement) error { return nil }
		}},
		{"everything is said to be known", says(func(s *ledger.Settlement) {
			s.Known, s.CostCertainty, s.KnownCost = s.Usage, charge.Exact, s.Cost
		})},
		{"late settlements are lost", func(b *broken) {
			recovered := map[string]bool{}
			b.recovers = func(ctx context.Context, l ledger.Ledger) ([]ledger.Record, error) {
				records, err := l.Recover(ctx)
				for _, r := range records {
					recovered[r.Attempt] = true
				}
				return records, err
			}
			b.settling = func(ctx context.Context, l ledger.Ledger, s ledger.Settlement) error {
				if recovered[s.Attempt] {
					return nil
				}
				return l.Settle(ctx, s)
			}
		}},
		{"nothing is recovered", func(b *broken) {
			b.recovers = func(context.Context, ledger.Ledger) ([]ledger.Record, error) { return nil, nil }
		}},
		{"everything is recovered", func(b *broken) {
			b.recovers = func(ctx context.Context, l ledger.Ledger) ([]ledger.Record, error) {
				records, err := l.Recover(ctx)
				for r := range l.Records(ctx, ledger.Filter{Status: ledger.Dispatched}) {
					_ = l.Settle(ctx, r.Recovery())
					records = append(records, r)
				}
				return records, err
			}
		}},
		{"what was recovered is told to everybody", func(b *broken) {
			b.recovers = func(ctx context.Context, l ledger.Ledger) ([]ledger.Record, error) {
				if _, err := l.Recover(ctx); err != nil {
					return nil, err
				}
				var all []ledger.Record
				for r := range l.Records(ctx, ledger.Filter{Status: charge.Ambiguous}) {
					all = append(all, r)
				}
				return all, nil
			}
		}},
	}
}

func ownerMutants() []mutant {
	asHolder := func(ctx context.Context, l ledger.Ledger, run string) string {
		found, _, _ := l.Run(ctx, run)
		return found.Owner
	}
	leasing := func(change func(*ledger.RunSpec)) func(*broken) {
		return func(b *broken) {
			b.open = func(s ledger.RunSpec) ledger.RunSpec {
				change(&s)
				return s
			}
		}
	}
	return []mutant{
		{"everybody acts as the holder", func(b *broken) {
			b.reserving = func(ctx context.Context, l ledger.Ledger, r ledger.Reservation) (ledger.Hold, error) {
				r.Owner = asHolder(ctx, l, r.Run)
				return l.Reserve(ctx, r)
			}
		}},
		{"leases last forever", leasing(func(s *ledger.RunSpec) { s.Lease *= 1000 })},
		{"leases are over at once", leasing(func(s *ledger.RunSpec) { s.Lease = min(s.Lease, 1) })},
		{"there are no leases", leasing(func(s *ledger.RunSpec) { s.Owner = "" })},
		{"a lease is everybody's", func(b *broken) {
			b.open = func(s ledger.RunSpec) ledger.RunSpec {
				if s.Owner == "ben" {
					s.Owner = "ann"
				}
				return s
			}
		}},
		{"leases are not renewed", func(b *broken) {
			b.renew = func(context.Context, ledger.Ledger, string, string, time.Duration) error { return nil }
		}},
		{"leases are not released", func(b *broken) {
			b.release = func(context.Context, ledger.Ledger, string, string) error { return nil }
		}},
		{"everybody releases", func(b *broken) {
			b.release = func(ctx context.Context, l ledger.Ledger, run, _ string) error {
				return l.Release(ctx, run, asHolder(ctx, l, run))
			}
		}},
		{"who lost the lease cannot settle", func(b *broken) {
			b.settling = func(ctx context.Context, l ledger.Ledger, s ledger.Settlement) error {
				for r := range l.Records(ctx, ledger.Filter{}) {
					if r.Attempt == s.Attempt && r.Owner != asHolder(ctx, l, r.Run) {
						return ledger.NotFound("attempt", s.Attempt)
					}
				}
				return l.Settle(ctx, s)
			}
		}},
		{"tools are not counted", func(b *broken) {
			b.tool = func(context.Context, ledger.Ledger, string, string) error { return nil }
		}},
	}
}

func readingMutants() []mutant {
	return []mutant{
		{"contexts are ignored", func(b *broken) { b.ctx = context.WithoutCancel }},
		{"no filter of runs", filters(func(f *ledger.Filter) { f.Run = "" })},
		{"no filter of calls", filters(func(f *ledger.Filter) { f.Call = "" })},
		{"no filter of actors", filters(func(f *ledger.Filter) { f.Actor = "" })},
		{"no filter of models", filters(func(f *ledger.Filter) { f.Model = "" })},
		{"no filter of providers", filters(func(f *ledger.Filter) { f.Provider = "" })},
		{"no filter of purposes", filters(func(f *ledger.Filter) { f.Purpose = "" })},
		{"no filter of statuses", filters(func(f *ledger.Filter) { f.Status = "" })},
		{"no filter of times", filters(func(f *ledger.Filter) { f.Since = time.Time{} })},
		{"before is included", filters(func(f *ledger.Filter) {
			if !f.Before.IsZero() {
				f.Before = f.Before.Add(1)
			}
		})},
		{"records come backwards", func(b *broken) { b.records = reversed[ledger.Record] }},
		{"runs come backwards", func(b *broken) { b.runs = reversed[ledger.Run] }},
		{"records can be read once", func(b *broken) {
			b.records = func(pairs iter.Seq2[ledger.Record, error]) iter.Seq2[ledger.Record, error] {
				done := false
				return func(yield func(ledger.Record, error) bool) {
					if !done {
						done = true
						pairs(yield)
					}
				}
			}
		}},
		{"the books can be written into", func(b *broken) {
			closed := map[string]*ledger.Exceeded{}
			b.run = func(r ledger.Run) ledger.Run {
				if r.Closed != nil && closed[r.ID] == nil {
					closed[r.ID] = r.Closed
				}
				r.Closed = closed[r.ID]
				return r
			}
			b.reserving = func(ctx context.Context, l ledger.Ledger, r ledger.Reservation) (ledger.Hold, error) {
				if e := closed[r.Run]; e != nil {
					return ledger.Hold{}, e
				}
				return l.Reserve(ctx, r)
			}
		}},
		{"every run is there", func(b *broken) { b.lookup = func(string) bool { return true } }},
		{"the totals are one call short", func(b *broken) {
			b.runs = func(pairs iter.Seq2[ledger.Run, error]) iter.Seq2[ledger.Run, error] {
				return func(yield func(ledger.Run, error) bool) {
					for r, err := range pairs {
						r.Totals.Calls--
						if !yield(r, err) {
							return
						}
					}
				}
			}
		}},
		{"a record is missing", filters(func(f *ledger.Filter) {
			if f.Since.IsZero() {
				f.Since = time.Now()
			}
		})},
	}
}

func fidelityMutants() []mutant {
	return []mutant{
		{"unknown is zero", says(func(s *ledger.Settlement) {
			if !s.Usage.CacheRead.IsKnown() {
				s.Usage.CacheRead = events.Known(0)
			}
		})},
		{"raw usage is lost", shows(func(r *ledger.Record) { r.Settled.Usage.Raw = "" })},
		{"raw usage is trimmed", shows(func(r *ledger.Record) { r.Settled.Usage.Raw = strings.TrimSpace(r.Settled.Usage.Raw) })},
		{"numbers are floats", shows(func(r *ledger.Record) {
			r.Settled.KnownCost = events.Micros(min(float64(r.Settled.KnownCost), math.MaxInt64/2))
		})},
		{"times of milliseconds", shows(func(r *ledger.Record) { r.Settled.Latency = r.Settled.Latency.Truncate(time.Millisecond) })},
		{"names are cut", shows(func(r *ledger.Record) { r.Actor = events.CutText(r.Actor, 255) })},
		{"names are trimmed", shows(func(r *ledger.Record) { r.Purpose = strings.TrimSpace(r.Purpose) })},
		{"estimates are lost", shows(func(r *ledger.Record) { r.Estimate = events.Usage{} })},
		{"runs forget a limit", tells(func(r *ledger.Run) { r.Limits.MaxOutputTokensPerCall = 0 })},
		{"runs forget their owner", tells(func(r *ledger.Run) { r.Owner = "" })},
		{"sums are cut", tells(func(r *ledger.Run) { r.Totals.Cost.Charged = min(r.Totals.Cost.Charged, 1<<53) })},
		{"runs are opened whenever they are read", tells(func(r *ledger.Run) { r.OpenedAt = time.Now() })},
		{"the hold forgets what is left", func(b *broken) {
			b.reserving = func(ctx context.Context, l ledger.Ledger, r ledger.Reservation) (ledger.Hold, error) {
				hold, err := l.Reserve(ctx, r)
				hold.Left = 0
				return hold, err
			}
		}},
		{"the hold is of now", func(b *broken) {
			b.reserving = func(ctx context.Context, l ledger.Ledger, r ledger.Reservation) (ledger.Hold, error) {
				hold, err := l.Reserve(ctx, r)
				hold.DispatchedAt = time.Now()
				return hold, err
			}
		}},
	}
}
