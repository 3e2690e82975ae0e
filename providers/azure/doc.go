// Package azure calls the models that are deployed in an Azure OpenAI resource
// (Microsoft Foundry), through Chat Completions or, with Config.API, through Responses.
//
//	model, err := azure.New(azure.Config{
//		Endpoint: "https://my-resource.openai.azure.com", Deployment: "my-gpt-5", Key: key,
//	})
//
// Without APIVersion the v1 path is called (/openai/v1/chat/completions), with one the
// classic path (/openai/deployments/<deployment>/chat/completions?api-version=...; for
// Responses /openai/responses?api-version=..., not confirmed). The credential is a key
// or, for Entra ID, a source of tokens, which is asked for every call:
//
//	credential, err := azidentity.NewDefaultAzureCredential(nil)
//	...
//	Token: func(ctx context.Context) (providers.Secret, error) {
//		token, err := credential.GetToken(ctx, policy.TokenRequestOptions{Scopes: []string{azure.Scope}})
//		return providers.Secret(token.Token), err
//	},
//
// A deployment has the name that its owner gave it, so nothing is known of what it can do
// or costs: say it in Config.Spec (openai.SpecFor, say), and price "azure:<deployment>".
//
// Azure puts a filter of contents before and behind the model. A prompt that it refuses
// is rejected/content_blocked, with the filters in the detail; an answer that it cuts is
// completed with the stop content_filter. What the filters found of contents that pass is
// told in chunks of its own and beside the text, and is passed over. With the
// asynchronous filter text comes before it was looked at.
//
// What On Your Data finds (data_sources, by Extra and the classic path) is told as
// citations. Azure ends it with the models GPT-4.1. Ranges are as in package openai.
//
// Prompts are cached as at OpenAI (package openai): unasked; the key of Request.Cache is sent,
// and an hour and markers where Config.Spec says Yes to them. The usage counts what was read,
// and written where Azure tells it.
//
// Nothing counts the tokens of a request before it is sent: the counter of OpenAI's
// Responses API (/responses/input_tokens) is not there, it answers 404
// (github.com/openai/openai-dotnet, issue 1165, read 2026-12-01).
//
// When a client hangs up: OpenRouter lists Azure among those where that stops processing
// and billing (package openrouter, [openrouter.ai/docs]); that Azure itself says so is not
// confirmed. So a cancelled call is charged as any other, by its estimate.
//
// Sources, stored copies read 2026-12-01: docs/azure.md of github.com/openai/openai-node
// (the v1 path, the scope, the deployment as the model);
// learn.microsoft.com/azure/ai-services/openai/concepts/content-filter-annotations and
// /azure/foundry/openai/concepts/content-streaming; recordings of both paths.
//
// [openrouter.ai/docs]: https://openrouter.ai/docs/api-reference/streaming
package azure
