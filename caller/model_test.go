package caller_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/price"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// A play is what a scripted model does for one attempt.
type play func(ctx context.Context, emit func(events.Event) bool)

// A script is a model that plays its plays in order, the last one for ever.
type script struct {
	name  string
	spec  request.Spec
	plays []play

	mu       sync.Mutex
	requests []request.Request
}

func newScript(plays ...play) *script { return &script{name: "test:m", plays: plays} }

func (s *script) Name() string       { return s.name }
func (s *script) Spec() request.Spec { return s.spec }

func (s *script) Stream(ctx context.Context, req request.Request) stream.Stream {
	return func(yield func(events.Event) bool) {
		s.mu.Lock()
		n := len(s.requests)
		s.requests = append(s.requests, req)
		s.mu.Unlock()
		s.plays[min(n, len(s.plays)-1)](ctx, yield)
	}
}

// seen returns the requests so far.
func (s *script) seen() []request.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]request.Request(nil), s.requests...)
}

// of plays fixed events.
func of(evs ...events.Event) play {
	return func(_ context.Context, emit func(events.Event) bool) {
		for _, ev := range evs {
			if !emit(ev) {
				return
			}
		}
	}
}

var started = events.NewStarted(events.Start{ResponseID: "r", Model: "m"})

// says plays a whole reply.
func says(text string, input, output int64) play {
	return of(started, events.NewTextDelta(0, text), done(input, output))
}

func done(input, output int64) events.Event {
	zero := events.Known(0)
	return events.NewCompleted(events.Completion{
		Stop: events.StopEnd, RawStop: "stop",
		Usage: events.Usage{Input: events.Known(input), CacheRead: zero, Output: events.Known(output), Thinking: zero, Final: true},
	})
}

// fails plays a failure before any content.
func fails(kind events.FailureKind, reason events.Reason, change ...func(*events.Failure)) play {
	f := events.NewFailure(kind, reason, "")
	for _, c := range change {
		c(f)
	}
	return of(events.NewStarted(events.Start{}), events.NewFailed(f))
}

func status(n int) func(*events.Failure) {
	return func(f *events.Failure) { f.Status, f.Sent = n, events.Answered }
}

func after(d time.Duration) func(*events.Failure) {
	return func(f *events.Failure) { f.RetryAfter = d }
}

func refuses(feature string) func(*events.Failure) {
	return func(f *events.Failure) { f.Status, f.Feature, f.Sent = 400, feature, events.Answered }
}

// prices has test:m at a dollar for a million tokens of prompt and two of output.
func prices() price.Table {
	return price.Table{"test:m": {Input: price.PerMillion(1_000_000), Output: price.PerMillion(2_000_000)}}
}

func ask(text string) request.Request {
	return request.Request{Messages: []request.Message{request.UserText(text)}, MaxOutputTokens: 100}
}

// collect ranges a stream to its end.
func collect(s stream.Stream) []events.Event {
	var evs []events.Event
	for ev := range s {
		evs = append(evs, ev)
	}
	return evs
}

func kinds(evs []events.Event) []events.Kind {
	var ks []events.Kind
	for _, ev := range evs {
		ks = append(ks, ev.Kind)
	}
	return ks
}

func records(t *testing.T, books ledger.Ledger) []ledger.Record {
	t.Helper()
	found, err := ledger.All(books.Records(context.Background(), ledger.Filter{}))
	require.NoError(t, err)
	return found
}

type providersModel = providers.Model

const (
	foreignDrop = request.ForeignDrop
	no          = request.No
)

// tools returns one declared tool.
func tools(t *testing.T) []request.Tool {
	t.Helper()
	tool, err := request.NewTool("find", "Finds.", `{"type":"object","properties":{"q":{"type":"string"}},"required":["q"]}`)
	require.NoError(t, err)
	return []request.Tool{tool}
}

// silent is a model that remembers nothing, for figures.
type silent struct {
	deltas int
	delta  events.Event
}

func (*silent) Name() string       { return "test:m" }
func (*silent) Spec() request.Spec { return request.Spec{} }

func (s *silent) Stream(context.Context, request.Request) stream.Stream {
	end := done(10, 5)
	return stream.New(func(emit func(events.Event) bool) {
		emit(started)
		for range s.deltas {
			emit(s.delta)
		}
		emit(end)
	})
}
