package conformance

import (
	"strconv"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// end accepts the stop of a finished answer; a wire without reasons may leave it
// unknown.
func end() []events.Stop { return []events.Stop{events.StopEnd, events.StopUnknown} }

// counted is the text of many deltas.
func counted() string {
	var words []string
	for n := range 40 {
		words = append(words, strconv.Itoa(n+1))
	}
	return strings.Join(words, " ")
}

// texts are the scenarios of answers without calls.
func texts() []Scenario {
	return []Scenario{
		{
			Name: "text", Says: `the answer "Hello, world." in at least two pieces; the model has finished`,
			Clauses: []string{m17, m19}, ask: ask,
			want: want{text: hello, stops: end(), minDeltas: 2, sent: []string{question, instruction, strconv.Itoa(maxOutput)}},
		},
		{
			Name: "many-deltas", Says: `the numbers 1 to 40 with a space between them, "1 2 3 ... 40", in at least 20 pieces`,
			Clauses: []string{m17}, ask: ask,
			want: want{text: counted(), stops: end(), minDeltas: 20},
		},
		{
			Name: "empty", Says: "an answer without any content; the model has finished",
			Clauses: []string{m17}, ask: ask, want: want{stops: end()},
		},
		{
			Name:    "unicode",
			Says:    "the answer " + strconv.Quote(unicode) + " (Go syntax); where the wire is JSON, some of it as \\u escapes with surrogate pairs",
			Clauses: []string{m17}, ask: ask, want: want{text: unicode, stops: end()},
		},
		{
			Name: "thinking", Says: `the thinking "The user greets me.", then the answer "Hello, world."`,
			Clauses: []string{m17}, ask: ask,
			want: want{
				text: hello, thinking: "The user greets me.", stops: end(),
				order: []events.Kind{events.ThinkingDelta, events.TextDelta},
			},
		},
		{
			Name:    "thinking-signed",
			Says:    `the thinking "I need the weather.", sealed with the signature ` + signature + ` in the provider's way, then the call call_1 of weather with {"city":"Paris"}`,
			Clauses: []string{m17, m20}, ask: askTools,
			want: want{
				thinking: "I need the weather.", calls: []events.ToolCall{call("call_1", "weather", paris)},
				stops: []events.Stop{events.StopToolUse}, back: []string{signature},
			},
		},
		{
			Name:    "refusal",
			Says:    `the model's own refusal, in the provider's way of telling it: "I cannot help with that."`,
			Clauses: []string{m17}, ask: ask,
			want: want{text: "I cannot help with that.", refused: true, stops: []events.Stop{events.StopRefusal, events.StopContentFilter, events.StopEnd}},
		},
		{
			Name: "content-filter", Says: `the answer "Well," cut by a filter of the provider`,
			Clauses: []string{m17}, ask: ask,
			want: want{text: "Well,", refused: true, stops: []events.Stop{events.StopContentFilter, events.StopRefusal}},
		},
		{
			Name: "length", Says: `the answer "Once upon a", cut by the output limit`,
			Clauses: []string{m07, m17}, ask: ask,
			want: want{text: "Once upon a", stops: []events.Stop{events.StopLength}},
		},
		{
			Name: "stop-sequence", Says: `the answer "one two ", ended by the stop sequence "three" of the request (a wire that does not tell may say that the model has finished)`,
			Clauses: []string{m19, m17}, ask: func() request.Request {
				req := ask()
				req.Stop = []string{"three"}
				return req
			},
			want: want{text: "one two ", stops: []events.Stop{events.StopSequence, events.StopEnd}, sent: []string{"three"}},
		},
		{
			Name: "structured-answer", Says: `the answer {"city":"Paris","celsius":21}, to a request for that object`,
			Clauses: []string{m17, m19}, ask: askAnswer,
			want: want{text: `{"city":"Paris","celsius":21}`, stops: end(), sent: []string{"celsius"}},
		},
		{
			Name: "hosted-tool", Says: `a web search that the provider runs itself and that finds ` + sourceURL + `, then the answer "It is sunny."`,
			Clauses: []string{m17}, ask: ask,
			want: want{text: "It is sunny.", stops: end(), hosted: true, source: sourceURL},
		},
		{
			Name: "citations", Says: `the answer "It is sunny.", with ` + sourceURL + ` cited for it`,
			Clauses: []string{m17}, ask: ask,
			want: want{text: "It is sunny.", stops: end(), source: sourceURL},
		},
	}
}

// askAnswer is ask for a structured answer.
func askAnswer() request.Request {
	req := ask()
	answer, err := request.NewAnswer("weather_report",
		`{"type":"object","properties":{"city":{"type":"string"},"celsius":{"type":"integer"}},"required":["city","celsius"],"additionalProperties":false}`)
	if err != nil {
		panic(err) // the schema is a constant
	}
	req.Answer = answer
	return req
}
