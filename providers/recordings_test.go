package providers_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
)

// differences lists the recordings whose reply is right though it is not what
// their expectation says, each with the reason. A name that no longer differs
// fails too.
func differences() map[string]string {
	return map[string]string{}
}

// A recording is a real body with an expectation that was derived without weir.
type recording struct {
	name, api, vendor string
	status            int
	header            http.Header
	body              []byte
	want              expectation
}

type expectation struct {
	Text, Reasoning, Refusal string
	Plan                     string         `json:"tool_plan"`
	ToolCalls                []recordedCall `json:"tool_calls"`
	FinishReason             *string        `json:"finish_reason"`
	IncompleteReason         string         `json:"incomplete_reason"`
	Usage                    map[string]json.RawMessage
	End                      struct {
		Proper bool
		Error  json.RawMessage
	}
	Status  int
	Error   map[string]any
	Choices []json.RawMessage
	Blocked string `json:"prompt_block_reason"`
	Delay   string `json:"retry_delay"`
}

type recordedCall struct {
	ID, Name, Arguments string
	Valid               *bool `json:"arguments_valid_json"`
}

const shared = "../../shared"

// loadRecordings returns the recordings of the APIs that are here, of one kind.
func loadRecordings(tb testing.TB, kind string) []recording {
	tb.Helper()
	root := filepath.Join(shared, "fixtures")
	text, err := os.ReadFile(filepath.Join(root, "index.json"))
	if err != nil {
		tb.Skip("the recorded fixtures are not beside the repository")
	}
	var index []struct{ Path, Kind, API, Body string }
	require.NoError(tb, json.Unmarshal(text, &index))
	var all []recording
	for _, entry := range index {
		if entry.Kind != kind || !slices.Contains(apis(), entry.API) && kind == "stream" {
			continue
		}
		r := recording{name: entry.Path, status: http.StatusOK, header: http.Header{}}
		folder, _, _ := strings.Cut(entry.Path, "/")
		if r.api = apiOf(entry.API, folder); r.api == "" {
			continue
		}
		r.vendor = folder[:strings.LastIndex(folder, "-")]
		r.load(tb, filepath.Join(root, entry.Path), entry.Body)
		if len(r.want.Choices) <= 1 {
			all = append(all, r)
		}
	}
	return all
}

// apis are those whose recordings are played.
func apis() []string {
	return []string{apiChat, apiResponses, apiMessages, apiOllama, apiCohere, apiGemini}
}

// apiOf tells the API of an error body, which its entry does not, by its folder.
func apiOf(api, folder string) string {
	switch {
	case slices.Contains(apis(), api):
		return api
	case folder == "ollama-native-chat":
		return apiOllama
	case folder == "cohere-chat-v2":
		return apiCohere
	case folder == "anthropic-messages":
		return apiMessages
	case strings.HasSuffix(folder, "-responses"):
		return apiResponses
	case strings.HasSuffix(folder, "-chat"):
		return apiChat
	default:
		return ""
	}
}

func (r *recording) load(tb testing.TB, dir, body string) {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "expect.json"))
	require.NoError(tb, err)
	require.NoError(tb, json.Unmarshal(text, &r.want), dir)
	r.body, err = os.ReadFile(filepath.Join(dir, body))
	require.NoError(tb, err)
	if r.want.Status != 0 {
		r.status = r.want.Status
	}
	var head struct {
		Status  int
		Headers map[string]any
	}
	if text, err := os.ReadFile(filepath.Join(dir, "headers.json")); err == nil {
		require.NoError(tb, json.Unmarshal(text, &head))
	}
	if head.Status != 0 && r.want.Status == 0 {
		r.status = head.Status
	}
	r.header.Set("Content-Type", contentType(r.api))
	for name, value := range head.Headers {
		if one, ok := value.(string); ok {
			r.header.Set(name, one)
		}
	}
	r.header.Del("Content-Encoding") // the bodies are stored decoded
}

func (r *recording) transport() *canned.Transport {
	return &canned.Transport{Status: r.status, Header: r.header, Body: r.body}
}

// TestRecordedStreams plays every recorded stream and compares.
func TestRecordedStreams(t *testing.T) {
	t.Parallel()
	known := differences()
	all := loadRecordings(t, "stream")
	require.Greater(t, len(all), 130)
	differ := map[string]bool{}
	for _, r := range all {
		why := r.compare(play(t, r.api, r.vendor, r.transport()))
		differ[r.name] = len(why) > 0
		if len(why) > 0 && known[r.name] == "" {
			t.Errorf("%s differs without a written reason: %s", r.name, strings.Join(why, "; "))
		}
	}
	for name := range known {
		assert.True(t, differ[name], "%s does not differ (any more): strike its reason", name)
	}
	t.Logf("%d recordings, %d known differences", len(all), len(known))
}

// compare returns what differs.
func (r *recording) compare(all []events.Event) []string {
	var why []string
	differ := func(bad bool, what string) {
		if bad {
			why = append(why, what)
		}
	}
	reply := fold(all)
	done, completed := all[len(all)-1].Completion()
	hasError := len(r.want.End.Error) > 0 && string(r.want.End.Error) != "null"
	proper := r.want.End.Proper && !hasError
	if reply.Err() != nil && proper != completed {
		why = append(why, reply.Err().Error())
	}
	differ(proper != completed, "terminal")
	differ(reply.Text() != r.want.Text, "text")
	differ(reply.Thinking() != r.want.Plan+r.want.Reasoning, "thinking")
	differ(reply.Refusal() != r.want.Refusal, "refusal")
	if !completed {
		return why
	}
	differ(!r.sameStop(done), "stop "+string(done.Stop)+" of "+done.RawStop)
	if done.Stop == events.StopToolUse {
		differ(!sameCalls(reply.ToolCalls(), r.want.ToolCalls), "tool calls")
	} else {
		differ(len(r.want.ToolCalls) > 0 && !done.Stop.Cuts(), "calls were not asked for")
	}
	return append(why, r.compareUsage(done.Usage)...)
}

// sameStop compares the raw stop, and the normalised one where the table of the
// grammar says which it is.
func (r *recording) sameStop(done events.Completion) bool {
	if r.want.Blocked != "" {
		return done.RawStop == r.want.Blocked && done.Stop == events.StopContentFilter
	}
	if r.want.FinishReason == nil {
		return done.RawStop == "" && (done.Stop == events.StopUnknown || done.Stop == events.StopToolUse)
	}
	raw := *r.want.FinishReason
	if raw == "incomplete" {
		raw = r.want.IncompleteReason
	}
	if done.RawStop != raw {
		return false
	}
	want, ok := map[string]events.Stop{
		"stop": events.StopEnd, "end_turn": events.StopEnd, "length": events.StopLength, "max_tokens": events.StopLength,
		"tool_calls": events.StopToolUse, "tool_use": events.StopToolUse, "function_call": events.StopToolUse,
		"content_filter": events.StopContentFilter, "stop_sequence": events.StopSequence, "pause_turn": events.StopPause,
		"completed": events.StopEnd, "max_output_tokens": events.StopLength,
		"refusal": events.StopRefusal, "COMPLETE": events.StopEnd, "MAX_TOKENS": events.StopLength, "TOOL_CALL": events.StopToolUse,
		"STOP": events.StopEnd, "1": events.StopEnd, "SAFETY": events.StopContentFilter, "RECITATION": events.StopContentFilter,
	}[raw]
	switch {
	case !ok:
		return true
	case len(r.want.ToolCalls) > 0 && !want.Cuts():
		want = events.StopToolUse
	case want == events.StopEnd && r.want.Refusal != "" && r.want.Text == "":
		want = events.StopRefusal
	}
	return done.Stop == want
}

func sameCalls(got []events.ToolCall, want []recordedCall) bool {
	if len(got) != len(want) {
		return false
	}
	for i, w := range want {
		if got[i].Name != w.Name || w.ID != "" && got[i].ID != w.ID && !got[i].Minted || !sameJSON(got[i].Arguments, w.Arguments) {
			return false
		}
	}
	return true
}

// sameJSON compares texts, and as JSON with number literals kept where the
// expectation was written anew.
func sameJSON(a, b string) bool {
	if a == b || a == "{}" && b == "" {
		return true
	}
	return canonical(a) == canonical(b)
}

func canonical(text string) string {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return text
	}
	out, _ := json.Marshal(v)
	return string(out)
}

// compareUsage compares input and output by the family's rule.
func (r *recording) compareUsage(got events.Usage) []string {
	number := func(name string) events.Count {
		var n int64
		if json.Unmarshal(r.want.Usage[name], &n) != nil || r.want.Usage[name] == nil || string(r.want.Usage[name]) == "null" {
			return events.Count{}
		}
		return events.Known(n)
	}
	zero := func(c events.Count) events.Count { return events.Known(c.Or(0)) }
	var input, output events.Count
	switch r.api {
	case apiMessages:
		input = number("input_tokens").Plus(zero(number("cache_read_input_tokens"))).Plus(zero(number("cache_creation_input_tokens")))
		output = number("output_tokens")
		input, output = r.compacted(input, output)
	case apiOllama:
		input, output = number("prompt_eval_count"), number("eval_count")
	case apiResponses:
		input, output = number("input_tokens"), number("output_tokens")
	case apiCohere:
		input, output = r.part("tokens", "input_tokens"), r.part("tokens", "output_tokens")
	case apiGemini:
		input, output = number("promptTokenCount"), number("candidatesTokenCount")
		// The total says what is a part and what stands beside.
		if thinking, tools := number("thoughtsTokenCount"), number("toolUsePromptTokenCount"); input.IsKnown() {
			input = input.Plus(zero(tools))
			if total := number("totalTokenCount"); !total.IsKnown() || total != input.Plus(zero(output)) {
				output = output.Plus(zero(thinking))
			}
		}
	default:
		input, output = number("prompt_tokens"), number("completion_tokens")
		input, output = r.exclusive(number, got, input, output)
	}
	var why []string
	if input.IsKnown() && input != got.Input {
		why = append(why, "input "+got.Input.String()+" is not "+input.String())
	}
	if output.IsKnown() && output != got.Output {
		why = append(why, "output "+got.Output.String()+" is not "+output.String())
	}
	return why
}

// compacted adds what it cost to compact the history, which Anthropic leaves out of its
// sum and bills.
func (r *recording) compacted(input, output events.Count) (events.Count, events.Count) {
	var hops []struct {
		Type    string
		Input   int64 `json:"input_tokens"`
		Read    int64 `json:"cache_read_input_tokens"`
		Created int64 `json:"cache_creation_input_tokens"`
		Output  int64 `json:"output_tokens"`
	}
	if json.Unmarshal(r.want.Usage["iterations"], &hops) != nil {
		return input, output
	}
	for _, hop := range hops {
		if hop.Type == "compaction" {
			input, output = input.Plus(events.Known(hop.Input+hop.Read+hop.Created)), output.Plus(events.Known(hop.Output))
		}
	}
	return input, output
}

// exclusive takes the grammar's rule for parts that are larger than, or by the
// total not part of, their whole.
func (r *recording) exclusive(number func(string) events.Count, got events.Usage, input, output events.Count) (events.Count, events.Count) {
	cached, thinking, total := r.part("prompt_tokens_details", "cached_tokens"), r.part("completion_tokens_details", "reasoning_tokens"), number("total_tokens")
	sum := input.Plus(output).Plus(thinking)
	if thinking.Or(0) > 0 && total.IsKnown() && total == sum {
		output = output.Plus(thinking)
	}
	if cached.Or(0) > input.Or(0) && got.Inconsistent {
		input = cached
	}
	if thinking.Or(0) > output.Or(0) && got.Inconsistent {
		output = thinking
	}
	return input, output
}

// part returns a count that stands inside another member of the usage.
func (r *recording) part(details, field string) events.Count {
	var d map[string]json.RawMessage
	var n int64
	if json.Unmarshal(r.want.Usage[details], &d) != nil || json.Unmarshal(d[field], &n) != nil || d[field] == nil {
		return events.Count{}
	}
	return events.Known(n)
}

// TestRecordedErrors plays every recorded error body.
func TestRecordedErrors(t *testing.T) {
	t.Parallel()
	all := loadRecordings(t, "http_error")
	require.Greater(t, len(all), 25)
	for _, r := range all {
		evs := play(t, r.api, r.vendor, r.transport())
		f, ok := evs[len(evs)-1].Failure()
		require.True(t, ok, r.name)
		assert.Equal(t, r.status, f.Status, r.name)
		assert.Equal(t, events.Answered, f.Sent, r.name)
		assert.Contains(t, kindsOfStatus(r), f.Kind, r.name)
		r.compareError(t, f)
	}
	t.Logf("%d error bodies", len(all))
}

// compareError compares what the provider said: its message, whole or cut or with
// what looks like a key replaced, its code or type, and how long to wait.
func (r *recording) compareError(t *testing.T, f *events.Failure) {
	t.Helper()
	told := func(name string) string {
		if v := r.want.Error[name]; v != nil {
			return fmt.Sprint(v)
		}
		return ""
	}
	message, _, _ := strings.Cut(events.CleanDetail(told("message")), "[redacted]")
	if len(message) > 200 {
		message = events.CutText(message, 200)
	}
	assert.Contains(t, f.Detail, strings.TrimSpace(message), r.name)
	assert.NotEmpty(t, f.Detail, r.name)
	if code, kind := told("code"), told("type"); code != "" || kind != "" {
		assert.Contains(t, []string{code, kind, told("status")}, f.ProviderCode, r.name)
	}
	wait := r.want.Delay // in the body
	if header := r.header.Get("Retry-After"); header != "" {
		wait = header + "s"
	}
	if wait != "" {
		told, err := time.ParseDuration(wait)
		require.NoError(t, err)
		assert.Equal(t, told, f.RetryAfter, r.name)
	}
}

func kindsOfStatus(r recording) []events.FailureKind {
	code, _ := json.Marshal(r.want.Error)
	switch {
	case strings.Contains(string(code), "insufficient_quota"):
		return []events.FailureKind{events.Rejected}
	case r.status == 429:
		return []events.FailureKind{events.RateLimited}
	case r.status == 408:
		return []events.FailureKind{events.TimedOut}
	case r.status == 504:
		return []events.FailureKind{events.TimedOut, events.Overloaded}
	case r.status >= 500:
		return []events.FailureKind{events.Overloaded}
	default:
		return []events.FailureKind{events.Rejected}
	}
}
