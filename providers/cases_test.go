package providers_test

import (
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/stream"
)

// A bugCase is a public bug report as bytes with the outcome that is right.
// Each folder of testdata/cases is one; its case.json names the reports.
type bugCase struct {
	Name, API, Summary string
	Exchanges          []exchange
	Expected           outcome

	dir string
}

type exchange struct {
	Status  int
	Headers map[string]string
	Body    string
	End     string
}

type outcome struct {
	Events   []caseEvent
	Text     *string
	TextRef  *struct{ Len int } `json:"text_ref"`
	Thinking *string            `json:"reasoning"`
	Tools    []caseTool
	Terminal *caseTerminal
	Usage    *caseUsage
	Retry    *struct {
		Auto   bool
		WaitMS []any `json:"wait_ms"`
	}
}

type caseEvent struct {
	T, D, ID, Name, Args, Stop string
	Call                       int
}

type caseTool struct {
	ID         *string
	Name, Args string
}

type caseTerminal struct {
	Type, Stop, Kind string
	Raw              *string
	Status           int
	ProviderCode     string `json:"provider_code"`
	Message          string
	RetryAfterMS     int64 `json:"retry_after_ms"`
}

type caseUsage struct {
	Input, CacheRead, CacheWrite, CacheWriteLong, Output, Thinking *int64
	Status, Flag                                                   string
}

func (u *caseUsage) UnmarshalJSON(text []byte) error {
	var r struct {
		Input, Output, Reasoning *int64
		CacheRead                *int64 `json:"cache_read"`
		CacheWrite5m             *int64 `json:"cache_write_5m"`
		CacheWrite1h             *int64 `json:"cache_write_1h"`
		Status, Flag             string
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return err
	}
	*u = caseUsage{r.Input, r.CacheRead, r.CacheWrite5m, r.CacheWrite1h, r.Output, r.Reasoning, r.Status, r.Flag}
	return nil
}

func loadCases(tb testing.TB) []bugCase {
	tb.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", "cases", "*", "case.json"))
	require.NoError(tb, err)
	require.Greater(tb, len(paths), 70)
	var all []bugCase
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(tb, err)
		c := bugCase{dir: filepath.Dir(path)}
		require.NoError(tb, json.Unmarshal(text, &c), path)
		all = append(all, c)
	}
	return all
}

// wire returns the API and vendor that an exchange is of.
func (c bugCase) wire(body []byte) (api, vendor string) {
	switch {
	case c.API == "anthropic" || strings.Contains(string(body), `"message_start"`):
		return apiMessages, ""
	case c.API == "ollama":
		return apiOllama, ""
	case c.API == "openrouter":
		return apiChat, "openrouter"
	default:
		return apiChat, ""
	}
}

func (c bugCase) transport(tb testing.TB, nth int) (rt *canned.Transport, api, vendor string) {
	tb.Helper()
	x := c.Exchanges[nth]
	body, err := os.ReadFile(filepath.Join(c.dir, x.Body))
	require.NoError(tb, err)
	rt = &canned.Transport{Status: x.Status, Header: http.Header{}, Body: body}
	for name, value := range x.Headers {
		rt.Header.Set(name, value)
	}
	switch end, _, _ := strings.Cut(x.End, ":"); end {
	case "reset", "rst_stream":
		rt.End = errors.New("read: connection reset by peer")
	case "stall", "hold":
		rt.Hang = true
	}
	api, vendor = c.wire(body)
	return rt, api, vendor
}

// TestCases plays every case whole; the last exchange gives the outcome, those
// before it must be worth another attempt.
func TestCases(t *testing.T) {
	t.Parallel()
	for _, c := range loadCases(t) {
		t.Run(filepath.Base(c.dir), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				for nth := range len(c.Exchanges) - 1 {
					c.checkRetry(t, nth)
				}
				rt, api, vendor := c.transport(t, len(c.Exchanges)-1)
				all := play(t, api, vendor, rt)
				c.check(t, all)
				assert.Equal(t, []int{1}, rt.Closes(), "the body is closed once")
			})
		})
	}
}

// checkRetry checks an exchange that the caller is to repeat.
func (c bugCase) checkRetry(t *testing.T, nth int) {
	t.Helper()
	rt, api, vendor := c.transport(t, nth)
	all := play(t, api, vendor, rt)
	f, ok := all[len(all)-1].Failure()
	require.True(t, ok, "attempt %d failed", nth+1)
	assert.True(t, f.Retryable())
	assert.False(t, delivered(all))
	if c.Expected.Retry == nil || nth >= len(c.Expected.Retry.WaitMS) {
		return
	}
	if ms, ok := c.Expected.Retry.WaitMS[nth].(float64); ok {
		assert.Equal(t, time.Duration(ms)*time.Millisecond, f.RetryAfter)
	} else {
		assert.Zero(t, f.RetryAfter, "no wait that can be read")
	}
}

func delivered(all []events.Event) bool {
	for _, ev := range all {
		if ev.Kind.IsContent() {
			return true
		}
	}
	return false
}

func (c bugCase) check(t *testing.T, all []events.Event) {
	t.Helper()
	reply, want := fold(all), c.Expected
	if want.Text != nil {
		assert.Equal(t, *want.Text, reply.Text())
	}
	if want.TextRef != nil {
		assert.Len(t, reply.Text(), want.TextRef.Len)
	}
	if want.Thinking != nil {
		assert.Equal(t, *want.Thinking, reply.Thinking())
	}
	c.checkTools(t, reply)
	if want.Terminal != nil {
		c.checkTerminal(t, all)
	}
	if want.Events != nil {
		assert.Equal(t, wantWords(want.Events, wholeCalls(all)), gotWords(all))
	}
	c.checkUsage(t, all[len(all)-1])
}

func (c bugCase) checkTools(t *testing.T, reply *stream.Reply) {
	t.Helper()
	got := reply.ToolCalls()
	if !assert.Len(t, got, len(c.Expected.Tools)) {
		return
	}
	for i, w := range c.Expected.Tools {
		assert.Equal(t, w.Name, got[i].Name)
		assert.Equal(t, w.Args, got[i].Arguments)
		if w.ID != nil && !strings.HasPrefix(*w.ID, "<synth") {
			assert.Equal(t, *w.ID, got[i].ID)
		} else {
			assert.True(t, got[i].Minted)
		}
	}
}

func (c bugCase) checkTerminal(t *testing.T, all []events.Event) {
	t.Helper()
	want, last := c.Expected.Terminal, all[len(all)-1]
	if want.Type == "done" {
		done, ok := last.Completion()
		require.True(t, ok, "%v", last)
		assert.Equal(t, events.Stop(want.Stop), done.Stop)
		if want.Raw != nil {
			assert.Equal(t, *want.Raw, done.RawStop)
		} else {
			assert.Empty(t, done.RawStop)
		}
		return
	}
	f, ok := last.Failure()
	require.True(t, ok, "%v", last)
	assert.Contains(t, failureWords(want.Kind), string(f.Kind)+"/"+string(f.Reason))
	assert.Equal(t, want.Status, f.Status*min(want.Status, 1))
	assert.Equal(t, time.Duration(want.RetryAfterMS)*time.Millisecond, f.RetryAfter)
	assert.Contains(t, f.Detail, want.Message)
	if want.ProviderCode != "" {
		assert.Equal(t, want.ProviderCode, f.ProviderCode)
	}
	// A wait that is too long is given up by the caller, not by the failure. A
	// malformed reply is worth another attempt while nothing was delivered
	// (design: kinds of failures); the cases would not try.
	if r := c.Expected.Retry; r != nil && want.RetryAfterMS == 0 && want.Kind != "malformed" {
		assert.Equal(t, r.Auto, f.Retryable() && !delivered(all))
	}
}

// failureWords maps the words of the cases to ours; several are allowed where
// the cases do not tell them apart.
func failureWords(kind string) []string {
	words := map[string]string{
		"truncated": "invalid_reply/truncated", "transport": "invalid_reply/lost_connection unreachable/connect",
		"idle_timeout": "timed_out/idle", "deadline": "timed_out/deadline", "canceled": "cancelled/user",
		"malformed": "invalid_reply/malformed", "malformed_tool_args": "invalid_reply/bad_tool_arguments",
		"malformed_tool_call": "invalid_reply/bad_tool_call", "bad_content": "invalid_reply/bad_content",
		"event_too_large": "invalid_reply/too_large", "invalid_request": "rejected/bad_request",
		"context_too_long": "rejected/context_overflow", "auth": "rejected/auth", "quota": "rejected/quota",
		"content_blocked": "rejected/content_blocked", "rate_limit": "rate_limited/rate_limit",
		"overloaded": "overloaded/overloaded", "server": "overloaded/server overloaded/overloaded",
	}
	return strings.Fields(words[kind])
}

func (c bugCase) checkUsage(t *testing.T, last events.Event) {
	t.Helper()
	got, reported := last.Usage()
	want := c.Expected.Usage
	if want == nil {
		assert.False(t, reported && (got.Input.IsKnown() || got.Output.IsKnown()), "nothing was reported, and nothing is not zero")
		return
	}
	assert.Equal(t, want.Flag == "inconsistent", got.Inconsistent)
	if want.Flag == "" {
		assert.Equal(t, want.Status == "final", got.Final)
	}
	for name, pair := range map[string]struct {
		want *int64
		got  events.Count
	}{
		"input": {want.Input, got.Input}, "output": {want.Output, got.Output}, "thinking": {want.Thinking, got.Thinking},
		"cache read": {want.CacheRead, got.CacheRead}, "cache write": {want.CacheWrite, got.CacheWrite},
		"cache write long": {want.CacheWriteLong, got.CacheWriteLong},
	} {
		if pair.want == nil {
			continue
		}
		// The cases write 0 where the provider reported nothing, too.
		assert.Equal(t, *pair.want, pair.got.Or(0), name)
		if *pair.want != 0 {
			assert.True(t, pair.got.IsKnown(), name)
		}
	}
}

// wholeCalls returns which calls came without fragments.
func wholeCalls(all []events.Event) map[int]bool {
	calls := map[int]bool{}
	order := map[int32]int{}
	for _, ev := range all {
		switch ev.Kind {
		case events.ToolCallStarted:
			order[ev.Index] = len(order)
			calls[order[ev.Index]] = true
		case events.ToolArgumentsDelta:
			calls[order[ev.Index]] = false
		default:
		}
	}
	return calls
}

// wantWords writes the events of a case as words; adjacent pieces are joined.
func wantWords(evs []caseEvent, whole map[int]bool) []string {
	var w wordList
	for _, ev := range evs {
		call := strconv.Itoa(ev.Call)
		switch ev.T {
		case "text", "reasoning":
			w.join(ev.T+":", ev.D)
		case "tool_delta":
			w.open(call)
			if !whole[ev.Call] {
				w.join("tool_delta "+call+":", ev.D)
			}
		case "tool_start":
			w.start(call, ev.Name)
		case "tool_end":
			w.open(call)
			w.add("tool_end " + call + " " + ev.Args)
		case "tool_abort":
			w.open(call)
			w.add("tool_abort " + call)
		case "done":
			w.add("done " + ev.Stop)
		case "error":
			w.add("error")
		}
	}
	return w.all()
}

// gotWords writes events as the same words.
func gotWords(all []events.Event) []string {
	var w wordList
	order := map[int32]int{}
	for _, ev := range all {
		call := strconv.Itoa(order[ev.Index])
		switch ev.Kind {
		case events.TextDelta:
			w.join("text:", ev.Text)
		case events.ThinkingDelta:
			w.join("reasoning:", ev.Text)
		case events.ToolArgumentsDelta:
			w.open(call)
			w.join("tool_delta "+call+":", ev.Text)
		case events.ToolCallStarted:
			order[ev.Index] = len(order)
			c, _ := ev.Call()
			w.start(strconv.Itoa(order[ev.Index]), c.Name)
		case events.ToolCallCompleted:
			w.open(call)
			c, _ := ev.Call()
			w.add("tool_end " + call + " " + c.Arguments)
		case events.ToolCallInvalid:
			// The cases have no word for a call whose arguments are wrong; the
			// terminal says it.
			w.open(call)
			if i, _ := ev.Issue(); i.Kind == events.IssueTruncated {
				w.add("tool_abort " + call)
			}
		case events.Completed:
			c, _ := ev.Completion()
			w.add("done " + string(c.Stop))
		case events.Failed:
			w.add("error")
		default:
		}
	}
	return w.all()
}

// A wordList collects words. The start of a call is written when something of
// the call follows: the grammar lets an adapter wait until the name can no
// longer grow, so where exactly it comes before that is no difference.
type wordList struct {
	words   []string
	last    string
	pending map[string]string
}

func (w *wordList) start(call, name string) {
	if w.pending == nil {
		w.pending = map[string]string{}
	}
	w.pending[call] = "tool_start " + call + " " + name
}

func (w *wordList) open(call string) {
	if word, ok := w.pending[call]; ok {
		delete(w.pending, call)
		w.add(word)
	}
}

// all returns the words, with the starts that nothing followed at the end.
func (w *wordList) all() []string {
	for _, call := range slices.Sorted(maps.Keys(w.pending)) {
		w.open(call)
	}
	return w.words
}

func (w *wordList) add(word string) { w.words, w.last = append(w.words, word), "" }

func (w *wordList) join(prefix, text string) {
	if w.last == prefix {
		w.words[len(w.words)-1] += text
		return
	}
	w.words, w.last = append(w.words, prefix+text), prefix
}
