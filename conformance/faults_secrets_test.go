package conformance

import (
	"context"
	"encoding/base64"
	"errors"
	"slices"
	"sync/atomic"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// faultsOfSecrets break M14.
func faultsOfSecrets() []broken {
	echo := []string{"text/echo"}
	adding := func(kind events.Kind, ev events.Event) made {
		return telling(func(e events.Event) []events.Event {
			if e.Kind == kind {
				return []events.Event{ev}
			}
			return []events.Event{e}
		})
	}
	return slices.Concat(faultsOfAnySecret(), []broken{
		{clause: m14, fault: keepsTheKey, on: []string{"error-401/echo"}, want: "no credential"},
		{clause: m14, why: "counts and stops are not scrubbed", fault: keepsTheKey, byHand: true, on: echo, want: "no credential"},
		{
			clause: m14, why: "the key is in Started", on: echo, want: "no credential",
			with: adding(events.Started, events.NewStarted(events.Start{Metadata: map[string]string{"key": Canary}})),
		},
		{
			clause: m14, why: "the key is in the id of the request", on: []string{"error-401/echo"}, want: "no credential",
			with: failing(func(f *events.Failure) {
				if f.RequestID != "" {
					f.RequestID = Canary
				}
			}),
		},
		{
			clause: m14, why: "the key is in a notice", on: []string{"usage/echo"}, want: "no credential",
			with: telling(func(e events.Event) []events.Event {
				if e.Kind == events.UsageUpdated {
					return []events.Event{events.NewNotice(events.NoticeUnknownFrame, "sent with "+Canary), e}
				}
				return []events.Event{e}
			}),
		},
		{
			clause: m14, why: "the key is in the cause of a failure", on: []string{"error-401/echo"}, want: "no credential",
			with: failing(func(f *events.Failure) { *f = *f.WithCause(errKey) }),
		},
		{
			clause: m14, why: "the model prints its key", on: []string{"text/printed"}, want: "no credential in a printed form",
			with: func(m *toy) providers.Model {
				return struct {
					providers.Model
					Key string
				}{m, Canary}
			},
		},
		{
			clause: m14, why: "the key is not sent", on: []string{"text/printed"}, want: "conformance.Canary in the request",
			with: func(m *toy) providers.Model { m.key = func() string { return "another" }; return m },
		},
		{clause: m14, why: "recorders are not told the key", fault: keepsTheKey, on: []string{"text/recorded"}, want: "no credential in a recording"},
	})
}

// withKey tells the key before the end of a stream.
func withKey(ev events.Event) []events.Event {
	if ev.Kind.IsTerminal() {
		return []events.Event{events.NewNotice(events.NoticeUnknownFrame, "sent with "+Canary), ev}
	}
	return []events.Event{ev}
}

// faultsOfAnySecret tell the key although no server repeats it: in every stream, and
// in what only some streams end with.
func faultsOfAnySecret() []broken {
	var all []broken
	also := map[string]map[string]string{
		"text/consumer": {m04: "the notice is in the answer to a second range too"},
		"text/recorded": {m10: "what is recorded is scrubbed"},
	}
	for _, on := range []string{
		"text/as it is", "text/split", "text/cut", "text/stall", "text/consumer", "text/echo", "text/noise", "text/corrupt", "text/confuse",
		"text/recorded", "text/identity", "text/bad request", "text/parameters", "text/history", "text/image", "text/reach",
		"text/printed", "text/no stream", "text/too much", "text/concurrent", "tool-call/next turn", "error-429/retry-after",
	} {
		all = append(all, broken{
			clause: m14, why: "the key is in a notice of every stream of " + on, on: []string{on}, want: "no credential", also: also[on],
			with: telling(withKey),
		})
	}
	ends := func(why, on string, ends func(events.Event) bool) broken {
		return broken{
			clause: m14, why: "the key is in the failure of " + why, on: []string{on}, want: "no credential",
			with: failing(func(f *events.Failure) {
				if ends(events.NewFailed(f)) {
					f.Detail = "sent with " + Canary
				}
			}),
		}
	}
	coded := func(why, detail string) broken {
		return broken{
			clause: m14, why: why + " is in the failure of a request that is refused", on: []string{"text/bad request"}, want: "no credential",
			with: failing(func(f *events.Failure) { f.Detail = detail }),
		}
	}
	return append(all,
		coded("the beginning of the key", "with "+Canary[:len(Canary)-6]+"..."),
		coded("the key in base64", base64.StdEncoding.EncodeToString([]byte(Canary))),
		coded("the key in base64, behind a name of one byte", base64.StdEncoding.EncodeToString([]byte(":"+Canary))),
		coded("the key in base64, behind a name of two bytes", base64.URLEncoding.EncodeToString([]byte("a:"+Canary))),
		ends("a request that is refused", "text/bad request", ofKind(events.InvalidRequest)),
		ends("a second range", "text/consumer", ofReason(events.ReasonStreamUsed)),
		ends("what is cancelled", "text/consumer", ofKind(events.Cancelled)),
		ends("a clock", "text/stall", ofKind(events.TimedOut)),
		ends("a body that is cut", "text/cut", ofKind(events.InvalidReply)),
		ends("a frame that cannot be read", "text/corrupt", ofReason(events.ReasonMalformed)),
		ends("a connection that cannot be had", "text/reach", ofKind(events.Unreachable)),
		ends("a page", "text/no stream", ofReason(events.ReasonBadContent)),
		ends("a line that is too long", "text/too much", ofReason(events.ReasonTooLarge)),
		broken{
			clause: m14, why: "the key is in every stream of a model but its first", on: []string{"text/concurrent"}, want: "no credential",
			with: func(m *toy) providers.Model {
				var streams atomic.Int64
				return &bent{Model: m, stream: func(ctx context.Context, req request.Request) stream.Stream {
					if streams.Add(1) == 1 {
						return m.Stream(ctx, req)
					}
					return telling(withKey)(m).Stream(ctx, req)
				}}
			},
			also: map[string]string{m10: "the first says something else"},
		},
		broken{
			clause: m14, why: "the key is in every stream that is tapped", on: []string{"text/recorded"}, want: "no credential",
			with: func(m *toy) providers.Model {
				return &bent{Model: m, stream: func(ctx context.Context, req request.Request) stream.Stream {
					if providers.TapOf(ctx) == nil {
						return m.Stream(ctx, req)
					}
					return telling(withKey)(m).Stream(ctx, req)
				}}
			},
			also: map[string]string{m10: "what is recorded is scrubbed"},
		},
		broken{
			clause: m14, why: "the key is in the cause of the cause of a failure", on: []string{"text/bad request"}, want: "no credential",
			with: failing(func(f *events.Failure) {
				*f = *f.WithCause(errors.Join(errors.New("a"), events.NewFailure(events.Other, "", "b").WithCause(errKey)))
			}),
		},
	)
}

// errKey is a cause that holds the credential.
var errKey = errors.New("sent with " + Canary)
