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
// request is Strict: a tool choice, a switch for parallel calls, a thinking
// budget. Where a model thinks or does not, an effort other than high and off is told
// to be high. Images are sent inline only; audio and files are refused. More options,
// format and the like go into Request.Extra under [ExtraKey].
//
// Usage holds the counts of tokens. The durations that the server tells (load,
// prompt and generation) are not kept: they stand in no usage object of its own, so
// Usage.Raw is empty.
//
// Thinking goes back to the model with the turn that it came with.
//
// Set [Config.ContextLength] for anything but short chats: a server with its
// defaults cuts a longer prompt without a word. A failure of the server may be a
// mistake of the request, for it answers some with status 500; such a failure
// counts as retryable, because the status is all the evidence there is.
//
// A server stops generating when its client hangs up (its maintainer in ollama/ollama
// issue 2876, March 2024, read 2026-12-01). A local one costs nothing anyhow; what
// ollama.com bills then is not known, so a cancelled call is charged by its estimate.
//
// Nothing here reads the environment: OLLAMA_HOST is the caller's to pass as
// Host. The server's OpenAI-compatible side is spoken by package compatible.
//
// Source: ollama v0.33, api/types.go and issues, read August to October 2026.
package ollama
