package weir_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// maxLines is the largest size of a file.
const maxLines = 500

// A rule is one rule of the house, checked file by file. A rule of libraries
// spares tests and examples.
type rule struct {
	name    string
	applies func(file) bool
	check   func(file) []string
}

// complaints returns what a rule has against a file.
func (r rule) complaints(f file) []string {
	if !r.applies(f) {
		return nil
	}
	return r.check(f)
}

func rules() []rule {
	source := func(f file) bool { return !f.isTest() }
	library := func(f file) bool { return !f.isTest() && !f.isExample() }
	core := func(f file) bool { return !f.isTest() && !f.nested }
	exported := func(f file) bool { return core(f) && !strings.Contains(f.path, "internal/") }
	return []rule{
		{"known package", source, checkPackage},
		{"imports of ours", source, checkOurs},
		{"third-party imports", core, checkThird},
		{"third-party imports of tests", func(f file) bool { return f.isTest() && !f.nested }, checkTestThird},
		{"no third-party type in exported API", exported, checkExported},
		{"package comment", func(f file) bool { return path.Base(f.path) == "doc.go" }, checkDoc},
		{"file size", func(file) bool { return true }, checkSize},
		{"no init", source, checkInit},
		{"no mutable global", source, checkGlobals},
		{"no side effect in a library", library, checkForbidden},
	}
}

func checkPackage(f file) []string {
	if _, ok := layerOf(f.pkg()); !ok {
		return []string{f.pkg() + " is not in the table of layers"}
	}
	return nil
}

// imports returns the import paths of a file.
func imports(f file) []string {
	var paths []string
	for _, spec := range f.ast.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err == nil {
			paths = append(paths, p)
		}
	}
	return paths
}

// ours returns the package's path inside the repository, if it is one of ours.
func ours(importPath string) (string, bool) {
	return strings.CutPrefix(importPath, modulePath+"/")
}

// isThird reports whether an import is neither ours nor of the standard library.
func isThird(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	_, own := ours(importPath)
	return !own && importPath != modulePath && strings.Contains(first, ".")
}

func checkOurs(f file) []string {
	l, _ := layerOf(f.pkg())
	var bad []string
	for _, p := range imports(f) {
		if pkg, ok := ours(p); ok && !allowed(l.ours, pkg) {
			bad = append(bad, f.pkg()+" may not import "+pkg)
		}
	}
	return bad
}

func checkThird(f file) []string {
	l, _ := layerOf(f.pkg())
	return thirdOutside(f, l.third)
}

func checkTestThird(f file) []string {
	l, _ := layerOf(f.pkg())
	test := []string{testify, "go.uber.org/goleak", "pgregory.net/rapid"}
	if f.pkg() == "providers" {
		test = append(test, fastjson) // what decoding is measured against
	}
	if strings.HasPrefix(f.pkg(), "providers/transport") {
		test = append(test, goSSE) // the framer's oracle
	}
	if f.pkg() == "request/schema" {
		test = append(test, jsonschema) // what a rewritten schema is held against
	}
	return thirdOutside(f, append(test, l.third...))
}

// thirdOutside complains of third-party imports outside the given modules.
func thirdOutside(f file, modules []string) []string {
	var bad []string
	for _, p := range imports(f) {
		inside := slices.ContainsFunc(modules, func(m string) bool { return match(m+"/...", p) })
		if isThird(p) && !inside {
			bad = append(bad, f.pkg()+" may not import "+p)
		}
	}
	return bad
}

// importNames maps the names of imports to their paths. Without an alias the
// name is taken from the path, without version and "go-".
func importNames(f file) map[string]string {
	names := map[string]string{}
	version := regexp.MustCompile(`/v[0-9]+$`)
	for i, p := range imports(f) {
		name := strings.TrimPrefix(path.Base(version.ReplaceAllString(p, "")), "go-")
		if alias := f.ast.Imports[i].Name; alias != nil {
			name = alias.Name
		}
		names[name] = p
	}
	return names
}

// checkExported looks for third-party names in the types of exported
// declarations. It sees what is written, not what is inferred.
func checkExported(f file) []string {
	names := importNames(f)
	var bad []string
	for _, decl := range f.ast.Decls {
		eachExported(decl, func(name string, n ast.Node) {
			eachShown(n, func(sel *ast.SelectorExpr) {
				if x, ok := sel.X.(*ast.Ident); ok && isThird(names[x.Name]) {
					bad = append(bad, fmt.Sprintf("%s shows %s.%s", name, x.Name, sel.Sel.Name))
				}
			})
		})
	}
	return bad
}

// eachExported calls look with each type that an exported declaration shows.
func eachExported(decl ast.Decl, look func(name string, n ast.Node)) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && receiverExported(d) {
			look(d.Name.Name, d.Type)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() {
					look(s.Name.Name, s)
				}
			case *ast.ValueSpec:
				if s.Type != nil && s.Names[0].IsExported() {
					look(s.Names[0].Name, s.Type)
				}
			}
		}
	}
}

// receiverExported reports whether a function is no method, or one of an
// exported type.
func receiverExported(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	t := d.Recv.List[0].Type
	for {
		switch n := t.(type) {
		case *ast.StarExpr:
			t = n.X
		case *ast.IndexExpr:
			t = n.X
		case *ast.IndexListExpr:
			t = n.X
		case *ast.Ident:
			return n.IsExported()
		default:
			return true
		}
	}
}

// eachShown calls visit with each qualified name in a type, but not with those
// in unexported fields and methods.
func eachShown(n ast.Node, visit func(*ast.SelectorExpr)) {
	members := func(list *ast.FieldList) {
		for _, field := range list.List {
			hidden := !slices.ContainsFunc(field.Names, func(n *ast.Ident) bool { return n.IsExported() })
			if len(field.Names) == 0 || !hidden {
				eachShown(field.Type, visit)
			}
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StructType:
			members(n.Fields)
			return false
		case *ast.InterfaceType:
			members(n.Methods)
			return false
		case *ast.SelectorExpr:
			visit(n)
			return false
		}
		return true
	})
}

func checkDoc(f file) []string {
	want := "Package " + f.ast.Name.Name + " "
	if f.ast.Name.Name == "main" {
		want = "Command " + path.Base(f.pkg()) + " "
	}
	if !strings.HasPrefix(f.ast.Doc.Text(), want) {
		return []string{fmt.Sprintf("its comment does not begin with %q", want)}
	}
	return nil
}

func checkSize(f file) []string {
	if n := strings.Count(f.src, "\n"); n > maxLines {
		return []string{fmt.Sprintf("%d lines; %d are allowed", n, maxLines)}
	}
	return nil
}

func checkInit(f file) []string {
	for _, decl := range f.ast.Decls {
		if d, ok := decl.(*ast.FuncDecl); ok && d.Recv == nil && d.Name.Name == "init" {
			return []string{"has an init function"}
		}
	}
	return nil
}

// sentinels returns the exported error variables that exist by decision.
func sentinels() []string { return []string{"replay.ErrNotRecorded", "replay/wire.ErrNotRecorded"} }

func checkGlobals(f file) []string {
	var bad []string
	for _, decl := range f.ast.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok != token.VAR {
			continue
		}
		for _, spec := range d.Specs {
			if s, ok := spec.(*ast.ValueSpec); ok && !isConstant(f, d, s) {
				bad = append(bad, "variable "+s.Names[0].Name+" of the package")
			}
		}
	}
	return bad
}

// isConstant reports whether a package variable is one of those that nobody
// changes: an assertion, a value computed once, a sentinel (exported ones are
// listed) or another name of one, or embedded data of an example.
func isConstant(f file, d *ast.GenDecl, s *ast.ValueSpec) bool {
	name := s.Names[0].Name
	listed := slices.Contains(sentinels(), f.pkg()+"."+name) || strings.HasPrefix(name, "err")
	if len(s.Names) == 1 && (name == "_" || listed && (isCallOf(s.Values, "errors", "New") || isSentinel(f, s.Values))) {
		return true
	}
	if f.isExample() && (hasEmbed(d.Doc) || hasEmbed(s.Doc)) {
		return true
	}
	return isCallOf(s.Values, "sync", "OnceValue", "OnceValues")
}

// isSentinel reports whether the one value is a listed sentinel of another
// package: two names of one error.
func isSentinel(f file, values []ast.Expr) bool {
	if len(values) != 1 {
		return false
	}
	sel, ok := values[0].(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := sel.X.(*ast.Ident)
	if !ok {
		return false
	}
	pkg, _ := ours(importNames(f)[x.Name])
	return slices.Contains(sentinels(), pkg+"."+sel.Sel.Name)
}

func hasEmbed(g *ast.CommentGroup) bool {
	return g != nil && slices.ContainsFunc(g.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:embed ") })
}

// isCallOf reports whether there are values and each is a call of one of the
// package's functions.
func isCallOf(values []ast.Expr, pkg string, functions ...string) bool {
	for _, v := range values {
		call, ok := v.(*ast.CallExpr)
		if !ok {
			return false
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || !slices.Contains(functions, sel.Sel.Name) {
			return false
		}
		if x, ok := sel.X.(*ast.Ident); !ok || x.Name != pkg {
			return false
		}
	}
	return len(values) > 0
}

// forbidden matches what a library never uses, as "path.Name". The messages
// are those of CONTRIBUTING.md: return, do not print; wait on a context.
func forbidden() *regexp.Regexp {
	return regexp.MustCompile(`^(time\.Sleep|log\.|log/slog\.((Debug|Info|Warn|Error)(Context)?|Log(Attrs)?|Default|SetDefault)$|fmt\.Print|os\.(Exit|Stdout|Stderr)$|context\.(Background|TODO)$|net/http\.DefaultClient$)`)
}

func checkForbidden(f file) []string {
	names, pattern := importNames(f), forbidden()
	var bad []string
	ast.Inspect(f.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && (id.Name == "print" || id.Name == "println") {
				bad = append(bad, "uses "+id.Name)
			}
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			if ok && pattern.MatchString(names[x.Name]+"."+n.Sel.Name) {
				bad = append(bad, "uses "+x.Name+"."+n.Sel.Name)
			}
		}
		return true
	})
	return bad
}
