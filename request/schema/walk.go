package schema

import (
	"slices"

	"github.com/weirsdk/weir/events"
)

// maxSteps bounds the work of one walk: references that are written out, and
// unions that are multiplied, can grow without bound.
const maxSteps = 50_000

// maxNesting bounds how deep a walk goes before its depth is known.
const maxNesting = 4 * MaxDepth

// A walker rewrites one schema. After the first failure it returns what it is
// given.
type walker struct {
	rules   rules
	strict  bool
	words   map[string]keyword
	root    *value
	steps   int
	nesting int
	// open are the targets of references whose inside is being written out.
	open []*value
	// recursive remembers which targets refer to themselves.
	recursive map[*value]bool
	// defs are the rewritten definitions by keyword; queue those still to do.
	defs  map[string]*value
	queue []definition

	losses  []Loss
	told    map[Loss]bool
	failure *events.Failure
}

func newWalker(root *value, r rules, strict bool) *walker {
	return &walker{
		rules: r, strict: strict, words: keywords(), root: root, open: []*value{root},
		recursive: map[*value]bool{}, defs: map[string]*value{}, told: map[Loss]bool{},
	}
}

func (w *walker) run() *value {
	out := w.schema(w.root)
	w.definitions(out)
	return out
}

func (w *walker) fail(at *value, detail string) *value {
	if w.failure == nil {
		w.failure = unsupported(at.pointer(), detail)
	}
	return at
}

func (w *walker) lose(at *value, key string, effect Effect, detail string) {
	l := Loss{Pointer: at.pointer(), Keyword: key, Effect: effect, Detail: detail}
	if w.told[l] || w.failure != nil {
		return
	}
	w.told[l] = true
	w.losses = append(w.losses, l)
	if w.strict && effect != Nullable {
		w.fail(at, key+": "+detail)
	}
}

// spend reports whether the walk may go on.
func (w *walker) spend(at *value, steps int) bool {
	if w.steps += steps; w.steps > maxSteps || w.nesting > maxNesting {
		w.fail(at, "the schema grows beyond all bounds when it is written out")
	}
	return w.failure == nil
}

// schema rewrites what stands at the position of a schema.
func (w *walker) schema(v *value) *value {
	w.nesting++
	opened := len(w.open)
	defer func() {
		w.nesting--
		w.open = w.open[:opened]
	}()
	switch {
	case !w.spend(v, 1):
		return v
	case v.isBool(true):
		return w.plain(object().at(v))
	case v.isBool(false):
		return w.fail(v, "false takes no value at all")
	case v.kind != kindObject:
		return w.fail(v, "a schema is an object, true or false")
	}
	return w.flat(w.flatten(v))
}

// flat rewrites a schema without allOf and without anything beside a $ref.
func (w *walker) flat(v *value) *value {
	switch {
	case w.failure != nil || !w.wellFormed(v):
		return v
	case v.get("$ref") != nil:
		return w.reference(v)
	case v.get("anyOf") != nil:
		return w.union(v, "anyOf")
	case v.get("oneOf") != nil:
		w.lose(v, "oneOf", Widened, "oneOf weakened to anyOf")
		return w.union(v, "oneOf")
	default:
		return w.plain(v)
	}
}

// wellFormed refuses keywords whose value is of a wrong type, and what makes
// references mean something else.
func (w *walker) wellFormed(v *value) bool {
	for _, m := range v.members {
		is := w.words[m.key].is
		got := m.value.typeOf()
		switch {
		case got == "integer" && is == "number":
		case is != "" && is != got:
			w.fail(v, m.key+" is not of type "+is)
		case m.key == "$dynamicRef" || m.key == "$recursiveRef":
			w.fail(v, m.key+" is not supported")
		case m.key == "$id" && v.parent != nil:
			w.fail(v, "a schema with an $id of its own inside another one is not supported")
		}
	}
	return w.failure == nil
}

// isConstraint reports whether a keyword says which values a schema takes.
func (w *walker) isConstraint(key string) bool {
	_, known := w.words[key]
	return known && !isDefinitions(key)
}

// union rewrites a schema that is a union. What stands beside it holds for each
// branch, so it moves into each.
func (w *walker) union(v *value, key string) *value {
	branches := v.get(key).items
	if len(branches) == 0 {
		return w.fail(v, key+" is empty")
	}
	base, out := object().at(v), object()
	for _, m := range v.members {
		switch {
		case m.key == key:
			out.set("anyOf", array())
		case m.key == "oneOf":
			w.lose(v, "oneOf", Widened, "oneOf beside anyOf is left out")
		case w.isConstraint(m.key):
			base.members = append(base.members, m)
		case w.rules.keep(m.key, m.value):
			out.set(m.key, m.value)
		case w.definitionsAt(v, m.key):
			out.set(m.key, object())
		}
	}
	if w.rules.rootObject && v.parent == nil {
		return w.rootUnion(v, base, key)
	}
	if w.rules.noUnions {
		return w.fail(v, key+": the provider's subset has no unions")
	}
	union := out.get("anyOf")
	for _, branch := range branches {
		if len(base.members) > 0 {
			branch = object(member{key: "allOf", value: array(base, branch)}).at(branch)
		}
		union.items = append(union.items, w.schema(branch))
	}
	return out
}

// rootUnion leaves the union out where the whole schema must be an object.
func (w *walker) rootUnion(v, base *value, key string) *value {
	if t := base.get("type"); t == nil || t.kind != kindString || t.str() != "object" {
		return w.fail(v, key+": the whole schema must be of type object and no union")
	}
	w.lose(v, key, Widened, "the whole schema must be an object and no union")
	rest := object().at(v)
	for _, m := range v.members {
		if m.key != "anyOf" && m.key != "oneOf" {
			rest.members = append(rest.members, m)
		}
	}
	return w.plain(rest)
}

// plain rewrites a schema of keywords that stand side by side.
func (w *walker) plain(v *value) *value {
	types := w.types(v)
	if w.failure != nil {
		return v
	}
	if w.rules.rootObject && v.parent == nil && !slices.Equal(types, []string{"object"}) {
		return w.fail(v, "the whole schema must be of type object")
	}
	if len(types) > 1 && !w.rules.typeLists {
		return w.split(v, types)
	}
	out := object()
	if v.get("type") == nil {
		out.set("type", typeValue(types))
	}
	for _, m := range v.members {
		w.keyword(out, v, m, types)
	}
	if slices.Contains(types, "object") {
		w.close(out, v)
	}
	if slices.Contains(types, "array") && out.get("items") == nil && !w.rules.bareArrays {
		w.lose(v, "items", Narrowed, "elements of any kind become scalars")
		out.set("items", w.schema(object(member{key: "type", value: typeValue(scalarTypes())}).at(v)))
	}
	return out
}

// keyword rewrites one keyword of a plain schema.
func (w *walker) keyword(out, v *value, m member, types []string) {
	of := w.words[m.key].of
	switch {
	case of != "" && !slices.ContainsFunc(types, func(t string) bool { return covers(of, t) }):
		// It says nothing about values of these types.
	case m.key == "type":
		out.set("type", typeValue(types))
	case m.key == "enum" && v.get("const") != nil:
		if !slices.ContainsFunc(m.value.items, func(item *value) bool { return same(item, v.get("const")) }) {
			w.lose(v, "enum", Widened, "enum beside const is left out")
		}
	case m.key == "enum":
		w.enum(out, v, m.value)
	case m.key == "const":
		w.constant(out, v, m.value)
	case m.key == "properties":
		out.set(m.key, w.properties(v, m.value))
	case m.key == "required":
		if names := w.required(v, m.value); len(names) > 0 || w.rules.allRequired {
			out.set(m.key, stringList(names))
		}
	case m.key == "additionalProperties" && w.rules.closed:
		if !w.rules.unsaid {
			out.set(m.key, boolValue(false)) // close tells what that loses
		}
	case m.key == "additionalProperties" && w.rules.additional:
		if m.value.kind != kindBool {
			m.value = w.schema(m.value)
		}
		out.set(m.key, m.value)
	case m.key == "items" || m.key == "prefixItems":
		w.elements(out, v, m)
	case m.key == "format" && slices.Contains(w.rules.formats, m.value.str()):
		out.set(m.key, m.value)
	case w.rules.keep(m.key, m.value):
		out.set(m.key, m.value)
	case w.definitionsAt(v, m.key):
		out.set(m.key, object())
	case w.isConstraint(m.key) && !isVacuous(m):
		w.lose(v, m.key, Widened, m.key+" is not in the provider's subset")
	}
}

// isVacuous reports whether a keyword takes every value.
func isVacuous(m member) bool {
	switch m.key {
	case "additionalProperties", "additionalItems", "unevaluatedProperties", "unevaluatedItems", "propertyNames":
		return m.value.isBool(true) || m.value.kind == kindObject && len(m.value.members) == 0
	case "uniqueItems":
		return m.value.isBool(false)
	case "minItems", "minLength", "minProperties":
		return m.value.text == "0"
	default:
		return false
	}
}

// elements rewrites the schema of an array's elements. A tuple becomes a list of
// any of its elements.
func (w *walker) elements(out, v *value, m member) {
	tuple := m.value
	switch {
	case tuple.kind != kindArray && v.get("prefixItems") != nil && len(v.get("prefixItems").items) > 0:
		return // the rest after a tuple: told with the tuple
	case tuple.kind != kindArray:
		out.set("items", w.schema(tuple))
		return
	case len(tuple.items) == 0:
		return
	}
	w.lose(v, m.key, Widened, "a tuple becomes a list of any of its elements")
	branches := slices.Clone(tuple.items)
	if rest := v.get("items"); rest != nil && rest.kind == kindObject {
		branches = append(branches, rest)
	}
	out.set("items", w.schema(object(member{key: "anyOf", value: array(branches...)}).at(v)))
}
