package weir_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A snippet is a source that a rule must refuse, or must let pass.
type snippet struct {
	rule string
	path string
	src  string
	why  string
}

func imported(path string) string {
	return "package x\n\nimport _ \"" + path + "\"\n"
}

func refused() []snippet {
	return []snippet{
		{"known package", "events/extra/x.go", "package x", "a package nobody planned"},
		{"known package", "providers/openai/internal/x.go", "package x", "an adapter is one package"},
		{"known package", "x.go", "package x", "the root has no package"},
		{"imports of ours", "events/x.go", imported(modulePath + "/request"), "an arrow up"},
		{"imports of ours", "stream/x.go", imported(modulePath + "/validator"), "an arrow up"},
		{"imports of ours", "providers/transport/x.go", imported(modulePath + "/providers/internal/wirejson"), "transport parses nothing"},
		{"imports of ours", "providers/openai/x.go", imported(modulePath + "/providers/compatible"), "adapters never import each other"},
		{"imports of ours", "providers/openai/x.go", imported(modulePath + "/providers/internal/wirejson"), "the leaf is for families"},
		{"imports of ours", "providers/openai/x.go", imported(modulePath + "/providers/internal/openaierror"), "errors are the family's to read"},
		{"imports of ours", "providers/openai/x.go", imported(modulePath + "/providers/internal/canned"), "only tests answer from memory"},
		{"imports of ours", "providers/internal/chatwire/x.go", imported(modulePath + "/providers/internal/canned"), "in families too"},
		{"imports of ours", "providers/openai/x.go", imported(modulePath + "/caller"), "an arrow up"},
		{"imports of ours", "providers/internal/chatwire/x.go", imported(modulePath + "/providers/internal/messageswire"), "families never import each other"},
		{"imports of ours", "replay/x.go", imported(modulePath + "/providers/internal/chatwire"), "replay knows no family"},
		{"imports of ours", "replay/internal/tape/x.go", imported(modulePath + "/events"), "what both depths share stands on nothing"},
		{"imports of ours", "replay/wire/x.go", imported(modulePath + "/replay"), "an arrow up"},
		{"imports of ours", "caller/ledger/x.go", imported(modulePath + "/caller"), "an arrow up"},
		{"imports of ours", "conformance/x.go", imported(modulePath + "/caller"), "the suite judges models, not callers"},
		{"imports of ours", "conformance/x.go", imported(modulePath + "/caller/ledger"), "only the charge is shared"},
		{"third-party imports", "events/x.go", imported(fastjson), "fastjson lives in families"},
		{"third-party imports", "providers/openai/x.go", imported(fastjson + "/fastfloat"), "a package of the module counts too"},
		{"third-party imports", "providers/transport/x.go", imported(goSSE), "go-sse serves, it does not read"},
		{"third-party imports", "request/schema/x.go", imported(jsonschema), "one package compiles schemas"},
		{"third-party imports", "examples/quickstart/x.go", imported("github.com/stretchr/testify/assert"), "a test tool in a program"},
		{"third-party imports of tests", "events/x_test.go", imported("github.com/google/go-cmp/cmp"), "the list is closed for tests too"},
		{"third-party imports of tests", "providers/openai/x_test.go", imported(fastjson), "the yardstick is in one place"},
		{"third-party imports of tests", "validator/x_test.go", imported(goSSE), "the oracle is for the framer"},
		{"no third-party type in exported API", "a/x.go", "package a\nimport \"" + goSSE + "\"\nfunc F(m *sse.Message) {}", "a parameter"},
		{"no third-party type in exported API", "a/x.go", "package a\nimport \"" + jsonschema + "\"\nfunc F() []jsonschema.Schema { return nil }", "a result, named without its version"},
		{"no third-party type in exported API", "a/x.go", "package a\nimport fj \"" + fastjson + "\"\ntype T struct { V func(v *fj.Value) }", "a field of function type, under an alias"},
		{"no third-party type in exported API", "a/x.go", "package a\nimport \"" + fastjson + "\"\ntype T struct { fastjson.Parser }", "an embedded type"},
		{"no third-party type in exported API", "a/x.go", "package a\nimport \"" + fastjson + "\"\ntype T interface { M(p fastjson.Parser) }", "a method of an interface"},
		{"no third-party type in exported API", "a/x.go", "package a\nimport \"" + fastjson + "\"\ntype T[V fastjson.Parser] struct{}", "a constraint"},
		{"no third-party type in exported API", "a/x.go", "package a\nimport \"" + fastjson + "\"\nvar V fastjson.Parser", "a variable"},
		{"no third-party type in exported API", "a/x.go", "package a\nimport \"" + fastjson + "\"\nfunc (t *T[K]) M() fastjson.Parser {}", "a method of a generic type"},
		{"package comment", "a/doc.go", "// Package b does.\npackage a", "another name"},
		{"package comment", "a/doc.go", "package a", "no comment"},
		{"package comment", "a/doc.go", "// Package main does.\npackage main", "a program is a command"},
		{"file size", "a/x.go", "package a" + strings.Repeat("\n", maxLines+1), "one line too many"},
		{"file size", "a/x_test.go", "package a" + strings.Repeat("\n", maxLines+1), "tests are read too"},
		{"no init", "a/x.go", "package a\nfunc init() {}", "an init"},
		{"no mutable global", "a/x.go", "package a\nvar table = []int{1}", "a table is a function"},
		{"no mutable global", "a/x.go", "package a\nvar ErrX = errors.New(\"x\")", "a sentinel that is not listed"},
		{"no mutable global", "replay/x.go", "package replay\nimport \"io\"\nvar ErrNotRecorded = io.EOF", "another name of a stranger's"},
		{"no mutable global", "a/x.go", "package a\nvar errorTable = map[int]int{}", "no sentinel, whatever its name"},
		{"no mutable global", "a/x.go", "package a\nvar n, m = sync.OnceValue(f), 1", "only the first is computed once"},
		{"no mutable global", "a/x.go", "package a\n//go:embed x\nvar data []byte", "embedded data of a library"},
		{"no mutable global", "examples/a/x.go", "package a\nvar n int", "examples have none either"},
		{"no side effect in a library", "a/x.go", "package a\nimport \"time\"\nfunc f() { time.Sleep(1) }", "nobody can cancel it"},
		{"no side effect in a library", "a/x.go", "package a\nimport \"log\"\nfunc f() { log.Print() }", "a log line"},
		{"no side effect in a library", "a/x.go", "package a\nimport l \"log/slog\"\nfunc f() { l.Info(\"\") }", "a log line under an alias"},
		{"no side effect in a library", "a/x.go", "package a\nimport l \"log/slog\"\nfunc f() { l.LogAttrs(nil, 0, \"\") }", "a log line with attributes"},
		{"no side effect in a library", "a/x.go", "package a\nimport \"fmt\"\nfunc f() { fmt.Println() }", "a print"},
		{"no side effect in a library", "a/x.go", "package a\nfunc f() { println() }", "the builtin prints too"},
		{"no side effect in a library", "a/x.go", "package a\nimport \"os\"\nvar _ = os.Stderr", "somebody else's stream"},
		{"no side effect in a library", "a/x.go", "package a\nimport \"context\"\nfunc f() { context.Background() }", "a context nobody cancels"},
		{"no side effect in a library", "a/x.go", "package a\nimport \"net/http\"\nvar _ = http.DefaultClient", "a client shared with strangers"},
	}
}

func passed() []snippet {
	return []snippet{
		{"known package", "providers/newvendor/x.go", "package x", "a new adapter changes no line here"},
		{"imports of ours", "providers/openai/x.go", imported(modulePath + "/providers/internal/chatwire"), "an adapter stands on its family"},
		{"imports of ours", "providers/internal/chatwire/x.go", imported(modulePath + "/providers/internal/wirejson"), "the leaf is for families"},
		{"imports of ours", "replay/wire/x.go", imported(modulePath + "/replay/internal/tape"), "both depths share it"},
		{"imports of ours", "conformance/x.go", imported(modulePath + "/caller/charge"), "allowed by the table"},
		{"imports of ours", "caller/ledger/sqlledger/x.go", imported(modulePath + "/caller/ledger"), "a ledger below the port"},
		{"third-party imports", "request/x.go", imported(jsonschema), "here only"},
		{"third-party imports", "caller/ledger/sqlledger/x.go", imported("example.com/driver"), "nested modules are free"},
		{"third-party imports of tests", "providers/bench_test.go", imported(fastjson), "what decoding is measured against"},
		{"third-party imports of tests", "providers/transport/x_test.go", imported(goSSE), "the framer's oracle"},
		{"no third-party type in exported API", "a/x.go", "package a\nimport \"" + fastjson + "\"\ntype T struct { p fastjson.Parser }\nfunc (t t) M(p fastjson.Parser) {}\nfunc f(p fastjson.Parser) {}", "hidden all of it"},
		{"no third-party type in exported API", "providers/internal/a/x.go", "package a\nimport \"" + fastjson + "\"\nfunc F(p fastjson.Parser) {}", "no user sees an internal package"},
		{"package comment", "a/doc.go", "// Package a does.\npackage a", "as it should be"},
		{"package comment", "examples/a/doc.go", "// Command a does.\npackage main", "as it should be"},
		{"file size", "a/x.go", "package a" + strings.Repeat("\n", maxLines), "the last line that is allowed"},
		{"no init", "a/x.go", "package a\nfunc (t T) init() {}", "a method is no init function"},
		{"no mutable global", "a/x.go", "package a\nvar _ I = (*T)(nil)\nvar re = sync.OnceValue(f)", "an assertion and a value computed once"},
		{"no mutable global", "a/x.go", "package a\nvar errRefused = errors.New(\"\")", "control flow inside one package"},
		{"no mutable global", "replay/x.go", "package replay\nvar ErrNotRecorded = errors.New(\"\")", "listed"},
		{"no mutable global", "replay/wire/x.go", "package wire\nvar ErrNotRecorded = errors.New(\"\")", "listed"},
		{"no mutable global", "replay/x.go", "package replay\nimport \"" + modulePath + "/replay/wire\"\nvar ErrNotRecorded = wire.ErrNotRecorded", "another name of a listed one"},
		{"no mutable global", "examples/a/x.go", "package a\n//go:embed x\nvar data []byte", "embedded data of an example"},
		{"no side effect in a library", "examples/a/x.go", "package a\nimport \"fmt\"\nfunc f() { fmt.Println() }", "examples print"},
		{"no side effect in a library", "a/x.go", "package a\nimport \"log/slog\"\nfunc f() slog.Value { return slog.StringValue(\"\") }", "a value says how it is logged"},
		{"no side effect in a library", "a/x.go", "package a\nimport \"log/slog\"\nfunc f(l *slog.Logger) { l.Info(\"\") }", "a logger that the user handed over"},
		{"no side effect in a library", "a/x_test.go", "package a\nimport \"context\"\nfunc f() { context.Background() }", "so may tests"},
	}
}

func ruleNamed(tb testing.TB, name string) rule {
	tb.Helper()
	for _, r := range rules() {
		if r.name == name {
			return r
		}
	}
	require.Fail(tb, "no such rule", name)
	return rule{}
}

// TestRulesCanFail shows each rule a source that breaks it, and the harmless
// source next to it.
func TestRulesCanFail(t *testing.T) {
	t.Parallel()
	shown := map[string]bool{}
	for _, s := range refused() {
		shown[s.rule] = true
		require.NotEmpty(t, s.why)
		assert.NotEmpty(t, ruleNamed(t, s.rule).complaints(parse(t, s.path, s.src, false)), "%s lets pass: %s (%s)", s.rule, s.why, s.src)
	}
	for _, r := range rules() {
		assert.True(t, shown[r.name], "no source breaks rule %q", r.name)
	}
	for _, s := range passed() {
		nested := strings.HasPrefix(s.path, "caller/ledger/sqlledger/")
		require.NotEmpty(t, s.why)
		assert.Empty(t, ruleNamed(t, s.rule).complaints(parse(t, s.path, s.src, nested)), "%s refuses: %s (%s)", s.rule, s.why, s.src)
	}
}

// TestTreeRulesCanFail does the same for the rules about folders.
func TestTreeRulesCanFail(t *testing.T) {
	t.Parallel()
	files := []file{parse(t, "a/doc.go", "package a", false), parse(t, "a/x.go", "package a", false), parse(t, "b/x.go", "package b", false), parse(t, "c/x_test.go", "package c", false)}
	assert.Equal(t, []string{"b"}, undocumented(files))
	assert.Equal(t, []string{"internal", "util"}, strangers([]string{".ci", "events", "internal", "util"}))
}
