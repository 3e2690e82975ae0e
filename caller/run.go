package caller

import (
	"context"
	"iter"
	"time"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// RunConfig describes a run.
type RunConfig struct {
	// ID names the run in the ledger: calls of any process that open the same ID share
	// its limits. Required.
	ID string
	// Limits bound the run; opening it with other limits replaces them. The zero Limits
	// leave it those that it has.
	Limits Limits
	// Owner, with Lease, takes the run for one owner: whoever else opens it is refused
	// while the lease lasts, and a loop that has lost it sends nothing.
	Owner string
	Lease time.Duration
	// Scope is who the run's calls are for, where neither request nor context says.
	Scope Scope
}

// A Run is a piece of work whose calls share limits and a place in the books. It
// comes from [OpenRun]. The nil Run has no limits: it counts no tools, and has no state
// to ask for. A Run is safe for concurrent use.
type Run struct {
	books  ledger.Ledger
	config RunConfig
}

// OpenRun opens a run in the caller's ledger; see [OpenRun].
func (c *Caller) OpenRun(ctx context.Context, config RunConfig) (*Run, error) {
	return OpenRun(ctx, c.config.Ledger, config)
}

// OpenRun opens a run in a ledger, or finds it again. Calls of any caller under
// [WithRun] are booked there. Errors are as of ledger.Ledger.
func OpenRun(ctx context.Context, books ledger.Ledger, config RunConfig) (*Run, error) {
	opened, err := books.OpenRun(ctx, ledger.RunSpec{ID: config.ID, Limits: config.Limits, Owner: config.Owner, Lease: config.Lease})
	if err != nil {
		return nil, err
	}
	config.Limits = opened.Limits
	return &Run{books: books, config: config}, nil
}

// ID returns the id of the run, empty for the nil Run.
func (r *Run) ID() string {
	if r == nil {
		return ""
	}
	return r.config.ID
}

// BeginTool counts a tool call against MaxToolCalls; call it just before a handler
// starts, once for each. A handler that fails has been counted; one that was denied
// has not. The error is an [*Exceeded], or limit/lease_lost: hand it to the model as
// the tool's result, or end the loop; the next call is refused too.
func (r *Run) BeginTool(ctx context.Context) error {
	if r == nil {
		return nil
	}
	return r.books.BeginTool(ctx, r.config.ID, r.config.Owner)
}

// Answer is stream.Reply.Answer for the tools of a run: each call is counted by
// BeginTool before it is handled, and one that is refused is told to the model as that.
// ctx is that of the handlers. A nil run counts nothing.
func (r *Run) Answer(ctx context.Context, reply *stream.Reply, handle func(context.Context, events.ToolCall) (string, error)) request.Message {
	return reply.Answer(func(call events.ToolCall) (string, error) {
		if err := r.BeginTool(ctx); err != nil {
			return "", err
		}
		return handle(ctx, call)
	})
}

// State returns the run as the ledger has it: limits, totals, why it is closed. A
// loop that was stopped asks under context.WithoutCancel.
func (r *Run) State(ctx context.Context) (ledger.Run, error) {
	run, _, err := r.books.Run(ctx, r.config.ID)
	return run, err
}

// Records are the run's attempts, in order, for instance for ledger.GroupBy. After an
// error there is no other pair.
func (r *Run) Records(ctx context.Context) iter.Seq2[ledger.Record, error] {
	return r.books.Records(ctx, ledger.Filter{Run: r.config.ID})
}

// Renew puts off the end of the lease by the whole of it. A loop that may be busy for
// longer than the lease renews it in time.
func (r *Run) Renew(ctx context.Context) error {
	return r.books.Renew(ctx, r.config.ID, r.config.Owner, r.config.Lease)
}

// Release ends the lease; a run without one has nothing to release.
func (r *Run) Release(ctx context.Context) error {
	return r.books.Release(ctx, r.config.ID, r.config.Owner)
}

type runKey struct{}

// WithRun returns a context under which every call belongs to the run, and is booked
// in its ledger. A nil run takes the calls out of an outer one. A call that a Model
// makes while it is called by a caller is part of that attempt, and booked by itself
// only in another run.
func WithRun(ctx context.Context, run *Run) context.Context {
	return context.WithValue(ctx, runKey{}, run)
}

// RunOf returns the run of a context, nil when there is none.
func RunOf(ctx context.Context) *Run {
	run, _ := ctx.Value(runKey{}).(*Run)
	return run
}

func runIDOf(ctx context.Context) string {
	if run := RunOf(ctx); run != nil {
		return run.config.ID
	}
	return ledger.NoRun
}
