// Package ollamawire speaks Ollama's own chat protocol, POST /api/chat with a
// body of JSON lines: it spells a request and reads a reply. It is pure: no
// context, clock, goroutine or socket, which are the job of package transport.
//
// Facts of the protocol, from ollama v0.33 api/types.go and issues (read August to
// October 2026) and from captures of a running 0.17.4:
//
//   - each line is one object {model, created_at, message, done}; the last one
//     has done true, done_reason and the counts. Only done true is terminal
//     evidence: a reply that was aborted (a repeated token, a killed runner, a
//     server that goes down) ends the body cleanly without it, at best with a
//     line {"error": "..."};
//   - text and thinking come in pieces, a tool call whole, its arguments an
//     object. A call may stand in the done line; its index is often 0 for all
//     calls, its id may be missing or repeat, done_reason stays "stop";
//   - a message may hold images, each whole;
//   - counts that are zero are left out, so an absent count is unknown.
//     prompt_eval_count is the whole prompt; prompt_eval_cached_count (since
//     0.33.3), where told, is a part of it;
//   - mistakes of the client are answered with 400 or 500, and {"error": "..."}
//     for a body.
package ollamawire
