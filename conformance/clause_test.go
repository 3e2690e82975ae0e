package conformance

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// documented returns the clauses in the documentation of providers.Model, the
// lines of each joined.
func documented(tb testing.TB) []Clause {
	tb.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../providers/model.go", nil, parser.ParseComments)
	require.NoError(tb, err)
	begins := regexp.MustCompile(`^\t(M\d\d)  (.*)$`)
	var all []Clause
	for _, decl := range file.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok != token.TYPE || d.Doc == nil {
			continue
		}
		for line := range strings.SplitSeq(d.Doc.Text(), "\n") {
			if m := begins.FindStringSubmatch(line); m != nil {
				all = append(all, Clause{m[1], m[2]})
			} else if more, ok := strings.CutPrefix(line, "\t     "); ok && len(all) > 0 {
				all[len(all)-1].Sentence += " " + strings.TrimSpace(more)
			}
		}
	}
	return all
}

// TestClauses: the list is the contract, word for word.
func TestClauses(t *testing.T) {
	t.Parallel()
	want := documented(t)
	require.Len(t, want, 20)
	assert.Equal(t, want, Clauses())
	for _, c := range want {
		assert.Equal(t, c.Sentence, sentence(c.ID))
	}
	assert.Empty(t, sentence("M99"))
}

// TestEveryClauseIsChecked: each clause is named by a check of the engine.
func TestEveryClauseIsChecked(t *testing.T) {
	t.Parallel()
	files, err := os.ReadDir(".")
	require.NoError(t, err)
	checked := map[string]int{}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(tree, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && len(call.Args) > 1 && isCheck(call.Fun) {
				if clause, ok := call.Args[1].(*ast.Ident); ok {
					checked[strings.ToUpper(clause.Name)]++
				}
			}
			return true
		})
	}
	for _, c := range Clauses() {
		assert.Positive(t, checked[c.ID], "%s: %s", c.ID, c.Sentence)
	}
}

// isCheck reports whether a function takes a clause: group.check, or what calls it
// with the clause that it was given.
func isCheck(f ast.Expr) bool {
	if sel, ok := f.(*ast.SelectorExpr); ok {
		return sel.Sel.Name == "check"
	}
	name, ok := f.(*ast.Ident)
	return ok && name.Name == "same"
}

// TestScenarios: what the suite asks an adapter's author for is whole.
func TestScenarios(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, sc := range Scenarios() {
		assert.False(t, names[sc.Name], "two scenarios %s", sc.Name)
		names[sc.Name] = true
		assert.Regexp(t, `^[a-z0-9-]+$`, sc.Name)
		assert.NotEmpty(t, sc.Says, sc.Name)
		require.NotEmpty(t, sc.Clauses, sc.Name)
		for _, id := range sc.Clauses {
			assert.NotEmpty(t, sentence(id), "%s is held to %s", sc.Name, id)
		}
		assert.NotEmpty(t, sc.ask().Messages, sc.Name)
		assert.Equal(t, len(sc.want.stops) == 0, len(sc.want.failures) > 0, "%s ends in one way", sc.Name)
		assert.True(t, sc.Status == 0 || sc.want.fails(), "%s: an error status fails", sc.Name)
	}
	assert.NotEmpty(t, names)
	assert.False(t, names[NoCredential], "a claim of it would be ambiguous")
}

// TestDocNamesEveryScenario holds the list in doc.go to Scenarios.
func TestDocNamesEveryScenario(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	_, list, ok := strings.Cut(string(text), "// # Scenarios\n")
	require.True(t, ok)
	list, _, ok = strings.Cut(list, "// # What is derived")
	require.True(t, ok)
	var named, all []string
	for line := range strings.Lines(list) {
		if words, ok := strings.CutPrefix(line, "//\t"); ok {
			named = append(named, strings.Fields(words)...)
		}
	}
	for _, sc := range Scenarios() {
		all = append(all, sc.Name)
	}
	assert.Equal(t, all, named)
}
