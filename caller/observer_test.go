package caller_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/caller/ledger/memory"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// A diary keeps steps.
type diary struct {
	mu    sync.Mutex
	steps []caller.Step
	early int // settled steps whose reply had its terminal already
}

func (d *diary) Observe(_ context.Context, step caller.Step) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.steps = append(d.steps, step)
	if step.Kind == caller.StepSettled && step.Reply.Done() {
		d.early++
	}
}

func (d *diary) kinds() []caller.StepKind {
	var ks []caller.StepKind
	for _, s := range d.steps {
		ks = append(ks, s.Kind)
	}
	return ks
}

func TestSteps(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begun := []caller.StepKind{caller.StepReserved, caller.StepDispatched, caller.StepStarted}
		failed := append(append([]caller.StepKind{}, begun...), caller.StepSettled)
		good := append(append([]caller.StepKind{}, begun...), caller.StepFirstContent, caller.StepSettled)
		overload := fails(events.Overloaded, events.ReasonServer, status(503))
		then := func(parts ...[]caller.StepKind) (all []caller.StepKind) {
			for _, p := range parts {
				all = append(all, p...)
			}
			return append(all, caller.StepFinished)
		}
		one := func(k caller.StepKind) []caller.StepKind { return []caller.StepKind{k} }
		for _, tt := range []struct {
			why    string
			plays  []play
			req    request.Request
			limits caller.Limits
			want   []caller.StepKind
		}{
			{"a reply", []play{says("a", 1, 1)}, ask("hi"), caller.Limits{}, then(good)},
			{"a retry", []play{overload, says("a", 1, 1)}, ask("hi"), caller.Limits{}, then(failed, one(caller.StepRetried), good)},
			{"the next model", []play{overload}, ask("hi"), caller.Limits{}, then(failed, one(caller.StepRetried), failed, one(caller.StepFellBack), good)},
			{
				"a refused feature",
				[]play{fails(events.Rejected, events.ReasonUnsupported, refuses(request.FeatureStreamOptions)), says("a", 1, 1)},
				ask("hi"),
				caller.Limits{},
				then(failed, one(caller.StepLatched), good),
			},
			{"a limit", []play{overload, says("a", 1, 1)}, ask("hi"), caller.Limits{MaxCalls: 1}, then(failed, one(caller.StepRetried), one(caller.StepRefused))},
			{"a request that does not fit", []play{says("a", 1, 1)}, request.Request{}, caller.Limits{}, then(one(caller.StepRefused))},
		} {
			d := new(diary)
			other := newScript(says("b", 1, 1))
			other.name = "test:other"
			c := caller.New(newScript(tt.plays...), caller.Config{MaxRetries: 1, Observer: d, Fallback: []providersModel{other}})
			run, err := c.OpenRun(t.Context(), caller.RunConfig{ID: "r", Limits: tt.limits})
			require.NoError(t, err)
			_, _ = c.Generate(caller.WithRun(t.Context(), run), tt.req)
			assert.Equal(t, tt.want, d.kinds(), tt.why)
			for _, s := range d.steps {
				assert.Equal(t, d.steps[0].Call, s.Call, tt.why)
				assert.Equal(t, "r", s.Run, tt.why)
				assert.NotNil(t, s.Request, tt.why)
			}
			last := d.steps[len(d.steps)-1]
			require.NotNil(t, last.Result, tt.why)
			assert.Zero(t, d.early, "%s: it is settled before the terminal is handed on", tt.why)
			for _, s := range d.steps {
				settled := s.Kind == caller.StepSettled
				assert.Equal(t, settled, s.Terminal.Kind.IsTerminal(), tt.why)
				if settled && s.Failure == nil {
					assert.Equal(t, "r", s.Reply.Start().ResponseID, tt.why)
				}
				assert.Equal(t, settled && s.Terminal.Kind == events.Failed, settled && s.Failure != nil, tt.why)
			}
		}
	})
}

type contextKey struct{}

// spanning adds to the context of an attempt.
type spanning struct{ diary }

func (*spanning) AttemptContext(ctx context.Context, step caller.Step) context.Context {
	if step.Call == "" || step.Scope.Actor != "me" {
		return ctx // it has to be told of everything
	}
	return context.WithValue(ctx, contextKey{}, step.Attempt.ID)
}

func TestAttemptContext(t *testing.T) {
	t.Parallel()
	var inModel any
	model := newScript(func(ctx context.Context, emit func(events.Event) bool) {
		inModel = ctx.Value(contextKey{})
		says("a", 1, 1)(ctx, emit)
	})
	var seen []any
	last := caller.ObserverFunc(func(ctx context.Context, _ caller.Step) { seen = append(seen, ctx.Value(contextKey{})) })
	result, err := caller.New(model, caller.Config{Observer: caller.Observers(nil, new(diary), new(spanning), last)}).
		Generate(caller.WithScope(t.Context(), caller.Scope{Actor: "me"}), ask("hi"))
	require.NoError(t, err)
	id := any(result.Attempts[0].ID)
	assert.Equal(t, id, inModel, "the attempt runs in it")
	assert.Equal(t, []any{nil, id, id, id, id, nil}, seen, "reserved and finished are outside")
}

func TestLogObserver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		log := slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))
		const secret = "canary-in-content"
		model := newScript(fails(events.Overloaded, events.ReasonServer, status(503), after(time.Second)), says(secret, 10, 5))
		c := caller.New(model, caller.Config{Observer: caller.NewLogObserver(log), MaxRetries: 1, Prices: prices()})
		_, err := c.Generate(caller.WithScope(t.Context(), caller.Scope{Actor: "me"}), ask(secret))
		require.NoError(t, err)
		assert.NotContains(t, out.String(), secret, "no content")
		var lines []map[string]any
		for line := range strings.Lines(out.String()) {
			var m map[string]any
			require.NoError(t, json.Unmarshal([]byte(line), &m))
			lines = append(lines, m)
		}
		require.Len(t, lines, 11)
		levels := map[string]int{}
		for _, l := range lines {
			levels[l["level"].(string)]++
			assert.Equal(t, "me", l["actor"])
		}
		assert.Equal(t, map[string]int{"DEBUG": 8, "WARN": 2, "INFO": 1}, levels)
		settled := lines[9]
		assert.Equal(t, "model call settled", settled["msg"])
		assert.Equal(t, "$0.000020", settled["cost"])
		assert.InDelta(t, 10, settled["input_tokens"], 0)

		out.Reset()
		_, err = caller.New(newScript(says("a", 1, 1)), caller.Config{Observer: caller.NewLogObserver(slog.New(slog.NewTextHandler(&out, nil)))}).Generate(t.Context(), ask("x"))
		require.NoError(t, err)
		assert.Equal(t, 1, strings.Count(out.String(), "\n"), "at Info one line a call")
		assert.NotContains(t, out.String(), "cost=", "a cost that nobody knows is not zero")
	})
}

// What is held back is part of what has come.
func TestSettledReplyIsWhole(t *testing.T) {
	t.Parallel()
	var id string
	var usage events.Count
	watch := caller.ObserverFunc(func(_ context.Context, step caller.Step) {
		if step.Kind == caller.StepSettled {
			id, usage = step.Reply.Start().ResponseID, step.Reply.Usage().Input
		}
	})
	silent := newScript(of(started, events.NewUsageUpdated(events.Usage{Input: events.Known(3)}), done(4, 1)))
	_, err := caller.New(silent, caller.Config{Observer: watch}).Generate(t.Context(), ask("hi"))
	require.NoError(t, err)
	assert.Equal(t, "r", id)
	assert.Equal(t, events.Known(3), usage)
}

// What a ledger says of its failure is not for a log.
func TestLogsNoAddress(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	down := errors.New("dial postgres://user:hunter2@db")
	c := caller.New(newScript(says("a", 1, 1)), caller.Config{
		Ledger:   brokenBooks{memory.New(memory.Options{}), nil, down},
		Observer: caller.NewLogObserver(slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))),
	})
	_, err := c.Generate(t.Context(), ask("hi"))
	require.Error(t, err)
	assert.Contains(t, out.String(), "ledger_unavailable")
	assert.NotContains(t, out.String(), "hunter2")
}
