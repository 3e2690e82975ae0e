// Package compatible calls any endpoint that speaks OpenAI's Chat Completions:
// hosted providers, gateways, and servers of your own.
//
//	model, err := compatible.New(compatible.Config{
//		Provider: "groq", BaseURL: "https://api.groq.com/openai/v1",
//		Key: key, Model: "llama-3.3-70b-versatile",
//	})
//
// or, for an endpoint that [Preset] knows,
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
// What the body has no other word for goes into Request.Extra under [ExtraKey].
//
// [Prices] is a dated table of the prices of some of these providers' models.
//
// The reason context_overflow is told only of providers that have an exact code for
// it. DeepSeek has none: an overlong prompt is rejected/bad_request there.
//
// The package does not know what models can do: say it in Config.Spec, or let
// the provider refuse.
package compatible
