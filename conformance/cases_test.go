package conformance

import (
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/stream"
)

func honest() Adapter {
	return Adapter{New: func(_ testing.TB, rt http.RoundTripper) providers.Model { return newToy(rt, "") }}
}

// A caseFile is a case.json, or a part of one.
type caseFile = map[string]any

// caseOf is a case of one answer of status 200.
func caseOf(expected caseFile) caseFile {
	return caseFile{
		"name": "x", "exchanges": []any{caseFile{"status": 200, "headers": caseFile{"content-type": "text/event-stream"}, "body": "a.sse"}},
		"expected": expected,
	}
}

// but returns a copy of a part with one member replaced.
func (c caseBase) but(name string, value any) caseFile {
	all := maps.Clone(c.expected)
	all[name] = value
	return all
}

type caseBase struct {
	body     string
	expected caseFile
}

// calling is a case with text, thinking, a call and counts.
func calling() caseBase {
	return caseBase{
		body: bodyOf(`{"t":"think","d":"Hm."}`, `{"t":"text","d":"Let"}`, `{"t":"text","d":" me."}`, `{"t":"call","n":0,"id":"call_1","name":"weather"}`,
			`{"t":"args","n":0,"d":"{\"a\":"}`, `{"t":"args","n":0,"d":"1}"}`, `{"t":"call","n":1,"name":"clock"}`,
			`{"t":"count","in":12,"out":5,"spent":3}`, `{"t":"stop","why":"calls"}`, `{"t":"bye"}`),
		expected: caseFile{
			"text": "Let me.", "reasoning": "Hm.", "text_ref": caseFile{"len": 7},
			"tools":    []any{caseFile{"id": "call_1", "name": "weather", "args": `{"a":1}`}, caseFile{"id": nil, "name": "clock", "args": "{}"}},
			"usage":    caseFile{"input": 12, "output": 5, "reasoning": 3, "cache_read": 0, "status": "final"},
			"terminal": caseFile{"type": "done", "stop": "tool_use", "raw": "calls"},
			"events": []any{
				caseFile{"t": "reasoning", "d": "Hm."},
				caseFile{"t": "text", "d": "Let me."},
				caseFile{"t": "tool_start", "call": 0, "name": "weather"},
				caseFile{"t": "tool_delta", "call": 0, "d": `{"a":1}`},
				caseFile{"t": "tool_start", "call": 1, "name": "clock"},
				caseFile{"t": "tool_end", "call": 0, "args": `{"a":1}`},
				caseFile{"t": "tool_end", "call": 1, "args": "{}"},
				caseFile{"t": "done", "stop": "tool_use"},
			},
		},
	}
}

// refusing is a case of an error inside a stream.
func refusing() caseBase {
	return caseBase{
		body: bodyOf(`{"t":"text","d":"Hello,"}`, `{"t":"error","code":"busy","message":"no weir today"}`),
		expected: caseFile{
			"text": "Hello,", "tools": []any{}, "usage": nil,
			"terminal": caseFile{"type": "error", "kind": "overloaded", "message": "no weir", "provider_code": "busy"},
			"events":   []any{caseFile{"t": "text", "d": "Hello,"}, caseFile{"t": "error"}},
			"retry":    caseFile{"auto": false},
		},
	}
}

// foundIn plays one case and returns what is found.
func foundIn(t *testing.T, a Adapter, c caseFile, bodies map[string]string) []finding {
	t.Helper()
	text, err := json.Marshal(c)
	require.NoError(t, err)
	fsys := fstest.MapFS{"c/case.json": &fstest.MapFile{Data: text}}
	for name, body := range bodies {
		fsys["c/"+name] = &fstest.MapFile{Data: []byte(body)}
	}
	all, err := loadCases(fsys)
	require.NoError(t, err)
	require.Len(t, all, 1)
	var found []finding
	s := &suite{adapter: a, report: func(_ *testing.T, f finding) { found = append(found, f) }}
	t.Run("case", func(t *testing.T) { s.runCase(t, all[0]) })
	return found
}

// TestCaseOutcomes: what is right is found right, and each part of an outcome that
// is wrong is told, by its clause.
func TestCaseOutcomes(t *testing.T) {
	t.Parallel()
	good, bad := calling(), refusing()
	usage := func(name string, value any) caseFile {
		u := maps.Clone(good.expected["usage"].(caseFile))
		u[name] = value
		return good.but("usage", u)
	}
	terminal := func(of caseBase, name string, value any) caseFile {
		u := maps.Clone(of.expected["terminal"].(caseFile))
		u[name] = value
		return of.but("terminal", u)
	}
	tools := func(id any, name, args string) caseFile {
		return good.but("tools", []any{caseFile{"id": id, "name": name, "args": args}, good.expected["tools"].([]any)[1]})
	}
	for _, row := range []struct {
		why      string
		body     string
		expected caseFile
		clause   string // of the finding; empty: none
		want     string
	}{
		{"all is right", good.body, good.expected, "", ""},
		{"all is right of a failure", bad.body, bad.expected, "", ""},
		{"what is not said is not checked", good.body, caseFile{"tools": good.expected["tools"], "usage": good.expected["usage"]}, "", ""},
		{"a minted id", good.body, tools("<synth-1>", "weather", `{"a":1}`), m17, "an id that is told as minted"},
		{"an id", good.body, tools("call_2", "weather", `{"a":1}`), m17, "the id call_2"},
		{"a name", good.body, tools("call_1", "climate", `{"a":1}`), m08, "climate"},
		{"arguments", good.body, tools("call_1", "weather", `{"a": 1}`), m08, `weather {"a": 1}`},
		{"too many calls", good.body, good.but("tools", []any{}), m08, "0 executable calls"},
		{"text", good.body, good.but("text", "Let me"), m17, `the text "Let me"`},
		{"a length", good.body, good.but("text_ref", caseFile{"len": 6}), m17, "a text of 6 bytes"},
		{"thinking", good.body, good.but("reasoning", ""), m17, `the thinking ""`},
		{"counts where none are", good.body, good.but("usage", nil), m09, "no count"},
		{"input", good.body, usage("input", 11), m09, "input 11"},
		{"output", good.body, usage("output", 6), m09, "output 6"},
		{"thinking tokens", good.body, usage("reasoning", 0), m09, "thinking 0"},
		{"a count that was not told", good.body, usage("cache_read", 1), m09, "cache read 1"},
		{"another one", good.body, usage("cache_write_5m", 1), m09, "cache write 1"},
		{"and another", good.body, usage("cache_write_1h", 1), m09, "long cache write 1"},
		{"0 stands for unknown", good.body, usage("cache_write_1h", 0), "", ""},
		{"counts that are not final", good.body, usage("status", "partial"), m17, "usage that is partial"},
		{"a flag", good.body, usage("flag", "inconsistent"), m17, "inconsistent: true"},
		{"a stop", good.body, terminal(good, "stop", "end"), m17, `Completed: end ("calls")`},
		{"a raw stop", good.body, terminal(good, "raw", "done"), m17, `Completed: tool_use ("done")`},
		{"an end where it failed", bad.body, bad.but("terminal", caseFile{"type": "done", "stop": "end"}), m17, "Completed: end"},
		{"events", good.body, good.but("events", []any{caseFile{"t": "error"}}), m17, `["error"]`},
		{"a kind", bad.body, terminal(bad, "kind", "server"), "", ""},
		{"another kind", bad.body, terminal(bad, "kind", "auth"), m18, "Failed: [rejected/auth]"},
		{"a kind of ours", bad.body, terminal(bad, "kind", "overloaded/overloaded"), "", ""},
		{"another of ours", bad.body, terminal(bad, "kind", "overloaded/server"), m18, "Failed: [overloaded/server]"},
		{"a status", bad.body, terminal(bad, "status", 503), m18, "the status 503"},
		{"words", bad.body, terminal(bad, "message", "no dam"), m18, `the words "no dam"`},
		{"a code", bad.body, terminal(bad, "provider_code", "lazy"), m18, "lazy"},
		{"a wait", bad.body, terminal(bad, "retry_after_ms", 7000), m18, "7s"},
		{"another attempt after content", bad.body, bad.but("retry", caseFile{"auto": true}), m18, "retryable: true"},
		{"none where nothing came", bodyOf(`{"t":"error","code":"busy","message":"no weir today"}`), caseFile{"retry": caseFile{"auto": false}, "terminal": bad.expected["terminal"]}, m18, "retryable: false"},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			found := foundIn(t, honest(), caseOf(row.expected), map[string]string{"a.sse": row.body})
			if row.clause == "" {
				assert.Empty(t, found)
				return
			}
			require.Len(t, found, 3, "whole, byte by byte and in sevens")
			for _, f := range found {
				assert.Equal(t, row.clause, f.clause)
				assert.True(t, strings.HasPrefix(f.want, row.want), f.String())
			}
		})
	}
}

// TestCaseExchanges: of several exchanges each but the last is worth another
// attempt, after the wait that it asks for; and how a body ends is played.
func TestCaseExchanges(t *testing.T) {
	t.Parallel()
	text := bodyOf(`{"t":"text","d":"Hi"}`, `{"t":"stop","why":"done"}`, `{"t":"bye"}`)
	half, refused := bodyOf(`{"t":"text","d":"Hi"}`), `{"error":{"code":"slow","message":"no"}}`
	exchange := func(status int, body, end string) any {
		return caseFile{"status": status, "headers": caseFile{"content-type": "text/event-stream", "retry-after": "2"}, "body": body, "end": end}
	}
	done := caseFile{"text": "Hi", "terminal": caseFile{"type": "done", "stop": "end", "raw": "done"}}
	ends := func(kind string) caseFile {
		return caseFile{"text": "Hi", "terminal": caseFile{"type": "error", "kind": kind}}
	}
	again := func(wait any) caseFile {
		all := maps.Clone(done)
		all["retry"] = caseFile{"wait_ms": []any{wait}}
		return all
	}
	for _, row := range []struct {
		why       string
		exchanges []any
		expected  caseFile
		clause    string
		want      string
	}{
		{"a clean end", []any{exchange(200, "half", "eof")}, ends("truncated"), "", ""},
		{"a reset", []any{exchange(200, "half", "reset")}, ends("transport"), "", ""},
		{"a reset of HTTP/2", []any{exchange(200, "half", "rst_stream")}, ends("transport"), "", ""},
		{"silence", []any{exchange(200, "half", "stall")}, ends("idle_timeout"), "", ""},
		{"a body that stays open after its end", []any{exchange(200, "text", "hold:500")}, done, "", ""},
		{"a clean end is no reset", []any{exchange(200, "half", "eof")}, ends("transport"), m18, "Failed: "},
		{"a second attempt", []any{exchange(429, "refused", ""), exchange(200, "text", "")}, again(2000), "", ""},
		{"after another wait", []any{exchange(429, "refused", ""), exchange(200, "text", "")}, again(3000), m18, "a wait of 3000 ms"},
		{"none after content", []any{exchange(200, "half", "eof"), exchange(200, "text", "")}, done, m18, "a failure that is worth another attempt"},
		{"none after an end", []any{exchange(200, "text", ""), exchange(200, "text", "")}, done, m18, "a failure that is worth another attempt"},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			found := foundIn(t, honest(), caseFile{"exchanges": row.exchanges, "expected": row.expected}, map[string]string{"text": text, "half": half, "refused": refused})
			if row.clause == "" {
				assert.Empty(t, found)
				return
			}
			require.Len(t, found, 3)
			assert.Equal(t, row.clause, found[0].clause)
			assert.True(t, strings.HasPrefix(found[0].want, row.want), found[0].String())
		})
	}
}

// TestCaseAdapters: a case holds an adapter to more than its outcome.
func TestCaseAdapters(t *testing.T) {
	t.Parallel()
	for _, b := range []broken{
		{clause: m05, want: "a stream by the grammar", with: leaving(func(ev events.Event) bool { return ev.Kind == events.Started })},
		{clause: m11, want: "a body that is closed once", fault: leavesTheBodyOpen, byHand: true},
		{clause: m11, want: "no goroutine left", with: ranging(func(_ *toy, s stream.Stream, yield func(events.Event) bool) {
			s(yield)
			leaveGoroutine(nil)
		})},
	} {
		t.Run(b.want, func(t *testing.T) {
			t.Parallel()
			found := foundIn(t, b.adapter(t), caseOf(calling().expected), map[string]string{"a.sse": calling().body})
			require.Len(t, found, 3)
			assert.Equal(t, b.clause, found[0].clause)
			assert.Equal(t, b.want, found[0].want)
		})
	}
}

// TestLoadCases: what is no case is an error that names the file.
func TestLoadCases(t *testing.T) {
	t.Parallel()
	for why, files := range map[string]map[string]string{
		"no JSON":          {"c/case.json": "{"},
		"no exchange":      {"c/case.json": "{}"},
		"no body":          {"c/case.json": `{"exchanges":[{"body":"a"}]}`},
		"an unknown end":   {"c/case.json": `{"exchanges":[{"body":"a","end":"soon"}]}`, "c/a": ""},
		"a member's type ": {"c/case.json": `{"exchanges":1}`},
	} {
		fsys := fstest.MapFS{}
		for name, text := range files {
			fsys[name] = &fstest.MapFile{Data: []byte(text)}
		}
		_, err := loadCases(fsys)
		assert.ErrorContains(t, err, "c/case.json", why)
	}
	all, err := loadCases(fstest.MapFS{"README.md": &fstest.MapFile{}})
	assert.NoError(t, err)
	assert.Empty(t, all)
}

// TestCases runs a folder as an adapter's test does.
func TestCases(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, c := range map[string]caseBase{"calls": calling(), "fails": refusing()} {
		text, err := json.Marshal(caseOf(c.expected))
		require.NoError(t, err)
		require.NoError(t, os.Mkdir(filepath.Join(dir, name), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name, "case.json"), text, 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name, "a.sse"), []byte(c.body), 0o600))
	}
	Cases(t, dir, honest())
}

// TestWordsOfKinds: the documentation of Cases lists the words, and what each stands
// for.
func TestWordsOfKinds(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("case.go")
	require.NoError(t, err)
	_, list, found := strings.Cut(string(source), "of two kinds either is right:\n//\n")
	require.True(t, found)
	list, _, _ = strings.Cut(list, "//\n")
	listed := map[string]string{}
	for line := range strings.Lines(list) {
		word, kinds, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "//\t"), " ")
		listed[word] = strings.TrimSpace(kinds)
	}
	assert.Equal(t, kindsOfWords(), listed)
}
