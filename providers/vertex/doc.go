// Package vertex calls the models of Google's Vertex AI, which Google calls Gemini
// Enterprise Agent Platform since 2026: its own (Gemini) and those of Anthropic.
//
//	model, err := vertex.New(vertex.Config{Project: "my-project", Location: "global", Token: source, Model: "gemini-3.8-flash"})
//	claude, err := vertex.New(vertex.Config{Project: "my-project", Location: "eu", Token: source, API: vertex.Messages, Model: "claude-sonnet-5-5"})
//
// The adapter names the endpoint, the credential and what each model can do; the
// languages themselves are wire families of their own. Which one a model speaks is
// said by [Config.API] and never guessed from its id.
//
// # Credentials
//
// A call goes with an OAuth access token of Google Cloud, which expires within the
// hour, so that [Config.Token] is asked for one at each call. It comes from the
// caller, for instance from Google's own library, which caches it:
//
//	tokens, err := google.DefaultTokenSource(ctx, vertex.Scope)
//	source := func(context.Context) (providers.Secret, error) {
//		token, err := tokens.Token()
//		if err != nil {
//			return "", err
//		}
//		return providers.Secret(token.AccessToken), nil
//	}
//
// Gemini can be called with an API key too, without a project and a location
// ([Config.Key], express mode). Nothing here reads the environment or a file.
//
// # Turns
//
// Thinking is sealed with signatures: append a reply's Turn to the history as it
// is, with its Data and the Replay of its calls. Data of package gemini or anthropic
// is another provider's here, refused or dropped as Request.Foreign says, and the two
// languages do not read each other's. Anthropic says that its signatures hold on every
// cloud (platform.claude.com/docs/en/build-with-claude/extended-thinking, a stored copy
// read 2026-12-01), but not that what else stands in Data does, as results of a search.
// Ranges of citations are as in those packages.
//
// Of Claude's own tools there are the web search (request.SearchWeb, for which the beta
// is named unasked) and the search for tools; code execution, web fetch, the advisor and
// MCP there are not, nor images and files by their URL, which are refused before they are
// sent (platform.claude.com/docs/en/build-with-claude/claude-on-vertex-ai, a stored copy
// read likewise; of the search for tools coder/xum, issue 2922).
//
// Of Gemini all is as package gemini says, but for this: a web search can be kept off
// domains; enterpriseWebSearch and retrieval are tools of this API, fileSearch is not;
// what goes beside declared tools is not told of call by call; arguments come in pieces
// where [GenerateContentExtraKey] asks for it, by
// toolConfig.functionCallingConfig.streamFunctionCallArguments (go-genai, models.go at 0fc6c42,
// read 2026-12-01). Long replies go on in version v1beta1 alone, which [Config.BaseURL] names
// (docs.cloud.google.com/gemini-enterprise-agent-platform/models/guides/gemini-4-neon, a
// stored copy read 2026-12-01). How the traffic is paid for (ON_DEMAND ...) is told as
// traffic_type in the metadata of Started.
//
// Of Gemini prompts are cached as package gemini says, unasked; of Claude what request.Cache
// and Block.Cached mark, as package anthropic says. The usage counts it likewise.
//
// # Money
//
// There is no table of prices: they differ by location (a tenth more in us and eu
// than at the global endpoint, cloud.google.com/vertex-ai/generative-ai/pricing as
// public notes of September 2026 cite it), of which neither the name of a model nor a
// reply tells; give the caller your own. Leaving a stream closes the connection, which
// the API calls CANCELLED (499,
// docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/api-errors, a stored copy
// read 2026-12-01). Billing does not stop: "You will still be charged usage" (Google's
// js-genai, which calls both APIs, GenerateContentConfig.abortSignal, read 2026-12-01). So an
// answer that was left is charged by its estimate.
//
// No failure has the reason context_overflow: both languages tell an overlong prompt
// by its message alone, which is never matched, so it is rejected/bad_request.
package vertex
