package replay_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/replay"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// model is a providers.Model of one function.
type model struct {
	name   string
	stream func(ctx context.Context, req request.Request) stream.Stream
}

func (m model) Name() string       { return m.name }
func (m model) Spec() request.Spec { return request.Spec{} }

func (m model) Stream(ctx context.Context, req request.Request) stream.Stream {
	return m.stream(ctx, req)
}

// plays is a model that plays the events, as they are, for every request.
func plays(evs ...events.Event) model {
	return model{"test:m", func(context.Context, request.Request) stream.Stream {
		return func(yield func(events.Event) bool) {
			for _, ev := range evs {
				if !yield(ev) {
					return
				}
			}
		}
	}}
}

func ask(text string) request.Request {
	return request.Request{Messages: []request.Message{request.UserText(text)}, MaxOutputTokens: 100}
}

func started() events.Event { return events.NewStarted(events.Start{Model: "m-1"}) }

func completed(stop events.Stop) events.Event {
	return events.NewCompleted(events.Completion{Stop: stop, RawStop: "raw_" + string(stop)})
}

// hello is a whole reply.
func hello(text string) []events.Event {
	return []events.Event{started(), events.NewTextDelta(0, text), completed(events.StopEnd)}
}

// all ranges the stream of one request to its end.
func all(m providers.Model, req request.Request) []events.Event {
	return allOf(context.Background(), m, req)
}

func allOf(ctx context.Context, m providers.Model, req request.Request) []events.Event {
	var evs []events.Event
	for ev := range m.Stream(ctx, req) {
		evs = append(evs, ev)
	}
	return evs
}

// lines are the canonical JSON of the events.
func lines(evs []events.Event) []string {
	texts := []string{}
	for _, ev := range evs {
		texts = append(texts, string(events.AppendJSON(nil, ev)))
	}
	return texts
}

func kinds(evs []events.Event) []events.Kind {
	var ks []events.Kind
	for _, ev := range evs {
		ks = append(ks, ev.Kind)
	}
	return ks
}

// failure returns the failure that the events end with.
func failure(tb testing.TB, evs []events.Event) *events.Failure {
	tb.Helper()
	require.NotEmpty(tb, evs)
	f, ok := evs[len(evs)-1].Failure()
	require.True(tb, ok, "the last event is %v", evs[len(evs)-1])
	return f
}

// files returns the directory: name to content.
func files(tb testing.TB, dir string) map[string]string {
	tb.Helper()
	found := map[string]string{}
	entries, err := os.ReadDir(dir)
	require.NoError(tb, err)
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(tb, err)
		found[e.Name()] = string(text)
	}
	return found
}

// only returns the one file of a directory.
func only(tb testing.TB, dir string) (name, text string) {
	tb.Helper()
	found := files(tb, dir)
	require.Len(tb, found, 1)
	for name, text = range found {
	}
	return name, text
}

// edit rewrites the one file of a directory.
func edit(tb testing.TB, dir string, change func(string) string) {
	tb.Helper()
	name, text := only(tb, dir)
	changed := change(text)
	require.NotEqual(tb, text, changed, "the edit changed nothing")
	require.NoError(tb, os.WriteFile(filepath.Join(dir, name), []byte(changed), 0o600))
}

// record records one request and returns its directory.
func record(tb testing.TB, m providers.Model, reqs ...request.Request) string {
	tb.Helper()
	dir := tb.TempDir()
	r := &replay.Recorder{Inner: m, Dir: dir}
	for _, req := range reqs {
		all(r, req)
	}
	require.NoError(tb, r.Err())
	return dir
}

func replayer(dir string) *replay.Replayer { return &replay.Replayer{ModelName: "test:m", Dir: dir} }
