package main

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
)

// showAccount prints what the books have of a run: every attempt, the totals for each
// purpose, and what is left.
func showAccount(ctx context.Context, out io.Writer, run *caller.Run) error {
	state, err := run.State(ctx)
	if err != nil {
		return err
	}
	records, err := ledger.All(run.Records(ctx))
	if err != nil {
		return err
	}
	purposes, err := ledger.GroupBy(run.Records(ctx), ledger.ByPurpose)
	if err != nil {
		return err
	}
	t := state.Totals
	fmt.Fprintf(out, "\n%d turns, %d tool calls, %d attempts: %d ok, %d failed, %d ambiguous, %d open\n",
		turns(records), state.ToolCalls, t.Calls, t.OK, t.Errors, t.Ambiguous, t.Open)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	showAttempts(w, records)
	fmt.Fprintln(w, "\nPURPOSE\tATTEMPTS\tINPUT\tCACHED\tOUTPUT\tCOST")
	for _, p := range purposes {
		showTotals(w, p.Name, p.Totals)
	}
	showTotals(w, "together", state.Totals)
	_ = w.Flush()
	showBudget(out, state)
	return nil
}

// turns returns how many calls the loop made; a call may be several attempts.
func turns(records []ledger.Record) int {
	calls := map[string]bool{}
	for _, r := range records {
		if r.Purpose == purpose {
			calls[r.Call] = true
		}
	}
	return len(calls)
}

// showAttempts prints a line for each attempt, the retried and the broken ones too.
func showAttempts(w io.Writer, records []ledger.Record) {
	if len(records) == 0 {
		return
	}
	fmt.Fprintln(w, "\nATTEMPT\tPURPOSE\tMODEL\tSTATUS\tINPUT\tOUTPUT\tCOST\tCERTAINTY")
	calls := map[string]int{}
	for _, r := range records {
		if calls[r.Call] == 0 {
			calls[r.Call] = len(calls) + 1
		}
		s := r.Settled
		status := string(s.Status)
		if s.FailureKind != "" {
			status += ": " + string(s.FailureKind)
		}
		fmt.Fprintf(w, "%d.%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", calls[r.Call], r.Number, r.Purpose, r.Model, status, s.Usage.Input, s.Usage.Output, s.Cost, s.CostCertainty)
	}
}

func showTotals(w io.Writer, name string, t ledger.Totals) {
	fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\n", name, t.Calls, sum(t.Input), sum(t.CacheRead), sum(t.Output), cost(t.Cost))
}

// sum returns a count, marked where a part of it is not known but charged.
func sum(s ledger.Sum) string {
	if s.IsComplete() {
		return fmt.Sprint(s.Charged)
	}
	return fmt.Sprintf("%d (%d known)", s.Charged, s.Known)
}

func cost(s ledger.Sum) string {
	if s.IsComplete() {
		return events.Micros(s.Charged).String() + " exactly"
	}
	return fmt.Sprintf("%s at most, %s known", events.Micros(s.Charged), events.Micros(s.Known))
}

// showBudget prints what is left of the run's limits.
func showBudget(out io.Writer, r ledger.Run) {
	l, t := r.Limits, r.Totals
	fmt.Fprintf(out, "\nleft: %s of %s, %d of %d calls, %d of %d tool calls\n",
		l.MaxCost-t.SpentCost(), l.MaxCost, l.MaxCalls-t.Calls, l.MaxCalls, l.MaxToolCalls-r.ToolCalls, l.MaxToolCalls)
	if r.Closed != nil {
		fmt.Fprintln(out, "closed by the limit of", r.Closed.Limit)
	}
}
