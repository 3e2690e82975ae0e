package providers_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/stream"
)

// A load is a long body of one shape, as providers send it.
type load struct {
	name, api string
	deltas    int
	body      []byte
	// path is where the text of a delta is, for the bound.
	path []string
	// counted: each frame has new counts, which are an event of two allocations.
	counted bool
}

func loads() []load {
	const n = 1000
	chat := func(delta, finish string) string {
		return `data: {"id":"chatcmpl-9xK2","object":"chat.completion.chunk","created":1764547200,"model":"gpt-5-mini-2026-01-01","service_tier":"default","system_fingerprint":"fp_6f2","choices":[{"index":0,"delta":` + delta + `,"logprobs":null,"finish_reason":` + finish + `}],"usage":null}` + "\n\n"
	}
	usage := `data: {"id":"chatcmpl-9xK2","model":"m","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":9,"total_tokens":18}}` + "\n\ndata: [DONE]\n\n"
	message := func(kind, rest string) string {
		return "event: " + kind + "\ndata: {\"type\":\"" + kind + "\"," + rest + "}\n\n"
	}
	ollama := func(rest string) string {
		return `{"model":"qwen3","created_at":"2026-11-30T10:00:00.123456Z",` + rest + "}\n"
	}
	arguments := chat(`{"tool_calls":[{"index":0,"id":"t1","type":"function","function":{"name":"look","arguments":"{\"q\":\""}}]}`, "null")
	return []load{
		{"chat-text", apiChat, n, []byte(strings.Repeat(chat(`{"content":" token"}`, "null"), n) + chat("{}", `"stop"`) + usage), []string{"choices", "0", "delta", "content"}, false},
		{"chat-padded", apiChat, n, padded(chat(`{"content":" token"}`, "null"), chat("{}", `"stop"`)+usage, n), []string{"choices", "0", "delta", "content"}, false},
		{"chat-strange", apiChat, n, strange(chat(`{"content":" token"}`, "null"), chat("{}", `"stop"`)+usage, n), []string{"choices", "0", "delta", "content"}, false},
		{
			"chat-tools", apiChat, n, []byte(arguments + strings.Repeat(chat(`{"tool_calls":[{"index":0,"function":{"arguments":"token "}}]}`, "null"), n) +
				chat(`{"tool_calls":[{"index":0,"function":{"arguments":"\"}"}}]}`, "null") + chat("{}", `"tool_calls"`) + usage),
			[]string{"choices", "0", "delta", "tool_calls", "0", "function", "arguments"},
			false,
		},
		{"messages", apiMessages, n, []byte(message("message_start", `"message":{"id":"m1","model":"m","content":[],"usage":{"input_tokens":9,"output_tokens":1}}`) +
			message("content_block_start", `"index":0,"content_block":{"type":"text","text":""}`) +
			strings.Repeat(message("content_block_delta", `"index":0,"delta":{"type":"text_delta","text":" token"}`), n) +
			message("content_block_stop", `"index":0`) + message("message_delta", `"delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":9}`) +
			"event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"), []string{"delta", "text"}, false},
		{"gemini", apiGemini, n, geminiBody(n, func(int) int { return 9 }), []string{"candidates", "0", "content", "parts", "0", "text"}, false},
		{"gemini-counted", apiGemini, n, geminiBody(n, func(i int) int { return 10 + i }), []string{"candidates", "0", "content", "parts", "0", "text"}, true},
		{"ollama", apiOllama, n, []byte(strings.Repeat(ollama(`"message":{"role":"assistant","content":" token"},"done":false`), n) +
			ollama(`"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":9,"eval_count":9`)), []string{"message", "content"}, false},
	}
}

// geminiBody is a body of Gemini's, which counts in each frame.
func geminiBody(n int, tokens func(int) int) []byte {
	var b strings.Builder
	frame := func(i int, more string) {
		fmt.Fprintf(&b, `data: {"candidates": [{"content": {"parts": [{"text": " token"}],"role": "model"}%s,"index": 0}],"usageMetadata": {"promptTokenCount": 9,"candidatesTokenCount": %d,"totalTokenCount": %d,"promptTokensDetails": [{"modality": "TEXT","tokenCount": 9}]},"modelVersion": "gemini-3.8-flash","responseId": "r7"}`+"\n\n", more, tokens(i), 9+tokens(i))
	}
	for i := range n - 1 {
		frame(i, "")
	}
	frame(n, `,"finishReason":"STOP"`)
	return []byte(b.String())
}

// padded is a body as OpenAI sends it by default: each frame has its own padding.
func padded(frame, end string, n int) []byte {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Replace(frame, `,"usage":null}`, fmt.Sprintf(`,"usage":null,"obfuscation":"%0*x"}`, 1+i%16, i%10), 1))
	}
	return []byte(b.String() + end)
}

// strange is a body whose frames differ in a member that nobody knows, so that
// each is parsed.
func strange(frame, end string, n int) []byte {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Replace(frame, `,"usage":null}`, fmt.Sprintf(`,"usage":null,"nonce":%d}`, i), 1))
	}
	return []byte(b.String() + end)
}

// bound is framing and a reused fastjson parser and nothing else: what no
// decoder on these two can beat.
func (l load) bound() (seen int) {
	framing := transport.SSE
	if l.api == apiOllama {
		framing = transport.NDJSON
	}
	frames := transport.NewFrameReader(bytes.NewReader(l.body), framing, 0)
	var p fastjson.Parser
	for {
		f, err := frames.Next()
		if err != nil {
			return seen
		}
		v, err := p.ParseBytes(f.Data)
		if err != nil {
			continue // [DONE]
		}
		seen += len(v.GetStringBytes(l.path...))
	}
}

// TestLoads keeps the benchmarks honest: the events are those that the body says.
func TestLoads(t *testing.T) {
	t.Parallel()
	for _, l := range loads() {
		deltas := 0
		for _, ev := range play(t, l.api, "", whole(l.api, l.body)) {
			require.NoError(t, ev.Err())
			if ev.Kind.IsDelta() {
				deltas++
			}
		}
		assert.GreaterOrEqual(t, deltas, l.deltas, l.name)
		assert.GreaterOrEqual(t, l.bound(), 6*l.deltas, l.name)
	}
}

// TestDecodeAllocations holds the whole path (transport, decoder, validator,
// hand-over) to a tenth of an allocation a delta.
func TestDecodeAllocations(t *testing.T) {
	for _, l := range loads() {
		m := model(t, l.api, "", whole(l.api, l.body))
		req, ctx := hello(), t.Context()
		perRun := testing.AllocsPerRun(5, func() {
			for range m.Stream(ctx, req) {
			}
		})
		short := l
		short.body = halved(l)
		m = model(t, short.api, "", whole(short.api, short.body))
		half := testing.AllocsPerRun(5, func() {
			for range m.Stream(ctx, req) {
			}
		})
		aDelta := (perRun - half) / float64(l.deltas/2)
		t.Logf("%s: %.3f allocations a delta, %.0f an exchange", l.name, aDelta, perRun-aDelta*float64(l.deltas))
		most := 0.1
		if l.counted {
			most = 4 // the race detector empties the pool of encoding/json
		}
		assert.LessOrEqual(t, aDelta, most, l.name)
	}
}

// halved returns the body with half of its repeated frames.
func halved(l load) []byte {
	frames := strings.SplitAfter(string(l.body), "\n\n")
	if l.api == apiOllama {
		frames = strings.SplitAfter(string(l.body), "\n")
	}
	from := len(frames) / 4
	return []byte(strings.Join(append(frames[:from:from], frames[from+l.deltas/2:]...), ""))
}

// BenchmarkDecode times the whole path from the body's bytes to the consumer's
// loop, beside the bound, in turns in one process; x-bound is the ratio.
func BenchmarkDecode(b *testing.B) {
	for _, l := range loads() {
		b.Run(l.name, func(b *testing.B) {
			m := model(b, l.api, "", &canned.Transport{Body: l.body})
			req, ctx := hello(), context.WithoutCancel(b.Context())
			var ours, bound time.Duration
			b.ReportAllocs()
			for b.Loop() {
				begin := time.Now()
				for ev := range m.Stream(ctx, req) {
					if ev.Kind == events.Failed {
						b.Fatal(ev.Err())
					}
				}
				ours += time.Since(begin)
				begin = time.Now()
				l.bound()
				bound += time.Since(begin)
			}
			perDelta := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / float64(b.N) / float64(l.deltas) }
			b.ReportMetric(perDelta(ours), "ns/delta")
			b.ReportMetric(perDelta(bound), "bound-ns/delta")
			b.ReportMetric(float64(ours)/float64(bound), "x-bound")
		})
	}
}

// BenchmarkCollect adds the fold.
func BenchmarkCollect(b *testing.B) {
	for _, l := range loads() {
		b.Run(l.name, func(b *testing.B) {
			m := model(b, l.api, "", &canned.Transport{Body: l.body})
			req, ctx := hello(), context.WithoutCancel(b.Context())
			b.ReportAllocs()
			for b.Loop() {
				if _, err := stream.Collect(m.Stream(ctx, req)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(l.deltas), "ns/delta")
		})
	}
}

// TestBenchmarksRun is the twin that keeps the benchmarks from rotting.
func TestBenchmarksRun(t *testing.T) {
	t.Parallel()
	for _, l := range loads() {
		reply, err := stream.Collect(model(t, l.api, "", whole(l.api, l.body)).Stream(t.Context(), hello()))
		require.NoError(t, err, fmt.Sprint(l.name))
		if l.name == "chat-tools" {
			require.Len(t, reply.ToolCalls(), 1)
		} else {
			require.Len(t, reply.Text(), 6*l.deltas)
		}
	}
}

// BenchmarkRecorded measures recorded streams of 100 deltas or more where they lie
// beside the repository, as BenchmarkDecode does, setting up an exchange included:
// the least, the median and the most of the ratios to the bound.
func BenchmarkRecorded(b *testing.B) {
	var ratios []float64
	for _, r := range loadRecordings(b, "stream") {
		deltas := 0
		for _, ev := range play(b, r.api, r.vendor, r.transport()) {
			if ev.Kind.IsDelta() {
				deltas++
			}
		}
		if deltas >= 100 {
			ratios = append(ratios, ratioOf(b, r))
		}
	}
	slices.Sort(ratios)
	for b.Loop() { // the work is done above, once
	}
	b.ReportMetric(float64(len(ratios)), "recordings")
	b.ReportMetric(ratios[0], "least-x-bound")
	b.ReportMetric(ratios[len(ratios)/2], "median-x-bound")
	b.ReportMetric(ratios[len(ratios)-1], "most-x-bound")
}

// ratioOf times a recording in turns with the bound and takes the least of each.
func ratioOf(b *testing.B, r recording) float64 {
	b.Helper()
	l := load{api: r.api, body: r.body, path: []string{"choices", "0", "delta", "content"}}
	m := model(b, r.api, r.vendor, r.transport())
	req, ctx := hello(), context.WithoutCancel(b.Context())
	least := func(least time.Duration, run func()) time.Duration {
		begin := time.Now()
		run()
		return min(least, time.Since(begin))
	}
	ours, bound := time.Hour, time.Hour
	for range 30 {
		ours = least(ours, func() {
			for range m.Stream(ctx, req) {
			}
		})
		bound = least(bound, func() { l.bound() })
	}
	if testing.Verbose() {
		b.Logf("%5.2f %s", float64(ours)/float64(bound), r.name)
	}
	return float64(ours) / float64(bound)
}
