package providers

import "context"

// A TokenSource returns the credential of one call, for providers whose tokens
// expire: an OAuth access token of a cloud, as its SDK gives it.
//
//	source := func(ctx context.Context) (providers.Secret, error) {
//		token, err := credential.GetToken(ctx, options)
//		return providers.Secret(token.Token), err
//	}
//
// An adapter asks for every call, when the stream is ranged and before anything is
// sent, under the context and the clocks of the call; it keeps no token. So the
// source caches, as those of the clouds do. It is called from the goroutine that
// ranges, from several at once where several streams are ranged.
//
// The token goes where a key would go: into its header, and to the scrubbers of
// [WithScrubber]. It is never logged, and printers do not print it. Without one
// nothing is sent: an error that is an *events.Failure is the failure of the call
// (kind unreachable, say, to have it tried again), any other one is
// rejected/auth, and stays reachable by errors.As and errors.Is; its text, which
// may hold a credential, is not told. An empty token is rejected/auth too.
//
// The function must not be changed while a model uses it. It is nil where a key is
// used instead.
type TokenSource func(ctx context.Context) (Secret, error)
