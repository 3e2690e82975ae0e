package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/caller/ledger/sqlledger"
	"github.com/weirsdk/weir/events"
)

// watchEvery is how often --watch looks, unless it says.
const watchEvery = 2 * time.Second

// shownAttempts is how many attempts fit under the runs that are watched.
const shownAttempts = 20

// An audit is what ledger was asked to do.
type audit struct {
	dsn             string
	by              ledger.Dimension
	run             string
	since           time.Duration
	json            bool
	verify, recover bool
	watch           interval
}

// An interval is a flag whose value may be left out.
type interval time.Duration

// IsBoolFlag lets the value be left out.
func (i *interval) IsBoolFlag() bool { return true }

func (i *interval) String() string { return time.Duration(*i).String() }

// Set takes a duration, or "true" for the default.
func (i *interval) Set(text string) error {
	if text == "true" {
		*i = interval(watchEvery)
		return nil
	}
	d, err := time.ParseDuration(text)
	if err == nil && d <= 0 {
		err = wrongUsage("%s is no time to wait", text)
	}
	*i = interval(d)
	return err
}

// open opens the ledger, which has to be there.
func (a audit) open(ctx context.Context) (*sqlledger.Ledger, error) {
	books, err := sqlledger.Open(ctx, a.dsn, sqlledger.Options{ReadOnly: true})
	if err != nil || !a.recover {
		return books, err
	}
	if err := books.Close(); err != nil {
		return nil, err
	}
	return sqlledger.Open(ctx, a.dsn, sqlledger.Options{SkipVerify: true})
}

// showLedger prints the runs and attempts of a ledger.
func showLedger(ctx context.Context, args []string, c console) error {
	a, err := parseLedger(args)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	books, err := a.open(ctx)
	if err != nil {
		return c.refusedAt(a.dsn, err)
	}
	defer books.Close() //nolint:errcheck // nothing is left to be written
	if a.recover {
		if err := a.recoverIn(ctx, books, c.out); err != nil {
			return c.refused(err)
		}
	}
	if a.verify {
		if err := a.verifyIn(ctx, books, c.out); err != nil {
			return c.refused(err)
		}
	}
	if a.watch > 0 {
		return a.watchIn(ctx, books, c)
	}
	out := bufio.NewWriter(c.out)
	if err := a.print(ctx, books, out); err != nil {
		return c.refused(err)
	}
	return out.Flush()
}

// refused says what a ledger refuses; other errors are about the output.
func (c console) refused(err error) error {
	f, ok := events.AsFailure(err)
	switch {
	case !ok:
		return err
	case f.Reason == events.ReasonBadConfig:
		return wrongUsage("ledger: %s", f.Detail)
	default:
		c.say("ledger: " + f.Error())
		return errFailed
	}
}

// refusedAt says what opening a ledger refuses, and of which file: a URL may hold a
// password.
func (c console) refusedAt(dsn string, err error) error {
	f, ok := events.AsFailure(err)
	if !ok || f.Reason == events.ReasonBadConfig || strings.Contains(dsn, "://") {
		return c.refused(err)
	}
	c.say("ledger: " + word(dsn) + ": " + f.Error())
	return errFailed
}

func parseLedger(args []string) (audit, error) {
	fs := newFlags("ledger")
	var a audit
	by := fs.String("by", "", "")
	fs.StringVar(&a.run, "run", "", "")
	fs.DurationVar(&a.since, "since", 0, "")
	fs.BoolVar(&a.json, "json", false, "")
	fs.BoolVar(&a.verify, "verify", false, "")
	fs.BoolVar(&a.recover, "recover", false, "")
	fs.Var(&a.watch, "watch", "")
	var err error
	if a.dsn, err = parseFlags(fs, args); err != nil {
		return a, err
	}
	a.by = ledger.Dimension(*by)
	switch {
	case a.by != "" && !slices.Contains(ledger.Dimensions(), a.by):
		return a, wrongUsage("ledger: --by %q is unknown; there are: %s", *by, dimensionNames())
	case a.since < 0:
		return a, wrongUsage("ledger: --since %s lies ahead", a.since)
	case a.watch > 0 && a.json:
		return a, wrongUsage("ledger: --watch draws tables; leave --json out")
	}
	return a, nil
}

func dimensionNames() string {
	var names []string
	for _, d := range ledger.Dimensions() {
		names = append(names, string(d))
	}
	return strings.Join(names, ", ")
}

// filter chooses the attempts that were asked for.
func (a audit) filter() ledger.Filter {
	f := ledger.Filter{Run: a.run}
	if a.since > 0 {
		f.Since = time.Now().Add(-a.since)
	}
	return f
}

func (a audit) recoverIn(ctx context.Context, books ledger.Ledger, w io.Writer) error {
	records, err := books.Recover(ctx)
	if a.json {
		for _, r := range records {
			if err := printLine(w, struct {
				Kind string `json:"kind"`
				ledger.Record
			}{"recovered", r}); err != nil {
				return err
			}
		}
	} else if _, err := fmt.Fprintf(w, "recovered %d\n\n", len(records)); err != nil {
		return err
	}
	return err
}

func (a audit) verifyIn(ctx context.Context, books *sqlledger.Ledger, w io.Writer) error {
	if err := books.Verify(ctx); err != nil {
		return err
	}
	if a.json {
		return printLine(w, map[string]string{"kind": "verified"})
	}
	_, err := fmt.Fprint(w, "verified: logs, records and totals agree\n\n")
	return err
}

// watchIn prints the ledger anew until it is interrupted.
func (a audit) watchIn(ctx context.Context, books ledger.Ledger, c console) error {
	tick := time.NewTicker(time.Duration(a.watch))
	defer tick.Stop()
	for {
		var frame bytes.Buffer
		if c.terminal {
			frame.WriteString("\x1b[H\x1b[2J") // to the corner, and clear
		}
		err := a.print(ctx, books, &frame)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return c.refused(err)
		}
		frame.WriteString("\n")
		if _, err := c.out.Write(frame.Bytes()); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// print prints the runs, and below them groups or attempts.
func (a audit) print(ctx context.Context, books ledger.Ledger, w io.Writer) error {
	p := booksPrinter(booksTable{w})
	if a.json {
		p = booksLines{w}
	}
	runs, err := a.runs(ctx, books)
	if err != nil {
		return err
	}
	if err := p.runs(runs); err != nil {
		return err
	}
	if a.by != "" {
		groups, err := ledger.GroupBy(books.Records(ctx, a.filter()), a.by)
		if err != nil {
			return err
		}
		return p.groups(a.by, groups)
	}
	records := books.Records(ctx, a.filter())
	if a.watch > 0 {
		records = newest(records, shownAttempts)
	}
	return p.attempts(records)
}

func (a audit) runs(ctx context.Context, books ledger.Ledger) ([]ledger.Run, error) {
	var all []ledger.Run
	for run, err := range books.Runs(ctx) {
		if err != nil {
			return nil, err
		}
		if a.run == "" || run.ID == a.run {
			all = append(all, run)
		}
	}
	if a.run != "" && len(all) == 0 {
		return nil, ledger.NotFound("run", a.run)
	}
	return all, nil
}
