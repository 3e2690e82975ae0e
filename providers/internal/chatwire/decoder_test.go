package chatwire_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/chatwire"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// A wireCase is testdata/decode/<name>: the bytes, where they are from, and what
// they must come to whatever the golden events say.
type wireCase struct {
	name     string
	wire     []byte
	Vendor   string
	End      string
	Reason   string
	Expected struct {
		Text, Reasoning, Refusal *string
		Tools                    []struct {
			ID         *string
			Name, Args string
		}
		Terminal struct{ Type, Kind, Stop, Raw string }
		Usage    map[string]int64
	}
}

func wireCases(tb testing.TB) []wireCase {
	tb.Helper()
	dirs, err := filepath.Glob("testdata/decode/*")
	require.NoError(tb, err)
	require.NotEmpty(tb, dirs)
	var cases []wireCase
	for _, dir := range dirs {
		var c wireCase
		text, err := os.ReadFile(filepath.Join(dir, "case.json"))
		require.NoError(tb, err)
		require.NoError(tb, json.Unmarshal(text, &c), dir)
		require.NotEmpty(tb, c.Reason, dir)
		c.name = filepath.Base(dir)
		c.wire, err = os.ReadFile(filepath.Join(dir, "wire.sse"))
		require.NoError(tb, err)
		cases = append(cases, c)
	}
	return cases
}

// body returns the case's answer. A server that goes silent looks like one that
// breaks, to a decoder.
func (c wireCase) body(size func() int) *body {
	end := io.EOF
	if c.End == "reset" || c.End == "stall" {
		end = errReset
	}
	return &body{bytes.Clone(c.wire), size, end}
}

func (c wireCase) play(tb testing.TB, size func() int) []events.Event {
	tb.Helper()
	return play(tb, c.body(size), request.Prepared{FirstMinted: 1}, profileOf(c.Vendor))
}

func lines(list []events.Event) string {
	var b []byte
	for _, ev := range list {
		b = append(events.AppendJSON(b, ev), '\n')
	}
	return string(b)
}

func TestDecodeGolden(t *testing.T) {
	t.Parallel()
	for _, c := range wireCases(t) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join("testdata/decode", c.name, "want.jsonl")
			got := lines(c.play(t, whole))
			if *update {
				require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, string(want), got, c.Reason)
		})
	}
}

// The same bytes give the same events, however they are cut into reads.
func TestDecodeAnySplit(t *testing.T) {
	t.Parallel()
	for _, c := range wireCases(t) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			want := lines(c.play(t, whole))
			assert.Equal(t, want, lines(c.play(t, single)), "one byte a read")
			for seed := range uint64(5) {
				assert.Equal(t, want, lines(c.play(t, random(seed))), "seed %d", seed)
			}
		})
	}
}

// differently returns a body whose frames say the same and share no bytes with
// each other: a member that nobody knows comes last, with another value each.
func differently(wire []byte) []byte {
	n := 0
	return eachFrame(wire, func(frame string) string {
		n++
		if open, ok := strings.CutSuffix(frame, "}\n\n"); ok && !strings.HasSuffix(open, "{") {
			return open + `,"nobody":` + strconv.Itoa(n) + "}\n\n"
		}
		return frame
	})
}

// What is read by memory of the frame before is what parsing gives.
func TestDecodeMemo(t *testing.T) {
	t.Parallel()
	bodies := map[string][]byte{"long text": longText(), "long tools": longTools()}
	for _, c := range wireCases(t) {
		bodies[c.name] = c.wire
	}
	good := []string{"a", "b", `\"`, `\n`, "é", "", "\t", `\ud83d`, `c\\`, "d", "e"}
	for _, member := range []string{"content", "reasoning", "reasoning_content", "refusal", "arguments"} {
		for _, bad := range []string{`"`, "\xff", "\x01", `\`} {
			var b strings.Builder
			for _, p := range append(slices.Clone(good), bad) {
				delta := `{"` + member + `":"` + p + `"}`
				if member == "arguments" {
					delta = `{"tool_calls":[{"index":0,"function":{"name":"f","arguments":"` + p + `"}}]}`
				}
				b.WriteString(`data: {"choices":[{"index":0,"delta":` + delta + `,"finish_reason":null}]}` + "\n\n")
			}
			bodies[member+" ending in "+bad] = []byte(b.String())
		}
	}
	argument := `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"a","arguments":"x"}}]},"finish_reason":null}]}` + "\n\n"
	bodies["arguments after the end"] = []byte(argument + argument + argument +
		`data: {"choices":[{"delta":{},"finish_reason":"length"}]}` + "\n\n" + argument)
	bodies["two calls in turn"] = []byte(strings.Repeat(
		`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"a","arguments":"x"}}]},"finish_reason":null}]}`+"\n\n"+
			`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"y"}}]},"finish_reason":null}]}`+"\n\n"+
			`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"z"}}]},"finish_reason":null}]}`+"\n\n"+
			`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"t2","function":{"name":"a"}}]},"finish_reason":null}]}`+"\n\n"+
			`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"w"}}]},"finish_reason":null}]}`+"\n\n", 2))
	bodies["a piece and a call in one"] = []byte(
		`data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":"f","arguments":"x"}}]},"finish_reason":null}]}` + "\n\n" +
			strings.Repeat(`data: {"choices":[{"delta":{"tool_calls":[{"function":{"arguments":"y"}},{"function":{"name":"g"}}]},"finish_reason":null}]}`+"\n\n", 2))
	bodies["a source after a part"] = []byte(
		`data: {"choices":[{"delta":{"content":[{"type":"text","text":"x"}]},"finish_reason":null}]}` + "\n\n" +
			strings.Repeat(`data: {"choices":[{"text":"q","":"q","delta":{"annotations":[{"type":"url_citation","url_citation":{"url":"https://a.test"}}]},"finish_reason":null}]}`+"\n\n", 2))
	for name, frame := range map[string]string{
		"text and thinking":        `{"choices":[{"delta":{"reasoning":"r","content":"c"},"finish_reason":null}]}`,
		"thinking kept":            `{"choices":[{"delta":{"reasoning":"r","reasoning_details":[{"type":"reasoning.text","text":"z"}]},"finish_reason":null}]}`,
		"text beside what is kept": `{"choices":[{"delta":{"content":"x","reasoning_details":[{"type":"reasoning.encrypted","data":"z"}]},"finish_reason":null}]}`,
		"usage beside text":        `{"choices":[{"delta":{"content":"x"},"finish_reason":null}],"usage":{"prompt_tokens":1,"p":"a"}}`,
		"two first choices":        `{"choices":[{"delta":{"content":"x","reasoning_details":[{"type":"reasoning.encrypted","data":"z"}]}},{"delta":{}}]}`,
		"a token beside its text":  `{"choices":[{"index":0,"text":"x","delta":{"token_id":17,"content":"x"},"finish_reason":null}],"p":"ab"}`,
		"a token beside a thought": `{"choices":[{"index":0,"text":"x","delta":{"token_id":17,"content":"","reasoning":"x"},"finish_reason":null}]}`,
		"a part":                   `{"choices":[{"delta":{"content":[{"type":"text","text":"x"}]},"finish_reason":null}]}`,
		"a part beside a text":     `{"choices":[{"text":"q","delta":{"content":[{"type":"thinking","thinking":"x"}]},"finish_reason":null}]}`,
		"parts, one without text":  `{"choices":[{"text":"q","delta":{"content":[{"type":"thinking","thinking":"x"},{"type":"text"}]},"finish_reason":null}]}`,
		"a part that thinks":       `{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"x"}],"closed":true}]},"finish_reason":null}],"p":"abc"}`,
		"a refusal":                `{"choices":[{"delta":{"content":"","refusal":"x"},"finish_reason":null}]}`,
		"content said twice":       `{"choices":[{"message":{"content":"x"},"delta":{"content":"x"},"finish_reason":null}]}`,
	} {
		frame = "data: " + frame + "\n\n"
		other := strings.Replace(frame, `"content":"x"`, `"content":"y"`, 1)
		differs := strings.NewReplacer(`:"x"`, `:"z"`, `:"q"`, `:"r"`, ":17,", ":170,", `"p":"a`, `"p":"bb`, `"text":"a"`, `"text":"b"`).Replace(frame)
		bodies[name] = []byte(frame + frame + other + differs + frame + "data: [DONE]\n\n")
	}
	for name, wire := range bodies {
		for _, profile := range []chatwire.Profile{{}, {ReplayReasoning: true}, {CumulativeArguments: true}} {
			want := lines(playAll(t, differently(wire), profile))
			assert.Equal(t, want, lines(playAll(t, wire, profile)), name)
		}
	}
}

// failures translates the words of the cases.
func failures() map[string]events.Failure {
	f := func(kind events.FailureKind, reason events.Reason) events.Failure {
		return events.Failure{Kind: kind, Reason: reason}
	}
	return map[string]events.Failure{
		"truncated":           f(events.InvalidReply, events.ReasonTruncated),
		"transport":           f(events.InvalidReply, events.ReasonLostConnection),
		"idle_timeout":        f(events.InvalidReply, events.ReasonLostConnection), // see wireCase.body
		"malformed":           f(events.InvalidReply, events.ReasonMalformed),
		"malformed_tool_args": f(events.InvalidReply, events.ReasonBadToolArguments),
		"malformed_tool_call": f(events.InvalidReply, events.ReasonBadToolCall),
		"unusable_usage":      f(events.InvalidReply, events.ReasonUnusableUsage),
		"rate_limit":          f(events.RateLimited, events.ReasonRateLimit),
		"overloaded":          f(events.Overloaded, events.ReasonOverloaded),
		"server":              f(events.Overloaded, events.ReasonServer),
	}
}

func TestDecodeOutcome(t *testing.T) {
	t.Parallel()
	for _, c := range wireCases(t) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := folded(c.play(t, whole))
			want := c.Expected
			checkTerminal(t, c, got.terminal)
			if want.Text != nil {
				assert.Equal(t, *want.Text, got.text)
			}
			if want.Reasoning != nil {
				assert.Equal(t, *want.Reasoning, got.thinking)
			}
			if want.Refusal != nil {
				assert.Equal(t, *want.Refusal, got.refusal)
			}
			require.Len(t, got.calls, len(want.Tools))
			for i, w := range want.Tools {
				assert.Equal(t, w.Name, got.calls[i].Name)
				assert.Equal(t, w.Args, got.calls[i].Arguments)
				if w.ID != nil {
					assert.Equal(t, *w.ID, got.calls[i].ID)
				}
			}
		})
	}
}

func checkTerminal(t *testing.T, c wireCase, ev events.Event) {
	t.Helper()
	want := c.Expected.Terminal
	if want.Type == "done" {
		got, ok := ev.Completion()
		require.True(t, ok, "%v", ev)
		assert.Equal(t, events.Stop(want.Stop), got.Stop)
		assert.Equal(t, want.Raw, got.RawStop)
	} else {
		got, ok := ev.Failure()
		require.True(t, ok, "%v", ev)
		w, known := failures()[want.Kind]
		require.True(t, known, "unknown word %q", want.Kind)
		assert.Equal(t, w.Kind, got.Kind)
		assert.Equal(t, w.Reason, got.Reason)
	}
	usage, _ := ev.Usage()
	counts := map[string]events.Count{
		"input": usage.Input, "output": usage.Output, "cache_read": usage.CacheRead, "reasoning": usage.Thinking,
	}
	for field, n := range c.Expected.Usage {
		if c.name == "cached-greater-than-prompt" && field == "input" {
			continue
		}
		assert.Equal(t, events.Known(n), counts[field], field)
	}
}

// A body that is cut anywhere before the evidence is never a success, and never
// has a call to execute; after it, it is what it was.
func TestDecodeCutAnywhere(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"tool-id-only-on-first-delta", "usage-every-chunk", "reasoning-details-signed"} {
		wire, err := os.ReadFile(filepath.Join("testdata/decode", name, "wire.sse"))
		require.NoError(t, err)
		evidence := bytes.Index(wire, []byte(`"finish_reason":"`))
		require.Positive(t, evidence)
		// The chunk that holds the reason is whole with its last brace.
		evidence += bytes.IndexByte(wire[evidence:], '\n')
		for _, end := range []error{io.EOF, errReset} {
			for n := range len(wire) {
				got := play(t, &body{bytes.Clone(wire[:n]), whole, end}, request.Prepared{}, chatwire.Profile{})
				terminal := got[len(got)-1]
				assert.Equal(t, n >= evidence, terminal.Kind == events.Completed, "%s cut at %d of %d: %v", name, n, evidence, terminal)
			}
		}
	}
}

// Nothing is handed on after the consumer has left, at whatever event.
func TestDecodeConsumerLeaves(t *testing.T) {
	t.Parallel()
	for _, c := range wireCases(t) {
		all := len(c.play(t, whole)) - 1
		for stop := range all {
			seen := 0
			d := chatwire.NewDecoder(request.Prepared{FirstMinted: 1}, profileOf(c.Vendor))
			frames := transport.NewFrameReader(c.body(whole), transport.SSE, 0)
			for left := false; !left; {
				frame, err := frames.Next()
				if err != nil {
					break
				}
				if len(frame.Data) == 0 {
					continue
				}
				_, err = d.Frame(frame, func(events.Event) bool {
					require.False(t, left, "%s: event after the consumer left at %d", c.name, stop)
					left = seen == stop
					seen++
					return !left
				})
				if left {
					assert.NoError(t, err, "%s: left at %d", c.name, stop)
				} else if err != nil {
					break
				}
			}
		}
	}
}

// What preparing had to tell is the call's, which is sent on by the transport even
// when no frame comes.
func TestDecodeTellsNothingOfTheRequest(t *testing.T) {
	t.Parallel()
	p := request.Prepared{Notices: []events.NoticeInfo{{Code: events.NoticeEffortClamped, Detail: "low"}}}
	got := play(t, &body{[]byte("data: [DONE]\n\n"), whole, io.EOF}, p, chatwire.Profile{})
	require.Len(t, got, 2)
	assert.Equal(t, events.Started, got[0].Kind)
}

func TestDecodeMintsOnFromTheRequest(t *testing.T) {
	t.Parallel()
	wire := `data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":"a","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}` + "\n\n"
	got := play(t, &body{[]byte(wire), whole, io.EOF}, request.Prepared{FirstMinted: 7}, chatwire.Profile{})
	calls := folded(got).calls
	require.Len(t, calls, 1)
	assert.Equal(t, "call_w7", calls[0].ID)
	assert.True(t, calls[0].Minted)
}

func TestDecodeMapsNamesBack(t *testing.T) {
	t.Parallel()
	const declared = "look up/äöü"
	tool, err := request.NewTool(declared, "", `{"type":"object"}`)
	require.NoError(t, err)
	p, err := request.Request{
		Messages: []request.Message{request.UserText("hi")}, Tools: []request.Tool{tool},
	}.Prepare(request.Target{Format: chatwire.Format})
	require.NoError(t, err)
	wireName := p.Names.Wire(declared)
	require.NotEqual(t, declared, wireName)
	wire := `data: {"choices":[{"delta":{"tool_calls":[{"id":"t","function":{"name":"` + wireName + `"}}]},"finish_reason":"tool_calls"}]}` + "\n\n"
	calls := folded(play(t, &body{[]byte(wire), whole, io.EOF}, p, chatwire.Profile{})).calls
	require.Len(t, calls, 1)
	assert.Equal(t, declared, calls[0].Name)
}

// A piece longer than a delta may be is cut, between runes.
func TestDecodeLongText(t *testing.T) {
	t.Parallel()
	long := bytes.Repeat([]byte("é"), 150_000)
	wire := append(append([]byte(`data: {"choices":[{"delta":{"content":"`), long...), "\"},\"finish_reason\":\"stop\"}]}\n\n"...)
	got := play(t, &body{wire, whole, io.EOF}, request.Prepared{}, chatwire.Profile{})
	assert.Equal(t, string(long), folded(got).text)
	assert.Len(t, got, 1+5+1)
}

// The failure of the way the body ended is the reply's, with the usage so far.
func TestEndWithoutEvidence(t *testing.T) {
	t.Parallel()
	user := events.NewFailure(events.Cancelled, events.ReasonUser, "stopped")
	tests := []struct {
		why  string
		end  transport.End
		want events.Reason
	}{
		{"a clean end is truncation", transport.End{Kind: transport.EndEOF}, events.ReasonTruncated},
		{"an end inside a frame too", transport.End{Kind: transport.EndInside}, events.ReasonTruncated},
		{"what the transport says is kept", transport.End{Kind: transport.EndBroken, Failure: user}, events.ReasonUser},
	}
	for _, tt := range tests {
		d := chatwire.NewDecoder(request.Prepared{}, chatwire.Profile{})
		_, err := d.Frame(transport.Frame{Data: []byte(`{"choices":[],"usage":{"prompt_tokens":4}}`)}, func(events.Event) bool { return true })
		require.NoError(t, err)
		f, ok := d.End(tt.end).Failure()
		require.True(t, ok, tt.why)
		assert.Equal(t, tt.want, f.Reason, tt.why)
		assert.Equal(t, events.Known(4), f.Usage.Input, tt.why)
	}
}

// After the evidence a body may end as it likes.
func TestEndAfterEvidence(t *testing.T) {
	t.Parallel()
	for _, end := range []transport.End{
		{Kind: transport.EndEOF},
		{Kind: transport.EndInside},
		{Kind: transport.EndBroken, Failure: events.NewFailure(events.InvalidReply, events.ReasonLostConnection, "reset")},
	} {
		d := chatwire.NewDecoder(request.Prepared{}, chatwire.Profile{})
		state, err := d.Frame(transport.Frame{Data: []byte(`{"choices":[{"delta":{},"finish_reason":"stop"}]}`)}, func(events.Event) bool { return true })
		require.NoError(t, err)
		assert.Equal(t, transport.Ending, state)
		assert.Equal(t, events.Completed, d.End(end).Kind)
	}
	// But an error that the provider sends is an error.
	d := chatwire.NewDecoder(request.Prepared{}, chatwire.Profile{})
	_, err := d.Frame(transport.Frame{Data: []byte(`{"choices":[{"delta":{},"finish_reason":"stop"}]}`)}, func(events.Event) bool { return true })
	require.NoError(t, err)
	_, err = d.Frame(transport.Frame{Data: []byte(`{"error":"gone"}`)}, func(events.Event) bool { return true })
	f, ok := events.AsFailure(err)
	require.True(t, ok)
	assert.Equal(t, events.Failed, d.End(transport.End{Kind: transport.EndError, Failure: f}).Kind)
}
