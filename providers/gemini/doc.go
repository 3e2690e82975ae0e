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
// # Long replies
//
// A model of Gemini 4 stops after 65,536 tokens, and goes on when it is called again,
// where MaxOutputTokens is more than that
// (ai.google.dev/gemini-api/docs/generate-content/long-decode, a stored copy read 2026-12-01).
// Such a reply is paused: append its Turn, add nothing, change nothing else, and call again
// until it is not. One that holds calls asks for their results instead (tool_use).
// Each call is billed for its whole prompt. What a reply said that broke on the way is
// lost; only what paused goes on.
//
// # Tools that Google runs
//
// Ask for the web search with request.SearchWeb, and for the others as the API has them:
//
//	req.HostedTools = []request.HostedTool{
//		request.SearchWeb(request.WebSearch{}),
//		request.HostedRaw(gemini.ExtraKey, `{"urlContext":{}}`), // codeExecution, googleMaps, fileSearch ...
//	}
//
// Beside declared tools models take them since Gemini 3; they are asked then to tell of
// each use, which has to go back (ai.google.dev/gemini-api/docs/tool-combination, a
// stored copy read 2026-12-01). Of a model of 2.5, which refuses both, they are left out
// with a Notice.
//
// What they searched, read and ran comes as hosted tools, sources as citations whose
// range is in bytes of their block of text; code that was run goes back with the turn.
// The Replay of a search holds what Google wants shown beside the answer, its
// suggestions of searches (searchEntryPoint.renderedContent, HTML;
// ai.google.dev/gemini-api/docs/google-search, a stored copy read 2026-12-01).
//
// # Images and speech
//
// What a model makes is asked for by [ExtraKey], for instance
// {"generationConfig":{"responseModalities":["AUDIO"],"speechConfig":{...}}}. An image
// is one event, speech one for each piece. Images of the thinking are left out, with a
// Notice. What is larger than a turn may keep does not go back, and a Notice says so.
//
// Newer models keep beginnings of prompts unasked
// (openrouter.ai/docs/guides/best-practices/prompt-caching, read 2026-12-01). There are no
// markers: those of Request.Cache are left out with a Notice. The usage counts what was read
// (CacheRead), never what was written.
//
// A cache that was made before (cachedContent), a tier (serviceTier, told back as
// service_tier in the metadata of Started, and by the completion where the end says
// another) and labels are asked for in the same way.
//
// # Money
//
// Leaving a stream closes the connection, which the API calls CANCELLED (499,
// ai.google.dev/gemini-api/docs/generate-content/api-errors, a stored copy read
// 2026-12-01). Billing does not stop: "You will still be charged usage" (Google's
// js-genai, GenerateContentConfig.abortSignal, read 2026-12-01), which OpenRouter's list
// says too. That a reply of Gemini 4 is billed up to its last checkpoint when it drops
// is a note on Google's page of long replies (github.com/NousResearch/hermes-agent,
// agent/gemini_long_decode.py, read 2026-12-01; not confirmed). So an answer that was
// left is charged by its estimate.
//
// No failure has the reason context_overflow: this API tells an overlong prompt by
// its message alone, which is never matched, so it is rejected/bad_request. Compare
// an estimate of the request with the Spec's ContextWindow before you send it.
//
// Sources: go-genai v1.69 and its issues, read August to October 2026, recordings,
// and the pages of ai.google.dev that are named where they are used.
package gemini
