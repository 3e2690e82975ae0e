package conformance

import (
	"context"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// faultsOfExchanges break the clauses of exits, cancellation, evidence, credentials
// and bounds: M11 to M15.
func faultsOfExchanges() []broken {
	var all []broken
	for _, part := range [][]broken{faultsOfExits(), faultsOfBodies(), faultsOfClocks(), faultsOfEvidence(), faultsOfSecrets(), faultsOfBounds()} {
		all = append(all, part...)
	}
	return all
}

func faultsOfExits() []broken {
	consumer := []string{"text/consumer"}
	return []broken{
		{clause: m11, why: "the stream is ranged on a goroutine that nobody ends", on: consumer, want: "no goroutine left", with: ranging(pumped)},
		{clause: m11, why: "the consumer's panic is recovered", on: consumer, want: "the consumer's own panic", with: ranging(
			func(_ *toy, s stream.Stream, yield func(events.Event) bool) {
				defer func() { _ = recover() }()
				s(yield)
			},
		)},
		{clause: m11, why: "the consumer's Goexit is swallowed", on: consumer, want: "a Goexit that goes on", with: ranging(apart)},
		{clause: m11, why: "events go on after the break", on: consumer, want: "nothing yielded after the loop was left", with: ranging(
			func(_ *toy, s stream.Stream, yield func(events.Event) bool) {
				for ev := range s {
					yield(ev)
				}
			},
		)},
		{
			clause: m11, why: "a goroutine is left when a wait is cancelled", on: consumer, want: "no goroutine left",
			with: late(events.Answered, leaveGoroutine),
		},
		{
			clause: m11, why: "a goroutine is left when the wait for a head is cancelled", on: consumer, want: "no goroutine left",
			with: late(events.MaybeSent, leaveGoroutine),
		},
		{clause: m11, fault: staysForTheContext, on: consumer, want: "no goroutine left"},
		{clause: m11, fault: closesWhenTheLoopEnds, byHand: true, on: consumer, want: "a body that is closed once"},
		{
			clause: m11, why: "a goroutine is left when a clock fires", on: []string{"text/stall"}, want: "an end, and no goroutine left",
			with: failing(func(f *events.Failure) {
				if f.Kind == events.TimedOut {
					leaveGoroutine(f)
				}
			}),
		},
	}
}

// faultsOfBodies close the body never or twice, each in one place.
func faultsOfBodies() []broken {
	const once = "a body that is closed once"
	seen := func(text string) func(*bentBody) bool {
		return func(b *bentBody) bool { return strings.Contains(string(b.seen), text) }
	}
	return []broken{
		{clause: m11, fault: leavesTheBodyOpen, byHand: true, on: []string{"text/as it is"}, want: once},
		{clause: m11, why: "the body of an error is not closed", fault: leavesTheBodyOpen, byHand: true, on: []string{"error-400/as it is"}, want: once},
		{
			clause: m11, why: "the body is closed twice", on: []string{"text/as it is"}, want: once,
			with: closing(func(b *bentBody) { _ = b.rc.Close(); _ = b.rc.Close() }),
		},
		{
			clause: m11, why: "a body that breaks is not closed", on: []string{"text/cut"}, want: once,
			with: forgetting(func(b *bentBody) bool { return b.last != nil && b.last != io.EOF }),
		},
		{
			clause: m11, why: "a body in pieces is not closed", on: []string{"text/split"}, want: once,
			with: forgetting(func(b *bentBody) bool { return b.reads > 9 }),
		},
		{clause: m11, why: "a body with a comment is not closed", on: []string{"text/noise"}, want: once, with: forgetting(seen(": keep-alive"))},
		{clause: m11, why: "a body that cannot be read is not closed", on: []string{"text/corrupt"}, want: once, with: forgetting(seen("<html>"))},
		{clause: m11, why: "a body with strange values is not closed", on: []string{"text/confuse"}, want: once, with: forgetting(seen("2147483648"))},
		{
			clause: m11, why: "a body that falls silent is not closed", on: []string{"text/stall"}, want: once,
			with: forgetting(func(b *bentBody) bool { return b.last == nil }),
		},
		{
			clause: m11, why: "the body of a redirect is not closed", on: []string{"text/no stream"}, want: once,
			with: forgetting(func(b *bentBody) bool { return b.status == http.StatusFound }),
		},
		{
			clause: m11, why: "a body that is too long is not closed", on: []string{"text/too much"}, want: once,
			with: forgetting(func(b *bentBody) bool { return len(b.seen) > 1<<20 }),
		},
	}
}

func faultsOfClocks() []broken {
	stall, consumer := []string{"text/stall"}, []string{"text/consumer"}
	of := func(kinds ...events.FailureKind) func(func(*events.Failure)) made {
		return func(change func(*events.Failure)) made {
			return failing(func(f *events.Failure) {
				for _, kind := range kinds {
					if f.Kind == kind {
						change(f)
						return
					}
				}
			})
		}
	}
	lost := func(f *events.Failure) { f.Kind, f.Reason = events.InvalidReply, events.ReasonLostConnection }
	return []broken{
		{clause: m12, fault: ignoresTheContext, byHand: true, on: stall, want: "an end", also: map[string]string{
			m15: "the wait for the counts has no end either",
		}},
		{clause: m12, why: "the clock's reason is lost", on: stall, want: "the clock's reason in the chain", with: of(events.TimedOut)(withoutCause)},
		{clause: m12, why: "a clock is a lost connection", on: stall, want: "Failed: timed_out/", with: of(events.TimedOut)(lost)},
		{
			clause: m12, why: "a clock's end is told a second later", on: stall, want: "an end after",
			with: of(events.TimedOut)(func(*events.Failure) { time.Sleep(time.Second) }), // virtual time
		},
		{clause: m12, why: "the cause of a cancellation is lost", on: consumer, want: "the cause of the context in the chain", with: of(events.Cancelled)(withoutCause)},
		{clause: m12, why: "the cause of a cancelled wait is lost", on: consumer, want: "the cause of the context in the chain", with: late(events.Answered, withoutCause)},
		{
			clause: m12, why: "the cause is lost before the head", on: consumer, want: "the cause of the context in the chain",
			with: late(events.MaybeSent, withoutCause),
		},
		{clause: m12, fault: watchesTheBodyOnly, byHand: true, on: stall, want: "an end"},
		{clause: m12, fault: tellsNoContent, byHand: true, on: stall, want: "Failed: timed_out/stall"},
		{clause: m12, why: "the user's deadline is lost", on: consumer, want: "the cause of the context in the chain", with: of(events.TimedOut)(withoutCause)},
		{clause: m12, why: "a cancellation is a lost connection", on: consumer, want: "Failed: cancelled", with: of(events.Cancelled)(lost)},
		{
			clause: m12, why: "the user's deadline may be retried", on: consumer, want: "a failure that is not retried",
			with: of(events.TimedOut, events.Cancelled)(func(f *events.Failure) { f.ShouldRetry = new(true) }),
		},
		{
			clause: m12, why: "a context that ended before the range is not looked at", on: consumer, want: "Failed: cancelled, with its cause",
			with: func(m *toy) providers.Model {
				return &bent{Model: m, stream: func(ctx context.Context, req request.Request) stream.Stream {
					return func(yield func(events.Event) bool) {
						if ctx.Err() == nil {
							m.Stream(ctx, req)(yield)
						} else {
							m.Stream(context.WithoutCancel(ctx), req)(yield)
						}
					}
				}}
			},
			also: map[string]string{m04: "the stream is made anew at each range"},
		},
	}
}

func leaveGoroutine(*events.Failure) { go func() { <-make(chan struct{}) }() }

// late changes the failure of what was cancelled in a wait, by the virtual time
// that has passed.
func late(sent events.Sent, change func(*events.Failure)) made {
	return ranging(func(_ *toy, s stream.Stream, yield func(events.Event) bool) {
		begin := time.Now()
		for ev := range s {
			if f, ok := ev.Failure(); ok && f.Kind == events.Cancelled && f.Sent == sent && time.Since(begin) >= time.Second {
				change(f)
				ev = events.NewFailed(f)
			}
			if !yield(ev) {
				return
			}
		}
	})
}

func faultsOfEvidence() []broken {
	always := func(change func(*events.Failure)) made { return failing(change) }
	notSent := always(func(f *events.Failure) { f.Sent = events.NotSent })
	return []broken{
		{clause: m13, why: "not_sent after a head that was cut", on: []string{"text/cut"}, want: "answered: a head came", with: notSent},
		{clause: m13, why: "not_sent after an error status", on: []string{"error-400/as it is"}, want: "answered: a head came", with: notSent},
		{clause: m13, why: "not_sent after silence", on: []string{"text/stall"}, want: "maybe_sent", with: notSent},
		{clause: m13, why: "not_sent after a page", on: []string{"text/no stream"}, want: "answered", with: notSent},
		{clause: m13, why: "not_sent after a connection", on: []string{"text/reach"}, want: "maybe_sent", with: notSent},
		{
			clause: m13, why: "a context that ended before anything was sent may have sent", on: []string{"text/consumer"}, want: "not_sent",
			with: always(func(f *events.Failure) {
				if f.Kind == events.Cancelled {
					f.Sent = events.Answered
				}
			}),
		},
		{
			clause: m13, why: "a lost connection is charged nothing", on: []string{"text/cut"}, want: "a charge of status ambiguous",
			with: always(func(f *events.Failure) { f.Kind, f.Reason, f.Status = events.Overloaded, "", http.StatusBadGateway }),
			also: map[string]string{m07: "a lost connection is told as a refusal"},
		},
		{
			clause: m13, why: "no connection is something else", on: []string{"text/reach"}, want: "Failed: unreachable",
			with: always(func(f *events.Failure) { f.Kind, f.Reason = events.Overloaded, events.ReasonServer }),
		},
		{
			clause: m13, why: "no connection is charged", on: []string{"text/reach"}, want: "a charge exactly when",
			with: always(func(f *events.Failure) { f.Usage.Output = events.Known(1) }),
		},
	}
}

func faultsOfBounds() []broken {
	return []broken{
		{clause: m15, fault: readsWithoutBound, on: []string{"text/too much"}, want: "Failed: invalid_reply/too_large"},
		{clause: m15, fault: readsLinesWhole, byHand: true, on: []string{"text/too much"}, want: "no more read"},
		{clause: m15, fault: readsErrorsWhole, byHand: true, on: []string{"text/too much"}, want: "no more read"},
		{
			clause: m15, fault: dropsTheStatus, byHand: true, on: []string{"text/too much"}, want: "Failed with a bounded detail",
		},
		{clause: m15, fault: waitsForTheEnd, on: []string{"text/stall"}, want: "an end within 10s of the evidence"},
		{clause: m15, fault: failsWithoutTheEnd, on: []string{"text/stall"}, want: "an end without waiting"},
		{clause: m15, fault: waitsLong, on: []string{"usage-late/stall"}, want: "an end within 10s of the evidence"},
	}
}
