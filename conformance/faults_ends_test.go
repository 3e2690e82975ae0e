package conformance

import (
	"io"
	"slices"
	"strings"

	"github.com/weirsdk/weir/events"
)

// bodyOf writes frames of the toy's wire.
func bodyOf(frames ...string) string {
	return "data: " + strings.Join(frames, "\n\ndata: ") + "\n\n"
}

// faultsOfEnds break the clauses of ends, calls, counts and splits: M07 to M10.
func faultsOfEnds() []broken {
	exactly := []string{"exact-arguments/as it is"}
	return slices.Concat(
		[]broken{
			{clause: m07, fault: takesTheEndForTheStop, on: []string{"text/cut"}, want: "Failed: invalid_reply/truncated (or a Completed"},
			{clause: m07, fault: takesAResetForTheStop, on: []string{"text/cut"}, want: "Failed: invalid_reply/truncated (or a Completed"},
			{
				clause: m07, why: "a count that cannot be used is 0 where it was cut off", fault: takesAbsentForZero, on: []string{"usage-unusable/cut"},
				want: "Failed: invalid_reply/truncated (or a Completed", got: "0 tokens of output instead of an unknown count",
				wire: map[string]string{"usage-unusable.sse": bodyOf(`{"t":"text","d":"Hello, world."}`, `{"t":"stop","why":"done"}`, `{"t":"count","in":12,"out":-5}`, `{"t":"bye"}`)},
				also: map[string]string{m09: "the count is final too"},
			},
			{
				clause: m07, why: "a lost connection is told as something else", on: []string{"text/cut"}, want: "Failed: invalid_reply/truncated or",
				with: failing(func(f *events.Failure) {
					if f.Kind == events.InvalidReply {
						f.Kind, f.Reason = events.Overloaded, events.ReasonServer
					}
				}),
			},
			{
				clause: m07, why: "a cancellation is a reply that ends", on: []string{"text/consumer"}, want: "Failed, or all that the whole body says",
				with: succeeding(events.Cancelled), also: map[string]string{m12: "so is a context that ended before the range"},
			},
			{
				clause: m07, why: "a clock is a reply that ends", on: []string{"text/stall"}, want: "all that the whole body says",
				with: succeeding(events.TimedOut), also: map[string]string{m15: "what is taken for a success came too late for one"},
			},

			{clause: m08, fault: reencodesTheArguments, on: exactly, want: "the arguments"},
			{clause: m08, fault: roundsTheArguments, on: exactly, want: "the arguments"},
			{
				clause: m08, fault: takesTheFirstValue, on: []string{"tool-call/confuse"}, want: "no executable call",
			},
			{clause: m08, fault: tellsWireNames, on: exactly, want: "the tool notes.record"},
			{
				clause: m17, why: "calls before the output limit are executed", fault: executesWithoutToolUse,
				on: []string{"length-after-arguments/as it is"}, want: "the stop", also: map[string]string{m08: "there are calls to execute"},
			},
			{clause: m08, fault: mendsTheArguments, on: []string{"length-in-arguments/as it is"}, want: "1 invalid call"},
			{
				clause: m08, why: "mended arguments are executed", fault: mendsTheArguments, on: []string{"broken-arguments/as it is"}, want: "Failed of",
			},
			{
				clause: m08, fault: executesWithoutToolUse, on: []string{"length-in-arguments/as it is"}, want: "0 executable calls",
				wire: map[string]string{"length-in-arguments.sse": bodyOf(`{"t":"call","n":0,"id":"call_1","name":"weather"}`,
					`{"t":"args","n":0,"d":"{\"city\":\"Par\"}"}`, `{"t":"stop","why":"length"}`, `{"t":"bye"}`)},
				also: map[string]string{m17: "the stop is another too"},
			},
			{clause: m08, fault: takesNoneForNull, on: []string{"tool-call-no-arguments/as it is"}, want: "Completed"},
			{clause: m08, fault: mixesTheCalls, on: []string{"parallel-calls-interleaved/as it is"}, want: "Completed"},
			{clause: m08, fault: losesTheInvalid, on: []string{"length-in-arguments/as it is"}, want: "Completed"},
			{
				clause: m08, why: "the second call is lost", on: []string{"parallel-calls/as it is"}, want: "2 executable calls",
				with: leaving(func(ev events.Event) bool { return ev.Kind.HasIndex() && ev.Index == 1 }),
			},
			{clause: m08, why: "the tool has another name", on: []string{"tool-call/as it is"}, want: "the tool weather", with: telling(renamed)},
			{
				clause: m08, why: "arguments of a reply that was cut are completed as far as they came", on: []string{"tool-call/cut"}, want: "no call but those of the whole body",
				with: cutCalls(),
			},
		},
		faultsOfCounts(), faultsOfSplits())
}

func faultsOfCounts() []broken {
	return []broken{
		{clause: m09, fault: takesAbsentForZero, on: []string{"usage-absent/as it is"}, want: "the counts that were reported"},
		{
			clause: m09, why: "counts that a cut took away are 0", fault: takesAbsentForZero, on: []string{"usage-late/cut"}, want: "counts of the whole body, or unknown",
		},
		{
			clause: m09, why: "counts that cannot be read are 0", fault: takesAbsentForZero, on: []string{"usage-late/corrupt"}, want: "counts of the body, or unknown",
		},
		{
			clause: m09, fault: takesAnyCountForFinal, on: []string{"text/cut"}, want: "counts of the whole body, or unknown",
		},
	}
}

// faultsOfSplits break M10.
func faultsOfSplits() []broken {
	const byRead = "the events of the whole body"
	return []broken{
		{clause: m10, fault: readsAsText, byHand: true, on: []string{"unicode/split"}, want: byRead},
		{clause: m10, fault: endsLinesWithTheRead, byHand: true, on: []string{"text/split"}, want: byRead},
		{
			clause: m10, fault: takesCRLFForTwo, byHand: true, on: []string{"text/noise"}, want: "completed",
			wire: map[string]string{"text.sse": "data: {\"t\":\"text\",\ndata: \"d\":\"Hello\"}\n\n" + bodyOf(`{"t":"text","d":", world."}`, `{"t":"stop","why":"done"}`, `{"t":"bye"}`)},
		},
		{clause: m10, fault: knowsNoCR, byHand: true, on: []string{"text/noise"}, want: "completed"},
		{clause: m10, fault: knowsNoMark, byHand: true, on: []string{"error-first/noise"}, want: "failed"},
		{clause: m10, fault: wantsASpace, byHand: true, on: []string{"text/noise"}, want: "completed"},
		{clause: m10, why: "CR without LF breaks it", on: []string{"text/noise"}, want: "completed", with: stumbling("}\r\r")},
		{clause: m10, why: "lines do not end in CRLF", ndjson: true, on: []string{"text/noise"}, want: "completed", with: stumbling("}\r\n")},
		{clause: m10, why: "bytes beside an end are lost", on: []string{"text/split"}, want: byRead, with: reading(func(b *bentBody, n int, err error) (int, error) {
			if err != nil {
				n = 0
			}
			return n, err
		})},
		{clause: m10, why: "reads of one byte are too many", on: []string{"text/split"}, want: byRead, with: reading(func(b *bentBody, n int, err error) (int, error) {
			if b.reads > 150 {
				return 0, io.ErrUnexpectedEOF
			}
			return n, err
		})},
		{clause: m10, why: "two reads are too few", on: []string{"text/split"}, want: byRead, with: reading(func(b *bentBody, n int, err error) (int, error) {
			if b.reads == 2 && n > 0 && len(b.seen) > 100 {
				return 0, io.ErrUnexpectedEOF
			}
			return n, err
		})},
		{clause: m10, why: "streams of one model number themselves", on: []string{"text/concurrent"}, want: "the same events", with: numbered()},
		{
			clause: m10, why: "what is recorded cannot be replayed", on: []string{"text/recorded"}, want: "the same events",
			with: leaving(func(ev events.Event) bool { return ev.Kind == events.Started }),
			also: map[string]string{m05: "only a stream that breaks the grammar is replayed as another one"},
		},
		{clause: m10, why: "no two requests are the same", on: []string{"text/recorded"}, want: "the same events", with: nonced()},
	}
}
