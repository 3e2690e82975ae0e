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
// [ResponsesExtraKey].
//
// When a client hangs up, it depends on the upstream whether billing stops
// (openrouter.ai/docs/api-reference/streaming, read 2026-12-01): [BillingStops]. Where it
// does, Started says so, and a caller charges a cancelled call less than its estimate.
//
// [Model.ListModels] asks which models there are.
//
// [Prices] is a dated table of some models' prices, by which a run with a limit on cost reserves.
//
// Sources, stored copies of openrouter.ai/docs read 2026-11-30: use-cases/
// reasoning-tokens and usage-accounting, api/reference/errors-and-debugging,
// features/app-attribution.
package openrouter
