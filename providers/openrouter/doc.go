// Package openrouter calls models through OpenRouter.
//
//	model, err := openrouter.New(openrouter.Config{
//		Key: key, Model: "anthropic/claude-sonnet-4.5", Title: "My app",
//	})
//
// Beyond the common language it sends the attribution headers, spells the effort
// as the reasoning parameter, sends reasoning_details back with the turn they
// came with, and reads what OpenRouter itself says that a reply costs. An error
// in the middle of an answer is a failure with the upstream's own kind; the detail
// names the upstream and holds what it sent. What the body has no other word for
// goes into Request.Extra under [ExtraKey].
//
// Pictures, which Extra asks for with modalities, are media of the reply; they do not go
// back with the turn, so show one again in a message of the user. Where OpenRouter takes
// an effort or a budget for thinking, the budget goes and a Notice tells of the effort.
//
// Config.API chooses OpenRouter's Responses API, a beta: there reasoning goes back as
// the items that it came as, sealed, a budget is told as it is, and Extra's key is
// [ResponsesExtraKey]. A web search is the server tool openrouter:web_search; the uses of
// OpenRouter's server tools are told as hosted tools, without the "openrouter:" before
// their names, and go back with the turn. The other plugins are asked for in Extra.
//
// Request.Cache is sent as cache_control and its Key as session_id: models of Anthropic cache
// only what is asked for, and most others unasked
// (openrouter.ai/docs/features/prompt-caching, a stored copy read 2026-12-01). With Responses
// there are no markers on blocks. The usage counts what was read, and written where it is told.
//
// When a client hangs up, it depends on the upstream whether billing stops
// (openrouter.ai/docs/api-reference/streaming, read 2026-12-01): [BillingStops]. Where it
// does, Started says so, and a caller charges a cancelled call less than its estimate. A
// reply of Responses does not say it, for it does not name its upstream: no member of a
// response does, and openrouter_metadata, which must be asked for by a header and is
// experimental, comes with the last frame (docs/guides/features/router-metadata, read
// 2026-12-01), when nothing is left to hang up on.
//
// Ranges of citations are as in package openai, whose type they have.
//
// [Model.ListModels] asks which models there are.
//
// [Prices] is a dated table of some models' prices, by which a run with a limit on cost reserves.
//
// Sources, stored copies of openrouter.ai/docs read 2026-11-30: use-cases/reasoning-tokens
// and usage-accounting, api/reference/errors-and-debugging,
// features/app-attribution.
package openrouter
