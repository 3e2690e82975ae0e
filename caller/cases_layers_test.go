package caller_test

import (
	"context"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// layered is a model whose stream is another caller's.
type layered struct {
	providers.Model

	inner *caller.Caller
}

func (l layered) Stream(ctx context.Context, req request.Request) stream.Stream {
	return l.inner.Stream(ctx, req).Events()
}
