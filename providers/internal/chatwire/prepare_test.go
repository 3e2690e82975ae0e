package chatwire_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/chatwire"
	"github.com/weirsdk/weir/request"
)

// A key of Extra that no family reads is told after what preparing tells, and
// refused where nothing may be left out.
func TestPrepareTellsOfUnreadExtra(t *testing.T) {
	t.Parallel()
	r := request.Request{
		Messages: []request.Message{request.UserText("hi")}, ThinkingBudget: new(100),
		Extra: map[string]string{"chta": `{"a":1}`, "messages": `{}`, chatwire.ExtraKey: `{"b":1}`},
	}
	call, _, err := chatwire.Prepare(r, "m", request.Spec{}, chatwire.Profile{})
	require.NoError(t, err)
	require.Len(t, call.Notices, 2)
	for i, field := range []string{"thinking_budget", "extra.chta"} {
		assert.Equal(t, events.NoticeParameterDropped, call.Notices[i].Code)
		assert.True(t, strings.HasPrefix(call.Notices[i].Detail, field), call.Notices[i].Detail)
	}
	assert.Contains(t, string(call.Body), `"b":1`)
	r.Strict, r.ThinkingBudget = true, nil
	_, _, err = chatwire.Prepare(r, "m", request.Spec{}, chatwire.Profile{})
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadParameter})
}

func TestPrepareExplainsRefusals(t *testing.T) {
	t.Parallel()
	r := request.Request{Messages: []request.Message{request.UserText("hi")}}
	for _, noKey := range []bool{true, false} {
		call, _, err := chatwire.Prepare(r, "m", request.Spec{}, chatwire.Profile{NoKey: noKey})
		require.NoError(t, err)
		f := call.Failure(401, nil, nil)
		assert.Equal(t, events.ReasonAuth, f.Reason)
		assert.Equal(t, noKey, strings.Contains(f.Detail, "no key is configured"))
		assert.Nil(t, call.Failure(200, nil, []byte(`{}`)))
	}
}

// TestPrepareAnswer: how a structured answer is asked for, and what is told of it.
func TestPrepareAnswer(t *testing.T) {
	t.Parallel()
	const (
		native  = `"response_format":{"type":"json_schema","json_schema":{"name":"answer","schema":{"type":"object"`
		object  = `"response_format":{"type":"json_object"}`
		inWords = `that fits this JSON Schema: {\"type\":\"object\"`
		exact   = `{"type":"object","properties":{"a":{"type":"string"}}}`
		lossy   = `{"type":"object","properties":{"a":{"type":"string","minLength":2}}}`
	)
	tool, err := request.NewTool("f", "", `{"type":"object"}`)
	require.NoError(t, err)
	strict := func(r *request.Request) { r.Answer = r.Answer.WithStrict() }
	without := func(r *request.Request) { r.Options.Without = []string{request.FeatureAnswerSchema} }
	dropped, lost := events.NoticeParameterDropped, events.NoticeSchemaLossy
	for _, c := range []struct {
		why, schema string
		profile     chatwire.Profile
		spec        request.Spec
		change      func(*request.Request)
		has         []string
		notices     []events.NoticeCode
		fails       bool
	}{
		{why: "nothing to tell", schema: exact, has: []string{native}},
		{why: "nothing lost of a strict answer", schema: exact, change: strict, has: []string{native}},
		{why: "a loss is told", schema: lossy, has: []string{native}, notices: []events.NoticeCode{lost}},
		{why: "a strict answer is refused for a loss", schema: lossy, change: strict, fails: true},
		{why: "a vendor of json_object", schema: lossy, profile: chatwire.Profile{Answer: chatwire.AnswerObject}, has: []string{object, inWords}, notices: []events.NoticeCode{dropped}},
		{why: "which a strict answer does not take", schema: exact, profile: chatwire.Profile{Answer: chatwire.AnswerObject}, change: strict, fails: true},
		{why: "which has refused it", schema: exact, profile: chatwire.Profile{Answer: chatwire.AnswerObject}, change: without, has: []string{inWords}, notices: []events.NoticeCode{dropped}},
		{why: "of a model that cannot do it", schema: exact, profile: chatwire.Profile{Answer: chatwire.AnswerObject}, spec: request.Spec{StructuredAnswer: request.No}, has: []string{inWords}, notices: []events.NoticeCode{dropped}},
		{why: "a vendor of words", schema: exact, profile: chatwire.Profile{Answer: chatwire.AnswerWords}, has: []string{inWords}, notices: []events.NoticeCode{dropped}},
		{why: "a refusal before", schema: exact, change: without, has: []string{inWords}, notices: []events.NoticeCode{dropped}},
		{why: "not beside tools", schema: exact, profile: chatwire.Profile{AnswerWithoutTools: true}, change: func(r *request.Request) { r.Tools = []request.Tool{tool} }, has: []string{inWords}, notices: []events.NoticeCode{dropped}},
		{why: "but without them", schema: exact, profile: chatwire.Profile{AnswerWithoutTools: true}, has: []string{native}},
		{why: "beside tools elsewhere", schema: exact, change: func(r *request.Request) { r.Tools = []request.Tool{tool} }, has: []string{native, `"tools":[`}},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			answer, err := request.NewAnswer("", c.schema)
			require.NoError(t, err)
			r := request.Request{Messages: []request.Message{request.UserText("hi")}, Answer: answer}
			if c.change != nil {
				c.change(&r)
			}
			call, _, err := chatwire.Prepare(r, "m", c.spec, c.profile)
			if c.fails {
				assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonSchemaUnsupported})
				assert.Empty(t, call.Body)
				return
			}
			require.NoError(t, err)
			body := string(call.Body)
			for _, piece := range []string{native, object, inWords} {
				assert.Equal(t, slices.Contains(c.has, piece), strings.Contains(body, piece), "%s in %s", piece, body)
			}
			var codes []events.NoticeCode
			for _, n := range call.Notices {
				codes = append(codes, n.Code)
			}
			assert.Equal(t, c.notices, codes)
		})
	}
}

func TestURLFor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ why, base, want string }{
		{"a base", "https://a.test/v1", "https://a.test/v1/chat/completions"},
		{"slashes at its end", "https://a.test/v1//", "https://a.test/v1/chat/completions"},
		{"a host alone", "https://a.test", "https://a.test/chat/completions"},
		{"the whole address", "https://a.test/v1/chat/completions", ""},
		{"the whole address and a slash", "https://a.test/v1/chat/completions/", ""},
		{"the path as a part", "https://a.test/chat/completions/proxy", "https://a.test/chat/completions/proxy/chat/completions"},
		{"a key over plain http", "http://a.test/v1", ""},
	} {
		got, err := chatwire.URLFor("a", c.base, true)
		assert.Equal(t, c.want, got, c.why)
		if c.want == "" {
			f, ok := events.AsFailure(err)
			require.True(t, ok, c.why)
			assert.Equal(t, events.Failure{
				Kind: events.InvalidRequest, Reason: events.ReasonBadConfig, Sent: events.NotSent, Provider: "a", Detail: f.Detail,
			}, *f, c.why)
		}
	}
}
