package ledgertest

import (
	"testing"
	"time"

	"github.com/weirsdk/weir/caller/ledger"
)

// A Store says how to test a ledger. Open is required. Cases run in parallel, each
// with ledgers of its own.
type Store struct {
	// Open returns an empty ledger, which may last as long as tb.
	Open func(tb testing.TB) ledger.Ledger
	// Reopen opens what was opened once more, as another process would; nil when
	// nobody can.
	Reopen func(tb testing.TB, was ledger.Ledger) ledger.Ledger
	// Advance moves the clock by which a ledger goes; nil when it cannot be moved:
	// then the cases about time wait, for a second at most. It is called for each
	// ledger that Open and Reopen returned, so that their clocks agree.
	Advance func(l ledger.Ledger, d time.Duration)
	// Around runs the body of a case, for instance synctest.Test; nil just calls it.
	Around func(t *testing.T, body func(*testing.T))
}

// Run runs the suite against ledgers that open returns, each of them empty.
func Run(t *testing.T, open func(tb testing.TB) ledger.Ledger) {
	t.Helper()
	Store{Open: open}.Run(t)
}

// Run runs the suite.
func (s Store) Run(t *testing.T) {
	t.Helper()
	for _, c := range cases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			around := s.Around
			if around == nil {
				around = func(t *testing.T, body func(*testing.T)) { body(t) }
			}
			around(t, func(t *testing.T) { c.against(t, s) })
		})
	}
}

// A testCase is one case: its name says what is true.
type testCase struct {
	name string
	run  func(*harness)
	// reopens marks those that need Reopen.
	reopens bool
}

func (c testCase) against(tb testing.TB, s Store) {
	tb.Helper()
	if c.reopens && s.Reopen == nil {
		tb.Skip("the store cannot be opened twice")
	}
	books := s.Open(tb)
	h := &harness{TB: tb, store: s, books: books, handles: []ledger.Ledger{books}}
	c.run(h)
	h.balanced()
}

func cases() []testCase {
	var all []testCase
	for _, group := range [][]testCase{
		idempotenceCases(), limitCases(), sumCases(), measuredCases(), leaseCases(), toolCases(), recoveryCases(),
		readingCases(), contextCases(), fidelityCases(), sharingCases(),
	} {
		all = append(all, group...)
	}
	return all
}
