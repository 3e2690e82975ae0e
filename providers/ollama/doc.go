// Package ollama calls models through an Ollama server's own chat API, local or
// hosted.
//
//	model, err := ollama.New(ollama.Config{Model: "qwen3:4b"})
//
// A local server wants no key; https://ollama.com wants one:
//
//	model, err := ollama.New(ollama.Config{
//		Model: "gpt-oss:120b", Host: "https://ollama.com", Key: key,
//	})
//
// What the protocol does not have is left out with a Notice, or refused when the
// request is Strict: a tool choice, a switch for parallel calls, a thinking budget,
// citations, cache markers and keys, hosted tools. An effort is true or false, told
// where it is not high or off; of a model with levels ([Config.Spec]) it is the level,
// or the next one, told. Images are sent inline only, in results too; by URL they are
// refused, as audio and files are. More options, format and the like go into
// Request.Extra under [ExtraKey]:
//
//	req.Extra = map[string]string{ollama.ExtraKey: `{"options":{"top_k":20},"truncate":false}`}
//
// Log probabilities, which Extra may ask for, are in no event. An image in a reply is;
// the models that draw answer to another API, though (POST /api/generate;
// docs.langchain4j.dev/integrations/image-models/ollama, read 2026-12-01).
//
// Usage holds the counts of tokens. The durations that the server tells (load,
// prompt and generation) are not kept: they stand in no usage object of its own, so
// Usage.Raw is empty.
//
// Thinking goes back to the model with the turn that it came with; of more than 3 MiB the
// beginning.
//
// Set [Config.ContextLength] for anything but short chats: a server with its
// defaults cuts a longer prompt without a word, but for "truncate":false in Extra
// (ollama, api/types.go, a stored copy read 2026-12-01). Nothing counts the tokens of a
// request beforehand. A failure of the server may be a mistake of the request, for it
// answers some with status 500; such a failure counts as retryable, because the status
// is all the evidence there is.
//
// A server stops generating when its client hangs up (its maintainer in ollama/ollama
// issue 2876, March 2024), once the prompt is read (issue 11889, August 2025; both read
// 2026-12-01). A local one costs nothing anyhow; what ollama.com bills then is not known,
// so a cancelled call is charged by its estimate.
//
// Nothing here reads the environment: OLLAMA_HOST is the caller's to pass as
// Host. The server's OpenAI-compatible side is spoken by package compatible.
//
// Source: ollama v0.33, api/types.go and issues, read August to October 2026.
package ollama
