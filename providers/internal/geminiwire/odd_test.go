package geminiwire_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/geminiwire"
	"github.com/weirsdk/weir/request"
)

// spoken returns what the events say, one word or two for each, without counts.
func spoken(evs []events.Event) string {
	var words []string
	for _, ev := range evs {
		switch ev.Kind {
		case events.TextDelta:
			words = append(words, "text "+ev.Text)
		case events.ToolCallCompleted:
			c, _ := ev.Call()
			words = append(words, c.Name+c.Arguments)
		case events.HostedToolCompleted:
			h, _ := ev.Hosted()
			words = append(words, fmt.Sprintf("%s%v", h.Name, h.Sources))
		case events.CitationAdded:
			c, _ := ev.Citation()
			words = append(words, fmt.Sprintf("cite %s %d-%d", c.URL, c.Start, c.End))
		case events.Notice:
			n, _ := ev.Notice()
			words = append(words, "notice "+n.Detail)
		case events.Failed:
			f, _ := ev.Failure()
			words = append(words, string(f.Reason))
		case events.Completed:
			c, _ := ev.Completion()
			words = append(words, string(c.Stop))
		default:
		}
	}
	return strings.Join(words, "; ")
}

// A frame that is not as the documentation has it costs no words and makes no call of
// other arguments than the provider's.
func TestOddFrames(t *testing.T) {
	t.Parallel()
	const nulls = `"thought":null,"thoughtSignature":null,"functionCall":null,"inlineData":null,"executableCode":null,"codeExecutionResult":null,"toolCall":null,"toolResponse":null`
	part := func(p string) []string { return []string{frame(p, stopped, "")} }
	call := func(inside string) []string { return part(`{"functionCall":{` + inside + `}}`) }
	pieces := func(list string) []string { return call(`"name":"f","partialArgs":[` + list + `]`) }
	blocked := func(why string) string { return `{"promptFeedback":{"blockReason":"` + why + `"}}` }
	const (
		grounded = `,"groundingMetadata":{`
		query    = `"webSearchQueries":["q"]`
		chunk    = `"groundingChunks":[{"web":{"uri":"u","title":"t"}}]`
		asked    = grounded + query + "}"
		found    = grounded + chunk + "}"
		both     = grounded + query + "," + chunk + "}"
		cited    = grounded + chunk + `,"groundingSupports":[{"segment":{"endIndex":9},"groundingChunkIndices":[0]}]}`
		whole    = `{"functionCall":{"name":"f","args":{"a":1}}}`
		evil     = `,"CANDIDATES":[{"content":{"parts":[{"functionCall":{"args":{"b":2}}}]}}]`
	)
	for _, c := range []struct {
		why    string
		frames []string
		want   string
	}{
		{"what is not set may be written as null", part(`{"text":"a",` + nulls + `}`), "text a; end"},
		{"a text beside a call would be lost", part(`{"text":"a","functionCall":{"name":"f"}}`), "malformed"},
		{"an empty one is none", part(`{"text":"","functionCall":{"name":"f"}}`), "f{}; tool_use"},
		{"nor is null", part(`{"text":null,"functionCall":{"name":"f"}}`), "f{}; tool_use"},
		{"a text beside code would be shown and sent back twice", part(`{"text":"a","executableCode":{}}`), "malformed"},
		{"a text that is none is told", part(`{"text":5}`), "notice text that is no text; end"},
		{"parts that are no list are told", []string{`{"candidates":[{"content":{"parts":{"text":"a"}},"finishReason":"STOP"}]}`}, "notice parts that are no list; end"},
		{"media that is none would be refused if it went back", part(`{"inlineData":5}`), "notice media that is no object; end"},
		{"a call that is no object", part(`{"functionCall":"f"}`), "malformed"},
		{"a call whose name is no text", call(`"name":5,"args":{"a":1}`), "malformed"},
		{"a call without a name has its arguments for nobody", call(`"args":{"a":1}`), "malformed"},
		{"arguments of another case are an unknown member", call(`"name":"f","args":{"a":1},"Args":{"b":2}`), `f{"a":1}; tool_use`},
		{"so is a call of another case", part(`{"functionCall":{"name":"f","args":{"a":1}},"FunctionCall":3}`), `f{"a":1}; tool_use`},
		{"and a list of other candidates", []string{frame(whole, stopped, evil)}, `f{"a":1}; tool_use`},
		{"of two calls in a part no mixture is called", part(`{"functionCall":{"name":"f","args":{"a":1}},"functionCall":{"name":"g"}}`), "g{}; tool_use"},
		{"nor one of two contents", []string{strings.Replace(frame(whole, stopped, ""), `{"content"`, `{"content":{"parts":[{"functionCall":{"name":"g","args":{}}}]},"content"`, 1)}, "malformed"},
		{"nor one of two arguments", call(`"name":"f","args":{"a":1},"args":{"b":2}`), "malformed"},
		{"pieces of arguments that are no list", call(`"name":"f","partialArgs":{"jsonPath":"$.a","numberValue":1}`), "malformed"},
		{"arguments beside pieces would be lost", call(`"name":"f","args":{"z":1},"partialArgs":[{"jsonPath":"$.a","numberValue":1}]`), "malformed"},
		{"and beside the promise of pieces", append([]string{frame(`{"functionCall":{"name":"f","args":{"z":1},"willContinue":true}}`, "", "")}, call("")...), "malformed"},
		{"empty ones hold nothing", call(`"name":"f","args":{},"partialArgs":[{"jsonPath":"$.a","numberValue":1}]`), `f{"a":1}; tool_use`},
		{"a value beside nulls", pieces(`{"jsonPath":"$.a","boolValue":true,"numberValue":null,"stringValue":null,"nullValue":null}`), `f{"a":true}; tool_use`},
		{"a number that is none", pieces(`{"jsonPath":"$.a","numberValue":{"b":1}}`), "malformed"},
		{"a truth value that is none", pieces(`{"jsonPath":"$.a","boolValue":"true"}`), "malformed"},
		{"a text of arguments that is none", pieces(`{"jsonPath":"$.a","stringValue":5}`), "malformed"},
		{"an escaped quote in a path", pieces(`{"jsonPath":"$['it\\'s']['\"]']","numberValue":1}`), `f{"it's":{"\"]":1}}; tool_use`},
		{"an escape of JSON in a path", pieces(`{"jsonPath":"$[\"a\\\"b\\u0041\"]","numberValue":1}`), `f{"a\"bA":1}; tool_use`},
		{"an escape that is none", pieces(`{"jsonPath":"$['\\q']","numberValue":1}`), "malformed"},
		{"a quote after which there is more", pieces(`{"jsonPath":"$['a'b']","numberValue":1}`), "malformed"},
		{"no reason to block is none, and what is said is not blocked", []string{blocked("BLOCK_REASON_UNSPECIFIED"), frame(hi, stopped, "")}, "text Hi; end"},
		{"nor is it the end of an answer", []string{blocked("BLOCK_REASON_UNSPECIFIED")}, "truncated"},
		{"a prompt that was blocked and answered was not", []string{blocked("OTHER"), frame(hi, stopped, "")}, "text Hi; end"},
		{"sources that come after the queries", []string{frame(hi, asked, ""), frame("", both+stopped, "")}, "text Hi; google_search[]; cite u 0-0; end"},
		{"sources without queries", []string{frame(hi, found+stopped, "")}, "text Hi; cite u 0-0; end"},
		{"a source that is cited is told by that", []string{frame(hi, found, ""), frame("", cited+stopped, "")}, "text Hi; cite u 0-2; end"},
		{"a passage that ends after the answer, told after its end", []string{frame(hi, stopped, ""), frame("", cited, "")}, "text Hi; cite u 0-2; end"},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, c.want, spoken(playBody(t, body(c.frames...))))
		})
	}
}

// A kept part may have any members, also those that the data of a turn uses itself.
func TestOddPartsGoBack(t *testing.T) {
	t.Parallel()
	for _, part := range []string{
		`{"news":{"a":1},"id":7}`, `{"news":1,"slot":"text","thoughtSignature":"S"}`, `{"news":1,"slot":"raw","part":{}}`, `{"executableCode":{"code":"slot"},"slot":5}`,
	} {
		reply := canned.Reply(playBody(t, body(frame(hi+","+part, stopped, ""))))
		require.NoError(t, reply.Err())
		sent, err := geminiwire.Encode(prepared(t, ask(request.UserText("q"), reply.Turn(), request.UserText("r"))), gemini())
		require.NoError(t, err, part)
		assert.Contains(t, string(sent), `{"role":"model","parts":[{"text":"Hi"},`+part+`]}`)
	}
}

// Data that the decoder never wrote, as of a store that others write to, puts nothing
// else into the places of signatures and tokens.
func TestForgedData(t *testing.T) {
	t.Parallel()
	of := func(value string) events.ProviderData {
		return events.ProviderData{Format: geminiwire.Format, Origin: "gemini", Value: value}
	}
	turn := func(c events.ToolCall, data string) request.Message {
		m := request.Assistant(request.Text("a"))
		if c.ID != "" {
			m = request.Assistant(request.Text("a"), request.Call(c))
		}
		m.Data = of(data)
		return m
	}
	c := events.ToolCall{ID: "x", Name: "f", Arguments: "{}", Replay: of(`{"thoughtSignature":null}`)}
	ok := request.Results(request.Result("x", "ok"))
	for _, d := range []struct {
		why   string
		turns []request.Message
		want  string
	}{
		{"a signature that is null", []request.Message{turn(events.ToolCall{}, `{"parts":[{"slot":"text","thoughtSignature":null}]}`), request.UserText("r")}, `{"text":"a"}`},
		{"one of a call", []request.Message{turn(c, `{"parts":[{"slot":"text"},{"slot":"call","id":"x"}]}`), ok}, `{"functionCall":{"id":"x","name":"f","args":{}}}`},
	} {
		t.Run(d.why, func(t *testing.T) {
			t.Parallel()
			sent, err := geminiwire.Encode(prepared(t, ask(append([]request.Message{request.UserText("q")}, d.turns...)...)), gemini())
			require.NoError(t, err)
			assert.Contains(t, string(sent), d.want)
		})
	}
	for _, token := range []string{`""`, `{"a":1}`, `null`, `7`} {
		last := turn(events.ToolCall{}, `{"parts":[],"continuationToken":`+token+`}`)
		sent, err := geminiwire.Encode(prepared(t, ask(request.UserText("q"), last)), gemini())
		require.NoError(t, err)
		assert.Contains(t, string(sent), `{"text":"a"}`, "what is no token goes on from nowhere")
		assert.NotContains(t, string(sent), "continuationToken")
	}
}

// A modality of which there is more than of the whole is told, and counts as the whole:
// no price holds for less.
func TestModalityLarger(t *testing.T) {
	t.Parallel()
	details := func(name, modality string) string {
		return `,"` + name + `":[{"modality":"` + modality + `","tokenCount":50}]`
	}
	for _, modality := range []string{"AUDIO", "IMAGE"} {
		evs := playBody(t, body(frame(hi, stopped, `,"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":9,"totalTokenCount":14`+
			details("promptTokensDetails", modality)+details("candidatesTokensDetails", modality)+`}`)))
		usage, _ := terminal(t, evs).Usage()
		assert.Equal(t, []events.Count{events.Known(50), events.Known(50)}, []events.Count{usage.Input, usage.Output}, modality)
		assert.True(t, usage.Inconsistent)
		assert.Contains(t, spoken(evs), "a part of the usage is larger than its whole")
	}
}

// Details by modality that come in several parts are one count.
func TestModalityTwice(t *testing.T) {
	t.Parallel()
	evs := playBody(t, body(frame(hi, stopped, `,"usageMetadata":{"promptTokenCount":10,"totalTokenCount":10,"promptTokensDetails":[{"modality":"AUDIO","tokenCount":3},{"modality":"AUDIO","tokenCount":7}]}`)))
	usage, _ := terminal(t, evs).Usage()
	assert.Equal(t, events.Known(10), usage.InputAudio)
}
