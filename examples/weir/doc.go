// Command weir looks at recorded streams and at requests, through the real adapters,
// and at ledgers; it records live calls and serves them as a mock provider. Only
// record reaches a network.
//
//	weir inspect --api openai-chat --vendor groq response.sse
//	weir inspect --api anthropic-messages --http response.http --split 1
//	weir encode --api anthropic-messages --model claude-sonnet-4-5 request.json
//	weir schema --profile openai-strict schema.json
//	weir record --dir testdata/wire --upstream https://api.openai.com
//	weir record --dir testdata/wire --api openai-chat --model gpt-5-mini request.json
//	weir serve --dir testdata/wire --cut 512 --reset
//	weir ledger --by model --since 24h ledger.db
//
// inspect plays a recorded response body and prints its events, one JSON object
// a line (a table when the output is a terminal), and last the reply that they
// fold into. encode prints the exact body that would be sent for a request in
// weir's JSON, and on the standard error what the model does not take. schema
// prints a JSON Schema in the subset that a provider takes, and on the standard
// error what that loses. record is a proxy that records what other programs call
// through it, or makes one live call and records that. serve answers with what was
// recorded, whole or with faults on order. ledger prints what is in a ledger: runs,
// attempts, what they cost, and whether it was tampered with. A FILE named - is the
// standard input; weir help says more.
//
// Exit status: 0 the reply is complete or the server was stopped, 3 it failed or was
// refused, 2 wrong usage (one line on the standard error), 1 the output could not be
// written.
package main
