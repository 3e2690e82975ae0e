package conformance

import (
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// A Scenario is a reply that any provider may give, told without any provider's
// words. The suite owns what is asked and what the events must come to; an
// adapter owns the bytes that say it in its provider's language.
type Scenario struct {
	// Name is the name of the file that holds the bytes, without its extension.
	Name string
	// Says is what the bytes have to say, for who writes or records them.
	Says string
	// Status is the HTTP status of the answer, where the file does not say it.
	Status int
	// Clauses are those that the reply itself is held to.
	Clauses []string

	ask  func() request.Request
	want want
}

// A want is what the events of a scenario have to come to.
type want struct {
	text, thinking string
	// refused: all the text may be a refusal, and the outcome is one.
	refused bool
	// order is the order in which kinds of content may begin; nil for any.
	order []events.Kind
	// calls are the executable calls; an id that is minted matches any.
	calls []events.ToolCall
	// invalid is how many calls end as invalid. With cut a call may end so or whole.
	invalid int
	cut     bool
	// stops are the acceptable ones; none where the stream has to fail.
	stops []events.Stop
	// failures are the acceptable ones, where the stream has to fail.
	failures []failed
	// words: the failure tells the provider's own words.
	words bool
	// usage says what is wrong with the counts; nil for any.
	usage func(events.Usage) string
	// minDeltas is the least number of text deltas.
	minDeltas int
	// source is a URL that a citation or a hosted tool's sources name.
	source string
	// hosted: a hosted tool was used.
	hosted bool
	// sent are texts that have to be in the request, in a string, a key or a number.
	sent []string
	// back are texts that have to be in the request that sends the turn back.
	back []string
}

// A failed is an acceptable failure. No reasons accept any.
type failed struct {
	kind    events.FailureKind
	reasons []events.Reason
}

func (w want) fails() bool { return len(w.stops) == 0 }

// Scenarios returns every scenario that an adapter gives bytes for, or a reason
// why its provider cannot say it.
func Scenarios() []Scenario {
	var all []Scenario
	for _, group := range [][]Scenario{texts(), calls(), counts(), oddities(), refusals()} {
		all = append(all, group...)
	}
	return all
}

// What the suite asks and expects in more than one place.
const (
	question    = "What is the weather in Paris?"
	instruction = "Answer in <one> sentence & with \"é🙂\"."
	hello       = "Hello, world."
	paris       = `{"city":"Paris"}`
	rome        = `{"city":"Rome"}`
	// exact is what a re-encoding would change: a number beyond 2^53, a trailing
	// zero, an exponent, escapes and their absence, spaces, the order of keys.
	exact = `{"zone": "\u00e9\ud83d\ude42", "id": 9007199254740993, "price": 0.10, "tiny": 1E-7, "text": "é🙂 \"quoted\" C:\\dir\n", "a": [1, 2]}`
	// signature is what a provider seals its thinking with.
	signature = "c2lnbmF0dXJlLW9mLXdlaXI="
	// providerWords is the message of every refusal.
	providerWords = "no weir today"
	sourceURL     = "https://weather.example/paris"
	// recordTool is a name that most wires do not take: it is sent as request.Names
	// spells it, notes_record, and told as it was declared.
	recordTool = "notes.record"
	// maxOutput is the cap on the output, and bigNumber one that no float holds.
	maxOutput = 1357
	bigNumber = "9007199254740993"
	// unicode is text that a careless reader tears or escapes.
	unicode = "Ünïcödé 🙂👩‍👩‍👧 – 日本語, \"quoted\", back\\slash,\ttab,\nnewline, <b>&amp;</b>"
)

// ask is the plain request of most scenarios.
func ask() request.Request {
	return request.Request{
		System: instruction, Messages: []request.Message{request.UserText(question)}, MaxOutputTokens: maxOutput,
	}
}

// askTools is ask with three tools declared.
func askTools() request.Request {
	req := ask()
	req.Tools = tools()
	return req
}

// tools returns the tools that the calls of the scenarios are of.
func tools() []request.Tool {
	var all []request.Tool
	for _, t := range [][3]string{
		{"weather", "The weather of a place.", `{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`},
		{"clock", "The time.", `{"type":"object","properties":{}}`},
		{recordTool, "Keeps a record.", `{"type":"object","properties":{"id":{"type":"integer","maximum":9007199254740993}}}`},
	} {
		tool, err := request.NewTool(t[0], t[1], t[2])
		if err != nil {
			panic(err) // the schemas are constants
		}
		all = append(all, tool)
	}
	return all
}

func call(id, name, arguments string) events.ToolCall {
	return events.ToolCall{ID: id, Name: name, Arguments: arguments}
}
