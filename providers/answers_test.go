package providers_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/request/schema"
	"github.com/weirsdk/weir/stream"
)

// place is an answer that has a member which may be left out.
type place struct {
	City string   `json:"city"`
	Rain *float64 `json:"rain"`
	Tags []string `json:"tags,omitempty"`
}

// says returns a good body of an API whose reply is the text.
func says(t *testing.T, api, text string) []byte {
	t.Helper()
	quoted, err := json.Marshal(text)
	require.NoError(t, err)
	switch api {
	case apiOllama:
		return []byte(`{"model":"m","message":{"role":"assistant","content":` + string(quoted) + `},"done":true,"done_reason":"stop"}` + "\n")
	case apiCohere:
		return []byte(`data: {"type":"message-start","id":"a"}` + "\n\n" +
			`data: {"type":"content-start","index":0,"delta":{"message":{"content":{"type":"text","text":` + string(quoted) + `}}}}` + "\n\n" +
			`data: {"type":"message-end","delta":{"finish_reason":"COMPLETE"}}` + "\n\n")
	case apiGemini:
		return []byte(`data: {"candidates":[{"content":{"parts":[{"text":` + string(quoted) + `}],"role":"model"},"finishReason":"STOP"}]}` + "\n\n")
	case apiResponses:
		return []byte(`data: {"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":` + string(quoted) + `}` + "\n\n" +
			`data: {"type":"response.completed","response":{"status":"completed"}}` + "\n\n")
	case apiMessages:
		return []byte(`data: {"type":"message_start","message":{"id":"a","model":"m","usage":{"input_tokens":1,"output_tokens":1}}}` + "\n\n" +
			`data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}` + "\n\n" +
			`data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":` + string(quoted) + `}}` + "\n\n" +
			`data: {"type":"content_block_stop","index":0}` + "\n\n" +
			`data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}` + "\n\n" +
			`data: {"type":"message_stop"}` + "\n\n")
	default:
		return []byte(`data: {"id":"a","choices":[{"index":0,"delta":{"content":` + string(quoted) + `},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n")
	}
}

// TestStructuredAnswers goes the whole way: from a Go type to a schema, to what
// each provider is asked for, and from what it says back to a value of the type.
func TestStructuredAnswers(t *testing.T) {
	t.Parallel()
	text, err := schema.For[place]()
	require.NoError(t, err)
	answer, err := request.NewAnswer("place", text)
	require.NoError(t, err)
	for _, row := range []struct {
		why, api, vendor string
		asks             string // a piece of the body
		says             string
		notices          int
	}{
		{"null for what is left out", apiChat, "openai", `"strict":true`, `{"city":"Graz","rain":null,"tags":null}`, 0},
		{"through the other API", apiResponses, "openai", `"text":{"format":{"type":"json_schema"`, `{"city":"Graz","rain":null,"tags":null}`, 0},
		{"left out", apiMessages, "", `"output_config":{"format":`, `{"city":"Graz","rain":null}`, 0},
		{"the whole schema", apiOllama, "", `"format":` + text, ` {"city": "Graz", "rain": null} `, 0},
		{"all that the schema says", apiGemini, "", `"required":["city","rain"],"additionalProperties":false}`, `{"city":"Graz","rain":null}`, 0},
		{"in words, for a wire without null", apiCohere, "", `JSON Schema: `, `{"city":"Graz","rain":null}`, 2},
		{"in words, and answered in a fence", apiChat, "deepseek", `"response_format":{"type":"json_object"}`, "```json\n{\"city\":\"Graz\",\"rain\":null}\n```", 1},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			rt := whole(row.api, says(t, row.api, row.says))
			r := hello()
			r.Answer = answer
			reply, err := stream.Collect(model(t, row.api, row.vendor, rt).Stream(t.Context(), r))
			require.NoError(t, err)
			assert.Contains(t, string(rt.Requests()[0].Body), row.asks)
			assert.Len(t, reply.Notices(), row.notices)
			assert.Equal(t, row.says, reply.Text(), "what the provider said is not touched")

			got := schema.Strip(answer.Schema(), answer.Extract(reply.Text()))
			require.Nil(t, answer.Check(got), got)
			var value place
			require.NoError(t, json.Unmarshal([]byte(got), &value))
			assert.Equal(t, place{City: "Graz"}, value)
		})
	}
}

// TestStructuredAnswerCut is case 045: an answer that the output limit cut is
// truncated, and nothing closes it.
func TestStructuredAnswerCut(t *testing.T) {
	t.Parallel()
	body, err := os.ReadFile(filepath.Join("openai", "testdata", "cases", "045-structured-truncated", "response.sse"))
	require.NoError(t, err)
	answer, err := request.NewAnswer("", `{"type":"object","properties":{"t":{"type":"string"},"l":{"type":"array"}},"required":["t","l"]}`)
	require.NoError(t, err)
	r := hello()
	r.Answer = answer
	reply, err := stream.Collect(model(t, apiChat, "openai", whole(apiChat, body)).Stream(t.Context(), r))
	require.NoError(t, err, "a reply that is cut is a reply")
	assert.Equal(t, stream.OutcomeTruncated, reply.Outcome())
	assert.Equal(t, events.StopLength, reply.Stop())
	const cut = `{"t":"r","l":[1,2`
	assert.Equal(t, cut, reply.Text())
	for _, same := range []string{answer.Extract(cut), schema.Strip(answer.Schema(), cut)} {
		assert.Equal(t, cut, same)
	}
	issue := answer.Check(cut)
	require.NotNil(t, issue)
	assert.NotEqual(t, events.IssueSchema, issue.Kind, "it is no JSON yet, and not an answer that does not fit")
}

// TestStructuredAnswerIsNotSent: what a strict answer needs and a provider cannot
// express is refused before anything is sent.
func TestStructuredAnswerIsNotSent(t *testing.T) {
	t.Parallel()
	answer, err := request.NewAnswer("", `{"type":"object","properties":{"a":{"type":"string","minLength":1}},"required":["a"]}`)
	require.NoError(t, err)
	for _, row := range []struct {
		why, api, vendor string
		sent             bool
	}{
		{"a keyword that the subset lacks", apiChat, "openai", false},
		{"the same elsewhere", apiMessages, "", false},
		{"and there", apiCohere, "", false},
		{"the same through the other API", apiResponses, "openai", false},
		{"a provider that takes no schema", apiChat, "deepseek", false},
		{"and in a subset of numbers' bounds alone", apiGemini, "", false},
		{"one that takes all of it", apiOllama, "", true},
	} {
		rt := whole(row.api, says(t, row.api, `{"a":"x"}`))
		r := hello()
		r.Answer = answer.WithStrict()
		_, err := stream.Collect(model(t, row.api, row.vendor, rt).Stream(t.Context(), r))
		if row.sent {
			assert.NoError(t, err, row.why)
			continue
		}
		f, ok := events.AsFailure(err)
		require.True(t, ok, row.why)
		assert.Equal(t, events.InvalidRequest, f.Kind, row.why)
		assert.Equal(t, events.ReasonSchemaUnsupported, f.Reason, row.why)
		assert.Equal(t, events.NotSent, f.Sent, row.why)
		assert.True(t, strings.Contains(f.Detail, "minLength") || strings.Contains(f.Detail, "strict"), f.Detail)
		assert.Empty(t, rt.Requests(), row.why)
	}
}
