// Package tokencount asks providers how many tokens a request has, for the adapters'
// providers.TokenCounter: the answers differ in the name of their one member only.
//
//	n, err := tokencount.Ask(ctx, client, "input_tokens", func() (transport.Call, error) {
//		call, _, err := family.Prepare(...)
//		...
//		return call, err
//	})
//
// What a provider's question takes of a body is the business of its family.
package tokencount
