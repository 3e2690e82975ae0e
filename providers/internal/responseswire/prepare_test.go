package responseswire_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/responseswire"
	"github.com/weirsdk/weir/request"
)

// What the wire has no word for is told, and refused where nothing may be left out.
func TestPrepareTellsOfWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	r := ask(request.UserText("hi"))
	r.Seed, r.Stop, r.ThinkingBudget = new(int64(1)), []string{"x"}, new(2000)
	r.Extra = map[string]string{"reponses": `{"a":1}`, "chat": `{}`, responseswire.ExtraKey: `{"b":1}`}
	call, _, err := responseswire.Prepare(r, "m", request.Spec{}, openai())
	require.NoError(t, err)
	var fields []string
	for _, n := range call.Notices {
		assert.Equal(t, events.NoticeParameterDropped, n.Code)
		field, _, _ := strings.Cut(n.Detail, ":")
		fields = append(fields, field)
	}
	assert.ElementsMatch(t, []string{"stop", "seed", "thinking_budget", "extra.reponses"}, fields)
	assert.Contains(t, string(call.Body), `"b":1`)

	r.Stop, r.Seed, r.Extra = nil, nil, nil
	profile := openai()
	profile.ReasoningBudget = true
	call, _, err = responseswire.Prepare(r, "m", request.Spec{}, profile)
	require.NoError(t, err)
	assert.Empty(t, call.Notices)
	assert.Contains(t, string(call.Body), `"reasoning":{"max_tokens":2000}`)

	for _, change := range []func(*request.Request){
		func(r *request.Request) { r.Seed = new(int64(1)) },
		func(r *request.Request) { r.Stop = []string{"x"} },
		func(r *request.Request) { r.ThinkingBudget = new(2000) },
		func(r *request.Request) { r.Extra = map[string]string{"reponses": `{}`} },
	} {
		strict := ask(request.UserText("hi"))
		strict.Strict = true
		change(&strict)
		_, _, err = responseswire.Prepare(strict, "m", request.Spec{}, openai())
		assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadParameter})
	}
}

// Reasoning is asked for sealed wherever the model may think: one that does not
// refuses the parameter.
func TestPrepareAsksForReasoning(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why      string
		thinking request.Support
		effort   request.Effort
		vendor   string
		want     bool
	}{
		{"a model that thinks", request.Yes, "", "openai", true},
		{"one of which nothing is known", request.Unknown, "", "openai", true},
		{"one that does not", request.No, "", "openai", false},
		{"a vendor that has no such thing", request.Yes, "high", "lmstudio", false},
		{"a deployment of which nothing is known", request.Unknown, "", "azure", false},
		{"a deployment that thinks", request.Yes, "", "azure", true},
		{"one that is asked to", request.Unknown, "low", "azure", true},
		{"one that is asked not to", request.Unknown, "off", "azure", false},
		{"one that does not and is asked to", request.No, "low", "azure", false},
	} {
		r := ask(request.UserText("hi"))
		r.Effort = c.effort
		call, _, err := responseswire.Prepare(r, "m", request.Spec{Thinking: c.thinking}, responseswire.ProfileFor(c.vendor))
		require.NoError(t, err)
		assert.Equal(t, c.want, strings.Contains(string(call.Body), `"include":["reasoning.encrypted_content"]`), c.why)
	}
}

// What the subset cannot express is told, refused of a strict answer, and asked for
// in words where nothing else is left, or was refused before.
func TestPrepareAnswer(t *testing.T) {
	t.Parallel()
	r := ask(request.UserText("hi"))
	r.Answer = answer(t)
	prepare := func(spec request.Spec) (string, []events.NoticeInfo, error) {
		call, _, err := responseswire.Prepare(r, "m", spec, openai())
		return string(call.Body), call.Notices, err
	}
	body, notices, err := prepare(request.Spec{})
	require.NoError(t, err)
	assert.Contains(t, body, `"text":{"format":{"type":"json_schema","name":"fact","schema":{`)
	require.Len(t, notices, 1)
	assert.Equal(t, events.NoticeSchemaLossy, notices[0].Code)

	inWords := func(spec request.Spec) {
		body, notices, err = prepare(spec)
		require.NoError(t, err)
		assert.NotContains(t, body, "json_schema")
		assert.Contains(t, body, `"instructions":"Answer with one JSON object`)
		require.Len(t, notices, 1)
		assert.Equal(t, events.NoticeParameterDropped, notices[0].Code)
	}
	inWords(request.Spec{StructuredAnswer: request.No})
	r.Options.Without = []string{request.FeatureAnswerSchema}
	inWords(request.Spec{})
	r.Options.Without = nil

	r.Answer = r.Answer.WithStrict()
	_, _, err = prepare(request.Spec{})
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonSchemaUnsupported})
}

func TestPrepareExplainsRefusals(t *testing.T) {
	t.Parallel()
	for _, noKey := range []bool{true, false} {
		call, _, err := responseswire.Prepare(ask(request.UserText("hi")), "m", request.Spec{}, responseswire.Profile{NoKey: noKey})
		require.NoError(t, err)
		f := call.Failure(401, nil, []byte(`{"error":{"message":"no"}}`))
		assert.Equal(t, events.ReasonAuth, f.Reason)
		assert.Equal(t, noKey, strings.Contains(f.Detail, "no key is configured"))
		assert.Nil(t, call.Failure(200, nil, []byte(`{}`)))
	}
}

// Sealed reasoning is of the host that sealed it: another one of the family refuses it
// before anything is sent, or leaves it out and says so, and never gets a byte of it. It
// goes back to its own host byte for byte.
func TestPrepareForeignData(t *testing.T) {
	t.Parallel()
	hosts := []string{"openai", "azure", "openrouter", "xai", "unheard-of"}
	for _, from := range hosts {
		for _, to := range hosts {
			data := events.ProviderData{Format: responseswire.Format, Origin: from, Value: list(sealed, held)}
			turn := request.AssistantText("Wait.")
			turn.Data = data
			called := request.Assistant(request.Call(events.ToolCall{
				ID: "call_1", Name: "f", Arguments: `{"a":1}`,
				Replay: events.ProviderData{Format: responseswire.Format, Origin: from, Value: program},
			}))
			r := ask(request.UserText("q"), turn, request.UserText("next"), called, request.Results(request.Result("call_1", "ok")))
			call, _, err := responseswire.Prepare(r, "m", request.Spec{}, responseswire.ProfileFor(to))
			if from == to {
				require.NoError(t, err)
				assert.Contains(t, string(call.Body), sealed)
				assert.Contains(t, string(call.Body), `"caller":{"type":"program","caller_id":"p"}`)
				continue
			}
			assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonForeignData}, "%s to %s", from, to)
			r.Foreign = request.ForeignDrop
			call, _, err = responseswire.Prepare(r, "m", request.Spec{}, responseswire.ProfileFor(to))
			require.NoError(t, err)
			for _, part := range []string{`rs_1`, `gAAA`, `caller_id`, `commentary`} {
				assert.NotContains(t, string(call.Body), part, "%s to %s", from, to)
			}
			assert.Contains(t, string(call.Body), `{"role":"assistant","content":"Wait."}`)
			assert.Contains(t, string(call.Body), `{"type":"function_call","call_id":"call_1","name":"f","arguments":"{\"a\":1}"}`)
			require.NotEmpty(t, call.Notices)
			for _, n := range call.Notices {
				assert.Equal(t, events.NoticeForeignDropped, n.Code)
			}
		}
	}
}

// Arguments that end early in a reply of exactly as many tokens as were allowed: the
// failure says what that looks like.
func TestArgumentsCutByTheOutputLimit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why           string
		limit, output int
		want          bool
	}{
		{"the whole limit was used", 300, 300, true},
		{"less was used", 300, 299, false},
		{"there was no limit", 0, 300, false},
	} {
		p := request.Prepared{Request: request.Request{MaxOutputTokens: c.limit}, FirstMinted: 1}
		text := body(created) + itemDone(0, `{"type":"function_call","call_id":"c","name":"f","arguments":"{\"n\":"}`) +
			body(fmt.Sprintf(`{"type":"response.completed","response":{"usage":{"output_tokens":%d}}}`, c.output))
		f, ok := terminal(t, play(t, answered([]byte(text)), p)).Failure()
		require.True(t, ok, c.why)
		assert.Equal(t, events.ReasonBadToolArguments, f.Reason, c.why)
		assert.Equal(t, c.want, strings.Contains(f.Detail, "cut by the output limit"), "%s: %s", c.why, f.Detail)
	}
}

// The cost that a vendor itself tells, where its profile says that it is one.
func TestCost(t *testing.T) {
	t.Parallel()
	const none, dollars, ticks = responseswire.CostNone, responseswire.CostDollars, responseswire.CostTicks
	for _, c := range []struct {
		why      string
		spelling responseswire.CostSpelling
		members  string
		want     *events.Cost
	}{
		{"dollars, and less than a microdollar", dollars, `"cost":0.0000015`, &events.Cost{Micros: 2, Text: "0.0000015"}},
		{"what no profile calls a cost", none, `"cost":0.0000015,"cost_in_usd_ticks":1654500`, nil},
		{"ticks", ticks, `"cost_in_usd_ticks":1654500`, &events.Cost{Micros: 166, Text: "0.00016545"}},
		{"ticks that are none", ticks, `"cost_in_usd_ticks":-1`, nil},
		{"a fee beside the upstream's bill, with a key of one's own", dollars, `"cost":0.5,"is_byok":true,"cost_details":{"upstream_inference_cost":1}`, &events.Cost{Micros: 1_500_000, Text: "1.5"}},
		{"the upstream's bill is in it", dollars, `"cost":1,"is_byok":false,"cost_details":{"upstream_inference_cost":1}`, &events.Cost{Micros: 1_000_000, Text: "1"}},
		{"the fee alone is not the cost", dollars, `"cost":0,"is_byok":true,"cost_details":{"upstream_inference_cost":null}`, nil},
	} {
		text := body(created, `{"type":"response.completed","response":{"usage":{"output_tokens":5,`+c.members+`}}}`)
		done, ok := terminal(t, wire(responseswire.Profile{Cost: c.spelling}, minting()).Drive([]byte(text), 1<<20)).Completion()
		require.True(t, ok, c.why)
		assert.Equal(t, c.want, done.Cost, c.why)
	}
}

func TestURLFor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ why, base, want string }{
		{"a base", "https://a.test/v1", "https://a.test/v1/responses"},
		{"slashes at its end", "https://a.test/v1//", "https://a.test/v1/responses"},
		{"the whole address", "https://a.test/v1/responses/", ""},
		{"a key over plain http", "http://a.test/v1", ""},
	} {
		got, err := responseswire.URLFor("a", c.base, true)
		assert.Equal(t, c.want, got, c.why)
		if c.want == "" {
			assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadConfig}, c.why)
		}
	}
}
