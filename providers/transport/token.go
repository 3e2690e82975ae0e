package transport

import (
	"context"
	"fmt"

	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
)

// Token asks a source for the credential of one call, by the rules of
// [providers.TokenSource]: under the clocks of the call, and with failures that say
// that nothing was sent. An adapter calls it when it prepares a call, and names the
// token in [Call.Secrets].
func Token(ctx context.Context, provider string, source providers.TokenSource) (providers.Secret, error) {
	token, err := askForToken(ctx, source)
	if err == nil {
		if token != "" {
			return token, CheckKey(provider, token)
		}
		err = events.NewFailure(events.Rejected, events.ReasonAuth, "the token source gave an empty token")
	}
	f, ok := events.AsFailure(err)
	if !ok {
		// Of the error only the type: its text may hold the address of a token
		// endpoint with a secret in it.
		f = events.NewFailure(events.Rejected, events.ReasonAuth, fmt.Sprintf("the token source gave no token (%T)", err)).WithCause(err)
	}
	told := *f
	told.Provider, told.Sent = provider, events.NotSent
	return "", &told
}

// askForToken contains a panic of the source, which is the user's.
func askForToken(ctx context.Context, source providers.TokenSource) (token providers.Secret, err error) {
	ctx, watch := cancel.Begin(ctx)
	defer watch.Stop()
	defer func() {
		if crash := recover(); crash != nil {
			token, err = "", crashed("the token source", crash)
		}
	}()
	if ctx.Err() != nil {
		return "", failureOfCause(ctx)
	}
	watch.Enter()
	token, err = source(ctx)
	watch.Leave()
	if err != nil && ctx.Err() != nil {
		return "", failureOfCause(ctx)
	}
	return token, err
}
