package ledger_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
)

func TestRunSpec(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", ledger.MaxName+1)
	rows := []struct {
		why  string
		spec ledger.RunSpec
		ok   bool
	}{
		{"an id is enough", ledger.RunSpec{ID: "r"}, true},
		{"the longest id", ledger.RunSpec{ID: long[1:]}, true},
		{"a lease", ledger.RunSpec{ID: "r", Owner: "w", Lease: 1}, true},
		{"no id", ledger.RunSpec{}, false},
		{"the name of no run", ledger.RunSpec{ID: ledger.NoRun}, false},
		{"a long id", ledger.RunSpec{ID: long}, false},
		{"an id that is not UTF-8", ledger.RunSpec{ID: "\xff"}, false},
		{"a long owner", ledger.RunSpec{ID: "r", Owner: long, Lease: 1}, false},
		{"an owner without a time", ledger.RunSpec{ID: "r", Owner: "w"}, false},
		{"an unknown mode", ledger.RunSpec{ID: "r", Limits: ledger.Limits{Mode: "soft"}}, false},
		{"negative calls", ledger.RunSpec{ID: "r", Limits: ledger.Limits{MaxCalls: -1}}, false},
		{"a negative cap", ledger.RunSpec{ID: "r", Limits: ledger.Limits{MaxOutputTokensPerCall: -1}}, false},
		{"negative tokens", ledger.RunSpec{ID: "r", Limits: ledger.Limits{MaxTotalTokens: -1}}, false},
		{"a negative cost", ledger.RunSpec{ID: "r", Limits: ledger.Limits{MaxCost: -1}}, false},
		{"a negative time", ledger.RunSpec{ID: "r", Limits: ledger.Limits{MaxElapsed: -1}}, false},
		{"a negative active time", ledger.RunSpec{ID: "r", Limits: ledger.Limits{MaxActive: -1}}, false},
		{"negative tools", ledger.RunSpec{ID: "r", Limits: ledger.Limits{MaxToolCalls: -1}}, false},
	}
	for _, row := range rows {
		if err := row.spec.Check(); row.ok {
			assert.NoError(t, err, row.why)
		} else {
			requireFailure(t, err, events.InvalidRequest, events.ReasonBadParameter)
		}
	}
}

func TestOpenAgain(t *testing.T) {
	t.Parallel()
	limits := ledger.Limits{MaxCalls: 1}
	run := ledger.NewRun("r", at(0))
	require.NoError(t, run.Open(ledger.RunSpec{ID: "r", Limits: limits}, at(0)))
	_, err := run.Admit(asking("a"), at(0))
	require.NoError(t, err)
	_, err = run.Admit(asking("b"), at(0))
	require.Error(t, err)
	require.NotNil(t, run.Closed)

	was := run
	require.NoError(t, run.Open(ledger.RunSpec{ID: "r", Limits: limits}, at(time.Hour)))
	assert.Equal(t, was, run, "equal limits change nothing: it stays closed, and opened when it was")

	require.NoError(t, run.Open(ledger.RunSpec{ID: "r", Limits: ledger.Limits{MaxCalls: 2}}, at(time.Hour)))
	assert.Nil(t, run.Closed, "other limits open it")
	require.NoError(t, run.Open(ledger.RunSpec{ID: "r"}, at(time.Hour)))
	assert.Equal(t, ledger.Limits{MaxCalls: 2}, run.Limits, "none lift nothing")
	assert.Equal(t, at(0), run.OpenedAt)
	assert.Equal(t, was.Totals, run.Totals)
}

// TestLease is a script over one run: who holds it, who may act.
func TestLease(t *testing.T) {
	t.Parallel()
	open := func(owner string, lease time.Duration) func(*ledger.Run, time.Time) error {
		return func(r *ledger.Run, now time.Time) error {
			return r.Open(ledger.RunSpec{ID: "r", Owner: owner, Lease: lease}, now)
		}
	}
	renew := func(owner string) func(*ledger.Run, time.Time) error {
		return func(r *ledger.Run, now time.Time) error { return r.Renew(owner, 10*time.Second, now) }
	}
	release := func(owner string) func(*ledger.Run, time.Time) error {
		return func(r *ledger.Run, _ time.Time) error {
			r.Release(owner)
			return nil
		}
	}
	admit := func(owner string) func(*ledger.Run, time.Time) error {
		return func(r *ledger.Run, now time.Time) error {
			a := asking("a")
			a.Owner = owner
			_, err := r.Admit(a, now)
			tool := r.AdmitTool(owner, now)
			assert.Equal(t, err == nil, tool == nil, "tools and attempts need the same lease")
			return err
		}
	}
	run := ledger.NewRun("r", at(0))
	script := []struct {
		why  string
		when time.Duration
		do   func(*ledger.Run, time.Time) error
		ok   bool
	}{
		{"without a lease nobody needs one", 0, admit(""), true},
		{"nobody holds a lease that there is not", 0, admit("ann"), false},
		{"nor renews it", 0, renew("ann"), false},
		{"ann takes it for ten seconds", 0, open("ann", 10*time.Second), true},
		{"ann acts", 9 * time.Second, admit("ann"), true},
		{"who does not say a name does not", 9 * time.Second, admit(""), false},
		{"nor does ben", 9 * time.Second, admit("ben"), false},
		{"ben cannot take it", 9 * time.Second, open("ben", 10*time.Second), false},
		{"nor does who says no name open it", 9 * time.Second, open("", 0), false},
		{"nor renew it", 9 * time.Second, renew("ben"), false},
		{"nor release it", 9 * time.Second, release("ben"), true},
		{"ann still acts", 9 * time.Second, admit("ann"), true},
		{"ann renews it", 9 * time.Second, renew("ann"), true},
		{"and acts for longer", 19*time.Second - 1, admit("ann"), true},
		{"until it is over", 19 * time.Second, admit("ann"), false},
		{"then nobody acts", 19 * time.Second, admit(""), false},
		{"nor can ann renew what is over", 19 * time.Second, renew("ann"), false},
		{"ben takes it", 19 * time.Second, open("ben", 10*time.Second), true},
		{"ann cannot", 20 * time.Second, open("ann", 10*time.Second), false},
		{"and has lost it", 20 * time.Second, admit("ann"), false},
		{"ben takes it again", 20 * time.Second, open("ben", 20*time.Second), true},
		{"and has it for longer", 39 * time.Second, admit("ben"), true},
		{"ben releases it", 39 * time.Second, release("ben"), true},
		{"everybody acts", 39 * time.Second, admit(""), true},
		{"ben no more by name", 39 * time.Second, admit("ben"), false},
		{"releasing nothing changes nothing", 39 * time.Second, release(""), true},
		{"opening without an owner takes no lease", 39 * time.Second, open("", 0), true},
		{"so that everybody acts", 39 * time.Second, admit(""), true},
	}
	for _, step := range script {
		err := step.do(&run, at(step.when))
		if step.ok {
			require.NoError(t, err, step.why)
			continue
		}
		require.Error(t, err, step.why)
		requireFailure(t, err, events.LimitReached, events.ReasonLeaseLost)
	}
	assert.Empty(t, run.Owner)
	assert.True(t, run.LeaseUntil.IsZero())
}

// TestALostLeaseClosesNothing: the one who holds it goes on.
func TestALostLeaseClosesNothing(t *testing.T) {
	t.Parallel()
	run := opened(ledger.Limits{MaxCalls: 9})
	_, err := run.Admit(ledger.Reservation{Attempt: "a", Owner: "ann"}, at(0))
	requireFailure(t, err, events.LimitReached, events.ReasonLeaseLost)
	assert.Equal(t, opened(ledger.Limits{MaxCalls: 9}), run)
}

// TestRunsThatNoStoreCanHold: what the rules make passes, what they cannot make does
// not.
func TestRunsThatNoStoreCanHold(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	good := ledger.NewRun("r", now)
	require.NoError(t, good.Open(ledger.RunSpec{ID: "r", Limits: ledger.Limits{MaxCalls: 1}, Owner: "w", Lease: time.Hour}, now))
	_, err := good.Admit(ledger.Reservation{Attempt: "a", Owner: "w"}, now)
	require.NoError(t, err)
	_, err = good.Admit(ledger.Reservation{Attempt: "b", Owner: "w"}, now)
	require.Error(t, err)
	require.NotNil(t, good.Closed)
	require.NoError(t, good.Check())
	require.NoError(t, ledger.NewRun(ledger.NoRun, now).Check())
	for why, change := range map[string]func(*ledger.Run){
		"no name":                func(r *ledger.Run) { r.ID = "" },
		"a long name":            func(r *ledger.Run) { r.ID = strings.Repeat("a", ledger.MaxName+1) },
		"a zero byte":            func(r *ledger.Run) { r.Owner = "a\x00" },
		"a mode":                 func(r *ledger.Run) { r.Limits.Mode = "bogus" },
		"a limit":                func(r *ledger.Run) { r.Limits.MaxActive = -1 },
		"tool calls":             func(r *ledger.Run) { r.ToolCalls = -100 },
		"calls":                  func(r *ledger.Run) { r.Totals.Calls = -1 },
		"a sum":                  func(r *ledger.Run) { r.Totals.Thinking.Unknown = -1 },
		"time":                   func(r *ledger.Run) { r.Totals.Active = -1 },
		"nobody's lease":         func(r *ledger.Run) { r.Owner = "" },
		"another's refusal":      func(r *ledger.Run) { r.Closed = &ledger.Exceeded{Run: "s", Closed: true} },
		"a refusal that passes":  func(r *ledger.Run) { r.Closed = &ledger.Exceeded{Run: "r"} },
		"no run with a limit":    func(r *ledger.Run) { *r = ledger.Run{ID: ledger.NoRun, Limits: r.Limits} },
		"no run with a lease":    func(r *ledger.Run) { *r = ledger.Run{ID: ledger.NoRun, Owner: "w"} },
		"no run that is closed":  func(r *ledger.Run) { *r = ledger.Run{ID: ledger.NoRun, Closed: r.Closed} },
		"no run with tool calls": func(r *ledger.Run) { *r = ledger.Run{ID: ledger.NoRun, ToolCalls: -1} },
	} {
		run := good
		change(&run)
		f, ok := events.AsFailure(run.Check())
		require.True(t, ok, why)
		assert.Equal(t, events.ReasonLedgerUnavailable, f.Reason, why)
	}
}
