package providers

import (
	"context"

	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// A Model is one model of one provider. Implementations are safe for concurrent
// use. Whoever implements it keeps these clauses; whoever uses it may rely on
// them. The ids are stable.
//
//	M01  Name is "<provider>:<model>", not empty, and always the same.
//	M02  Spec answers at once, without I/O.
//	M03  Stream returns at once: nothing is sent, no goroutine is started and
//	     nothing is held before the stream is ranged.
//	M04  A stream is single-use: ranging it again sends nothing and yields
//	     Started, Failed{invalid_request/stream_used, not_sent}.
//	M05  The stream obeys the grammar of package validator: Started first, one
//	     terminal last, nothing after it.
//	M06  A request that the model cannot take is Failed{invalid_request,
//	     not_sent} before anything is sent; the request is never written to.
//	M07  Completed comes only after the provider's own terminal evidence. A body
//	     that ends or breaks before it is Failed.
//	M08  A tool call is completed only with arguments that are one whole JSON
//	     object, byte for byte as the provider sent them.
//	M09  A count that the provider did not report is unknown, never zero. (Where
//	     the reported whole is the sum of its parts, an absent part is none.)
//	M10  The same bytes give the same events however they are split.
//	M11  Every way out of the loop (the end, break, panic, runtime.Goexit,
//	     cancellation) closes the response body once and leaves no goroutine.
//	     Panics and Goexits of the consumer are not recovered.
//	M12  Cancelling the context, or a clock of it (package cancel), ends the
//	     stream with Failed{cancelled} or Failed{timed_out}, whose chain holds the
//	     cause of the context.
//	M13  A failure says how far the request got, by evidence: not_sent only when
//	     no byte can have left.
//	M14  No credential is in any failure, notice or printed form, nor in any
//	     event but in what the model itself says.
//	M15  What is read is bounded; more is Failed{invalid_reply/too_large}. So is
//	     the wait for accounting after the terminal evidence.
//	M16  Unknown frames, fields and words of the provider are passed over or kept
//	     raw; they fail nothing.
//	M17  What the model says is told once, whole and in its order, or, where that
//	     cannot be, the stream is Failed: texts, thinking, calls, sources, counts,
//	     and beside weir's word for the stop the provider's own.
//	M18  A refusal of the provider, by status or inside a stream, is Failed with
//	     the kind and reason that its code says, its status and words, and the
//	     wait that it asks for.
//	M19  What the request says reaches the provider, with every number as it was
//	     written, or is refused or told by a Notice: texts, tools, schemas,
//	     parameters, calls and results.
//	M20  What the provider needs to get its own turn back (Completion.Data,
//	     ToolCall.Replay) goes back to it unchanged in the next request.
type Model interface {
	// Name is "<provider>:<model>", for instance "openai:gpt-5". It keys prices
	// and recordings.
	Name() string
	// Spec is what the model can do, as far as is known.
	Spec() request.Spec
	// Stream returns the reply to req as a lazy stream. The context governs the
	// whole exchange, ranging included; how long it may wait is set with
	// cancel.WithClocks. All failures are events of the stream.
	Stream(ctx context.Context, req request.Request) stream.Stream
}
