package providers_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
)

// everything returns all bodies that there are, for the properties that hold
// of every body.
func everything(tb testing.TB) []recording {
	tb.Helper()
	all := append(loadScenarios(tb), loadCases(tb)...)
	if _, err := os.Stat(shared); err != nil {
		return all
	}
	all = append(all, loadRecordings(tb, "stream")...)
	all = append(all, loadRecordings(tb, "http_error")...)
	return append(all, loadCaptures(tb)...)
}

// apiOfFolder returns the API and vendor of an adapter's folder.
func apiOfFolder(folder string) (api, vendor string) {
	switch folder {
	case "anthropic":
		return apiMessages, ""
	case "ollama":
		return apiOllama, ""
	case "cohere":
		return apiCohere, ""
	case "gemini":
		return apiGemini, ""
	case "vertex":
		return apiGemini, "vertex"
	default:
		return apiChat, folder
	}
}

// loadScenarios returns the streams of the adapters' conformance bytes.
func loadScenarios(tb testing.TB) []recording {
	tb.Helper()
	paths, err := filepath.Glob(filepath.Join("*", "testdata", "conformance", "*.*"))
	require.NoError(tb, err)
	var all []recording
	for _, path := range paths {
		if ext := filepath.Ext(path); ext != ".sse" && ext != ".ndjson" {
			continue
		}
		r := recording{name: path, status: http.StatusOK, header: http.Header{}}
		r.api, r.vendor = apiOfFolder(strings.Split(filepath.ToSlash(path), "/")[0])
		r.header.Set("Content-Type", contentType(r.api))
		r.body, err = os.ReadFile(path)
		require.NoError(tb, err)
		all = append(all, r)
	}
	require.Greater(tb, len(all), 60)
	return all
}

// loadCases returns the bodies of the adapters' bug cases that end by themselves.
func loadCases(tb testing.TB) []recording {
	tb.Helper()
	paths, err := filepath.Glob(filepath.Join("*", "testdata", "*cases", "*", "case.json"))
	require.NoError(tb, err)
	var all []recording
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(tb, err)
		var c struct {
			Exchanges []struct {
				Status    int
				Headers   map[string]string
				Body, End string
			}
		}
		require.NoError(tb, json.Unmarshal(text, &c), path)
		for _, x := range c.Exchanges {
			if strings.HasPrefix(x.End, "hold") || x.End == "stall" {
				continue
			}
			r := recording{name: path + " " + x.Body, status: x.Status, header: http.Header{}}
			r.api, r.vendor = apiOfFolder(strings.Split(filepath.ToSlash(path), "/")[0])
			if strings.Contains(filepath.ToSlash(path), "/responses-cases/") {
				r.api = apiResponses
			}
			for name, value := range x.Headers {
				r.header.Set(name, value)
			}
			r.body, err = os.ReadFile(filepath.Join(filepath.Dir(path), x.Body))
			require.NoError(tb, err)
			all = append(all, r)
		}
	}
	require.Greater(tb, len(all), 70)
	return all
}

// TestSplits: the same bytes, however they are split, give the same events.
func TestSplits(t *testing.T) {
	t.Parallel()
	for _, r := range everything(t) {
		want := lines(play(t, r.api, r.vendor, r.transport()))
		random := rand.New(rand.NewPCG(1, uint64(len(r.body))))
		for how, read := range map[string]func(int) int{
			"byte by byte": func(int) int { return 1 },
			"at random":    func(int) int { return 1 + random.IntN(40) },
			"mostly whole": func(int) int { return 1 + random.IntN(4000) },
		} {
			if how == "byte by byte" && len(r.body) > 100_000 && testing.Short() {
				continue
			}
			rt := r.transport()
			rt.Read, rt.Joined = read, how == "at random"
			require.Equal(t, want, lines(play(t, r.api, r.vendor, rt)), "%s, %s", r.name, how)
			require.Equal(t, []int{1}, rt.Closes(), r.name)
		}
	}
}

// TestEchoedKey: a server that echoes the key everywhere but in the model's words
// gets it into no event.
func TestEchoedKey(t *testing.T) {
	t.Parallel()
	for api, bodies := range map[string][]string{
		apiChat: {
			`data: {"id":"KEY","model":"KEY","system_fingerprint":"KEY","choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}]}` + "\n\n" +
				`data: {"choices":[{"index":0,"delta":{},"finish_reason":"KEY"}]}` + "\n\n" +
				`data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1,"KEY":"KEY"}}` + "\n\ndata: [DONE]\n\n",
			`data: {"error":{"message":"KEY","code":"KEY","type":"KEY"}}` + "\n\n", `{"error":{"message":"KEY","code":"KEY","type":"KEY"}}`,
		},
		apiMessages: {
			`data: {"type":"message_start","message":{"id":"KEY","model":"KEY","content":[],"usage":{"input_tokens":1,"service_tier":"KEY"}}}` + "\n\n" +
				`data: {"type":"KEY"}` + "\n\n" + `data: {"type":"message_delta","delta":{"stop_reason":"KEY"},"usage":{"output_tokens":1}}` + "\n\n" +
				`data: {"type":"message_stop"}` + "\n\n",
			`data: {"type":"error","error":{"type":"KEY","message":"KEY"}}` + "\n\n",
		},
		apiResponses: {
			`data: {"type":"response.created","response":{"id":"KEY","model":"KEY","service_tier":"KEY"}}` + "\n\n" +
				`data: {"type":"response.KEY"}` + "\n\n" + `data: {"type":"response.output_item.added","output_index":0,"item":{"type":"KEY"}}` + "\n\n" +
				`data: {"type":"response.completed","response":{"status":"KEY","usage":{"output_tokens":1,"KEY":"KEY"}}}` + "\n\n",
			`data: {"type":"response.failed","response":{"error":{"code":"KEY","message":"KEY"}}}` + "\n\n",
			`data: {"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"KEY"}}}` + "\n\n",
		},
		apiCohere: {
			`data: {"type":"message-start","id":"KEY"}` + "\n\n" + `data: {"type":"KEY"}` + "\n\n" +
				`data: {"type":"content-start","index":0,"delta":{"message":{"content":{"type":"KEY"}}}}` + "\n\n" +
				`data: {"type":"message-end","delta":{"finish_reason":"KEY","usage":{"tokens":{"input_tokens":1},"tier":"KEY"}}}` + "\n\n",
			`data: {"type":"message-end","delta":{"finish_reason":"ERROR","error":"KEY"}}` + "\n\n",
		},
		apiGemini: {
			`data: {"responseId":"KEY","modelVersion":"KEY","candidates":[{"content":{"parts":[{"text":"a"}]}}]}` + "\n\n" +
				`data: {"candidates":[{"finishReason":"KEY","finishMessage":"KEY"}],"usageMetadata":{"promptTokenCount":1,"serviceTier":"KEY"}}` + "\n\n",
			`data: {"promptFeedback":{"blockReason":"KEY","blockReasonMessage":"KEY"}}` + "\n\n",
			`data: {"error":{"code":500,"message":"KEY","status":"KEY"}}` + "\n\n", `{"error":{"code":500,"message":"KEY","status":"KEY"}}`,
		},
	} {
		for _, body := range bodies {
			rt := whole(api, []byte(strings.ReplaceAll(body, "KEY", canary)))
			rt.Header.Set("X-Request-Id", canary)
			told := lines(play(t, api, "", rt))
			assert.NotContains(t, told, canary, api)
			assert.Contains(t, told, "[redacted]", "it was told, without the key: "+body)
		}
	}
}

// TestRepetition: decoders read a frame that repeats the last one by comparing
// bytes. A member that nobody knows, different in each frame, prevents that and
// changes nothing.
func TestRepetition(t *testing.T) {
	t.Parallel()
	changed := 0
	for _, r := range everything(t) {
		if r.status != http.StatusOK || len(r.body) > 0 && r.body[0] == '{' && r.api != apiOllama {
			continue
		}
		n := 0
		unlike := regexp.MustCompile(`(?m)^((?:data: ?)?\{)("|\s*")`).ReplaceAllStringFunc(string(r.body), func(start string) string {
			n++
			at := strings.Index(start, "{") + 1
			return fmt.Sprintf(`%s"nonce":%d,%s`, start[:at], n, start[at:])
		})
		if n == 0 {
			continue
		}
		changed++
		rt := r.transport()
		rt.Body = []byte(unlike)
		want, got := play(t, r.api, r.vendor, r.transport()), play(t, r.api, r.vendor, rt)
		offset := regexp.MustCompile(`at byte \d+`) // in the frame, which is longer now
		require.Equal(t, offset.ReplaceAllString(lines(want), ""), offset.ReplaceAllString(lines(got), ""), r.name)
	}
	require.Greater(t, changed, 60)
}

// TestWhatIsKeptIsJSON: the parser lets control characters, bad escapes and bad
// numbers pass; what is kept of a frame, to be sent back or shown, is JSON all the
// same, or is not kept.
func TestWhatIsKeptIsJSON(t *testing.T) {
	t.Parallel()
	for _, odd := range []string{"\"a\x01b\"", "01", "\"\\x\"", "1.", "\"\\u0007\"", "\"plain\"", "7"} {
		for api, body := range map[string]string{
			apiChat: `data: {"id":"c","choices":[{"index":0,"delta":{"content":"a","reasoning_details":[{"type":"reasoning.encrypted","data":"d","x":ODD}]},"finish_reason":null}]}` + "\n\n" +
				`data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"x":ODD}}` + "\n\ndata: [DONE]\n\n",
			apiMessages: `data: {"type":"message_start","message":{"id":"m","content":[],"usage":{"input_tokens":1,"x":ODD}}}` + "\n\n" +
				`data: {"type":"content_block_start","index":0,"content_block":{"type":"redacted_thinking","data":"d","x":ODD}}` + "\n\n" +
				`data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":"a"}}` + "\n\n" +
				`data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1,"x":ODD}}` + "\n\ndata: {\"type\":\"message_stop\"}\n\n",
			apiResponses: `data: {"type":"response.output_item.done","output_index":0,"item":{"id":"r","type":"reasoning","encrypted_content":"E","x":ODD}}` + "\n\n" +
				`data: {"type":"response.output_item.done","output_index":1,"item":{"id":"m","type":"message","content":[{"type":"output_text","text":"a","x":ODD}]}}` + "\n\n" +
				`data: {"type":"response.completed","response":{"usage":{"input_tokens":1,"output_tokens":1,"x":ODD}}}` + "\n\n",
			apiGemini: `data: {"candidates":[{"content":{"parts":[{"text":"a","x":ODD},{"executableCode":{"code":"c","x":ODD}},{"functionCall":{"name":"f","args":{"x":ODD}}}]}}]}` + "\n\n" +
				`data: {"candidates":[{"finishReason":"STOP","citationMetadata":{"citationSources":[{"uri":"u","x":ODD}]}}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,"x":ODD}}` + "\n\n",
			apiCohere: `data: {"type":"content-start","index":0,"delta":{"message":{"content":{"type":"text","text":"a"}}}}` + "\n\n" +
				`data: {"type":"citation-start","index":0,"delta":{"message":{"citations":{"text":"a","sources":[{"id":"d"}],"x":ODD}}}}` + "\n\n" +
				`data: {"type":"message-end","delta":{"finish_reason":"COMPLETE","usage":{"tokens":{"input_tokens":1,"output_tokens":1},"x":ODD}}}` + "\n\n",
		} {
			all := play(t, api, "openrouter", whole(api, []byte(strings.ReplaceAll(body, "ODD", odd))))
			for _, ev := range all {
				if u, ok := ev.Usage(); ok && u.Raw != "" {
					assert.True(t, json.Valid([]byte(u.Raw)), "%s %s: %s", api, odd, u.Raw)
				}
			}
			if c, ok := all[len(all)-1].Completion(); ok && !c.Data.IsZero() {
				assert.True(t, json.Valid([]byte(c.Data.Value)), "%s %s: %s", api, odd, c.Data.Value)
			} else if !ok {
				assert.ErrorIs(t, fold(all).Err(), &events.Failure{Kind: events.InvalidReply, Reason: events.ReasonMalformed}, "%s %s", api, odd)
			}
		}
	}
}
