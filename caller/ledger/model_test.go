package ledger_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
)

// A model is a run kept the slow way: the attempts that are open, those that have
// ended, and nothing added up.
type model struct {
	limits ledger.Limits
	open   []ledger.Reservation
	ended  []ledger.Settlement
	// closed is set from the refusal on that closes the run.
	closed bool
	now    time.Duration
}

// spent returns what was charged, and whether all of it is known.
func (m *model) spent() (tokens, cost int64, active time.Duration, tokensKnown, costKnown bool) {
	tokensKnown, costKnown = true, true
	for _, s := range m.ended {
		tokens += s.Usage.Input.Or(0) + s.Usage.Output.Or(0)
		cost += int64(s.Cost)
		active += s.Latency
		tokensKnown = tokensKnown && s.Status != charge.Ambiguous && s.Known.Input == s.Usage.Input && s.Known.Output == s.Usage.Output && s.Known.Output.IsKnown()
		costKnown = costKnown && s.CostCertainty != charge.Estimated && s.CostCertainty != ledger.UnknownCost
	}
	return tokens, cost, active, tokensKnown, costKnown
}

func (m *model) reserved() (tokens, cost int64) {
	for _, a := range m.open {
		tokens += a.Estimate.Input.Or(0) + a.Estimate.Output.Or(0)
		cost += int64(a.EstimatedCost)
	}
	return tokens, cost
}

// verdict says what becomes of an attempt: admitted, refused, or refused for good.
func (m *model) verdict(a ledger.Reservation) string {
	tokens, cost, active, tokensKnown, costKnown := m.spent()
	openTokens, openCost := m.reserved()
	l, calls := m.limits, int64(len(m.open)+len(m.ended))
	uncapped := !a.Estimate.Output.IsKnown()
	sum := func(most, spent, open, more int64, known bool) string {
		switch {
		case most == 0:
			return "admitted"
		case l.Mode == ledger.Measured && (spent >= most || !known):
			return "closed"
		case l.Mode == ledger.Measured || spent+open+more <= most:
			return "admitted"
		case spent+more > most && !l.AllowSmaller:
			return "closed"
		default:
			return "refused"
		}
	}
	switch {
	case m.closed,
		l.MaxCalls > 0 && calls >= l.MaxCalls,
		l.MaxElapsed > 0 && m.now >= l.MaxElapsed,
		l.MaxActive > 0 && active >= l.MaxActive:
		return "closed"
	case l.Mode == ledger.Reserved && uncapped && (l.MaxTotalTokens > 0 || l.MaxCost > 0):
		return "refused"
	}
	if v := sum(l.MaxTotalTokens, tokens, openTokens, a.Estimate.Input.Or(0)+a.Estimate.Output.Or(0), tokensKnown); v != "admitted" {
		return v
	}
	if l.MaxCost > 0 && !a.Priced && !l.AllowUnpriced {
		return "refused"
	}
	return sum(int64(l.MaxCost), cost, openCost, int64(a.EstimatedCost), costKnown || l.AllowUnpriced)
}

func anyLimits(t *rapid.T) ledger.Limits {
	some := func(name string, most int64) int64 {
		if rapid.Bool().Draw(t, "limit on "+name) {
			return rapid.Int64Range(1, most).Draw(t, name)
		}
		return 0
	}
	return ledger.Limits{
		MaxCalls: some("calls", 30), MaxTotalTokens: some("tokens", 300), MaxCost: events.Micros(some("cost", 300)),
		MaxElapsed: time.Duration(some("elapsed", 100)), MaxActive: time.Duration(some("active", 60)),
		Mode:          rapid.SampledFrom([]ledger.Mode{ledger.Reserved, ledger.Reserved, ledger.Measured}).Draw(t, "mode"),
		AllowUnpriced: rapid.Bool().Draw(t, "unpriced"), AllowSmaller: rapid.Bool().Draw(t, "smaller"),
	}
}

func anyReservation(t *rapid.T, id string) ledger.Reservation {
	a := askingFor(id, rapid.Int64Range(0, 30).Draw(t, "input"), rapid.Int64Range(0, 30).Draw(t, "output"))
	a.Expires = time.Duration(rapid.Int64Range(1, 40).Draw(t, "expires"))
	if rapid.IntRange(0, 9).Draw(t, "capped") == 0 {
		a.Estimate.Output = events.Count{}
		a.EstimatedCost = events.Micros(a.Estimate.Input.Or(0))
	}
	if rapid.IntRange(0, 9).Draw(t, "priced") == 0 {
		a.Priced, a.EstimatedCost = false, 0
	}
	return a
}

// anySettlement charges no more than the estimate.
func anySettlement(t *rapid.T, a ledger.Reservation) ledger.Settlement {
	input := rapid.Int64Range(0, a.Estimate.Input.Or(0)).Draw(t, "used input")
	output := rapid.Int64Range(0, a.Estimate.Output.Or(0)).Draw(t, "used output")
	s := saying(a.Attempt, input, output)
	s.Latency = time.Duration(rapid.Int64Range(0, 9).Draw(t, "latency"))
	s.Status = rapid.SampledFrom([]ledger.Status{charge.OK, charge.Error, charge.Ambiguous}).Draw(t, "status")
	s.Cost = min(s.Cost, a.EstimatedCost)
	s.KnownCost = s.Cost
	switch {
	case !a.Priced:
		s.CostCertainty = ledger.UnknownCost
	case rapid.IntRange(0, 4).Draw(t, "estimated") == 0:
		s.CostCertainty, s.KnownCost = charge.Estimated, 0
		s.Known.Output = events.Count{}
	}
	return s
}

// TestRunAgainstAModel runs random schedules against the model. At every step the
// verdicts are the same, the totals are the sum of the records, what is closed
// stays closed, and a hard limit holds for what is spent and reserved together.
func TestRunAgainstAModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := model{limits: anyLimits(t)}
		run, books := opened(m.limits), map[string]ledger.Record{}
		next := 0
		reserve := func(t *rapid.T) {
			next++
			a := anyReservation(t, fmt.Sprintf("a%d", next))
			want := m.verdict(a)
			_, err := run.Admit(a, at(m.now))
			if want == "admitted" {
				require.NoError(t, err)
				m.open = append(m.open, a)
				books[a.Attempt] = ledger.NewRecord(a, at(m.now))
				return
			}
			var e *ledger.Exceeded
			require.ErrorAs(t, err, &e)
			require.Equal(t, want == "closed", e.Closed, "%+v", e)
			m.closed = m.closed || want == "closed"
		}
		settle := func(t *rapid.T) {
			if len(m.open) == 0 {
				t.Skip("nothing is open")
			}
			i := rapid.IntRange(0, len(m.open)-1).Draw(t, "which")
			a := m.open[i]
			s := anySettlement(t, a)
			booked, err := run.Book(books[a.Attempt], s, at(m.now))
			require.NoError(t, err)
			books[a.Attempt] = booked
			m.open = slices.Delete(m.open, i, i+1)
			m.ended = append(m.ended, s)
		}
		recoverAll := func(t *rapid.T) {
			for _, a := range slices.Clone(m.open) {
				expired := at(m.now).Sub(books[a.Attempt].DispatchedAt) >= a.Expires
				booked, ok := run.Recover(books[a.Attempt], at(m.now))
				require.Equal(t, expired, ok)
				if ok {
					books[a.Attempt] = booked
					m.open = slices.DeleteFunc(m.open, func(o ledger.Reservation) bool { return o.Attempt == a.Attempt })
					m.ended = append(m.ended, booked.Settled)
				}
			}
		}
		correct := func(t *rapid.T) {
			i := slices.IndexFunc(m.ended, func(s ledger.Settlement) bool { return books[s.Attempt].Recovered })
			if i < 0 {
				t.Skip("nothing was recovered")
			}
			record := books[m.ended[i].Attempt]
			s := anySettlement(t, record.Reservation)
			booked, err := run.Book(record, s, at(m.now))
			require.NoError(t, err)
			books[s.Attempt] = booked
			m.ended[i] = s
		}
		again := func(t *rapid.T) {
			was := run
			for id, record := range books {
				_, err := run.Again(record, record.Reservation)
				require.NoError(t, err)
				if record.Status() != ledger.Dispatched && !record.Recovered {
					same, err := run.Book(record, record.Settled, at(m.now+1))
					require.NoError(t, err)
					require.Equal(t, record, same, id)
				}
			}
			require.Equal(t, was, run)
		}
		t.Repeat(map[string]func(*rapid.T){
			"reserve": reserve, "reserve more": reserve, "settle": settle, "recover": recoverAll, "correct": correct, "again": again,
			"wait": func(t *rapid.T) { m.now += time.Duration(rapid.Int64Range(1, 20).Draw(t, "wait")) },
			"": func(t *rapid.T) {
				var sum ledger.Totals
				for _, r := range books {
					require.NoError(t, r.Check())
					sum = sum.Plus(ledger.TotalsOf(r))
				}
				require.Equal(t, sum, run.Totals, "the totals are the sum of the records")
				require.Equal(t, m.closed, run.Closed != nil)
				if l := run.Limits; l.Mode == ledger.Reserved {
					require.True(t, l.MaxTotalTokens == 0 || run.Totals.SpentTokens() <= l.MaxTotalTokens)
					require.True(t, l.MaxCost == 0 || run.Totals.SpentCost() <= l.MaxCost)
				}
				require.True(t, run.Limits.MaxCalls == 0 || run.Totals.Calls <= run.Limits.MaxCalls)
			},
		})
	})
}
