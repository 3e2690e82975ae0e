// Package weir_test holds the rules of the house that no compiler checks: who
// may import whom, and how a library file has to look. The root of the module
// has no package of its own.
package weir_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const modulePath = "github.com/weirsdk/weir"

// The third-party modules of the root module that are more than test tools.
const (
	goSSE      = "github.com/tmaxmax/go-sse"
	fastjson   = "github.com/valyala/fastjson"
	jsonschema = "github.com/santhosh-tekuri/jsonschema/v5"
)

// testify is for tests, and for the one package that only tests import.
const testify = "github.com/stretchr/testify"

// A layer is a row of the table in ARCHITECTURE.md. Patterns are a path, a
// path/* (one level below), a path/... (it and all below), or one of these
// after a ! (not that). The first layer that matches a package is its own.
type layer struct {
	packages string
	ours     []string
	third    []string
}

// layers returns the table, the special before the general.
func layers() []layer {
	port := []string{"events", "cancel", "request", "stream", "validator", "providers"}
	family := append(slices.Clone(port), "request/schema", "providers/price", "providers/transport")
	ledger := []string{"events", "caller/charge", "caller/ledger/..."}
	return []layer{
		{"events", nil, nil},
		{"cancel", nil, nil},
		{"request", []string{"events"}, []string{jsonschema}},
		{"request/schema", []string{"events", "request"}, nil},
		{"stream", []string{"events", "request", "cancel"}, nil},
		{"stream/sse", []string{"events", "stream"}, []string{goSSE}},
		{"stream/uistream", []string{"events", "stream"}, []string{goSSE}},
		{"validator", []string{"events", "request", "stream"}, nil},
		{"providers", []string{"events", "request", "stream", "cancel"}, nil},
		{"providers/price", []string{"events"}, nil},
		{"providers/transport", append(slices.Clone(port), "providers/price"), nil},
		{"providers/internal/wirejson", []string{"events"}, []string{fastjson}},
		{"providers/internal/canned", family, []string{testify}},
		{"providers/internal/*", append(slices.Clone(family), "providers/internal/wirejson", "providers/internal/openaierror", "providers/internal/claudethinking", "providers/internal/keptturn"), []string{fastjson}},
		{"providers/*", append(slices.Clone(family), "providers/internal/*", "!providers/internal/wirejson", "!providers/internal/openaierror", "!providers/internal/claudethinking", "!providers/internal/canned"), nil},
		{"replay/internal/*", nil, nil},
		{"replay", append(slices.Clone(port), "replay/wire", "replay/internal/*"), nil},
		{"replay/wire", append(slices.Clone(port), "replay/internal/*"), nil},
		{"caller/charge", []string{"events", "request"}, nil},
		{"caller/ledger/...", ledger, nil},
		{"caller/otelweir", append(slices.Clone(port), "caller", "caller/charge", "caller/ledger"), nil},
		{"caller", slices.Concat(port, []string{"request/schema", "providers/price"}, ledger), nil},
		{"conformance/...", []string{"...", "!caller", "!caller/*", "caller/charge", "!examples/..."}, nil},
		{"examples/...", []string{"..."}, nil},
	}
}

// topLevel returns the folders that the root may have, apart from those whose
// name begins with a dot.
func topLevel() []string {
	return []string{"events", "cancel", "request", "stream", "validator", "providers", "caller", "replay", "conformance", "examples"}
}

// match reports whether a pattern matches a package.
func match(pattern, pkg string) bool {
	switch {
	case pattern == "...":
		return true
	case strings.HasSuffix(pattern, "/..."):
		base := strings.TrimSuffix(pattern, "/...")
		return pkg == base || strings.HasPrefix(pkg, base+"/")
	case strings.HasSuffix(pattern, "/*"):
		return path.Dir(pkg) == strings.TrimSuffix(pattern, "/*")
	}
	return pkg == pattern
}

// allowed reports whether the last pattern that matches a package, with or
// without its !, lets it in.
func allowed(patterns []string, pkg string) bool {
	ok := false
	for _, p := range patterns {
		if positive, not := strings.CutPrefix(p, "!"); match(positive, pkg) {
			ok = !not
		}
	}
	return ok
}

// layerOf returns the layer of a package.
func layerOf(pkg string) (layer, bool) {
	for _, l := range layers() {
		if match(l.packages, pkg) {
			return l, true
		}
	}
	return layer{}, false
}

// A file is one parsed Go file of the repository.
type file struct {
	path   string // from the root, with slashes
	nested bool   // of a nested module
	src    string
	fset   *token.FileSet
	ast    *ast.File
}

// parse parses one file; src says what is in it.
func parse(tb testing.TB, name, src string, nested bool) file {
	tb.Helper()
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	require.NoError(tb, err)
	return file{path: name, nested: nested, src: src, fset: fset, ast: tree}
}

func (f file) pkg() string     { return path.Dir(f.path) }
func (f file) isTest() bool    { return strings.HasSuffix(f.path, "_test.go") }
func (f file) isExample() bool { return strings.HasPrefix(f.path, "examples/") }

// isSkipped reports whether a folder is no part of the source.
func isSkipped(name string) bool {
	return name == "testdata" || len(name) > 1 && strings.HasPrefix(name, ".")
}

// load parses every Go file below root.
func load(tb testing.TB, root string) []file {
	tb.Helper()
	var files []file
	var modules []string
	require.NoError(tb, filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := filepath.ToSlash(name)
		switch {
		case d.IsDir() && isSkipped(d.Name()):
			return filepath.SkipDir
		case d.Name() == "go.mod" && path.Dir(rel) != ".":
			modules = append(modules, path.Dir(rel)+"/")
		case strings.HasSuffix(rel, ".go"):
			src, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			files = append(files, parse(tb, rel, string(src), false))
		}
		return nil
	}))
	for i := range files {
		files[i].nested = slices.ContainsFunc(modules, func(dir string) bool { return strings.HasPrefix(files[i].path, dir) })
	}
	return files
}

// TestHouse holds every rule against every file.
func TestHouse(t *testing.T) {
	t.Parallel()
	files := load(t, ".")
	require.NotEmpty(t, files)
	for _, r := range rules() {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			for _, f := range files {
				for _, complaint := range r.complaints(f) {
					t.Errorf("%s: %s", f.path, complaint)
				}
			}
		})
	}
}

// TestEveryPackageIsDocumented wants a doc.go in each package; what it says is
// a rule of its own.
func TestEveryPackageIsDocumented(t *testing.T) {
	t.Parallel()
	assert.Empty(t, undocumented(load(t, ".")), "packages without doc.go")
}

// undocumented returns the packages that have a library file and no doc.go.
func undocumented(files []file) []string {
	var all, documented []string
	for _, f := range files {
		if !f.isTest() {
			all = append(all, f.pkg())
		}
		if path.Base(f.path) == "doc.go" {
			documented = append(documented, f.pkg())
		}
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(pkg string) bool { return slices.Contains(documented, pkg) })
}

// TestTopLevel wants no folder beyond the list.
func TestTopLevel(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	assert.Empty(t, strangers(names), "folders that the house does not have")
}

// strangers returns the folders that the root may not have.
func strangers(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return strings.HasPrefix(name, ".") || slices.Contains(topLevel(), name)
	})
}
