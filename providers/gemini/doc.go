// Package gemini calls Google's models through the Gemini API (generateContent,
// streamed).
//
//	model, err := gemini.New(gemini.Config{Key: key, Model: "gemini-3.8-flash"})
//
// The adapter names the endpoint, the header of the key and what each model can
// do; the language itself is a wire family of its own. The key comes from Config
// only: nothing here reads the environment. It is sent as a header, never in the
// URL, where logs would keep it.
//
// Thinking is sealed with signatures: append a reply's Turn to the history as it
// is, with its Data and the Replay of its calls, and each signature goes back on the
// part that it came on. A history of another provider's calls can be sent with
// request.ForeignDrop: the newest models refuse calls without a signature, and get
// the placeholder that Google documents for that.
//
// Tools that Google runs itself have no word in a request; ask for them with
// [ExtraKey]. Beside declared tools the newest models take them only together with
// includeServerSideToolInvocations (ai.google.dev/gemini-api/docs/tool-combination,
// a stored copy read 2026-12-01):
//
//	req.Extra = map[string]string{gemini.ExtraKey: `{"tools":[{"googleSearch":{}}]}`}
//
// What they searched, read and ran comes as hosted tools, sources as citations whose
// range is in bytes of the answer; code that was run goes back with the turn. An
// image that is larger than what a turn may keep does not, and a Notice says so.
//
// Leaving a stream closes the connection, which the API calls CANCELLED (499,
// ai.google.dev/gemini-api/docs/generate-content/api-errors, a stored copy read
// 2026-12-01). Billing does not stop: "You will still be charged usage" (Google's
// js-genai, GenerateContentConfig.abortSignal, read 2026-12-01), which OpenRouter's list
// says too. So an answer that was left is charged by its estimate.
//
// No failure has the reason context_overflow: this API tells an overlong prompt by
// its message alone, which is never matched, so it is rejected/bad_request. Compare
// an estimate of the request with the Spec's ContextWindow before you send it.
//
// Sources: go-genai v1.69 and its issues, read August to October 2026, recordings,
// and the pages of ai.google.dev that are named where they are used.
package gemini
