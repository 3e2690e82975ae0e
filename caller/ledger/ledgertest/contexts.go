package ledgertest

import (
	"context"
	"errors"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
)

func contextCases() []testCase {
	return []testCase{
		{name: "with a context that has ended nothing is done", run: endedContext},
		{name: "a reader stops when its context ends", run: endedReader},
	}
}

// stopped wants a failure that the context explains.
func (h *harness) stopped(err error, what string) {
	h.Helper()
	f, ok := events.AsFailure(err)
	if !ok {
		h.Fatalf("%s under an ended context: got %v (%T), want a failure", what, err, err)
	}
	h.check(f.Kind == events.LimitReached && f.Reason == events.ReasonLedgerUnavailable, "%s under an ended context: %s/%s", what, f.Kind, f.Reason)
	h.check(errors.Is(err, errOver), "%s: the cause of the context is out of reach: %v", what, err)
}

var errOver = errors.New("over")

func endedContext(h *harness) {
	h.open("r", ledger.Limits{})
	h.must(h.take("ann", 50*h.unit()), "take the lease")
	h.must(h.acts("a", "ann"), "reserve")
	h.expiring("", "x")
	h.pass(2 * h.unit())
	was, record := h.run("r"), h.record("a")
	ctx, end := context.WithCancelCause(h.Context())
	end(errOver)
	_, err := h.books.OpenRun(ctx, ledger.RunSpec{ID: "s"})
	h.stopped(err, "OpenRun")
	_, err = h.books.Reserve(ctx, owned(asking("r", "b"), "ann"))
	h.stopped(err, "Reserve")
	h.stopped(h.books.Settle(ctx, saying("a", 1)), "Settle")
	h.stopped(h.books.BeginTool(ctx, "r", "ann"), "BeginTool")
	h.stopped(h.books.Renew(ctx, "r", "ann", 99*h.unit()), "Renew")
	h.stopped(h.books.Release(ctx, "r", "ann"), "Release")
	_, err = h.books.Recover(ctx)
	h.stopped(err, "Recover")
	_, _, err = h.books.Run(ctx, "r")
	h.stopped(err, "Run")
	h.check(sameRun(h.run("r"), was), "the run was %+v and is %+v", was, h.run("r"))
	h.check(same(h.record("a"), record), "the record was %+v and is %+v", record, h.record("a"))
	h.check(ids(h.records(ledger.Filter{})) == "a x", "the records are %s", ids(h.records(ledger.Filter{})))
	h.check(h.record("x").Status() == ledger.Dispatched, "an attempt was recovered")
	_, ok, err := h.books.Run(h.Context(), "s")
	h.check(!ok && err == nil, "a run was opened: %v", err)
}

func endedReader(h *harness) {
	h.open("r", ledger.Limits{})
	h.reserve(asking("r", "a"))
	ctx, end := context.WithCancelCause(h.Context())
	end(errOver)
	pairs := 0
	for _, err := range h.books.Records(ctx, ledger.Filter{}) {
		h.stopped(err, "Records")
		pairs++
	}
	for _, err := range h.books.Runs(ctx) {
		h.stopped(err, "Runs")
		pairs++
	}
	h.check(pairs == 2, "an ended reader gives %d pairs, want one each", pairs)
}
