package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/caller/ledger/sqlledger"
	"github.com/weirsdk/weir/events"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// sampleLedger is a ledger with attempts of every kind.
func sampleLedger(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "ledger.db")
	books, err := sqlledger.Open(t.Context(), file, sqlledger.Options{})
	must(t, err)
	defer func() { must(t, books.Close()) }()
	limits := ledger.Limits{MaxCost: 5_000_000, MaxCalls: 100, AllowUnpriced: true}
	_, err = books.OpenRun(t.Context(), ledger.RunSpec{ID: "nightly", Limits: limits})
	must(t, err)
	_, err = books.OpenRun(t.Context(), ledger.RunSpec{ID: "small", Limits: ledger.Limits{MaxCalls: 1}})
	must(t, err)
	usage := events.Usage{Input: events.Known(100), Output: events.Known(50)}
	reserve := func(id, run, actor, model string) {
		priced := model != "p:free"
		r := ledger.Reservation{Attempt: id, Run: run, Actor: actor, Model: model, Provider: "p", Purpose: "chat", Estimate: usage, Priced: priced}
		if priced {
			r.EstimatedCost = 150
		}
		if id == "lost" {
			r.Expires = 1
		}
		_, err := books.Reserve(t.Context(), r)
		must(t, err)
	}
	exact := ledger.Settlement{
		Status: charge.OK, Usage: usage, Known: usage, Certainty: charge.Exact, Cost: 120, KnownCost: 120,
		CostCertainty: charge.Exact, Latency: 1500 * time.Millisecond,
	}
	settle := func(id string, change func(*ledger.Settlement)) {
		s := exact
		s.Attempt = id
		change(&s)
		must(t, books.Settle(t.Context(), s))
	}
	reserve("exact", "nightly", "ann", "p:big")
	settle("exact", func(*ledger.Settlement) {})
	reserve("broken", "nightly", "ann", "p:big")
	settle("broken", func(s *ledger.Settlement) {
		s.Status, s.Certainty, s.CostCertainty, s.Cost, s.KnownCost = charge.Ambiguous, charge.Estimated, charge.Estimated, 150, 100
		s.Known.Output = events.Count{}
		s.FailureKind, s.FailureReason = events.InvalidReply, events.ReasonTruncated
	})
	reserve("unpriced", "nightly", "ben \x1b[31m", "p:free")
	settle("unpriced", func(s *ledger.Settlement) { s.Cost, s.KnownCost, s.CostCertainty = 0, 0, ledger.UnknownCost })
	reserve("open", "nightly", "", "p:big")
	reserve("only", "small", "ann", "p:big")
	settle("only", func(s *ledger.Settlement) {
		s.Status, s.Usage, s.Known = charge.Error, events.Usage{Input: events.Known(0), Output: events.Known(0)}, events.Usage{Input: events.Known(0), Output: events.Known(0)}
		s.Certainty, s.CostCertainty, s.Cost, s.KnownCost = charge.None, charge.None, 0, 0
		s.FailureKind, s.FailureReason = events.RateLimited, events.ReasonRateLimit
	})
	if _, err := books.Reserve(t.Context(), ledger.Reservation{Attempt: "refused", Run: "small"}); err == nil {
		t.Fatal("the run is not closed")
	}
	must(t, books.BeginTool(t.Context(), "nightly", ""))
	reserve("lost", "", "", "p:big")
	return file
}

// maskTimes replaces times, and the blanks whose number depends on them.
func maskTimes(text string) string {
	return regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`).ReplaceAllString(text, "TIME")
}

func TestLedger(t *testing.T) {
	t.Parallel()
	file := sampleLedger(t)
	rows := []struct {
		why    string
		golden string
		args   []string
	}{
		{"everything", "ledger.golden", nil},
		{"everything, as lines", "ledger-json.golden", []string{"--json"}},
		{"what models cost", "ledger-model.golden", []string{"--by", "model"}},
		{"what they cost, as lines", "ledger-model-json.golden", []string{"--by", "model", "--json"}},
		{"one run, checked", "ledger-run.golden", []string{"--run", "small", "--verify"}},
		{"nothing since", "ledger-since.golden", []string{"--since", "1ns", "--by", "status"}},
		{"what has which status", "ledger-status.golden", []string{"--by", "status"}},
		{"all since", "ledger.golden", []string{"--since", "1h"}},
	}
	for _, row := range rows {
		got := weir(t, append(append([]string{"ledger"}, row.args...), file)...)
		if got.status != exitOK || got.err != "" {
			t.Errorf("%s: status %d, said %q", row.why, got.status, got.err)
		}
		golden(t, row.golden, maskTimes(got.out))
		for _, line := range strings.Split(got.out, "\n") {
			if strings.HasPrefix(line, "{") && !json.Valid([]byte(line)) {
				t.Errorf("%s: no JSON: %s", row.why, line)
			}
		}
		if strings.ContainsRune(got.out, '\x1b') {
			t.Errorf("%s: a name reaches the terminal raw", row.why)
		}
	}
}

// TestLedgerNeverPrintsUnknownAsZero looks at each cell of what nobody knows.
func TestLedgerNeverPrintsUnknownAsZero(t *testing.T) {
	t.Parallel()
	rows := []struct {
		why             string
		totals          ledger.Totals
		known, charging string
	}{
		{"nothing was spent, and that is known", ledger.Totals{}, "$0.000000", "$0.000000"},
		{"all is known", ledger.Totals{Cost: ledger.Sum{Charged: 3, Known: 3}}, "$0.000003", "$0.000003"},
		{"some is", ledger.Totals{Cost: ledger.Sum{Charged: 3, Known: 2, Unknown: 1}}, ">= $0.000002", "$0.000003"},
		{"nothing is, and it is estimated", ledger.Totals{Cost: ledger.Sum{Charged: 3, Unknown: 1}}, "unknown", "$0.000003"},
		{"nothing is, without a price", ledger.Totals{Cost: ledger.Sum{Unknown: 1}}, "unknown", "unknown"},
		{"all that has ended is, and one is open", ledger.Totals{Open: 1, Cost: ledger.Sum{Charged: 3, Known: 3}}, ">= $0.000003", "$0.000003"},
		{"nothing has ended", ledger.Totals{Open: 1, OpenCost: 9}, "unknown", "none yet"},
	}
	for _, row := range rows {
		if got := money(row.totals); got != row.known {
			t.Errorf("%s: known %s, want %s", row.why, got, row.known)
		}
		if got := charged(row.totals); got != row.charging {
			t.Errorf("%s: charged %s, want %s", row.why, got, row.charging)
		}
	}
	if got := tokens(ledger.Totals{}, ledger.Sum{Charged: 7, Unknown: 1}); got != unknown {
		t.Errorf("tokens %s", got)
	}
	if got := tokens(ledger.Totals{Open: 1}, ledger.Sum{Charged: 7, Known: 7}); got != ">= 7" {
		t.Errorf("tokens %s while one is open", got)
	}
}

// TestLedgerRecovers books what nobody settled, and only when asked.
func TestLedgerRecovers(t *testing.T) {
	t.Parallel()
	file := sampleLedger(t)
	before := weir(t, "ledger", "--run", "-", "--json", file)
	if strings.Contains(before.out, `"recovered":true`) || !strings.Contains(before.out, `"status":"dispatched"`) {
		t.Errorf("printed %s", before.out)
	}
	got := weir(t, "ledger", "--run", "-", "--recover", file)
	if got.status != exitOK || !strings.HasPrefix(got.out, "recovered 1\n") || !strings.Contains(got.out, "ambiguous (recovered)") {
		t.Errorf("status %d, printed %s", got.status, got.out)
	}
	again := weir(t, "ledger", "--run", "-", "--recover", "--json", file)
	if again.status != exitOK || strings.Contains(again.out, `"kind":"recovered"`) || !strings.Contains(again.out, `"recovered":true`) {
		t.Errorf("status %d, printed %s", again.status, again.out)
	}
}

// A closing console cancels a context after so many writes.
type closing struct {
	strings.Builder
	left int
	stop func()
}

func (c *closing) Write(p []byte) (int, error) {
	if c.left--; c.left == 0 {
		c.stop()
	}
	return c.Builder.Write(p)
}

func TestLedgerWatches(t *testing.T) {
	t.Parallel()
	file := sampleLedger(t)
	for _, terminal := range []bool{true, false} {
		ctx, stop := context.WithCancel(t.Context())
		out := &closing{left: 3, stop: stop}
		var errs strings.Builder
		status := run(ctx, []string{"ledger", "--watch=1ms", file}, console{out: out, err: &errs, terminal: terminal})
		if status != exitOK || errs.String() != "" {
			t.Errorf("status %d, said %q", status, errs.String())
		}
		if n := strings.Count(out.String(), "RUN  "); n < 3 {
			t.Errorf("drawn %d times:\n%s", n, out.String())
		}
		if strings.Contains(out.String(), "\x1b[2J") != terminal {
			t.Errorf("cleared on a terminal %t:\n%q", terminal, out.String())
		}
	}
}

func TestLedgerReportsAnOutputThatIsGone(t *testing.T) {
	t.Parallel()
	file := sampleLedger(t)
	for _, args := range [][]string{{}, {"--json"}, {"--by", "run"}, {"--watch"}, {"--verify"}, {"--recover"}} {
		var errs strings.Builder
		status := run(t.Context(), append(append([]string{"ledger"}, args...), file), console{out: brokenPipe{}, err: &errs})
		if status != exitOutput {
			t.Errorf("%v: status %d, said %q", args, status, errs.String())
		}
	}
}

func TestLedgerRefuses(t *testing.T) {
	t.Parallel()
	damaged, lied := sampleLedger(t), sampleLedger(t)
	for file, change := range map[string]string{damaged: `DELETE FROM weir_log WHERE kind = 'settled'`, lied: `DELETE FROM weir_attempts`} {
		db, err := sql.Open("sqlite", file)
		must(t, err)
		_, err = db.ExecContext(t.Context(), change)
		must(t, err)
		must(t, db.Close())
	}
	rows := []struct {
		why  string
		args []string
		says string
	}{
		{"a file that is not there", []string{damaged + ".gone"}, damaged + ".gone: limit/ledger_unavailable: SQLite: there is no such file"},
		{"nor made to recover it", []string{"--recover", damaged + ".gone"}, "there is no such file"},
		{"the same with its scheme", []string{"sqlite:" + damaged + ".gone"}, "sqlite:" + damaged + ".gone: "},
		{"a file that is no ledger", []string{write(t, "x.db", "no ledger, and not even a database")}, "ledger_unavailable"},
		{"a run that is not there", []string{"--run", "nobody", damaged}, "nobody"},
		{"a damaged log", []string{"--verify", damaged}, "its log"},
		{"totals that are not those of the records", []string{lied}, "totals"},
	}
	for _, row := range rows {
		got := weir(t, append([]string{"ledger"}, row.args...)...)
		if got.status != exitFailed || strings.Count(got.err, "\n") != 1 || !strings.Contains(got.err, row.says) {
			t.Errorf("%s: status %d, said %q", row.why, got.status, got.err)
		}
	}
	if _, err := os.Stat(damaged + ".gone"); err == nil {
		t.Error("what was only looked for was made")
	}
	if got := weir(t, "ledger", damaged); got.status != exitOK {
		t.Errorf("a log is checked when asked: status %d, said %q", got.status, got.err)
	}
}
