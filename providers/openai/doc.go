// Package openai calls the models of OpenAI through the Chat Completions API.
//
//	model, err := openai.New(openai.Config{Key: key, Model: "gpt-5"})
//
// The adapter names the endpoint, the headers and what each model can do; the
// language itself is that of package compatible, which is for every other
// endpoint that speaks it. The key comes from Config only: nothing here reads the
// environment.
//
// What the body has no other word for goes into Request.Extra under [ExtraKey].
//
// Source: openai-go v3.52 and OpenAI's docs, read August to October 2026; of the
// models see [SpecFor].
package openai
