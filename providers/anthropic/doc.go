// Package anthropic calls the models of Anthropic through the Messages API.
//
//	model, err := anthropic.New(anthropic.Config{Key: key, Model: "claude-sonnet-5"})
//
// The adapter names the endpoint, the headers and what each model can do; the
// language itself is a wire family of its own. Credentials come from Config only:
// nothing here reads the environment.
//
// Any host of the same API serves too, for instance Ollama under
// http://127.0.0.1:11434/v1 (no key).
//
// Thinking is signed: append a reply's Turn to the history as it is, with its
// Data, and the provider gets back exactly what it gave. A history may move
// between models of Anthropic, but the newest ones (Claude Opus 5.5 and Sonnet 5.5,
// Fable 5.1 and 5.2) take back only thinking of their own: clear Data when you
// switch to or from them. Data of packages bedrock and vertex is another provider's,
// refused or dropped as Request.Foreign says: Anthropic says that its signatures hold on
// every cloud (platform.claude.com/docs/en/build-with-claude/extended-thinking, a stored
// copy read 2026-12-01), but not that what else stands in Data does.
//
// A forced tool call and thinking do not go together, nor do temperatures: what gives way
// is told by a Notice, and refused of a strict request.
//
// Newer models leave the text of their thinking out unless asked for it, with what
// the body has no other word for, [ExtraKey]:
//
//	req.Extra = map[string]string{anthropic.ExtraKey: `{"thinking":{"type":"adaptive","display":"summarized"}}`}
//
// A citation is one of its whole block of text; SourceStart and SourceEnd are where in
// the source it stands, in characters, pages or blocks, by the kind of source.
//
// Nothing is cached unasked (platform.claude.com/docs/en/build-with-claude/prompt-caching, a
// stored copy read 2026-12-01): request.Cache and Block.Cached mark what is kept, up to four
// places for five minutes or an hour, and Cache.Automatic marks the last block. The usage
// counts what was read (CacheRead) and written (CacheWrite, for an hour CacheWriteLong).
//
// No failure has the reason context_overflow: this API tells an overlong prompt by
// its message alone, which is never matched, so it is rejected/bad_request. Compare
// an estimate of the request with the Spec's ContextWindow before you send it.
//
// When a client hangs up: whether Anthropic goes on, and bills what nobody reads, is told
// nowhere that could be found (searched 2026-12-01); OpenRouter has Anthropic among those
// that stop (package openrouter), which is said of its own bills. A cancelled call is
// charged by its estimate.
//
// Sources: anthropic-sdk-go v1.60, read August to October 2026; of the newest
// models platform.claude.com/docs/en/models, stored copies read 2026-11-30.
package anthropic
