package main

import (
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
)

// unknown is what is printed for what nobody knows. It is never 0.
const unknown = "unknown"

// A booksPrinter prints what is in a ledger.
type booksPrinter interface {
	runs([]ledger.Run) error
	groups(ledger.Dimension, []ledger.Group) error
	attempts(iter.Seq2[ledger.Record, error]) error
}

// booksLines prints one JSON object a line.
type booksLines struct{ w io.Writer }

func printLine(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

func (l booksLines) runs(runs []ledger.Run) error {
	for _, r := range runs {
		if err := printLine(l.w, struct {
			Kind string `json:"kind"`
			ledger.Run
		}{"run", r}); err != nil {
			return err
		}
	}
	return nil
}

func (l booksLines) groups(by ledger.Dimension, groups []ledger.Group) error {
	for _, g := range groups {
		if err := printLine(l.w, struct {
			Kind string           `json:"kind"`
			By   ledger.Dimension `json:"by"`
			ledger.Group
		}{"group", by, g}); err != nil {
			return err
		}
	}
	return nil
}

func (l booksLines) attempts(records iter.Seq2[ledger.Record, error]) error {
	for r, err := range records {
		if err != nil {
			return err
		}
		if err := printLine(l.w, struct {
			Kind string `json:"kind"`
			ledger.Record
		}{"attempt", r}); err != nil {
			return err
		}
	}
	return nil
}

// booksTable prints tables for people. Names are quoted where they are more than
// plain words, so that nothing in them reaches the terminal raw.
type booksTable struct{ w io.Writer }

// rowsAtOnce is how many rows are set in columns together, so that a long table
// needs no memory.
const rowsAtOnce = 1000

func (t booksTable) columns(titles ...string) *tabwriter.Writer {
	tw := tabwriter.NewWriter(t.w, 0, 0, 2, ' ', 0)
	row(tw, titles...)
	return tw
}

// row writes one row; what goes wrong with the output shows when it is flushed.
func row(tw *tabwriter.Writer, cells ...string) {
	fmt.Fprintln(tw, strings.Join(cells, "\t"))
}

func (t booksTable) runs(runs []ledger.Run) error {
	tw := t.columns("RUN", "STATE", "CALLS", "OPEN", "TOOLS", "TOKENS", "KNOWN", "CHARGED", "RESERVED", "LIMITS")
	for _, r := range runs {
		s := r.Totals
		row(tw, name(r.ID), state(r), number(s.Calls), number(s.Open), number(r.ToolCalls),
			tokens(s, s.Tokens), money(s), charged(s), s.OpenCost.String(), limits(r.Limits))
	}
	return tw.Flush()
}

func (t booksTable) groups(by ledger.Dimension, groups []ledger.Group) error {
	if _, err := fmt.Fprintln(t.w); err != nil {
		return err
	}
	tw := t.columns(strings.ToUpper(string(by)), "CALLS", "OPEN", "OK", "ERRORS", "AMBIGUOUS", "INPUT", "OUTPUT", "KNOWN", "CHARGED", "RESERVED")
	for _, g := range groups {
		row(tw, name(g.Name), number(g.Calls), number(g.Open), number(g.OK), number(g.Errors), number(g.Ambiguous),
			tokens(g.Totals, g.Input), tokens(g.Totals, g.Output), money(g.Totals), charged(g.Totals), g.OpenCost.String())
	}
	return tw.Flush()
}

func (t booksTable) attempts(records iter.Seq2[ledger.Record, error]) error {
	if _, err := fmt.Fprintln(t.w); err != nil {
		return err
	}
	tw := t.columns("DISPATCHED", "ATTEMPT", "RUN", "ACTOR", "MODEL", "STATUS", "INPUT", "OUTPUT", "KNOWN", "CHARGED", "TOOK", "FAILURE")
	n := 0
	for r, err := range records {
		if err != nil {
			return err
		}
		attemptRow(tw, r)
		if n++; n%rowsAtOnce == 0 {
			if err := tw.Flush(); err != nil {
				return err
			}
		}
	}
	return tw.Flush()
}

func attemptRow(tw *tabwriter.Writer, r ledger.Record) {
	s, sums := r.Settled, ledger.TotalsOf(r)
	cells := []string{r.DispatchedAt.UTC().Format(time.RFC3339), name(r.Attempt), name(r.Run), name(r.Actor), name(r.Model)}
	if r.Status() == ledger.Dispatched {
		row(tw, append(cells, string(r.Status()), "", "", "", r.EstimatedCost.String()+" reserved")...)
		return
	}
	status, failure := string(s.Status), string(s.FailureKind)
	if r.Recovered {
		status += " (recovered)"
	}
	if s.FailureReason != "" {
		failure += "/" + string(s.FailureReason)
	}
	took := s.Latency.Round(time.Millisecond).String()
	if r.Recovered {
		took = unknown
	}
	row(tw, append(cells, status, tokens(sums, sums.Input), tokens(sums, sums.Output), money(sums), charged(sums), took, failure)...)
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

// tokens returns what is known of a sum: all of it, at least so many, or nothing.
// While attempts are open it is not all.
func tokens(t ledger.Totals, s ledger.Sum) string {
	return known(t.Open == 0 && s.IsComplete(), s, number)
}

// money is tokens for the cost.
func money(t ledger.Totals) string {
	return known(t.CostIsKnown(), t.Cost, func(n int64) string { return events.Micros(n).String() })
}

func known(all bool, s ledger.Sum, text func(int64) string) string {
	switch {
	case all:
		return text(s.Charged)
	case s.Known == 0:
		return unknown
	default:
		return ">= " + text(s.Known)
	}
}

// charged returns what counts against limits beside what is reserved, which is no cost
// where nobody knows one, and none yet while nothing has ended.
func charged(t ledger.Totals) string {
	switch {
	case t.Cost.Charged == 0 && !t.Cost.IsComplete():
		return unknown
	case t.Cost.Charged == 0 && t.Open > 0:
		return "none yet"
	default:
		return events.Micros(t.Cost.Charged).String()
	}
}

// name returns a name for people.
func name(s string) string {
	if s == "" {
		return "(none)"
	}
	return word(s)
}

// state says whether a run takes more, and who may act for it.
func state(r ledger.Run) string {
	switch {
	case r.Closed != nil:
		return "closed: " + string(r.Closed.Limit)
	case r.Owner != "":
		return "leased to " + name(r.Owner)
	default:
		return "open"
	}
}

// limits names the limits that are set.
func limits(l ledger.Limits) string {
	var all []string
	add := func(set bool, text string) {
		if set {
			all = append(all, text)
		}
	}
	add(l.MaxCalls > 0, "calls "+number(l.MaxCalls))
	add(l.MaxTotalTokens > 0, "tokens "+number(l.MaxTotalTokens))
	add(l.MaxCost > 0, "cost "+l.MaxCost.String())
	add(l.MaxElapsed > 0, "elapsed "+l.MaxElapsed.String())
	add(l.MaxActive > 0, "active "+l.MaxActive.String())
	add(l.MaxToolCalls > 0, "tools "+number(l.MaxToolCalls))
	add(l.MaxOutputTokensPerCall > 0, "output "+number(int64(l.MaxOutputTokensPerCall)))
	add(l.Mode != "", string(l.Mode))
	if len(all) == 0 {
		return "none"
	}
	return strings.Join(all, ", ")
}

// newest gives the last n records.
func newest(records iter.Seq2[ledger.Record, error], n int) iter.Seq2[ledger.Record, error] {
	return func(yield func(ledger.Record, error) bool) {
		var last []ledger.Record
		for r, err := range records {
			if err != nil {
				yield(ledger.Record{}, err)
				return
			}
			if last = append(last, r); len(last) > 2*n {
				last = append(last[:0], last[len(last)-n:]...)
			}
		}
		for _, r := range last[max(0, len(last)-n):] {
			if !yield(r, nil) {
				return
			}
		}
	}
}
