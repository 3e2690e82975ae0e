package main

// ledgerPage is the page of ledger, which has nothing to do with the others.
func ledgerPage() string {
	return `weir ledger [flags] DSN

prints what is in a ledger: its runs, then its attempts, oldest first, or with
--by what they cost together. DSN is a path of an SQLite file, sqlite:PATH, or
postgres://... . The ledger is opened to read only, unless --recover is given,
and its totals are held against its records.

  --by NAME      group attempts by
                 ` + dimensionNames() + `
  --run ID       only this run; the attempts without one are of run -
  --since D      only attempts that were dispatched in the last D, like 24h;
                 runs are shown whole
  --json         one JSON object a line: kind is run, attempt, group,
                 recovered or verified
  --verify       check every log, record and total first
  --recover      book attempts that nobody settled and whose time is over,
                 at their estimate
  --watch[=2s]   draw it anew until it is interrupted; only the newest attempts

KNOWN is the cost as far as it is known. Where some of it is not, or an attempt
is open, it says ">= " and what is known of it, or "unknown"; never 0; so do
tokens. CHARGED is what counts against the limits, estimates included, and
RESERVED what counts beside it for attempts that are open: dispatched, and not
settled.

Exit status: 0 printed, 3 the ledger cannot be read, is damaged or knows no such
run, 2 wrong usage, 1 the output is gone.
`
}
