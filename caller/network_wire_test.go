package caller_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/anthropic"
	"github.com/weirsdk/weir/providers/compatible"
	"github.com/weirsdk/weir/providers/ollama"
	"github.com/weirsdk/weir/providers/openai"
	"github.com/weirsdk/weir/providers/price"
	"github.com/weirsdk/weir/providers/transport"
)

// A wire is one provider's protocol with what its server says at each stage.
type wire struct {
	name, contentType string
	// opening comes before content, text is content, ending is the rest of a good
	// reply.
	opening, text, ending string
	// malformed is a frame that cannot be read, inBand an error inside a stream,
	// errorBody an error alone, long a good frame of 8 KiB.
	malformed, inBand, errorBody, long string
	// accounts is what has the last usage, where it comes before the end.
	accounts string
	// afterOpening and afterText are what has been reported by then.
	afterOpening, afterText usedTokens
	// final is what ending reports, exact what it costs.
	final usedTokens
	exact events.Micros
	price price.Price
	// in is the dearest that an input token can be while nothing is reported, inTold
	// afterwards; out is an output token.
	in, inTold, out events.Micros
}

// usedTokens is a prompt and an output; what is below zero was not reported.
type usedTokens struct{ input, output int64 }

func tokensOf(u events.Usage) usedTokens { return usedTokens{u.Input.Or(-1), u.Output.Or(-1)} }

func (w wire) model(tb testing.TB, url string, client *http.Client) providers.Model {
	tb.Helper()
	limits := transport.Limits{MaxFrame: 4 << 10}
	var m providers.Model
	var err error
	switch w.name {
	case "openai":
		m, err = openai.New(openai.Config{Model: "m", BaseURL: url, HTTPClient: client, Limits: limits})
	case "anthropic":
		m, err = anthropic.New(anthropic.Config{Model: "m", BaseURL: url, HTTPClient: client, Limits: limits})
	case "ollama":
		m, err = ollama.New(ollama.Config{Model: "m", Host: url, HTTPClient: client, Limits: limits})
	default:
		m, err = compatible.New(compatible.Config{Provider: w.name, Model: "m", BaseURL: url, HTTPClient: client, Limits: limits})
	}
	require.NoError(tb, err)
	return m
}

func sse(data string) string { return "data: " + data + "\n\n" }

func pad(n int) string {
	text := make([]byte, n)
	for i := range text {
		text[i] = 'x'
	}
	return string(text)
}

// wires returns the protocols. What openai and ollama report comes at the end only;
// compatible reports on every chunk, more than the estimate; anthropic's prompt is
// told first and larger than the estimate too.
func wires() []wire {
	perMillion := price.PerMillion
	nothing := usedTokens{-1, -1}
	chunk := func(text, more string) string {
		return sse(`{"id":"c","model":"m","choices":[{"index":0,"delta":{"content":"` + text + `"},"finish_reason":null}]` + more + `}`)
	}
	const finish = `{"id":"c","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
	accounts := func(input int) string {
		return sse(finish) + sse(fmt.Sprintf(`{"id":"c","model":"m","choices":[],"usage":{"prompt_tokens":%d,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":10}}}`, input))
	}
	openaiWire := wire{
		name: "openai", contentType: "text/event-stream",
		opening:  sse(`{"id":"c","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}`),
		text:     chunk("Hi there", ""),
		accounts: accounts(20), ending: accounts(20) + sse("[DONE]"),
		malformed: sse(`{"id":"c","choices":[{]}`),
		inBand:    sse(`{"error":{"message":"too busy","type":"server_error","code":"overloaded"}}`),
		errorBody: `{"error":{"message":"no","type":"x"}}`,
		long:      chunk(pad(8<<10), ""),

		afterOpening: nothing, afterText: nothing, final: usedTokens{20, 5},
		// 10 tokens at 3, 10 cached at 0.3, 5 at 15.
		exact: 108,
		price: price.Price{Input: perMillion(3_000_000), CacheRead: perMillion(300_000), Output: perMillion(15_000_000)},
		in:    3, inTold: 3, out: 15,
	}
	running := openaiWire
	running.name = "gateway"
	running.text = chunk("Hi there", `,"usage":{"prompt_tokens":5000,"completion_tokens":2,"total_tokens":5002}`)
	running.accounts, running.ending = accounts(5000), accounts(5000)+sse("[DONE]")
	running.afterText, running.final = usedTokens{5000, 2}, usedTokens{5000, 5}
	running.exact = 15048 // 4990 tokens at 3, 10 cached at 0.3, 5 at 15
	return []wire{openaiWire, running, anthropicWire(), ollamaWire()}
}

func anthropicWire() wire {
	perMillion := price.PerMillion
	event := func(name, data string) string { return "event: " + name + "\n" + sse(data) }
	delta := func(text string) string {
		return event("content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"`+text+`"}}`)
	}
	accounts := event("message_delta", `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":7}}`)
	return wire{
		name: "anthropic", contentType: "text/event-stream",
		opening: event("message_start", `{"type":"message_start","message":{"id":"a","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":5000,"output_tokens":1}}}`) +
			event("content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`),
		text: delta("Hi there"),
		ending: event("content_block_stop", `{"type":"content_block_stop","index":0}`) + accounts +
			event("message_stop", `{"type":"message_stop"}`),
		accounts:  event("content_block_stop", `{"type":"content_block_stop","index":0}`) + accounts,
		malformed: event("content_block_delta", `{"type":"content_block_delta","index":`),
		inBand:    event("error", `{"type":"error","error":{"type":"overloaded_error","message":"too busy"}}`),
		errorBody: `{"type":"error","error":{"type":"x","message":"no"}}`,
		long:      delta(pad(8 << 10)),

		afterOpening: usedTokens{5000, 1}, afterText: usedTokens{5000, 1}, final: usedTokens{5000, 7},
		exact: 15105,
		price: price.Price{
			Input: perMillion(3_000_000), CacheRead: perMillion(300_000), CacheWrite: perMillion(3_750_000),
			CacheWriteLong: perMillion(6_000_000), Output: perMillion(15_000_000),
		},
		in: 6, inTold: 3, out: 15,
	}
}

func ollamaWire() wire {
	line := func(text string) string {
		return `{"model":"m","message":{"role":"assistant","content":"` + text + `"},"done":false}` + "\n"
	}
	nothing := usedTokens{-1, -1}
	return wire{
		name: "ollama", contentType: "application/x-ndjson",
		opening: line(""), text: line("Hi there"),
		ending:    `{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":20,"eval_count":5}` + "\n",
		malformed: `{"model":"m","message":{]` + "\n",
		inBand:    `{"error":"too busy"}` + "\n",
		errorBody: `{"error":"no"}`,
		long:      line(pad(8 << 10)),

		afterOpening: nothing, afterText: nothing, final: usedTokens{20, 5},
		exact: 30,
		price: price.Price{Input: price.PerMillion(1_000_000), Output: price.PerMillion(2_000_000)},
		in:    1, inTold: 1, out: 2,
	}
}
