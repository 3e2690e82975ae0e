// Package modellist reads the lists of models that providers publish, for the
// adapters' providers.ModelLister. One tolerant reading does for all of them: the
// shapes differ in the names of their members only.
//
//	models, err := modellist.List(ctx, client, transport.Call{...})
//
// A member that is absent, or of another type, leaves its field zero, so nothing
// depends on what is not confirmed.
//
// Sources, stored copies read 2026-12-01: Anthropic's pages and members
// (platform.claude.com/docs/en/api/models-list), Groq's context_window and
// max_completion_tokens and OpenRouter's name, context_length and top_provider
// (answers quoted in public repositories), Bedrock's two lists (docs.aws.amazon.com/
// bedrock/latest/APIReference/API_ListFoundationModels.html and
// API_ListInferenceProfiles.html), Vertex AI's publisherModels (docs.cloud.google.com,
// ListPublisherModelsResponse of v1beta1). The rest is as the vendors' SDKs have it,
// by reference/wire.md and recall, not confirmed: created (OpenAI), display_name
// and a list without an object around it (Together), max_context_length (Mistral),
// max_model_len (vLLM), max_input_tokens and max_tokens (Anthropic), models with
// name, model and modified_at (Ollama).
package modellist
