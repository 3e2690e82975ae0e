package schema_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/request/schema"
)

const (
	exact     = `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`
	optional  = `{"type":"object","properties":{"a":{"type":"string"}}}`
	lossyText = `{"type":"object","properties":{"a":{"type":"string","minLength":1}},"required":["a"]}`
	recursive = `{"type":"object","properties":{"a":{"$ref":"#"}}}`
)

func asks(t *testing.T, text string, change func(*request.Request)) request.Request {
	t.Helper()
	answer, err := request.NewAnswer("", text)
	require.NoError(t, err)
	r := request.Request{Messages: []request.Message{request.UserText("q")}, Answer: answer}
	if change != nil {
		change(&r)
	}
	return r
}

func TestPrepare(t *testing.T) {
	t.Parallel()
	strictAnswer := func(r *request.Request) { r.Answer = r.Answer.WithStrict() }
	strict := func(r *request.Request) { r.Strict = true }
	no := request.Spec{StructuredAnswer: request.No}
	for _, row := range []struct {
		why     string
		text    string
		profile schema.Profile
		spec    request.Spec
		change  func(*request.Request)
		schema  string // that is asked for
		words   bool
		notices []events.NoticeCode
		fails   events.Reason
	}{
		{why: "nothing is lost", text: exact, profile: schema.OpenAIStrict, schema: strings.TrimSuffix(exact, "}") + `,"additionalProperties":false}`},
		{
			why: "null for left out is no loss", text: optional, profile: schema.OpenAIStrict, change: strictAnswer,
			schema: `{"type":"object","properties":{"a":{"type":["string","null"]}},"required":["a"],"additionalProperties":false}`,
		},
		{
			why: "a loss is told", text: lossyText, profile: schema.OpenAIStrict, notices: []events.NoticeCode{events.NoticeSchemaLossy},
			schema: strings.TrimSuffix(exact, "}") + `,"additionalProperties":false}`,
		},
		{why: "a loss of a strict answer", text: lossyText, profile: schema.OpenAIStrict, change: strictAnswer, fails: events.ReasonSchemaUnsupported},
		{why: "a loss of a strict request", text: lossyText, profile: schema.OpenAIStrict, change: strict, fails: events.ReasonSchemaUnsupported},
		{
			why: "no form at all: in words", text: recursive, profile: schema.AnthropicStrict, words: true,
			notices: []events.NoticeCode{events.NoticeParameterDropped, events.NoticeSchemaLossy},
		},
		{why: "no form at all of a strict answer", text: recursive, profile: schema.AnthropicStrict, change: strictAnswer, fails: events.ReasonSchemaUnsupported},
		{
			why: "what is asked for in words is not rewritten", text: recursive, profile: schema.AnthropicStrict, spec: no, words: true,
			notices: []events.NoticeCode{events.NoticeParameterDropped},
		},
		{why: "no answer", profile: schema.OpenAIStrict, text: exact, change: func(r *request.Request) { r.Answer = request.Answer{} }},
		{why: "another problem", profile: schema.OpenAIStrict, text: exact, change: func(r *request.Request) { r.MaxOutputTokens = -1 }, fails: events.ReasonBadParameter},
		{why: "an unknown profile", profile: "x", text: exact, fails: events.ReasonBadParameter},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			r := asks(t, row.text, row.change)
			got, err := schema.Prepare(r, request.Target{Spec: row.spec}, row.profile)
			if row.fails != "" {
				f, ok := events.AsFailure(err)
				require.True(t, ok, "%v", err)
				assert.Equal(t, events.InvalidRequest, f.Kind)
				assert.Equal(t, row.fails, f.Reason)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, row.schema, got.AnswerSchema)
			assert.Equal(t, row.words, got.AnswerInWords)
			assert.Equal(t, row.words, strings.Contains(got.Request.System, row.text), "the schema as it was declared")
			var codes []events.NoticeCode
			for _, n := range got.Notices {
				codes = append(codes, n.Code)
				assert.Contains(t, n.Detail, "answer: ")
			}
			assert.Equal(t, row.notices, codes)
		})
	}
}

func TestPrepareBoundsItsNotice(t *testing.T) {
	t.Parallel()
	var properties []string
	for i := range 200 {
		properties = append(properties, `"p`+strconv.Itoa(i)+`":{"type":"string","minLength":1}`)
	}
	r := asks(t, `{"type":"object","properties":{`+strings.Join(properties, ",")+`}}`, nil)
	got, err := schema.Prepare(r, request.Target{}, schema.OpenAIStrict)
	require.NoError(t, err)
	require.Len(t, got.Notices, 1)
	detail := got.Notices[0].Detail
	assert.LessOrEqual(t, len(detail), events.MaxDetail)
	assert.Contains(t, detail, "#/properties/p0: minLength")
	assert.Regexp(t, `; and 1\d\d more$`, detail, "says how many there are besides")
}
