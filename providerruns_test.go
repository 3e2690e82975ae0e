package weir_test

import (
	"go/ast"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/conformance"
)

// A suiteRun is what a test of an adapter tells the conformance suite, read from its
// source. That the bytes say what their scenario wants is the suite's to check.
type suiteRun struct {
	folders []string            // of bytes, from the root
	bytes   map[string][]string // the folders that have a scenario's bytes
	claims  map[string]string   // Adapter.Unsupported
	only    []string            // Adapter.Only
	whole   bool                // every scenario is played or claimed
	plays   bool                // the suite is called at all
}

// A sources is the test files of one package.
type sources struct {
	dir    string
	funcs  map[string]*ast.FuncDecl
	consts map[string]ast.Expr // of the package
}

// testsOf parses the test files of a package.
func testsOf(tb testing.TB, dir string) sources {
	tb.Helper()
	s := sources{dir: dir, funcs: map[string]*ast.FuncDecl{}, consts: map[string]ast.Expr{}}
	for _, f := range parsed(tb, dir, "*_test.go") {
		for _, decl := range f.ast.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				s.funcs[d.Name.Name] = d
			case *ast.GenDecl:
				addConsts(s.consts, d)
			}
		}
	}
	return s
}

// parsed parses the files of a folder that a pattern matches.
func parsed(tb testing.TB, dir, pattern string) []file {
	tb.Helper()
	names, err := filepath.Glob(filepath.Join(dir, pattern))
	require.NoError(tb, err)
	var files []file
	for _, name := range names {
		src, err := os.ReadFile(name)
		require.NoError(tb, err)
		files = append(files, parse(tb, filepath.ToSlash(name), string(src), false))
	}
	return files
}

func addConsts(consts map[string]ast.Expr, d *ast.GenDecl) {
	for _, spec := range d.Specs {
		if v, ok := spec.(*ast.ValueSpec); ok && d.Tok == token.CONST {
			for i, value := range v.Values {
				consts[v.Names[i].Name] = value
			}
		}
	}
}

// run reads what a test tells the suite, itself and by the functions that it calls.
func (s sources) run(tb testing.TB, test string) suiteRun {
	tb.Helper()
	require.Contains(tb, s.funcs, test, "%s has no such test", s.dir)
	r := suiteRun{bytes: map[string][]string{}, claims: map[string]string{}, whole: true}
	names := scenarioNames()
	seen := map[string]bool{}
	var visit func(fn *ast.FuncDecl)
	visit = func(fn *ast.FuncDecl) {
		seen[fn.Name.Name] = true
		local := map[string]ast.Expr{}
		for name, value := range s.consts {
			local[name] = value
		}
		nils := nilVariables(fn, local)
		ast.Inspect(fn, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit:
				r.addFolder(s.dir, text(n, local))
			case *ast.CompositeLit:
				r.addLiteral(n, local, names)
			case *ast.KeyValueExpr:
				// A variable that begins as nil leaves one of the test's runs whole.
				value, isName := n.Value.(*ast.Ident)
				if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Only" && (!isName || !nils[value.Name]) {
					r.whole = false
				}
			case *ast.SelectorExpr:
				x, ok := n.X.(*ast.Ident)
				r.plays = r.plays || ok && x.Name == "conformance" && n.Sel.Name == "Run"
			case *ast.CallExpr:
				if callee, ok := n.Fun.(*ast.Ident); ok && s.funcs[callee.Name] != nil && !seen[callee.Name] {
					visit(s.funcs[callee.Name])
				}
			}
			return true
		})
	}
	visit(s.funcs[test])
	for _, folder := range r.folders {
		files, err := os.ReadDir(folder)
		require.NoError(tb, err)
		for _, f := range files {
			name := strings.TrimSuffix(f.Name(), path.Ext(f.Name()))
			r.bytes[name] = append(r.bytes[name], folder)
		}
	}
	return r
}

// nilVariables adds a function's constants to consts and returns its variables that
// begin as nil.
func nilVariables(fn *ast.FuncDecl, consts map[string]ast.Expr) map[string]bool {
	nils := map[string]bool{}
	ast.Inspect(fn, func(n ast.Node) bool {
		d, ok := n.(*ast.GenDecl)
		if !ok {
			return true
		}
		addConsts(consts, d)
		for _, spec := range d.Specs {
			if v, ok := spec.(*ast.ValueSpec); ok && d.Tok == token.VAR && v.Values == nil {
				for _, name := range v.Names {
					nils[name.Name] = true
				}
			}
		}
		return true
	})
	return nils
}

// addFolder adds a folder that a text names.
func (r *suiteRun) addFolder(dir, name string) {
	folder := path.Join(dir, name)
	if info, err := os.Stat(folder); strings.Contains(name, "testdata/") && err == nil && info.IsDir() && !slices.Contains(r.folders, folder) {
		r.folders = append(r.folders, folder)
	}
}

// addLiteral adds the claims of a map, or the scenarios of a list.
func (r *suiteRun) addLiteral(lit *ast.CompositeLit, consts map[string]ast.Expr, names []string) {
	for _, element := range lit.Elts {
		if kv, ok := element.(*ast.KeyValueExpr); ok {
			if name := text(kv.Key, consts); slices.Contains(names, name) {
				r.claims[name] = text(kv.Value, consts)
			}
		} else if name := text(element, consts); slices.Contains(names, name) {
			r.only = append(r.only, name)
		}
	}
}

// text returns the value of a constant text, or nothing.
func text(e ast.Expr, consts map[string]ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		value, err := strconv.Unquote(e.Value)
		if err == nil && e.Kind == token.STRING {
			return value
		}
	case *ast.BinaryExpr:
		return text(e.X, consts) + text(e.Y, consts)
	case *ast.Ident:
		if value := consts[e.Name]; value != nil {
			return text(value, consts)
		}
	}
	return ""
}

func scenarioNames() []string {
	var names []string
	for _, s := range conformance.Scenarios() {
		names = append(names, s.Name)
	}
	return names
}
