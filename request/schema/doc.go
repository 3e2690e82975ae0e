// Package schema rewrites a JSON Schema for the subset that a provider takes,
// and says what the subset cannot express. It validates neither schemas nor
// answers: package request holds arguments and answers to the full schema.
//
//	r, err := schema.Rewrite(text, schema.OpenAIStrict, schema.Options{})
//	for _, loss := range r.Losses {
//		fmt.Println(loss)
//	}
//	// r.Schema is what goes to the provider; the answer comes back through
//	answer = schema.Strip(text, answer)
//
// [For] makes a schema of a Go type, for an answer that is decoded into it.
//
// # What is lost, and what is not
//
// Each difference that matters to answers is a [Loss] and has an [Effect]. By
// default they are reported; under Options.Strict a schema that would take other
// answers than before is refused. Some changes are no loss:
//
//   - An object that names its properties and does not say whether there may be
//     others is closed where the subset asks for it. Every answer still fits.
//     An object that names none, or asks for others, is [Narrowed].
//   - A schema that gives no type gets the one that its other keywords speak of.
//   - allOf is merged and a reference written out where nothing changes by it.
//   - Annotations are left out where the subset has no place for them: $comment,
//     examples, a default for OpenAI, a title for Gemini, whatever is no keyword of JSON Schema. So are
//     definitions that nothing refers to.
//   - A keyword that says nothing about values of the schema's type, or that takes
//     every value, is left out.
//
// A property that may be left out is required and takes null in openai-strict
// ([Nullable]); [Strip] takes such nulls out of an answer again.
//
// # Guarantees
//
//   - The walk goes by position: a property called $ref, type or
//     additionalProperties is a property, and values under enum, const and default
//     are data and stay as they are.
//   - References are followed inside the document only. A recursion by a
//     definition or the whole schema stays in openai-strict and gemini-json; gemini cuts it to the
//     bare type, anthropic-strict and cohere have no form for it and refuse, cohere
//     unions too. Work is bounded whatever the references do.
//   - The same input gives the same bytes, and rewriting what was rewritten
//     changes nothing.
//   - With no loss marked [Widened], every answer that fits the rewritten schema
//     fits the schema, once it went through [Strip] (for unions see there).
//
// # Limits
//
// A schema is at most [MaxBytes] long and [MaxDepth] deep, before and after.
// Limits that providers put on the number of properties, levels or enum values
// change often and are theirs to report. Of two different values of one keyword
// in an allOf the first stays, as a loss. Draft 4's exclusiveMinimum true, dynamic
// references, anchors, and a schema with an $id of its own inside another one are
// refused.
package schema
