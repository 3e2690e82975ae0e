package ledger_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
)

func TestAdmit(t *testing.T) {
	t.Parallel()
	withOpen := func(r ledger.Run) ledger.Run {
		_, err := r.Admit(asking("open"), at(0))
		require.NoError(t, err)
		return r
	}
	unknown := func(l ledger.Limits) ledger.Run {
		r := opened(l)
		r.Totals.Cost, r.Totals.Tokens = ledger.Sum{Charged: 3, Unknown: 1}, ledger.Sum{Charged: 3, Unknown: 1}
		return r
	}
	unpriced := func(a ledger.Reservation) ledger.Reservation {
		a.Priced, a.EstimatedCost = false, 0
		return a
	}
	uncapped := asking("a")
	uncapped.Estimate.Output = events.Count{}
	unsized := asking("a")
	unsized.Estimate.Input = events.Count{}
	cost, tokens := ledger.Limits{MaxCost: 100}, ledger.Limits{MaxTotalTokens: 100}
	smaller := ledger.Limits{MaxCost: 100, AllowSmaller: true}
	measured := ledger.Limits{MaxCost: 100, MaxTotalTokens: 200, Mode: ledger.Measured}
	rows := []struct {
		why  string
		run  ledger.Run
		ask  ledger.Reservation
		when time.Duration
		want *ledger.Exceeded // nil: admitted
	}{
		{"no limits", opened(ledger.Limits{}), uncapped, 0, nil},
		{"calls: the last one", opened(ledger.Limits{MaxCalls: 1}), asking("a"), 0, nil},
		{
			"calls: at the limit, open ones counted", withOpen(opened(ledger.Limits{MaxCalls: 1})), asking("a"), 0,
			&ledger.Exceeded{Run: "r", Limit: ledger.LimitCalls, Value: 1, Max: 1, Closed: true},
		},
		{"elapsed: before it", opened(ledger.Limits{MaxElapsed: time.Minute}), asking("a"), time.Minute - 1, nil},
		{
			"elapsed: at it", opened(ledger.Limits{MaxElapsed: time.Minute}), asking("a"), time.Minute,
			&ledger.Exceeded{Run: "r", Limit: ledger.LimitElapsed, Value: int64(time.Minute), Max: int64(time.Minute), Closed: true},
		},
		{"active: before it", spent(ledger.Limits{MaxActive: time.Second + 1}, 1), asking("a"), 0, nil},
		{
			"active: at it", spent(ledger.Limits{MaxActive: time.Second}, 1), asking("a"), 0,
			&ledger.Exceeded{Run: "r", Limit: ledger.LimitActive, Value: int64(time.Second), Max: int64(time.Second), Closed: true},
		},
		{"tokens: just fits", spent(tokens, 70), asking("a"), 0, nil},
		{
			"tokens: one too many", spent(tokens, 71), asking("a"), 0,
			&ledger.Exceeded{Run: "r", Limit: ledger.LimitTokens, Value: 101, Max: 100, Closed: true},
		},
		{"tokens: just fits beside an open one", withOpen(spent(tokens, 40)), asking("a"), 0, nil},
		{
			"tokens: only an open one is in the way, so the run stays open", withOpen(spent(tokens, 41)), asking("a"), 0,
			&ledger.Exceeded{Run: "r", Limit: ledger.LimitTokens, Value: 101, Max: 100, Reserved: 30},
		},
		{
			"tokens without a cap", opened(tokens), uncapped, 0,
			&ledger.Exceeded{Run: "r", Limit: ledger.LimitTokens, Max: 100, Unknown: true},
		},
		{
			"tokens with a prompt of unknown size", opened(tokens), unsized, 0,
			&ledger.Exceeded{Run: "r", Limit: ledger.LimitTokens, Max: 100, Unknown: true},
		},
		{"tokens without a price", opened(tokens), unpriced(asking("a")), 0, nil},
		{"cost: just fits", spent(cost, 70), asking("a"), 0, nil},
		{
			"cost: one microdollar too many", spent(cost, 71), asking("a"), 0,
			&ledger.Exceeded{Run: "r", Limit: ledger.LimitCost, Value: 101, Max: 100, Closed: true},
		},
		{
			"cost: only an open one is in the way", withOpen(spent(cost, 41)), asking("a"), 0,
			&ledger.Exceeded{Run: "r", Limit: ledger.LimitCost, Value: 101, Max: 100, Reserved: 30},
		},
		{
			"cost: a smaller one may fit", spent(smaller, 71), asking("a"), 0,
			&ledger.Exceeded{Run: "r", Limit: ledger.LimitCost, Value: 101, Max: 100},
		},
		{
			"cost without a cap", opened(cost), uncapped, 0,
			&ledger.Exceeded{Run: "r", Limit: ledger.LimitCost, Max: 100, Unknown: true},
		},
		{
			"cost without a price", opened(cost), unpriced(asking("a")), 0,
			&ledger.Exceeded{Run: "r", Limit: ledger.LimitCost, Max: 100, Unknown: true, Unpriced: true, Model: "p:m"},
		},
		{"cost without a price, allowed", opened(ledger.Limits{MaxCost: 100, AllowUnpriced: true}), unpriced(asking("a")), 0, nil},
		{
			"more was charged than fits", spent(cost, 250), askingFor("a", 0, 0), 0,
			&ledger.Exceeded{Run: "r", Limit: ledger.LimitCost, Value: 250, Max: 100, Closed: true},
		},
		{
			"sums saturate", spent(ledger.Limits{MaxCost: math.MaxInt64 - 1}, events.MaxCount),
			ledger.Reservation{Attempt: "a", Estimate: inOut(1, 1), EstimatedCost: math.MaxInt64, Priced: true},
			0,
			&ledger.Exceeded{Run: "r", Limit: ledger.LimitCost, Value: math.MaxInt64, Max: math.MaxInt64 - 1, Closed: true},
		},
		{"measured: below, however large it may be, and uncapped", withOpen(spent(measured, 99)), uncapped, 0, nil},
		{
			"measured: at the limit", spent(measured, 100), asking("a"), 0,
			&ledger.Exceeded{Run: "r", Limit: ledger.LimitCost, Value: 100, Max: 100, Closed: true},
		},
		{
			"measured: tokens at the limit", spent(ledger.Limits{MaxTotalTokens: 5, Mode: ledger.Measured}, 5), asking("a"), 0,
			&ledger.Exceeded{Run: "r", Limit: ledger.LimitTokens, Value: 5, Max: 5, Closed: true},
		},
		{"measured: costs that may be unknown", unknown(ledger.Limits{MaxCost: 100, AllowUnpriced: true, Mode: ledger.Measured}), asking("a"), 0, nil},
		{
			"measured: costs that may not", unknown(ledger.Limits{MaxCost: 100, Mode: ledger.Measured}), asking("a"), 0,
			&ledger.Exceeded{Run: "r", Limit: ledger.LimitCost, Value: 3, Max: 100, Unknown: true, Closed: true},
		},
		{
			"measured: tokens may never", unknown(ledger.Limits{MaxTotalTokens: 100, AllowUnpriced: true, Mode: ledger.Measured}), asking("a"), 0,
			&ledger.Exceeded{Run: "r", Limit: ledger.LimitTokens, Value: 3, Max: 100, Unknown: true, Closed: true},
		},
		{
			"measured: without a price", opened(measured), unpriced(asking("a")), 0,
			&ledger.Exceeded{Run: "r", Limit: ledger.LimitCost, Max: 100, Unknown: true, Unpriced: true, Model: "p:m"},
		},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			run := row.run
			hold, err := run.Admit(row.ask, at(row.when))
			if row.want == nil {
				require.NoError(t, err)
				assert.Equal(t, at(row.when), hold.DispatchedAt)
				assert.Equal(t, row.run.Totals.Calls+1, run.Totals.Calls)
				assert.Equal(t, row.run.Totals.Open+1, run.Totals.Open)
				assert.Nil(t, run.Closed)
				return
			}
			requireExceeded(t, err, *row.want)
			assert.Equal(t, row.run.Totals, run.Totals, "a refusal counts nothing")
			if !row.want.Closed {
				assert.Nil(t, run.Closed)
				return
			}
			_, again := run.Admit(askingFor("tiny", 0, 0), at(0))
			requireExceeded(t, again, *row.want)
		})
	}
}

// TestAdmitChecksInOrder looks at attempts that two limits refuse: the one that is
// checked first is told.
func TestAdmitChecksInOrder(t *testing.T) {
	t.Parallel()
	all := ledger.Limits{MaxCalls: 1, MaxElapsed: 1, MaxActive: 1, MaxTotalTokens: 1, MaxCost: 1}
	run := spent(all, 9)
	for _, want := range []ledger.Limit{ledger.LimitCalls, ledger.LimitElapsed, ledger.LimitActive, ledger.LimitTokens, ledger.LimitCost} {
		r := run
		_, err := r.Admit(asking("a"), at(1))
		var e *ledger.Exceeded
		require.ErrorAs(t, err, &e)
		assert.Equal(t, want, e.Limit)
		switch want {
		case ledger.LimitCalls:
			run.Limits.MaxCalls = 0
		case ledger.LimitElapsed:
			run.Limits.MaxElapsed = 0
		case ledger.LimitActive:
			run.Limits.MaxActive = 0
		case ledger.LimitTokens:
			run.Limits.MaxTotalTokens = 0
		default:
		}
	}
}

// An attempt may not ask for more output than the run allows a call, whatever its
// caller believed when it opened the run.
func TestAdmitHoldsTheCap(t *testing.T) {
	t.Parallel()
	for most, want := range map[int]*ledger.Exceeded{
		0: nil, 20: nil,
		19: {Run: "r", Limit: ledger.LimitOutput, Value: 20, Max: 19},
	} {
		run, a := opened(ledger.Limits{MaxOutputTokensPerCall: most}), asking("a")
		a.Estimate.Output = events.Known(20)
		_, err := run.Admit(a, at(0))
		if want == nil {
			require.NoError(t, err)
			continue
		}
		var e *ledger.Exceeded
		require.ErrorAs(t, err, &e)
		assert.Equal(t, *want, *e, "and the run stays open")
		assert.Nil(t, run.Closed)
		assert.Contains(t, err.Error(), "19")
		requireFailure(t, err, events.LimitReached, events.ReasonLimitTokens)
		a.Estimate.Output = events.Count{}
		_, err = run.Admit(a, at(0))
		require.ErrorAs(t, err, &e)
		assert.True(t, e.Unknown, "no cap is too much")
	}
}

func TestAdmitSaysHowLongMayBeTaken(t *testing.T) {
	t.Parallel()
	rows := []struct {
		why    string
		limits ledger.Limits
		left   time.Duration
	}{
		{"no limit", ledger.Limits{}, 0},
		{"elapsed", ledger.Limits{MaxElapsed: time.Minute}, 50 * time.Second},
		{"active is no clock", ledger.Limits{MaxActive: time.Minute}, 0},
		{"elapsed, whatever was active", ledger.Limits{MaxActive: 31 * time.Second, MaxElapsed: time.Minute}, 50 * time.Second},
	}
	for _, row := range rows {
		run := spent(row.limits, 1)
		hold, err := run.Admit(asking("a"), at(10*time.Second))
		require.NoError(t, err, row.why)
		assert.Equal(t, row.left, hold.Left, row.why)
	}
}

func TestAdmitRefusesWhatIsNoAttempt(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", ledger.MaxName+1)
	rows := []struct {
		why    string
		change func(*ledger.Reservation)
	}{
		{"no id", func(r *ledger.Reservation) { r.Attempt = "" }},
		{"a long id", func(r *ledger.Reservation) { r.Attempt = long }},
		{"a long run", func(r *ledger.Reservation) { r.Run = long }},
		{"a long owner", func(r *ledger.Reservation) { r.Owner = long }},
		{"a long call", func(r *ledger.Reservation) { r.Call = long }},
		{"a long actor", func(r *ledger.Reservation) { r.Actor = long }},
		{"a long purpose", func(r *ledger.Reservation) { r.Purpose = long }},
		{"a long provider", func(r *ledger.Reservation) { r.Provider = long }},
		{"a long model", func(r *ledger.Reservation) { r.Model = long }},
		{"a name that is not UTF-8", func(r *ledger.Reservation) { r.Actor = "\xff" }},
		{"a name with a zero byte", func(r *ledger.Reservation) { r.Actor = "a\x00" }},
		{"a text that is not UTF-8", func(r *ledger.Reservation) { r.Estimate.Raw = "\xff" }},
		{"a negative estimate", func(r *ledger.Reservation) { r.Estimate.Input = n(-1) }},
		{"an estimate beyond belief", func(r *ledger.Reservation) { r.Estimate.Output = n(events.MaxCount + 1) }},
		{"a negative cost", func(r *ledger.Reservation) { r.EstimatedCost = -1 }},
		{"a cost without a price", func(r *ledger.Reservation) { r.Priced = false }},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			run, a := opened(ledger.Limits{}), asking("a")
			require.NoError(t, a.Check())
			row.change(&a)
			_, err := run.Admit(a, at(0))
			requireFailure(t, err, events.InvalidRequest, events.ReasonBadParameter)
			assert.Equal(t, opened(ledger.Limits{}), run)
		})
	}
	longest := asking(long[1:])
	require.NoError(t, longest.Check(), "the longest name")
}

func TestAdmitTool(t *testing.T) {
	t.Parallel()
	run := opened(ledger.Limits{MaxToolCalls: 2})
	require.NoError(t, run.AdmitTool("", at(0)))
	require.NoError(t, run.AdmitTool("", at(0)))
	want := ledger.Exceeded{Run: "r", Limit: ledger.LimitToolCalls, Value: 2, Max: 2, Closed: true}
	requireExceeded(t, run.AdmitTool("", at(0)), want)
	assert.Equal(t, int64(2), run.ToolCalls)
	_, err := run.Admit(asking("a"), at(0))
	requireExceeded(t, err, want)
	requireExceeded(t, run.AdmitTool("", at(0)), want)

	unlimited := opened(ledger.Limits{})
	require.NoError(t, unlimited.AdmitTool("", at(0)))
	assert.Equal(t, int64(1), unlimited.ToolCalls, "counted without a limit too")
	requireFailure(t, unlimited.AdmitTool("w", at(0)), events.LimitReached, events.ReasonLeaseLost)

	late := opened(ledger.Limits{MaxElapsed: time.Second})
	requireExceeded(t, late.AdmitTool("", at(time.Second)),
		ledger.Exceeded{Run: "r", Limit: ledger.LimitElapsed, Value: int64(time.Second), Max: int64(time.Second), Closed: true})
	assert.Zero(t, late.ToolCalls)
}

func TestNobodyChangesWhatClosedARun(t *testing.T) {
	t.Parallel()
	run := opened(ledger.Limits{MaxCalls: 1})
	_, err := run.Admit(asking("a"), at(0))
	require.NoError(t, err)
	for range 3 {
		_, err = run.Admit(asking("b"), at(0))
		var e *ledger.Exceeded
		require.ErrorAs(t, err, &e)
		assert.Equal(t, int64(1), e.Max)
		e.Max = 1000
	}
}
