package providers

import (
	"context"

	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// A Model is one model of one provider. (clauses: to be written)
type Model interface {
	// Name is "<provider>:<model>".
	Name() string
	// Spec is what the model can do.
	Spec() request.Spec
	// Stream returns the reply to req as a lazy stream.
	Stream(ctx context.Context, req request.Request) stream.Stream
}
