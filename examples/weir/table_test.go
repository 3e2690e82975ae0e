package main

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weirsdk/weir/events"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares what was printed with testdata/name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got:\n%s", file, got)
	}
}

// everyKind is a stream with an event of each kind.
func everyKind() []events.Event {
	usage := events.Usage{Input: events.Known(12), CacheRead: events.Known(4), Output: events.Known(7), Raw: `{"in":12}`}
	call := events.ToolCall{ID: "call_w1", Name: "get_weather", Arguments: `{"city":"Graz"}`, Minted: true}
	return []events.Event{
		events.NewStarted(events.Start{Model: "m-1", ResponseID: "resp 1", RequestID: "req_1"}),
		events.NewNotice(events.NoticeUnknownFrame, "a frame of type x"),
		events.NewThinkingDelta(0, "hm"),
		events.NewTextDelta(1, "Hello \x1b[31m\n"),
		events.NewTextDelta(1, strings.Repeat("long ", 30)),
		events.NewCitationAdded(1, events.Citation{URL: "https://example.com", Title: "A page"}),
		events.NewHostedToolStarted(2, "h1", "web_search"),
		events.NewHostedToolCompleted(2, events.HostedTool{ID: "h1", Name: "web_search", Outcome: "ok", Sources: []events.Source{{URL: "u"}}}),
		events.NewMediaCompleted(3, "image/png", []byte("png")),
		events.NewToolCallStarted(4, "call_w1", "get_weather", true),
		events.NewToolArgumentsDelta(4, `{"city":"Graz"}`),
		events.NewToolCallCompleted(4, call),
		events.NewToolCallStarted(5, "c2", "get_time", false),
		events.NewToolCallInvalid(5, events.ToolCall{ID: "c2", Name: "get_time", Arguments: `{"z`}, events.Issue{Kind: events.IssueTruncated}),
		events.NewRefusalDelta(6, "no"),
		events.NewUsageUpdated(usage),
		events.NewCompleted(events.Completion{Stop: events.StopToolUse, RawStop: "tool_calls", Usage: usage, Cost: &events.Cost{Micros: 42, Text: "0.000042"}}),
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	failed, err := show(slices.Values(everyKind()), newPrinter(&b, false))
	if failed || err != nil {
		t.Errorf("failed %v, error %v", failed, err)
	}
	golden(t, "table.golden", b.String())
	if strings.Contains(b.String(), "\x1b") {
		t.Error("an escape sequence reached the terminal")
	}
	for _, kind := range events.Kinds() {
		if !strings.Contains(b.String(), kind.String()+" ") && kind != events.Failed {
			t.Errorf("the stream has no %s", kind)
		}
	}
}

func TestTableOfAFailure(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("slow down ", 20) + "please"
	f := events.NewFailure(events.RateLimited, events.ReasonRateLimit, long)
	f.Status, f.RetryAfter, f.Sent, f.ProviderCode = 429, 2*time.Second, events.Answered, "rate_limit_exceeded"
	var b bytes.Buffer
	failed, err := show(slices.Values([]events.Event{
		events.NewStarted(events.Start{}),
		events.NewNotice(events.NoticeUnknownFrame, long),
		events.NewToolCallStarted(0, "c1", "get_time", false),
		events.NewToolCallInvalid(0, events.ToolCall{ID: "c1", Name: "get_time", Arguments: `{}`}, events.Issue{Kind: events.IssueSchema, Detail: long}),
		events.NewFailed(f),
	}), newPrinter(&b, false))
	if !failed || err != nil {
		t.Errorf("failed %v, error %v", failed, err)
	}
	golden(t, "failure.golden", b.String())
	if n := strings.Count(b.String(), long); n != 4 {
		t.Errorf("what is wrong is said whole %d times, not by the notice, the call, the failure and the reply", n)
	}
}

func TestPrintersReportAnOutputThatIsGone(t *testing.T) {
	t.Parallel()
	for _, asJSON := range []bool{true, false} {
		if _, err := show(slices.Values(everyKind()), newPrinter(brokenPipe{}, asJSON)); !errors.Is(err, errGone) {
			t.Errorf("json %v: got %v", asJSON, err)
		}
	}
}
