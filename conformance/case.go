package conformance

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/weirsdk/weir/events"
)

// Cases plays every case below dir, as subtests of t, and holds what comes to the
// outcome that the case calls right. A case is a folder with a case.json and the
// bytes of its answers: a bug report becomes a test by adding a folder.
//
//	{
//	  "name": "eof-without-terminal", "summary": "a gateway closes in the middle of an answer",
//	  "source": ["owner/repo#1"],
//	  "exchanges": [
//	    {"status": 200, "headers": {"content-type": "text/event-stream"}, "body": "response.sse", "end": "eof"}
//	  ],
//	  "expected": {
//	    "text": "Hel", "tools": [], "usage": null,
//	    "terminal": {"type": "error", "kind": "truncated"},
//	    "events": [{"t": "text", "d": "Hel"}, {"t": "error"}],
//	    "retry": {"auto": false}
//	  }
//	}
//
// Of several exchanges each but the last has to be worth another attempt; wait_ms
// in retry are the waits that they ask for. An end is eof, reset, stall or
// hold:<ms> (the body stays open). Absent parts of the outcome are not checked, but
// tools and usage are: none, and nothing reported. Text, reasoning (thinking),
// tools {id, name, args}, where an id of null or <synth-1> is one that the adapter
// minted; terminal {type: done, stop, raw} or {type: error, kind, status,
// provider_code, message, retry_after_ms}; usage {input, output, reasoning,
// cache_read, cache_write_5m, cache_write_1h, status: final|partial, flag:
// inconsistent}, where 0 stands for unknown too; events {t, d, call, name, args}
// with t of text, reasoning, tool_start, tool_delta, tool_end, tool_abort, done and
// error, neighbouring pieces joined. Every case is played whole, byte by byte and in
// pieces of seven bytes.
//
// Kinds of errors are weir's own, "invalid_reply/truncated", or one of these words,
// for people who report a bug in words of their own; of two kinds either is right:
//
//	auth                 rejected/auth
//	bad_content          invalid_reply/bad_content
//	canceled             cancelled/user
//	content_blocked      rejected/content_blocked
//	context_too_long     rejected/context_overflow
//	deadline             timed_out/deadline
//	event_too_large      invalid_reply/too_large
//	idle_timeout         timed_out/idle
//	invalid_request      rejected/bad_request
//	malformed            invalid_reply/malformed
//	malformed_tool_args  invalid_reply/bad_tool_arguments
//	malformed_tool_call  invalid_reply/bad_tool_call
//	overloaded           overloaded/overloaded
//	quota                rejected/quota
//	rate_limit           rate_limited/rate_limit
//	server               overloaded/server overloaded/overloaded
//	transport            invalid_reply/lost_connection unreachable/connect
//	truncated            invalid_reply/truncated
//
// Of a only New is used.
func Cases(t *testing.T, dir string, a Adapter) {
	t.Helper()
	s := &suite{adapter: a, report: func(t *testing.T, f finding) {
		t.Helper()
		t.Error(f.String())
	}}
	all, err := loadCases(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatalf("there is no <case>/case.json in %s", dir)
	}
	for _, c := range all {
		t.Run(c.folder, func(t *testing.T) {
			t.Parallel()
			s.runCase(t, c)
		})
	}
}

// A bugCase is one folder.
type bugCase struct {
	Name, Summary string
	Exchanges     []exchange
	Expected      outcome

	folder string
	acts   []act
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
	T, D, Name, Args, Stop string
	Call                   int
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
	Input, Output  *int64
	Thinking       *int64 `json:"reasoning"`
	CacheRead      *int64 `json:"cache_read"`
	CacheWrite     *int64 `json:"cache_write_5m"`
	CacheWriteLong *int64 `json:"cache_write_1h"`
	Status, Flag   string
}

// loadCases reads every case of a folder, in order.
func loadCases(fsys fs.FS) ([]bugCase, error) {
	files, err := fs.Glob(fsys, "*/case.json")
	if err != nil {
		return nil, err
	}
	var all []bugCase
	for _, file := range files {
		text, err := fs.ReadFile(fsys, file)
		if err != nil {
			return nil, err
		}
		c := bugCase{folder: filepath.ToSlash(filepath.Dir(file))}
		if err := json.Unmarshal(text, &c); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if len(c.Exchanges) == 0 {
			return nil, fmt.Errorf("%s: a case has at least one exchange", file)
		}
		for _, x := range c.Exchanges {
			a, err := x.act(fsys, c.folder)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			c.acts = append(c.acts, a)
		}
		all = append(all, c)
	}
	return all, nil
}

// act makes the answer of an exchange.
func (x exchange) act(fsys fs.FS, folder string) (act, error) {
	text, err := fs.ReadFile(fsys, folder+"/"+x.Body)
	if err != nil {
		return act{}, err
	}
	r := response{status: x.Status, header: http.Header{}, body: text, file: x.Body}
	for name, value := range x.Headers {
		r.header.Set(name, value)
	}
	a := r.whole()
	switch end, _, _ := strings.Cut(x.End, ":"); end {
	case "", "eof":
	case "reset", "rst_stream":
		a.end = &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	case "stall", "hold":
		a.stall = len(text)
	default:
		return act{}, fmt.Errorf("an end is eof, reset, stall or hold:<ms>, not %q", x.End)
	}
	return a, nil
}

// failureKinds are the kinds of failures that a word of a case stands for; several
// where a case does not tell them apart.
func failureKinds(word string) []string {
	if strings.Contains(word, "/") {
		return []string{word}
	}
	return strings.Fields(kindsOfWords()[word])
}

// kindsOfWords are the words of cases, as the documentation of [Cases] lists them.
func kindsOfWords() map[string]string {
	return map[string]string{
		"truncated": "invalid_reply/truncated", "transport": "invalid_reply/lost_connection unreachable/connect",
		"idle_timeout": "timed_out/idle", "deadline": "timed_out/deadline", "canceled": "cancelled/user",
		"malformed": "invalid_reply/malformed", "malformed_tool_args": "invalid_reply/bad_tool_arguments",
		"malformed_tool_call": "invalid_reply/bad_tool_call", "bad_content": "invalid_reply/bad_content",
		"event_too_large": "invalid_reply/too_large", "invalid_request": "rejected/bad_request",
		"context_too_long": "rejected/context_overflow", "auth": "rejected/auth", "quota": "rejected/quota",
		"content_blocked": "rejected/content_blocked", "rate_limit": "rate_limited/rate_limit",
		"overloaded": "overloaded/overloaded", "server": "overloaded/server overloaded/overloaded",
	}
}

// delivered reports whether content was handed on.
func delivered(all []events.Event) bool {
	for _, ev := range all {
		if ev.Kind.IsContent() {
			return true
		}
	}
	return false
}
