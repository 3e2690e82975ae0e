package schema

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// A definition is one that a reference which stays leads to.
type definition struct {
	key, name string
	value     *value
}

// target returns what a reference of v leads to, or nil after a failure.
func (w *walker) target(v, ref *value) *value {
	if ref.kind != kindString {
		w.fail(v, "$ref is not of type string")
		return nil
	}
	target := resolve(w.root, ref.str())
	if target == nil || target.isScalar() && target.kind != kindBool || target.kind == kindArray {
		w.fail(v, "$ref does not lead to a schema of this document")
		return nil
	}
	return target
}

// resolve follows a JSON Pointer in a URI fragment, or returns nil.
func resolve(root *value, ref string) *value {
	fragment, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	path, err := url.PathUnescape(fragment)
	if err != nil || path != "" && path[0] != '/' {
		return nil
	}
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	v := root
	for _, step := range strings.Split(path, "/")[1:] {
		if v = v.child(unescape.Replace(step)); v == nil {
			return nil
		}
	}
	return v
}

func (v *value) child(step string) *value {
	if v.kind != kindArray {
		return v.get(step)
	}
	if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(v.items) {
		return v.items[i]
	}
	return nil
}

// reference rewrites a schema that is a reference and nothing else.
func (w *walker) reference(v *value) *value {
	ref := v.get("$ref")
	target := w.target(v, ref)
	if target == nil {
		return v
	}
	for _, m := range v.members {
		if m.key != "$ref" && m.key != "allOf" && w.isConstraint(m.key) {
			w.lose(v, m.key, Widened, "what stands beside a recursion is left out")
		}
	}
	switch {
	case w.rules.rootObject && v.parent == nil:
		return w.fail(v, "the whole schema must be of type object")
	case w.rules.refs && v.parent == nil:
		return w.fail(v, "the whole schema is a reference that leads to itself")
	case w.stays(target):
		return object(member{key: "$ref", value: ref})
	case w.isCut(target):
		return w.cut(v, target)
	}
	w.open = append(w.open, target)
	return w.schema(target)
}

// stays reports whether a reference to a target is kept, and has its definition
// rewritten.
func (w *walker) stays(target *value) bool {
	if !w.rules.refs {
		return false
	}
	if target == w.root {
		return true
	}
	holder := target.parent
	if holder == nil || holder.parent != w.root || !isDefinitions(holder.step) {
		return false
	}
	if w.defs[holder.step] == nil {
		w.defs[holder.step] = object()
	}
	if defs := w.defs[holder.step]; defs.get(target.step) == nil {
		defs.set(target.step, target)
		w.queue = append(w.queue, definition{holder.step, target.step, target})
	}
	return true
}

// cut ends a recursion that cannot stay: below it only the type is left.
func (w *walker) cut(v, target *value) *value {
	if !w.rules.recursion {
		return w.fail(v, "a recursion of "+target.pointer()+" is not in the provider's subset")
	}
	w.lose(v, "$ref", Widened, target.pointer()+" recursion cut at depth 1")
	kind := "object"
	if t := target.get("type"); t != nil && t.kind == kindString {
		kind = t.str()
	}
	return w.plain(object(member{key: "type", value: stringValue(kind)}).at(v))
}

// isCut reports whether writing out a target would never end.
func (w *walker) isCut(target *value) bool {
	return slices.Contains(w.open, target) && w.isRecursive(target)
}

// isRecursive reports whether a target refers to itself, through whatever
// references.
func (w *walker) isRecursive(target *value) bool {
	if known, ok := w.recursive[target]; ok {
		return known
	}
	seen := map[*value]bool{}
	found := false
	var follow func(v *value)
	follow = func(v *value) {
		eachRef(v, func(ref string) {
			next := resolve(w.root, ref)
			found = found || next == target
			if next != nil && !found && !seen[next] {
				seen[next] = true
				follow(next)
			}
		})
	}
	follow(target)
	w.recursive[target] = found
	return found
}

// eachRef calls yield with everything below v that could be a reference. That
// some are only data, under enum for instance, makes a recursion of what is
// none at worst.
func eachRef(v *value, yield func(ref string)) {
	for _, m := range v.members {
		if m.key == "$ref" && m.value.kind == kindString {
			yield(m.value.str())
		}
		eachRef(m.value, yield)
	}
	for _, item := range v.items {
		eachRef(item, yield)
	}
}

// definitionsAt reports whether a keyword of v is a place for the definitions
// that references which stay lead to. It is filled in at the end.
func (w *walker) definitionsAt(v *value, key string) bool {
	return w.rules.refs && v.parent == nil && isDefinitions(key)
}

// definitions rewrites the definitions that are referred to, and puts them where
// they were; the others are left out.
func (w *walker) definitions(root *value) {
	for len(w.queue) > 0 && w.failure == nil {
		d := w.queue[0]
		w.queue = w.queue[1:]
		w.open = []*value{w.root, d.value}
		w.defs[d.key].set(d.name, w.schema(d.value))
	}
	if w.failure != nil {
		return
	}
	for _, key := range []string{"$defs", "definitions"} {
		if place := root.index(key); place >= 0 {
			root.members = slices.Delete(root.members, place, place+1)
			if defs := w.inOrder(key); len(defs.members) > 0 {
				root.members = slices.Insert(root.members, place, member{key: key, value: defs})
			}
		}
	}
	w.refuseCircles(root)
}

// refuseCircles refuses definitions that are nothing but references to each
// other.
func (w *walker) refuseCircles(root *value) {
	for _, key := range []string{"$defs", "definitions"} {
		for _, m := range root.get(key).membersOrNone() {
			seen := map[*value]bool{}
			for v := m.value; v.get("$ref") != nil && w.failure == nil; v = resolve(root, v.get("$ref").str()) {
				if seen[v] {
					w.fail(w.root.get(key).get(m.key), "a reference that only leads to itself")
				}
				seen[v] = true
			}
		}
	}
}

// inOrder returns rewritten definitions in the order of the input.
func (w *walker) inOrder(key string) *value {
	out := object()
	declared, done := w.root.get(key), w.defs[key]
	if declared == nil || done == nil {
		return out
	}
	for _, m := range declared.members {
		if s := done.get(m.key); s != nil {
			out.members = append(out.members, member{key: m.key, value: s})
		}
	}
	return out
}
