// Command quickstart is the main job of weir in one small program: a request
// goes in, tokens come out as they arrive, and the folded reply tells its usage
// and cost. It is no chat: it asks once.
//
//	go run ./examples/quickstart
//	OPENAI_API_KEY=... go run ./examples/quickstart -prompt "Why is the sky blue?"
//	go run ./examples/quickstart -model ollama:qwen3
//	GROQ_API_KEY=... go run ./examples/quickstart -model groq:openai/gpt-oss-120b
//
// The providers, and the variables that hold their keys, are those of
// examples/models; an unknown one is answered with the list.
//
// Without a key it streams an embedded recording through the real adapter and a
// server on loopback, at a human pace.
package main
