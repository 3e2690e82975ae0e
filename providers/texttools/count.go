package texttools

import (
	"context"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

var _ providers.TokenCounter = (*Model)(nil)

// CountTokens counts by the inner model, or one that it wraps, the request that Stream
// would hand to it: the tools and calls in words. Where none of them is a
// providers.TokenCounter it fails as invalid_request, bad_config.
func (m *Model) CountTokens(ctx context.Context, req request.Request) (int64, error) {
	counter, ok := providers.As[providers.TokenCounter](m.inner)
	if !ok {
		return 0, transport.BadConfig("texttools", "the inner model counts no tokens")
	}
	a, err := prepare(req)
	if err != nil {
		return 0, failureOf(err)
	}
	return counter.CountTokens(ctx, a.request)
}

// failureOf returns the failure of a request that cannot be put into words.
func failureOf(err error) *events.Failure {
	if f, ok := events.AsFailure(err); ok { // every error of package request is one
		return f
	}
	return events.NewFailure(events.InvalidRequest, events.ReasonBadParameter, err.Error())
}
