package providers

import "context"

type tapKey struct{}

// WithTap returns a context under which the transport of any adapter calls tap
// with each piece of the response body, exactly as it was read (after content
// decoding), before it is decoded. The bytes are valid until tap returns. It is
// called on the goroutine that ranges the stream. Taps of an outer context are
// called first.
func WithTap(ctx context.Context, tap func(body []byte)) context.Context {
	if outer := TapOf(ctx); outer != nil {
		inner := tap
		tap = func(body []byte) {
			outer(body)
			inner(body)
		}
	}
	return context.WithValue(ctx, tapKey{}, tap)
}

// TapOf returns the tap of a context, or nil. It is for transports.
func TapOf(ctx context.Context) func(body []byte) {
	tap, _ := ctx.Value(tapKey{}).(func([]byte))
	return tap
}
