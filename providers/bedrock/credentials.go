package bedrock

import (
	"context"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/transport"
)

// Credentials sign a request as one account. The zero Credentials are none.
type Credentials struct {
	// AccessKeyID names the key. It is no secret.
	AccessKeyID string
	// SecretAccessKey signs. It is never sent.
	SecretAccessKey providers.Secret
	// SessionToken goes with temporary keys; empty for others.
	SessionToken providers.Secret
}

// A CredentialSource returns the credentials of one call. It is asked for every
// call, when the stream is ranged and before anything is sent, by the rules of
// [providers.TokenSource]: it caches, it may be called from several goroutines, and
// an error that is no *events.Failure is rejected/auth and its text is not told.
type CredentialSource func(ctx context.Context) (Credentials, error)

// StaticCredentials returns a source of keys that do not expire.
func StaticCredentials(c Credentials) CredentialSource {
	return func(context.Context) (Credentials, error) { return c, nil }
}

// ask returns the credentials of one call, under its clocks.
func (s CredentialSource) ask(ctx context.Context) (Credentials, error) {
	var got Credentials
	secret, err := transport.Token(ctx, Provider, func(ctx context.Context) (providers.Secret, error) {
		var err error
		got, err = s(ctx)
		return got.SecretAccessKey, err
	})
	if err != nil {
		return Credentials{}, err
	}
	got.SecretAccessKey = secret
	return got, transport.CheckKey(Provider, providers.Secret(got.AccessKeyID), got.SessionToken)
}
