// Package openai calls the models of OpenAI through the Chat Completions API or the
// Responses API.
//
//	model, err := openai.New(openai.Config{Key: key, Model: "gpt-5", API: openai.Responses})
//
// Responses is what OpenAI develops: it alone shows reasoning, takes it back in the
// next request, and has OpenAI's own tools. Chat Completions, the zero API, is what
// everybody else speaks too. A conversation with calls or reasoning that began with
// one goes on with the other only with Foreign: Drop.
//
// The adapter names the endpoint, the headers and what each model can do; the
// language of Chat Completions is that of package compatible, which is for every
// other endpoint that speaks it. The key comes from Config only: nothing here reads the
// environment.
//
// What the body has no other word for goes into Request.Extra under [ExtraKey] or
// [ResponsesExtraKey]. Reasoning summaries, for which OpenAI wants an organization
// verified with some models, are asked for so: {"reasoning":{"summary":"auto"}}.
//
// Speech is of Chat Completions: Extra asks for it with modalities and audio, its words
// are the reply's text and its bytes one piece of media at the end, raw samples unless
// another format is asked for. The next request names it by its id, in the data of the
// turn; OpenAI forgets it after a while (expires_at), and a turn without its data goes
// back as words.
//
// The range of a citation is in characters of the text, its end that of the last one, as
// OpenAI counts them (the types of openai-python, read 2026-12-01).
//
// Prompts are cached unasked. Of Request.Cache a Key is sent as prompt_cache_key, an hour of
// Automatic as prompt_cache_retention of the models that take it, and markers to GPT-5.6,
// which has breakpoints. The usage counts what was read, and written where OpenAI tells it.
//
// A client that hangs up: whether OpenAI goes on, and bills what nobody reads, is
// told nowhere that could be found; only responses in the background can be cancelled
// (github.com/openai/openai-python, issue 2643, unanswered, read 2026-12-01). A cancelled
// call is charged by its estimate.
//
// Source: openai-go v3.52 and OpenAI's docs, read August to October 2026; of the
// models see [SpecFor].
package openai
