// Command agent is an agent with a budget: a loop that asks a model, runs the tools
// that it calls, and ends with a typed answer and an account of every attempt. The
// loop itself is loop.go. It keeps no conversation: it quotes one order.
//
//	go run ./examples/agent
//	go run ./examples/agent -budget 0.0175
//	OPENAI_API_KEY=... go run ./examples/agent -prompt "Two ROPE-30 to Germany, please."
//	go run ./examples/agent -model ollama:qwen3
//
// The model is one of examples/models; under a budget it needs a price there.
//
// Without a key it plays an embedded recording through the real adapter and a server
// on loopback, which refuses a request that leaves a tool call unanswered. One of the
// recorded calls does not fit its tool, and one request is answered "too many
// requests": both are part of the show. A turn is reserved at the most that it can
// cost, so the budget above ends the run on its way, and 0.01 before anything is sent.
package main
