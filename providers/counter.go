package providers

import (
	"context"

	"github.com/weirsdk/weir/request"
)

// A TokenCounter is a Model whose provider counts the tokens of a request without
// answering it. It is optional; ask with [As], which finds it behind wrappers too:
//
//	counter, ok := providers.As[providers.TokenCounter](model)
//
// The number is the provider's own, for its own tokenizer; all of them call it an
// estimate. Use it to see whether a prompt fits, and not for the books.
type TokenCounter interface {
	// CountTokens asks how many input tokens the body has that Stream would send for
	// req, which is not written to: system prompt, tools, history and media. What of a
	// body has no place in the provider's question (a temperature, a cap) is left out.
	// It sends one request, with the credential of the model; it is no call in the
	// sense of package caller: nothing is reserved, counted or charged. Its clocks are
	// those of Stream, and what is read is bounded. Notices are those of Stream, and
	// are told there.
	//
	// The error is an *events.Failure of the same kinds as those of a stream: a request
	// that the model cannot take is the same invalid_request, with nothing sent. An
	// endpoint that does not count answers rejected/not_found, a model whose API has no
	// count invalid_request/bad_config, and an answer without a number is
	// invalid_reply.
	CountTokens(ctx context.Context, req request.Request) (int64, error)
}
