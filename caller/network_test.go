package caller_test

import (
	"context"
	"net/http"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/caller/ledger/memory"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/price"
)

// stage is how much of a reply reached the client.
type stage int

const (
	nothingCame stage = iota
	openingCame
	textCame
	accountsCame
)

// A mishap is one way in which a call ends, and what it must come to.
type mishap struct {
	why string
	// plain plays the server over a plain connection, h2 over HTTP/2 with TLS. One
	// is set.
	plain func(w wire, p *peer)
	h2    func(w wire, p *peerH2)
	came  stage

	config func(*caller.Config)
	limits caller.Limits
	// begin returns the context of the call and what stops it.
	begin func(context.Context) (context.Context, context.CancelFunc)
	// stopAt stops the call at the first content, stopAtRequest when the server has
	// the request.
	stopAt, stopAtRequest bool
	// leave leaves the loop of a stream at the first content.
	leave func() bool
	// streamOnly is a way out that only a stream has.
	streamOnly bool
	// wires restricts it to some.
	wires []string

	kind   events.FailureKind
	reason events.Reason // any when empty
	status charge.Status
	cert   charge.Certainty
	// again reports that the failure is worth another attempt.
	again bool
}

// attempts is how many attempts are made with one retry allowed.
func (m mishap) attempts(streaming bool) int {
	delivered := streaming && m.came >= textCame
	if m.again && !delivered {
		return 2
	}
	return 1
}

// TestNetwork breaks calls in every way over real connections: each is charged by
// the table, once, and nothing is left.
func TestNetwork(t *testing.T) {
	old := goleak.IgnoreCurrent()
	t.Run("call", func(t *testing.T) {
		each(slices.Concat(brokenPlain(), leftPlain(), answeredPlain(), brokenH2()), func(name string, o outing) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				o.run(t)
			})
		})
	})
	t.Run("clock", func(t *testing.T) {
		var all sync.WaitGroup
		slots := make(chan struct{}, 12) // they mostly wait, so many at once
		each(clocksPlain(), func(name string, o outing) {
			slots <- struct{}{}
			all.Go(func() {
				defer func() { <-slots }()
				t.Run(name, o.run)
			})
		})
		all.Wait()
	})
	goleak.VerifyNone(t, old)
}

// each calls visit with every mishap on every wire, in both ways to call.
func each(all []mishap, visit func(string, outing)) {
	for _, w := range wires() {
		for _, m := range all {
			if m.wires != nil && !slices.Contains(m.wires, w.name) {
				continue
			}
			if !m.streamOnly {
				visit(w.name+"/"+m.why+"/generate", outing{w: w, m: m})
			}
			visit(w.name+"/"+m.why+"/stream", outing{w: w, m: m, streaming: true})
		}
	}
}

// An outing is one call over the network.
type outing struct {
	t         *testing.T
	w         wire
	m         mishap
	streaming bool

	read     chan struct{}
	stop     context.CancelFunc
	books    ledger.Ledger
	url      string
	client   *http.Client
	requests func() int64
	over     func() // waits for the server, after the call
}

// serve starts the server.
func (o *outing) serve() {
	o.read = make(chan struct{}, 8)
	if o.m.h2 != nil {
		s := newServerH2(o.t, o.read, func(p *peerH2) {
			o.received()
			o.m.h2(o.w, p)
		})
		o.url, o.client, o.requests, o.over = s.URL, s.Client(), s.requests.Load, s.Close
		return
	}
	s := newPlainServer(o.t, o.read, func(p *peer) {
		o.received()
		o.m.plain(o.w, p)
	})
	o.url, o.client, o.requests, o.over = s.url(), &http.Client{Transport: freshTransport()}, s.requests.Load, s.close
}

func (o *outing) received() {
	if o.m.stopAtRequest {
		o.stop()
	}
}

// watch is told of the steps of the call.
func (o *outing) watch(_ context.Context, step caller.Step) {
	if step.Kind != caller.StepFirstContent {
		return
	}
	o.read <- struct{}{}
	if o.m.stopAt {
		o.stop()
	}
}

func (o outing) run(t *testing.T) {
	o.t, o.books = t, memory.New(memory.Options{})
	o.serve()
	model := o.w.model(t, o.url, o.client)
	config := caller.Config{
		Prices: price.Table{model.Name(): o.w.price}, Ledger: o.books,
		MaxRetries: 1, Backoff: -1, Observer: caller.ObserverFunc(o.watch),
	}
	if o.m.config != nil {
		o.m.config(&config)
	}
	c := caller.New(model, config)
	limits := o.m.limits
	limits.MaxCost, limits.MaxTotalTokens = 1e9, 1e9 // so that something is reserved
	run, err := c.OpenRun(t.Context(), caller.RunConfig{ID: "run", Limits: limits})
	require.NoError(t, err)
	ctx := caller.WithRun(t.Context(), run)
	if o.m.begin != nil {
		ctx, o.stop = o.m.begin(ctx)
	} else {
		ctx, o.stop = context.WithCancel(ctx)
	}
	defer o.stop()

	result, err := o.call(ctx, c)
	o.client.CloseIdleConnections()
	o.over()
	o.check(result, err)
	o.checkBooks(run, result)
}

// call makes the call and returns what came of it.
func (o *outing) call(ctx context.Context, c *caller.Caller) (*caller.Result, error) {
	if !o.streaming {
		return c.Generate(ctx, ask("hi"))
	}
	call := c.Stream(ctx, ask("hi"))
	done := make(chan any)
	go func() { // a loop may be left by Goexit
		var crash any
		defer func() { done <- crash }()
		defer func() { crash = recover() }()
		for ev := range call.Events() {
			if o.m.leave != nil && ev.Kind.IsContent() && !o.m.leave() {
				break
			}
		}
	}()
	if crash := <-done; crash != nil {
		assert.Equal(o.t, errLeft, crash, "the consumer's panic goes on")
	}
	return call.Result()
}

// estimate is what ask("hi") is expected to use at most.
func estimate() usedTokens { return usedTokens{ask("hi").EstimateInputTokens(), 100} }

// reported is what the provider has told of its usage.
func (o *outing) reported() usedTokens {
	switch o.m.came {
	case openingCame:
		return o.w.afterOpening
	case textCame:
		if o.m.leave != nil {
			return o.w.afterOpening // the usage of the same chunk comes after its text
		}
		return o.w.afterText
	case accountsCame:
		return o.w.final
	default:
		return usedTokens{-1, -1}
	}
}

// charged is what each attempt must be charged.
func (o *outing) charged() (tokens usedTokens, cost events.Micros) {
	switch o.m.cert {
	case charge.None:
		return usedTokens{}, 0
	case charge.Exact:
		return o.w.final, o.w.exact
	default:
		told, e, in := o.reported(), estimate(), o.w.in
		if told.input >= 0 {
			in = o.w.inTold
		}
		tokens = usedTokens{max(told.input, e.input), max(told.output, e.output)}
		return tokens, events.Micros(tokens.input)*in + events.Micros(tokens.output)*o.w.out
	}
}

func (o *outing) check(result *caller.Result, err error) {
	t, want := o.t, o.m.attempts(o.streaming)
	require.NotNil(t, result)
	if o.m.kind == "" {
		require.NoError(t, err)
	} else {
		require.ErrorIs(t, err, &events.Failure{Kind: o.m.kind, Reason: o.m.reason})
	}
	require.Len(t, result.Attempts, want)
	assert.Equal(t, o.m.status, result.Status)
	assert.Equal(t, o.m.cert, result.Certainty)
	assert.Equal(t, o.m.cert, result.CostCertainty)
	assert.Equal(t, int64(want), o.requests(), "requests at the server")

	tokens, cost := o.charged()
	n := int64(want)
	assert.Equal(t, usedTokens{tokens.input * n, tokens.output * n}, tokensOf(result.Usage))
	assert.Equal(t, cost*events.Micros(n), result.Cost)
	for _, a := range result.Attempts {
		if o.m.kind == "" {
			assert.Nil(t, a.Failure)
			continue
		}
		assert.ErrorIs(t, a.Failure, &events.Failure{Kind: o.m.kind, Reason: o.m.reason})
		assert.NotEqual(t, events.NotSent, a.Failure.Sent)
	}
	if o.m.came >= textCame {
		assert.NotEmpty(t, result.Reply.Text(), "what came is kept")
	}
}

func (o *outing) checkBooks(run *caller.Run, result *caller.Result) {
	t := o.t
	booked, err := ledger.All(run.Records(context.WithoutCancel(t.Context())))
	require.NoError(t, err)
	require.Len(t, booked, len(result.Attempts))
	tokens, cost := o.charged()
	for i, r := range booked {
		assert.Equal(t, result.Attempts[i].Settlement, r.Settled)
		assert.Equal(t, o.m.status, r.Status())
		assert.Equal(t, o.m.cert, r.Settled.Certainty)
		assert.Equal(t, o.m.kind, r.Settled.FailureKind)
		if o.m.reason != "" {
			assert.Equal(t, o.m.reason, r.Settled.FailureReason)
		}
		assert.Equal(t, tokens, tokensOf(r.Settled.Usage))
		if o.m.cert == charge.Estimated {
			assert.Equal(t, o.reported(), tokensOf(r.Settled.Known), "the known part")
		}
		assert.Equal(t, cost, r.Settled.Cost)
		assert.LessOrEqual(t, r.Settled.KnownCost, r.Settled.Cost)
		assert.False(t, r.CompletedAt.IsZero())
	}
	state, err := run.State(context.WithoutCancel(t.Context()))
	require.NoError(t, err)
	assert.Zero(t, state.Totals.Open)
	assert.Zero(t, state.Totals.OpenTokens)
	assert.Zero(t, state.Totals.OpenCost)
	assert.Equal(t, int64(result.Cost), state.Totals.Cost.Charged)
	assert.Equal(t, int64(len(booked)), state.Totals.Calls)
}

// errLeft is what a consumer's loop panics with.
const errLeft = "the consumer's own"

func leaveByBreak() bool  { return false }
func leaveByPanic() bool  { panic(errLeft) }
func leaveByGoexit() bool { runtime.Goexit(); return false }
