// Package claudethinking says how Claude is told to think and what that goes
// together with, for the wire families that carry it: the same model refuses the same
// requests at Anthropic, on Vertex AI and on Bedrock, in either language of Bedrock.
// It is pure.
//
// What gives way is told, and never left out without a word. The caller refuses it of a
// strict request.
//
//   - A budget is 1,024 tokens or more and less than max_tokens, which counts it in
//     (anthropic-sdk-go v1.60, read August to October 2026). It is held to that; where
//     nothing fits the model is not told to think.
//   - "Thinking may not be enabled when tool_choice forces tool use", of adaptive
//     thinking too (github.com/mastra-ai/mastra, issue 7507; of Bedrock
//     github.com/can1357/oh-my-pi, issue 341; read 2026-12-01). The choice stays, for it
//     is what the caller's code waits for; the thinking gives way. Whether a model that
//     thinks unasked takes such a choice is not known: nothing is changed then.
//   - "temperature may only be set to 1 when thinking is enabled", and top_p to 0.95 and
//     more (platform.claude.com/docs/en/build-with-claude/extended-thinking, as public
//     issues quote it, read likewise). They give way to the thinking.
package claudethinking
