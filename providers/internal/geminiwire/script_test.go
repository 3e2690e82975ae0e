package geminiwire_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/transport"
)

func transportFrame(data string) transport.Frame { return transport.Frame{Data: []byte(data)} }

func endOfBody() transport.End { return transport.End{Kind: transport.EndDone} }

// frames draws one frame of a server that knows the words of the wire and none of
// its rules.
func frames() *rapid.Generator[string] {
	pick := func(words ...string) *rapid.Generator[string] { return rapid.SampledFrom(words) }
	parts := pick(
		`{"text":"a"}`, `{"text":" "}`, `{"text":""}`, `{}`, `7`, `{"text":"t","thought":true}`, `{"text":"t","thought":true,"thoughtSignature":"S"}`,
		`{"text":"a","thoughtSignature":"S"}`, `{"text":" ","thoughtSignature":"S"}`, `{"text":"","thoughtSignature":"S"}`, `{"thoughtSignature":"S"}`, `{"text":"a","thoughtSignature":""}`,
		`{"functionCall":{"name":"f","args":{"a":1},"id":"x"},"thoughtSignature":"S"}`, `{"functionCall":{"name":"g"}}`, `{"functionCall":{}}`, `{"functionCall":{"name":"f","args":[]}}`,
		`{"functionCall":{"name":"f","willContinue":true}}`, `{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"x","willContinue":true}],"willContinue":true}}`,
		`{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":""}],"willContinue":true}}`, `{"functionCall":{"partialArgs":[{"jsonPath":"$.b[0].c","numberValue":1.5}],"willContinue":true}}`,
		`{"functionCall":{"partialArgs":[{"jsonPath":"$.b[1]","boolValue":true},{"jsonPath":"$.d","nullValue":"NULL_VALUE"}]}}`, `{"functionCall":{"willContinue":true}}`,
		`{"executableCode":{"code":"c","id":"e"}}`, `{"codeExecutionResult":{"outcome":"OUTCOME_OK","id":"e"}}`, `{"codeExecutionResult":{}}`, `{"toolCall":{"toolType":"T"}}`, `{"toolResponse":{}}`,
		`{"inlineData":{"mimeType":"image/png","data":"AQ=="}}`, `{"inlineData":{"data":""}}`, `{"inlineData":{"mimeType":"image/png","data":"AQ=="},"thought":true}`, `{"news":1}`)
	members := pick(``, ``, ``, ``, `,"index":0`, `,"index":1`, `,"finishReason":"STOP"`, `,"finishReason":"STOP"`, `,"finishReason":"MAX_TOKENS"`, `,"finishReason":"CONTINUATION","continuationToken":"dA=="`, `,"finishReason":"SAFETY"`, `,"finishReason":2`,
		`,"finishReason":"MALFORMED_FUNCTION_CALL"`, `,"finishReason":"NEWS"`, `,"groundingMetadata":{"webSearchQueries":["q"],"groundingChunks":[{"web":{"uri":"u"}}],"groundingSupports":[{"segment":{"endIndex":1},"groundingChunkIndices":[0,1]}]}`,
		`,"groundingMetadata":{"searchEntryPoint":{"renderedContent":"<a>"},"groundingChunks":[{"web":{"uri":"v"}},{"maps":{"uri":"w"}}],"groundingSupports":[{"segment":{"startIndex":1,"endIndex":3},"groundingChunkIndices":[0]},{"segment":{"startIndex":2,"endIndex":9},"groundingChunkIndices":[1]},{"segment":{"partIndex":2,"endIndex":1},"groundingChunkIndices":[0]}]}`,
		`,"urlContextMetadata":{"urlMetadata":[{"retrievedUrl":"u"}]}`, `,"citationMetadata":{"citations":[{"uri":"c","startIndex":5,"endIndex":2}]}`)
	tops := pick(``, ``, ``, `,"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":2,"thoughtsTokenCount":1,"totalTokenCount":6}`, `,"usageMetadata":{"trafficType":"X"}`,
		`,"usageMetadata":{"cachedContentTokenCount":9,"promptTokenCount":3}`, `,"promptFeedback":{"blockReason":"SAFETY"}`, `,"promptFeedback":{}`, `,"error":null`, `,"responseId":"r"`)
	return rapid.Custom(func(t *rapid.T) string {
		list := strings.Join(rapid.SliceOfN(parts, 0, 3).Draw(t, "parts"), ",")
		return frame(list, members.Draw(t, "members"), tops.Draw(t, "tops"))
	})
}

// Whatever order the words of the wire come in, the grammar holds, a call is
// executable only with arguments that were all there, what was completed can be
// sent back, and reads do not matter.
func TestAnyOrderOfFrames(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		script := rapid.SliceOfN(frames(), 1, 16).Draw(rt, "frames")
		text := body(script...)
		evs := drive(text, 1<<20)
		last := evs[len(evs)-1]
		require.True(rt, last.Kind.IsTerminal())
		if f, ok := last.Failure(); ok {
			require.NotEqual(rt, events.ReasonProtocolViolation, f.Reason, "%v", last)
			require.NotEqual(rt, events.Crashed, f.Kind)
		} else {
			require.Regexp(rt, `finishReason|blockReason`, text, "completed without evidence")
		}
		said := map[int32]int{}
		for _, ev := range evs {
			if ev.Kind == events.TextDelta {
				said[ev.Index] += len(ev.Text)
			}
			if c, ok := ev.Call(); ok && ev.Kind == events.ToolCallCompleted {
				require.Nil(rt, events.CheckArguments(c.Arguments))
			}
			if c, ok := ev.Citation(); ok {
				require.LessOrEqual(rt, c.End, said[ev.Index], "a range is in its block, and what it is of was said")
				require.True(rt, c.Start < c.End || c.End == 0, "%v", c)
			}
		}
		array := "[" + strings.Join(script, "\n,\n") + "]"
		require.Equal(rt, string(lines(evs)), string(lines(drive(array, 3))), "an array says the same")
		goesBack(t, evs)
	})
}
