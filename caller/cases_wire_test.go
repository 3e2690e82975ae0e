package caller_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
)

// A difference is where the design and a case disagree about one thing; the design
// wins.
type difference struct {
	name, field string
	want        string // what the design asks for
	reason      string
}

// differences is every one of them, of streams. An entry that no longer differs
// fails.
func differences() []difference {
	return []difference{
		{
			"155-cached-greater-than-prompt", "cost", "$0.000420",
			"the larger reading of 900 cached tokens in a prompt of 100 is a prompt of 900; the case, which allows others, adds the two",
		},
	}
}

// TestBugs calls every case that has bytes, and holds the call to how often it was
// tried, how long it waited, how it ended and what it was charged.
func TestBugs(t *testing.T) {
	t.Parallel()
	all := loadBugs(t, "../providers/*/testdata/*cases/*/case.json")
	require.GreaterOrEqual(t, len(all), 96)
	used := map[string]bool{}
	for _, c := range all {
		for _, d := range differences() {
			if d.name == c.name() {
				used[d.name+" "+d.field] = true
			}
		}
		t.Run(c.name()+"/stream", func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { playBug(t, c, true).check() })
		})
		t.Run(c.name()+"/generate", func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { playBug(t, c, false).check() })
		})
	}
	assert.Len(t, used, len(differences()), "a difference of no case")
}

// A bugRun is a case that was played.
type bugRun struct {
	*testing.T
	c         reportedBug
	streaming bool
	rt        *cannedTransport
	events    []events.Event
	result    *caller.Result
	err       error
	booked    []ledger.Record
	run       ledger.Run
	estimate  usedTokens
}

func playBug(t *testing.T, c reportedBug, streaming bool) *bugRun {
	b := &bugRun{T: t, c: c, streaming: streaming, rt: &cannedTransport{exchanges: c.Exchanges}}
	call := bugCaller(t, c.provider(), b.rt, func(config *caller.Config) { config.Clocks.Idle = ms(c.Config.IdleTimeoutMS) })
	run, err := call.OpenRun(t.Context(), caller.RunConfig{ID: "run", Limits: caller.Limits{MaxCost: 1e12, MaxTotalTokens: 1e12}})
	require.NoError(t, err)
	ctx := caller.WithRun(t.Context(), run)
	if c.Config.DeadlineMS > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, ms(c.Config.DeadlineMS)*time.Duration(len(c.Exchanges)+2))
		defer stop()
	}
	req := c.request(t)
	b.estimate = usedTokens{req.EstimateInputTokens(), int64(req.MaxOutputTokens)}
	if streaming {
		stream := call.Stream(ctx, req)
		b.events = collect(stream.Events())
		b.result, b.err = stream.Result()
	} else {
		b.result, b.err = call.Generate(ctx, req)
	}
	b.booked, err = ledger.All(run.Records(t.Context()))
	require.NoError(t, err)
	b.run, err = run.State(t.Context())
	require.NoError(t, err)
	return b
}

// repeated reports whether Generate asks again though text came: its consumer has
// seen none of it. The cases are about streams.
func (b *bugRun) repeated() bool {
	f, failed := events.AsFailure(b.err)
	return failed && !b.streaming && b.c.Expected.Terminal.AfterOutput && f.Retryable()
}

func (b *bugRun) check() {
	require.NotEmpty(b, b.result.Attempts)
	want, got := b.want(), b.got()
	for field, value := range want {
		if d, ok := b.difference(field); ok {
			assert.NotEqual(b, value, got[field], "%s: it no longer differs", field)
			value = d.want
		}
		assert.Equal(b, value, got[field], field)
	}
	b.checkText()
	b.checkWaits()
	b.checkEarlier()
	b.checkBooked()
}

func (b *bugRun) difference(field string) (difference, bool) {
	for _, d := range differences() {
		if d.name == b.c.name() && d.field == field {
			return d, true
		}
	}
	return difference{}, false
}

// want is what the case asks for, field by field.
func (b *bugRun) want() map[string]string {
	e := b.c.Expected
	want := map[string]string{"attempts": b.wantAttempts(), "terminal": e.Terminal.Type + " " + e.Terminal.Stop + e.Terminal.Kind}
	if e.Terminal.Kind == "overloaded" {
		want["terminal"] = "error server"
	}
	if e.Terminal.RetryAfterMS > 0 {
		want["retry after"] = ms(e.Terminal.RetryAfterMS).String()
	}
	want["certainty"] = string(certaintyWord(e.Charge.Quality, e.Charge.NanoUSD))
	switch want["certainty"] {
	case string(charge.Estimated):
		if e.Charge.Quality == "estimate" {
			want["cost"] = micros(*e.Charge.NanoUSD).String()
			break
		}
		want["tokens"], want["cost"] = b.wantEstimate()
		if e.Charge.Quality == "lower_bound" {
			want["known cost"] = micros(*e.Charge.NanoUSD).String()
		}
	case string(charge.None):
		want["tokens"], want["cost"] = "0 0", events.Micros(0).String()
	default:
		want["cost"] = micros(*e.Charge.NanoUSD).String()
		want["tokens"] = fmt.Sprint(*e.Usage.Input, *e.Usage.Output)
		want["parts"] = fmt.Sprint(known(e.Usage.CacheRead), known(e.Usage.CacheWrite), known(e.Usage.CacheWriteLong), known(e.Usage.Reasoning))
	}
	return want
}

func known(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

func (b *bugRun) wantAttempts() string {
	var n int
	switch r := b.c.Expected.Retry; {
	case b.repeated():
		return "3"
	case json.Unmarshal(r.Attempts, &n) == nil:
		return fmt.Sprint(n)
	case r.Auto:
		return "3" // "per policy"
	default:
		return "1"
	}
}

// wantEstimate is what an attempt is charged of which the provider has not told
// enough.
func (b *bugRun) wantEstimate() (tokens, cost string) {
	u := usedTokens{-1, -1}
	if told := b.c.Expected.Usage; told != nil && told.Input != nil {
		u = usedTokens{*told.Input, *told.Output}
	}
	in := events.Micros(3) // of std-1; a prompt of which nothing is told may have been written to a cache
	if b.c.provider() == "anthropic" && u.input < 0 {
		in = 6
	}
	if b.c.Expected.Terminal.Type == "done" {
		u = usedTokens{max(u.input, b.estimate.input), (b.arrived() + 2) / 3}
	} else {
		u = usedTokens{max(u.input, b.estimate.input), max(u.output, b.estimate.output)}
	}
	return fmt.Sprint(u.input, u.output), (events.Micros(u.input)*in + events.Micros(u.output)*15).String()
}

// arrived is how many bytes of output the reply has.
func (b *bugRun) arrived() int64 {
	n := len(b.result.Reply.Text()) + len(b.result.Reply.Thinking()) + len(b.result.Reply.Refusal())
	for _, call := range b.result.Reply.AllCalls() {
		n += len(call.Name) + len(call.Arguments)
	}
	return int64(n)
}

// got is what came of the case, field by field.
func (b *bugRun) got() map[string]string {
	last := b.result.Attempts[len(b.result.Attempts)-1].Settlement
	u := last.Usage
	got := map[string]string{
		"attempts": fmt.Sprint(len(b.result.Attempts)), "certainty": string(last.Certainty),
		"tokens": fmt.Sprint(u.Input.Or(-1), u.Output.Or(-1)), "cost": last.Cost.String(), "known cost": last.KnownCost.String(),
		"parts": fmt.Sprint(u.CacheRead.Or(0), u.CacheWrite.Or(0), u.CacheWriteLong.Or(0), u.Thinking.Or(0)),
	}
	if f, failed := events.AsFailure(b.err); failed {
		got["terminal"], got["retry after"] = "error "+failureWord(f), f.RetryAfter.String()
	} else {
		got["terminal"] = "done " + string(b.result.Reply.Stop())
	}
	return got
}

// checkText holds what the consumer saw to the case: once, of one attempt.
func (b *bugRun) checkText() {
	if want := b.c.Expected.Text; want != nil {
		assert.Equal(b, *want, b.result.Reply.Text())
	}
	if !b.streaming {
		return
	}
	var text strings.Builder
	started, notices, content := 0, 0, false
	for _, ev := range b.events {
		switch ev.Kind {
		case events.Started:
			started++
		case events.Notice:
			if n, _ := ev.Notice(); n.Code == events.NoticeAttemptFailed {
				notices++
			}
		case events.TextDelta:
			text.WriteString(ev.Text)
		default:
		}
		content = content || ev.Kind.IsContent()
	}
	assert.Equal(b, 1, started)
	assert.Equal(b, len(b.result.Attempts)-1, notices, "each attempt that was dropped is told")
	assert.Equal(b, b.result.Reply.Text(), text.String())
	if b.c.Expected.Terminal.Type == "error" {
		assert.Equal(b, b.c.Expected.Terminal.AfterOutput, content)
	}
}

// checkWaits holds the waits between the requests to what the provider asked for, and
// to the backoff.
func (b *bugRun) checkWaits() {
	at := b.rt.requests()
	assert.Len(b, at, len(b.result.Attempts), "one request an attempt")
	assert.Zero(b, b.rt.unclosed())
	for i := range len(at) - 1 {
		waited, backoff := at[i+1].Sub(at[i]), caller.DefaultBackoff<<i
		var least time.Duration
		var asked int64
		if waits := b.c.Expected.Retry.WaitMS; i < len(waits) && json.Unmarshal(waits[i], &asked) == nil {
			least = ms(asked)
		}
		assert.GreaterOrEqual(b, waited, least, "never shorter than the provider asks")
		if b.c.Expected.Terminal.Kind != "idle_timeout" { // where the attempt itself takes time
			assert.LessOrEqual(b, waited, max(least, backoff))
		}
	}
}

// checkEarlier holds the attempts that were repeated to the table: an error status
// costs nothing, a stream that broke is not free.
func (b *bugRun) checkEarlier() {
	for i, a := range b.result.Attempts[:len(b.result.Attempts)-1] {
		x := b.c.Exchanges[min(i, len(b.c.Exchanges)-1)]
		assert.True(b, a.Failure.Retryable())
		if x.Status >= 300 {
			assert.Equal(b, charge.None, a.Settlement.Certainty)
			assert.Zero(b, a.Settlement.Cost)
			continue
		}
		if b.c.Expected.Terminal.Type == "error" && b.c.Expected.Charge.Quality == "exact" {
			assert.Equal(b, charge.Error, a.Settlement.Status, "it ended, with its usage")
			assert.Equal(b, charge.Exact, a.Settlement.Certainty)
			continue
		}
		assert.Equal(b, charge.Ambiguous, a.Settlement.Status)
		assert.Equal(b, charge.Estimated, a.Settlement.Certainty)
		assert.GreaterOrEqual(b, a.Settlement.Usage.Input.Or(0), b.estimate.input)
		assert.GreaterOrEqual(b, a.Settlement.Usage.Output.Or(0), b.estimate.output)
		assert.Positive(b, a.Settlement.Cost)
	}
}

func (b *bugRun) checkBooked() {
	require.Len(b, b.booked, len(b.result.Attempts))
	var cost events.Micros
	for i, r := range b.booked {
		assert.Equal(b, b.result.Attempts[i].Settlement, r.Settled)
		cost += r.Settled.Cost
		assert.GreaterOrEqual(b, r.Settled.Cost, events.Micros(0))
		b.checkCostCertainty(r.Settled)
	}
	assert.Equal(b, cost, b.result.Cost)
	assert.Zero(b, b.run.Totals.Open+b.run.Totals.OpenTokens+int64(b.run.Totals.OpenCost))
	assert.Equal(b, int64(cost), b.run.Totals.Cost.Charged)
	if b.c.Expected.Structured != nil {
		assert.Empty(b, b.result.Answer, "a reply that was cut is no answer")
	}
}

// checkCostCertainty: a cost is as certain as the counts, but where the cached part of
// a prompt is priced apart and was not told: then it is at most that.
func (b *bugRun) checkCostCertainty(s ledger.Settlement) {
	want := s.Certainty
	if want == charge.Exact && b.c.provider() != "ollama" && !s.Usage.CacheRead.IsKnown() {
		want = charge.Estimated
	}
	assert.Equal(b, want, s.CostCertainty)
}
