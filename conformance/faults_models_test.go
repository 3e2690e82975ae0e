package conformance

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// faultsOfModels break the clauses of what a model is and when it acts: M01 to M06.
func faultsOfModels() []broken {
	var count atomic.Int64
	asItIs := []string{"text/as it is"}
	grammar := "a stream by the grammar"
	return []broken{
		{
			clause: m01, why: "the name has no provider", on: []string{"text/identity"}, want: `"<provider>:<model>"`,
			with: func(m *toy) providers.Model { return &bent{Model: m, name: func() string { return "one" }} },
		},
		{
			clause: m01, why: "the name changes", on: []string{"text/identity"}, want: "toy:",
			with: func(m *toy) providers.Model {
				return &bent{Model: m, name: func() string { return fmt.Sprintf("toy:%d", count.Add(1)) }}
			},
		},
		{clause: m01, fault: dropsTheModel, on: []string{"text/identity"}, want: `"toy-1" of the name in the request`},
		{
			clause: m02, why: "the Spec is asked for at the provider", on: []string{"text/identity"}, want: "no request but",
			with: func(m *toy) providers.Model {
				return &bent{Model: m, spec: func() request.Spec { m.ask(); return m.Spec() }}
			},
		},
		{
			clause: m02, why: "the Spec changes", on: []string{"text/identity"}, want: "{",
			with: func(m *toy) providers.Model {
				return &bent{Model: m, spec: func() request.Spec { return request.Spec{MaxOutput: int(count.Add(1))} }}
			},
		},
		{
			clause: m03, why: "the request is sent before the stream is ranged", on: []string{"text/consumer"}, want: "nothing sent",
			with: func(m *toy) providers.Model { return &bent{Model: m, stream: m.eager} },
			also: map[string]string{m12: "a context that ends between the two is not seen"},
		},
		{
			clause: m03, why: "a goroutine waits for the range", on: []string{"text/consumer"}, want: "no goroutine",
			with: func(m *toy) providers.Model { return &bent{Model: m, stream: m.waiting} },
		},
		{
			clause: m04, why: "a second range sends again", on: []string{"text/consumer"}, want: "Started, Failed: invalid_request/stream_used",
			with: func(m *toy) providers.Model {
				return &bent{Model: m, stream: func(ctx context.Context, req request.Request) stream.Stream {
					return func(yield func(events.Event) bool) { m.Stream(ctx, req)(yield) }
				}}
			},
		},
		{
			clause: m04, why: "a second range sends, and says that it does not", on: []string{"text/consumer"}, want: "one request",
			with: ranging(func(m *toy, s stream.Stream, yield func(events.Event) bool) {
				for ev := range s {
					if f, ok := ev.Failure(); ok && f.Reason == events.ReasonStreamUsed {
						m.ask()
					}
					if !yield(ev) {
						return
					}
				}
			}),
		},
		{
			clause: m04, why: "a second range panics", on: []string{"text/consumer"}, want: "no panic",
			with: ranging(func(_ *toy, s stream.Stream, yield func(events.Event) bool) {
				for ev := range s {
					if f, ok := ev.Failure(); ok && f.Reason == events.ReasonStreamUsed {
						panic("used")
					}
					if !yield(ev) {
						return
					}
				}
			}),
		},
		{
			clause: m04, why: "the provider is told that the consumer has left", on: []string{"text/consumer"}, want: "one request",
			with: ranging(func(m *toy, s stream.Stream, yield func(events.Event) bool) {
				for ev := range s {
					if !yield(ev) {
						m.ask()
						return
					}
				}
			}),
		},
		{
			clause: m04, why: "a request goes before the request", on: asItIs, want: "one request",
			with: ranging(func(m *toy, s stream.Stream, yield func(events.Event) bool) { m.ask(); s(yield) }),
		},
		{clause: m05, why: "two Started", on: asItIs, want: grammar, with: telling(func(ev events.Event) []events.Event {
			if ev.Kind == events.Started {
				return []events.Event{ev, ev}
			}
			return []events.Event{ev}
		})},
		{clause: m05, why: "no Started", on: asItIs, want: grammar, with: leaving(func(ev events.Event) bool { return ev.Kind == events.Started })},
		{clause: m05, why: "no terminal", on: asItIs, want: grammar, with: leaving(func(ev events.Event) bool { return ev.Kind.IsTerminal() })},
		{
			clause: m05, why: "a stream without an end", on: asItIs, want: grammar,
			with: ranging(func(_ *toy, s stream.Stream, yield func(events.Event) bool) {
				more := true
				for ev := range s {
					for first := true; more && (first || ev.Kind == events.TextDelta); first = false {
						more = yield(ev)
					}
				}
			}),
		},
		{clause: m05, why: "an event after the terminal", on: asItIs, want: grammar, with: telling(func(ev events.Event) []events.Event {
			if ev.Kind.IsTerminal() {
				return []events.Event{ev, events.NewNotice(events.NoticeUnknownFrame, "one more")}
			}
			return []events.Event{ev}
		})},
		{clause: m05, fault: crashes, on: asItIs, want: "an adapter that does not panic"},
		{
			clause: m05, why: "a panic comes out of the range", on: asItIs, want: "no panic but the consumer's own",
			with: ranging(func(_ *toy, s stream.Stream, yield func(events.Event) bool) { s(yield); panic("the toy's own") }),
		},
		{
			clause: m05, fault: goesOnAfterTheStop, on: []string{"text/corrupt"}, want: "Failed, or what the whole body says",
			wire: map[string]string{"text.sse": `data: {"t":"text","d":"Hello"}` + "\n\n" + `data: {"t":"text","d":", world."}` + "\n\n" + `data: {"t":"stop","why":"done"}` + "\n\n"},
		},
		{clause: m05, why: "no terminal when the body is cut", on: []string{"text/cut"}, want: grammar, with: leaving(ofKind(events.InvalidReply))},
		{clause: m05, why: "no terminal when a clock fires", on: []string{"text/stall"}, want: grammar, with: leaving(ofKind(events.TimedOut))},
		{
			clause: m05, why: "no terminal when it is cancelled", on: []string{"text/consumer"}, want: grammar, with: leaving(ofKind(events.Cancelled)),
			also: map[string]string{m12: "the terminal of a context that ended before is missing too"},
		},
		{clause: m05, why: "no terminal when nothing was sent", on: []string{"text/reach"}, want: grammar, with: leaving(ofKind(events.Unreachable))},
		{clause: m05, why: "no terminal when the request is bad", on: []string{"text/bad request"}, want: grammar, with: leaving(ofKind(events.InvalidRequest))},
		{clause: m05, why: "no terminal when no stream came", on: []string{"text/no stream"}, want: grammar, with: leaving(ofKind(events.InvalidReply))},
		{clause: m05, why: "no terminal when a line is too long", on: []string{"text/too much"}, want: grammar, with: leaving(ofReason(events.ReasonTooLarge))},
		{clause: m05, why: "no terminal when a frame is too deep", on: []string{"text/too much"}, want: grammar, with: leaving(ofReason(events.ReasonMalformed))},
		{clause: m05, why: "no terminal when an error is too long", on: []string{"text/too much"}, want: grammar, with: leaving(ofKind(events.Overloaded))},
		{clause: m05, why: "no terminal when a frame cannot be read", on: []string{"text/corrupt"}, want: grammar, with: leaving(ofKind(events.InvalidReply))},
		{clause: m05, why: "no terminal when a value is strange", on: []string{"text/confuse"}, want: grammar, with: leaving(ofKind(events.InvalidReply))},
		{
			clause: m05, why: "no terminal when the key was scrubbed", on: []string{"error-401/echo"}, want: grammar,
			with: leaving(func(ev events.Event) bool { return ev.Kind == events.Failed && contains(ev, "[redacted]") }),
		},
		{
			clause: m05, why: "no terminal when a frame is not known", on: []string{"text/noise"}, want: grammar,
			with: silentOn("weir_unknown"),
		},
		{clause: m05, why: "no terminal when arguments go on", on: []string{"tool-call/confuse"}, want: grammar, with: silentOn("}{}")},
		{
			clause: m05, why: "no terminal when the evidence is repeated", on: []string{"text/corrupt"}, want: grammar,
			with: silentOn(`{"t":"stop","why":"done"}` + "\n\n" + `data: {"t":"stop"`),
		},
		{clause: m06, fault: writesToTheRequest, on: asItIs, want: "a request that nobody writes to"},
		{clause: m06, fault: sendsTheInvalid, on: []string{"text/bad request"}, want: "Failed: invalid_request, not_sent"},
		{
			clause: m06, why: "a request is sent before it is checked", on: []string{"text/bad request"}, want: "nothing sent",
			with: ranging(func(m *toy, s stream.Stream, yield func(events.Event) bool) {
				for ev := range s {
					if f, ok := ev.Failure(); ok && f.Kind == events.InvalidRequest {
						m.ask()
					}
					if !yield(ev) {
						return
					}
				}
			}),
		},
	}
}
