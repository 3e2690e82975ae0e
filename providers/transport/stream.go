package transport

import (
	"context"
	"net/http"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/stream"
	"github.com/weirsdk/weir/validator"
)

// Stream returns the reply to one HTTP call as a lazy, single-use stream that
// obeys the grammar. Nothing happens before it is ranged; then prepare is called
// (an error of it ends the stream as Failed, not_sent), the call is sent with
// client (see [NewClient]; nil is a new one), and the decoder is fed until the reply has ended.
// All of it runs on the ranging goroutine; the body is closed before the
// terminal is handed on, and on every other way out of the loop.
//
// The context governs the whole exchange. Its clocks are those of
// cancel.WithClocks, or of the cancel.Watch that it carries, else the defaults.
func Stream(ctx context.Context, client *http.Client, prepare func() (Call, Decoder, error)) stream.Stream {
	if client == nil {
		client = NewClient(nil)
	}
	return stream.New(func(emit func(events.Event) bool) {
		call, decoder, f := prepared(prepare)
		x := &exchange{call: call, decoder: decoder, limits: call.Limits.withDefaults(), secrets: spellings(call.Secrets)}
		providers.TellSecrets(ctx, call.Secrets...)
		guarded := validator.Guard(func(yield func(events.Event) bool) {
			x.yield = yield
			if f != nil {
				x.fail(f)
				return
			}
			x.run(ctx, client)
		}, validator.WithLimits(x.limits.Grammar))
		guarded(func(ev events.Event) bool {
			if ev.Kind == events.Failed {
				ev = named(ev, call.Provider)
			}
			return emit(ev)
		})
	})
}

// named returns a Failed event that says whose it is: the guard's own do not.
func named(ev events.Event, provider string) events.Event {
	f, ok := ev.Failure()
	if !ok || f.Provider != "" {
		return ev
	}
	f.Provider = provider
	return events.NewFailed(f)
}

// prepared calls prepare and turns what goes wrong into a failure. prepare hands
// no event to anybody, so a panic of it is the adapter's own.
func prepared(prepare func() (Call, Decoder, error)) (call Call, decoder Decoder, f *events.Failure) {
	defer func() {
		if crash := recover(); crash != nil {
			f = crashed("the adapter, before sending,", crash)
		}
	}()
	call, decoder, err := prepare()
	if err == nil {
		return call, decoder, nil
	}
	if f, ok := events.AsFailure(err); ok {
		return call, decoder, f
	}
	return call, decoder, events.NewFailure(events.InvalidRequest, "", err.Error()).WithCause(err)
}
