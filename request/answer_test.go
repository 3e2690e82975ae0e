package request_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

func mustAnswer(tb testing.TB, name, schema string) request.Answer {
	tb.Helper()
	answer, err := request.NewAnswer(name, schema)
	require.NoError(tb, err)
	return answer
}

func TestNewAnswer(t *testing.T) {
	t.Parallel()
	const schema = ` {"type":"object"} `
	a := mustAnswer(t, "", schema)
	assert.Equal(t, request.DefaultAnswerName, a.Name())
	assert.Equal(t, schema, a.Schema())
	assert.False(t, a.Strict())
	assert.False(t, a.IsZero())
	strict := a.WithStrict()
	assert.True(t, strict.Strict())
	assert.False(t, a.Strict(), "the answer that it came from stays")

	assert.True(t, a.Equal(mustAnswer(t, "answer", schema)), "compiled apart")
	assert.False(t, a.Equal(strict))
	assert.False(t, a.Equal(mustAnswer(t, "b", schema)))
	assert.False(t, a.Equal(mustAnswer(t, "", strings.TrimSpace(schema))))
	assert.True(t, request.Answer{}.IsZero())
	assert.False(t, request.Answer{}.WithStrict().IsZero())
}

func TestNewAnswerRefuses(t *testing.T) {
	t.Parallel()
	const object = `{"type":"object"}`
	for _, row := range []struct {
		why, name, schema string
		reason            events.Reason
	}{
		{"a name with a dot", "a.b", object, events.ReasonBadParameter},
		{"a name with a letter of another alphabet", "é", object, events.ReasonBadParameter},
		{"a name too long", strings.Repeat("a", 65), object, events.ReasonBadParameter},
		{"no schema", "a", "", events.ReasonBadParameter},
		{"a schema that is no object's", "a", `{"type":"array"}`, events.ReasonBadParameter},
		{"a union that may be no object", "a", `{"anyOf":[{"type":"object"}]}`, events.ReasonBadParameter},
		{"a schema too deep", "a", nested(request.MaxToolSchemaDepth + 1), events.ReasonBadParameter},
		{"a schema too long", "a", `{"type":"object","title":"` + strings.Repeat("a", request.MaxToolSchema) + `"}`, events.ReasonBadParameter},
		{"a schema that breaks its metaschema", "a", `{"type":"object","required":1}`, events.ReasonBadParameter},
		{"a reference to another document", "a", `{"type":"object","$ref":"https://x.test/a"}`, events.ReasonSchemaUnsupported},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			a, err := request.NewAnswer(row.name, row.schema)
			requireInvalid(t, err, row.reason)
			assert.True(t, a.IsZero())
		})
	}
	mustAnswer(t, strings.Repeat("a", 64), object)
}

func TestAnswerCheck(t *testing.T) {
	t.Parallel()
	city := mustAnswer(t, "", citySchema)
	for _, row := range []struct {
		why    string
		answer request.Answer
		text   string
		want   events.IssueKind // empty: fits
	}{
		{"fits", city, ` {"city":"Oslo"} `, ""},
		{"a required member is missing", city, `{}`, events.IssueSchema},
		{"a null that Strip should have taken", city, `{"city":"Oslo","days":null}`, events.IssueSchema},
		{"prose around it", city, `Here: {"city":"Oslo"}`, events.IssueNotObject},
		{"a fence around it, which Extract takes", city, "```json\n{\"city\":\"Oslo\"}\n```", events.IssueNotObject},
		{"cut", city, `{"city":"Os`, events.IssueNotObject},
		{"a list", city, `[]`, events.IssueNotObject},
		{"nothing", city, ``, events.IssueNotObject},
		{"a key twice", city, `{"city":"a","city":"b"}`, events.IssueDuplicateKey},
		{"too much to check", mustAnswer(t, "", filterSchema), filter(12), events.IssueOutOfBounds},
		{"the zero Answer has no schema", request.Answer{}, `{"a":1}`, ""},
		{"but is an object", request.Answer{}, `1`, events.IssueNotObject},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			issue := row.answer.Check(row.text)
			if row.want == "" {
				assert.Nil(t, issue)
				return
			}
			require.NotNil(t, issue)
			assert.Equal(t, row.want, issue.Kind, issue.Detail)
			assert.Contains(t, issue.Detail, "the answer")
			assert.NotContains(t, issue.Detail, "arguments", "it can be shown to the model")
			assert.LessOrEqual(t, len(issue.Detail), events.MaxDetail)
		})
	}
}

func TestAnswerExtract(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ why, text, want string }{
		{"plain", `{"a":1}`, `{"a":1}`},
		{"white space around", " \n{\"a\": 1}\r\n", `{"a": 1}`},
		{"a block", "```\n{\"a\":1}\n```", `{"a":1}`},
		{"a block that says json", "```json\n{\"a\":1}\n```\n", `{"a":1}`},
		{"in capitals, with spaces", "``` JSON \n\n{\"a\":1}\n ```", `{"a":1}`},
		{"line ends of two characters", "```json\r\n{\"a\":1}\r\n```\r\n", `{"a":1}`},
		{"fences inside a string", "```json\n{\"a\":\"```json\"}\n```", "{\"a\":\"```json\"}"},
		{"an empty block", "```\n\n```", ""},
		{"another language", "```yaml\na: 1\n```", "```yaml\na: 1\n```"},
		{"prose before", "Here:\n```\n{}\n```", "Here:\n```\n{}\n```"},
		{"prose after", "```\n{}\n```\nDone.", "```\n{}\n```\nDone."},
		{"two blocks", "```\n{}\n```\nor\n```\n{}\n```", "```\n{}\n```\nor\n```\n{}\n```"},
		{"no end", "```json\n{}", "```json\n{}"},
		{"no end, several lines", "```json\n{\"a\":\n1}", "```json\n{\"a\":\n1}"},
		{"an end on the line of the JSON", "```json\n{}```", "```json\n{}```"},
		{"one line", "```{}```", "```{}```"},
		{"a fence alone", "```", "```"},
		{"a fence twice is a block that never began", "```\n```", "```\n```"},
		{"nothing", "", ""},
		{"no JSON is no matter of Extract", "{,}", "{,}"},
	} {
		assert.Equal(t, row.want, request.Answer{}.Extract(row.text), row.why)
	}
}

// What is not JSON is never made JSON, and JSON always stays what it is.
func FuzzAnswerExtract(f *testing.F) {
	f.Add("```json\n{\"a\":1}\n```")
	f.Add("```\n{}\n```\n```\n{}\n```")
	f.Add(" {\"a\":\"```\"} ")
	f.Fuzz(func(t *testing.T, text string) {
		got := request.Answer{}.Extract(text)
		require.Contains(t, text, got, "a piece of the text, unchanged")
		require.Equal(t, strings.TrimSpace(got), got)
		if json.Valid([]byte(text)) {
			require.Equal(t, strings.TrimSpace(text), got)
		}
		if json.Valid([]byte("[" + got + "]")) {
			fenced := "```json\n" + got + "\n```"
			require.Equal(t, got, request.Answer{}.Extract(fenced))
		}
	})
}

func TestAnswerJSON(t *testing.T) {
	t.Parallel()
	answer := mustAnswer(t, "n", `{ "type": "object", "title": "<\u00e9>", "maxProperties": 1.0 }`).WithStrict()
	req := with(func(r *request.Request) { r.Answer, r.Effort = answer, request.EffortLow })

	plain, err := req.MarshalJSON()
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(string(plain), `{"answer":{"name":"n","schema":{ "type": "object", "title": "<\u00e9>", "maxProperties": 1.0 },"strict":true},"effort":`), string(plain))
	back, err := request.Parse(plain)
	require.NoError(t, err)
	assert.True(t, answer.Equal(back.Answer))

	canonical, err := req.Canonical()
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(string(canonical), `{"answer":{"name":"n","schema":{"maxProperties":1.0,"title":"<é>","type":"object"},"strict":true},"effort":"low",`), string(canonical))
	assert.Greater(t, req.EstimateInputTokens(), with(func(r *request.Request) { r.Effort = request.EffortLow }).EstimateInputTokens())

	alone, err := answer.MarshalJSON()
	require.NoError(t, err)
	var read request.Answer
	require.NoError(t, read.UnmarshalJSON(alone))
	assert.True(t, answer.Equal(read))
	require.NoError(t, read.UnmarshalJSON([]byte("null")))
	assert.True(t, answer.Equal(read), "null changes nothing")
	alone, err = request.Answer{}.MarshalJSON()
	require.NoError(t, err)
	assert.Equal(t, "null", string(alone))
}

func TestParseAnswer(t *testing.T) {
	t.Parallel()
	back, err := request.Parse([]byte(`{"answer":{"schema":{"type":"object"},"strict":false}}`))
	require.NoError(t, err)
	assert.True(t, mustAnswer(t, "", `{"type":"object"}`).Equal(back.Answer))
	back, err = request.Parse([]byte(`{"answer":null}`))
	require.NoError(t, err)
	assert.True(t, back.Answer.IsZero())
	for _, row := range []struct {
		why, text string
		reason    events.Reason
	}{
		{"no schema", `{"answer":{}}`, events.ReasonBadParameter},
		{"no object", `{"answer":[]}`, events.ReasonBadParameter},
		{"an unknown field", `{"answer":{"schema":{"type":"object"},"x":1}}`, events.ReasonBadParameter},
		{"strict of the wrong type", `{"answer":{"schema":{"type":"object"},"strict":1}}`, events.ReasonBadParameter},
		{"a schema as text", `{"answer":{"schema":"{}"}}`, events.ReasonBadParameter},
		{"another document", `{"answer":{"schema":{"type":"object","$ref":"file:///etc/hosts"}}}`, events.ReasonSchemaUnsupported},
	} {
		_, err := request.Parse([]byte(row.text))
		f := requireInvalid(t, err, row.reason)
		assert.True(t, strings.HasPrefix(f.Detail, "answer"), "%s: %s", row.why, f.Detail)
	}
}

// TestAnswerInWords: a model that has no way of its own is asked in words.
func TestAnswerInWords(t *testing.T) {
	t.Parallel()
	answer := mustAnswer(t, "", `{ "type": "object", "properties": {"b": {}, "a": {}} }`)
	const words = `Answer with one JSON object and nothing else, no code fence, that fits this JSON Schema: {"type":"object","properties":{"b":{},"a":{}}}`
	no := request.Spec{StructuredAnswer: request.No}
	for _, row := range []struct {
		why    string
		spec   request.Spec
		change func(*request.Request)
		system string // of the prepared request
		words  bool
		fails  events.Reason
	}{
		{"nothing is known", request.Spec{}, func(*request.Request) {}, "", false, ""},
		{"the model takes it", request.Spec{StructuredAnswer: request.Yes}, func(*request.Request) {}, "", false, ""},
		{"the model does not", no, func(*request.Request) {}, words, true, ""},
		{"after a system prompt", no, func(r *request.Request) { r.System = "Be brief." }, "Be brief.\n\n" + words, true, ""},
		{"after an empty one", no, func(r *request.Request) { r.System = " " }, words, true, ""},
		{"the caller knows of a refusal", request.Spec{StructuredAnswer: request.Yes}, func(r *request.Request) {
			r.Options.Without = []string{request.FeatureAnswerSchema}
		}, words, true, ""},
		{"no answer is asked for", no, func(r *request.Request) { r.Answer = request.Answer{} }, "", false, ""},
		{"a strict request", no, func(r *request.Request) { r.Strict = true }, "", false, events.ReasonBadParameter},
		{"a strict request that the model can do", request.Spec{}, func(r *request.Request) { r.Strict = true }, "", false, ""},
		{"a strict answer", no, func(r *request.Request) { r.Answer = answer.WithStrict() }, "", false, events.ReasonSchemaUnsupported},
		{"a strict answer that the model can do", request.Spec{}, func(r *request.Request) { r.Answer = answer.WithStrict() }, "", false, ""},
		{"not made by NewAnswer", request.Spec{}, func(r *request.Request) { r.Answer = request.Answer{}.WithStrict() }, "", false, events.ReasonBadParameter},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			req := with(func(r *request.Request) { r.Answer = answer; row.change(r) })
			got, err := req.Prepare(request.Target{Spec: row.spec})
			if row.fails != "" {
				requireInvalid(t, err, row.fails)
				problems := req.CheckFor(row.spec)
				require.Len(t, problems, 1)
				assert.Equal(t, "answer", problems[0].Field)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, row.system, got.Request.System)
			assert.Equal(t, row.words, got.AnswerInWords)
			if row.words {
				assert.True(t, got.Request.Answer.IsZero())
				assert.Empty(t, got.AnswerSchema)
				last := got.Notices[len(got.Notices)-1]
				assert.Equal(t, events.NoticeParameterDropped, last.Code)
				assert.Contains(t, last.Detail, "in words")
				return
			}
			assert.True(t, req.Answer.Equal(got.Request.Answer))
			assert.Equal(t, req.Answer.Schema(), got.AnswerSchema)
			assert.Empty(t, got.Notices)
		})
	}
}
