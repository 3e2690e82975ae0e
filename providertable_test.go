package weir_test

import (
	"flag"
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/providers/compatible"
)

var update = flag.Bool("update", false, "rewrite the table of what the providers can do in README.md")

// cell returns a cell, and for one that says no the reason. It is of the row's own run:
// what that neither plays nor claims has no place in the table.
func (r tableRow) cell(tb testing.TB, c tableColumn) (cell, reason string) {
	tb.Helper()
	if reason, claimed := r.run.claims[c.scenarios[0]]; claimed {
		return c.no, reason
	}
	for _, scenario := range c.scenarios {
		folders := r.run.bytes[scenario]
		if len(folders) > 0 && (r.run.whole || slices.Contains(r.run.only, scenario)) {
			return c.yes, ""
		}
	}
	tb.Errorf("%s of %s neither plays nor claims %s", r.test, r.pkg, c.scenarios[0])
	return "?", ""
}

// cost says where the price of a reply is from: "list", the package's table; "free",
// its table of models that cost nothing; "told", the reply; or "yours".
func (r tableRow) cost(tb testing.TB) string {
	tb.Helper()
	var words []string
	tables := map[string]string{"Prices": "list", "Free": "free"}
	for _, f := range parsed(tb, "providers/"+r.pkg, "*.go") {
		for _, decl := range f.ast.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && !f.isTest() && tables[fn.Name.Name] != "" {
				words = append(words, tables[fn.Name.Name])
			}
		}
	}
	if r.told != "" {
		fn := testsOf(tb, "providers/"+r.pkg).funcs[r.told]
		require.True(tb, fn != nil && asksCost(fn), "%s of %s looks at no cost", r.told, r.pkg)
		words = append(words, "told")
	}
	if words == nil {
		return "yours"
	}
	return strings.Join(words, ", ")
}

// asksCost reports whether a test calls Reply.Cost, which alone takes no argument.
func asksCost(fn *ast.FuncDecl) bool {
	asks := false
	ast.Inspect(fn, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 0 {
			sel, ok := call.Fun.(*ast.SelectorExpr)
			asks = asks || ok && sel.Sel.Name == "Cost"
		}
		return true
	})
	return asks
}

// providerTable returns the table, the reasons of what it says no to, and the presets.
func providerTable(tb testing.TB, rows []tableRow) string {
	tb.Helper()
	var table, reasons strings.Builder
	heads := []string{"provider", "API"}
	for _, c := range tableColumns() {
		heads = append(heads, c.name)
	}
	heads = append(heads, "cost")
	fmt.Fprintf(&table, "| %s |\n|%s\n", strings.Join(heads, " | "), strings.Repeat("---|", len(heads)))
	for _, r := range rows {
		cells := []string{r.provider, r.api}
		for _, c := range tableColumns() {
			cell, reason := r.cell(tb, c)
			cells = append(cells, cell)
			if cell == "no" {
				fmt.Fprintf(&reasons, "- %s, %s, %s: %s.\n", r.provider, r.api, c.name, reason)
			}
		}
		fmt.Fprintf(&table, "| %s |\n", strings.Join(append(cells, r.cost(tb)), " | "))
	}
	return table.String() + "\n<details><summary>Why it is no</summary>\n\n" + reasons.String() + "\n</details>\n\n" +
		"`compatible.Preset` knows " + strings.Join(compatible.Presets(), ", ") + ".\n"
}

// TestProviderTable holds the README's table to the runs of the conformance suite.
func TestProviderTable(t *testing.T) {
	const begin, end = "<!-- go test . -run TestProviderTable -update -->\n", "<!-- end -->\n"
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	head, rest, found := strings.Cut(string(readme), begin)
	require.True(t, found)
	there, tail, found := strings.Cut(rest, end)
	require.True(t, found)
	made := providerTable(t, tableRows(t))
	if *update {
		require.NoError(t, os.WriteFile("README.md", []byte(head+begin+made+end+tail), 0o600))
		return
	}
	assert.Equal(t, made, there, "go test . -run TestProviderTable -update rewrites it")
}

// TestEveryAdapterHasARow wants a row of each package that plays the suite whole.
func TestEveryAdapterHasARow(t *testing.T) {
	t.Parallel()
	held := map[string]bool{"providers/texttools TestConformance": true} // is around a model of another package
	rowed := map[string]bool{"providers/texttools": true}
	for _, r := range tableRows(t) {
		held["providers/"+r.pkg+" "+r.test], rowed["providers/"+r.pkg] = true, true
	}
	folders, err := filepath.Glob("providers/*")
	require.NoError(t, err)
	for _, folder := range folders {
		tests := testsOf(t, folder)
		for name := range tests.funcs {
			run := suiteRun{}
			if strings.HasPrefix(name, "Test") {
				run = tests.run(t, name)
			}
			assert.True(t, !run.plays || rowed[folder], "%s has no row", folder)
			assert.True(t, !run.plays || !run.whole || held[folder+" "+name], "%s of %s has no row", name, folder)
		}
	}
}
