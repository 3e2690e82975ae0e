// Package compatible calls any endpoint that speaks OpenAI's Chat Completions, or its
// Responses API: hosted providers, gateways, and servers of your own.
//
//	model, err := compatible.New(compatible.Config{
//		Provider: "groq", BaseURL: "https://api.groq.com/openai/v1",
//		Key: key, Model: "llama-3.3-70b-versatile",
//	})
//
// or, for an endpoint that [Preset] knows, by that name or another usual one,
//
//	config, _ := compatible.Preset("ollama")
//	config.Model = "qwen3"
//	model, err := compatible.New(config)
//
// What the provider does in its own way is in [Quirks]; for the providers that
// weir knows it is filled in by name. A provider that it does not know gets a
// tolerant default, which reads the usual deviations (reasoning under three
// names, calls without index or id, usage on every chunk, errors of any shape).
//
// Some addresses hold an account of the user's own: [NeedsAccount] says what it is,
// and it goes into Config.Account.
//
//	config, _ := compatible.Preset("cloudflare")
//	config.Account, config.Key, config.Model = accountID, key, "@cf/openai/gpt-oss-120b"
//
// A new vendor costs one row, its recording and two generated files: a line or two in
// providers/internal/chatwire/vendors.go, with its source, testdata/vendors/<name>.sse,
// its golden file and the README; CONTRIBUTING.md has the steps. The tests ask for the
// recording, write the golden file with -update, and hold the vendor
// to the conformance suite when its quirks are those of no other one. Everything else
// (Presets, the command-line tool, its help) follows from the row.
//
// Config.API chooses Responses, for those who speak that too; what the vendor does in
// its own way there is in providers/internal/responseswire/vendors.go, a row and a recording each
// too (testdata/responses/<name>.sse). Perplexity speaks nothing else, and its preset says
// so. [Model.CountTokens] asks the one of them that counts, Mistral.
//
// Tools that a provider runs are hosted tools of the reply where its chunks tell of them:
// Groq's do (executed_tools). Groq is asked for them by Request.HostedTools: a web search
// is browser_search of a model, and of a compound system one of the names that it may
// use; raw tools of the family "chat" stand beside it.
//
// What the body has no other word for goes into Request.Extra under [ExtraKey] or
// [ResponsesExtraKey].
//
// [Model.ListModels] asks an endpoint for its models, where it has a list.
//
// When a client hangs up, some of these providers stop billing and some do not (searched
// 2026-12-01). Novita charges "regardless of disconnect timing"
// (novita.ai/docs/changelog/27-03-26). Of Groq, Mistral, DeepSeek and xAI no word of their own
// was found; OpenRouter has the first two among its upstreams that go on and the others among
// those that stop (package openrouter), which is said of its own bills. A call that is
// cancelled is charged by its estimate.
//
// Ranges of citations are as in package openai.
//
// [Prices] is a dated table of the prices of some of these providers' models.
//
// The reason context_overflow is told only of providers that have an exact code for
// it. DeepSeek has none: an overlong prompt is rejected/bad_request there.
//
// The package does not know what models can do: say it in Config.Spec, or let
// the provider refuse.
package compatible
