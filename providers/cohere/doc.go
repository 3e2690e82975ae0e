// Package cohere calls the models of Cohere through its chat API, version 2.
//
//	model, err := cohere.New(cohere.Config{Key: key, Model: "command-a-03-2025"})
//
// The adapter names the endpoint, the headers and what each model can do; the
// language itself is a wire family of its own. Credentials come from Config only:
// nothing here reads the environment. A host of the same API serves too: vLLM under
// http://127.0.0.1:8000/cohere/v2.
//
// What a model says to itself before it calls tools (the tool plan) is thinking, and
// goes back with the reply's Turn as the tool plan, as thinking and citations do.
// Clear the Data of a turn before it goes to a model that does not think.
//
// Thinking is on or off: any other effort becomes high, which a Notice tells, and a
// ThinkingBudget caps it, also beside off, of which a Notice tells then. Parallel, cache
// markers and keys, and hosted tools have no word here, and are told too.
//
// Images of a user turn are sent inline or by address, a text file as a document; other
// files, audio and images in tool results are refused. The model cites documents and
// tool results unasked; a citation's title is that of the document, or the id by which
// Cohere knows the source, and its range that of the passage in the answer, in
// characters, not bytes. Citations go back with their turn. More documents, and what
// else the body has no other word for (safety_mode, strict_tools, k), goes into Extra:
//
//	req.Extra = map[string]string{cohere.ExtraKey: `{"citation_options":{"mode":"FAST"},"documents":[{"data":{"text":"..."}}]}`}
//
// A structured answer is asked for in words beside tools, files or documents, with
// which Cohere refuses a schema.
//
// [Prices] bounds what two models cost and tells no cost. Cohere bills fewer tokens
// (usage.billed_units) than it counts (usage.tokens), which is what Usage holds: the
// instructions that it adds itself are free, and a request of 62 billed tokens can be
// one of 968. Both are in Usage.Raw. Who limits what the other models may cost sets
// prices of their own, which are bounds too.
//
// Nothing counts the tokens of a request beforehand: POST /v1/tokenize counts those of a
// text (docs.cohere.com/reference/tokenize).
//
// Whether billing stops when a client hangs up is not documented by Cohere;
// OpenRouter names it among those whose streams stop, and stop costing, when they
// are cancelled (openrouter.ai/docs, api-reference/streaming, read August to October
// 2026), which is said of its own bills. A cancelled call is charged by its estimate.
//
// Sources: docs.cohere.com (v2/docs/streaming, reference/chat-stream,
// errors-reference), stored copies read 2026-12-01; the types of the vendor's Python
// SDK; recordings of August 2026.
package cohere
