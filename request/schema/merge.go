package schema

import "slices"

// flatten returns a schema with its allOf merged into it, and with the target of
// a $ref merged into what stands beside it. What it wrote out stays open until
// the schema is done.
func (w *walker) flatten(v *value) *value {
	if v.kind == kindBool {
		return w.flattenBool(v)
	}
	if v.kind != kindObject {
		return w.fail(v, "a schema is an object, true or false")
	}
	allOf, ref := v.get("allOf"), v.get("$ref")
	if !w.wellFormed(v) || !w.spend(v, 1) {
		return v
	}
	if ref != nil && !w.writesOut(v) {
		ref = nil
	}
	if allOf == nil && ref == nil {
		return v
	}
	rest := object().at(v)
	for _, m := range v.members {
		if m.key != "allOf" && (m.key != "$ref" || ref == nil) {
			rest.members = append(rest.members, m)
		}
	}
	if ref != nil {
		rest = w.merge(w.flattenTarget(v, ref), rest)
	}
	if allOf != nil {
		for _, branch := range allOf.items {
			rest = w.merge(rest, w.flatten(w.inBranch(branch)))
		}
	}
	return rest.at(v)
}

func (w *walker) flattenBool(v *value) *value {
	if v.isBool(false) {
		return w.fail(v, "false takes no value at all")
	}
	return object().at(v)
}

// inBranch returns a schema whose reference, if it has one, is written out:
// there is no other way to merge it.
func (w *walker) inBranch(branch *value) *value {
	if branch.kind != kindObject || branch.get("$ref") == nil || branch.get("allOf") != nil {
		return branch
	}
	return object(append(slices.Clone(branch.members), member{key: "allOf", value: array()})...).at(branch)
}

// writesOut reports whether the reference of a schema is merged with what stands
// beside it, which happens when something does, and for the whole schema. A
// reference that would be written out for ever is not.
func (w *walker) writesOut(v *value) bool {
	whole := v.parent == nil && (w.rules.refs || w.rules.rootObject)
	if !whole && !slices.ContainsFunc(v.members, w.isBesideRef) {
		return false
	}
	target := w.target(v, v.get("$ref"))
	return target != nil && !w.isCut(target)
}

func (w *walker) isBesideRef(m member) bool {
	return m.key != "$ref" && (w.isConstraint(m.key) || w.rules.keep(m.key, m.value))
}

// flattenTarget returns the flat target of a reference.
func (w *walker) flattenTarget(v, ref *value) *value {
	target := w.target(v, ref)
	if target == nil || !w.spend(v, 1) {
		return object().at(v)
	}
	w.nesting++
	w.open = append(w.open, target)
	flat := w.flatten(w.inBranch(target))
	w.nesting--
	return flat
}

// merge returns a schema that says what both say. Of two annotations the second
// stays.
func (w *walker) merge(a, b *value) *value {
	if !w.spend(b, 1+len(a.members)+len(b.members)) {
		return a
	}
	w.mergeClosed(a, b)
	w.mergeClosed(b, a)
	out := object(slices.Clone(a.members)...).at(a)
	for _, m := range b.members {
		i := out.index(m.key)
		switch {
		case i < 0:
			out.members = append(out.members, m)
		case w.isConstraint(m.key):
			out.members[i].value = w.both(m.key, out.members[i].value, m.value)
		case !isDefinitions(m.key):
			out.members[i].value = m.value
		}
	}
	return out
}

// mergeClosed tells when a is closed to a property that b declares: the merged
// object is open to it.
func (w *walker) mergeClosed(a, b *value) {
	additional, declared := a.get("additionalProperties"), b.get("properties")
	if additional == nil || additional.isBool(true) || declared == nil {
		return
	}
	own := a.get("properties").keys()
	if !w.spend(a, len(own)+len(declared.members)) {
		return
	}
	for _, m := range declared.members {
		if !own[m.key] {
			w.lose(a, "additionalProperties", Widened, "a property that another part of allOf declares is let in")
			return
		}
	}
}

// both returns the value of a constraint that two schemas put on the same value.
func (w *walker) both(key string, a, b *value) *value {
	if same(a, b) {
		return a
	}
	switch w.words[key].position {
	case named:
		if key == "properties" {
			return w.bothProperties(a, b)
		}
	case oneSchema:
		if key == "items" || key == "additionalProperties" {
			return bothSchemas(a, b)
		}
	default:
	}
	switch key {
	case "required":
		return w.bothLists(a, b)
	case "type":
		return w.bothTypes(a, b)
	default:
		w.lose(b.parent, key, Widened, "the second "+key+" of an allOf is left out")
		return a
	}
}

func bothSchemas(a, b *value) *value {
	switch {
	case a.isBool(false) || b.isBool(true):
		return a
	case b.isBool(false) || a.isBool(true):
		return b
	default:
		return object(member{key: "allOf", value: array(a, b)}).at(a)
	}
}

func (w *walker) bothProperties(a, b *value) *value {
	if !w.spend(b, len(a.members)+len(b.members)) {
		return a
	}
	out := object(slices.Clone(a.members)...).at(a)
	places := map[string]int{}
	for i, m := range a.members {
		places[m.key] = i
	}
	for _, m := range b.members {
		if i, ok := places[m.key]; ok {
			out.members[i].value = bothSchemas(out.members[i].value, m.value)
		} else {
			out.members = append(out.members, m)
		}
	}
	return out
}

// bothLists returns two lists of names as one; who reads it minds each once.
func (w *walker) bothLists(a, b *value) *value {
	if !w.spend(b, len(a.items)+len(b.items)) {
		return a
	}
	return array(slices.Concat(a.items, b.items)...).at(a)
}

func (w *walker) bothTypes(a, b *value) *value {
	var types []string
	for _, t := range w.declaredTypes(a, a) {
		for _, other := range w.declaredTypes(b, b) {
			narrow := t
			if covers(t, other) {
				narrow = other
			} else if !covers(other, t) {
				continue
			}
			if !slices.Contains(types, narrow) {
				types = append(types, narrow)
			}
		}
	}
	if len(types) == 0 {
		return w.fail(b.parent, "no value is of both types")
	}
	return typeValue(types).at(a)
}
