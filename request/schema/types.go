package schema

import "slices"

func scalarTypes() []string { return []string{"string", "number", "boolean", "null"} }

func typeValue(types []string) *value {
	if len(types) == 1 {
		return stringValue(types[0])
	}
	return stringList(types)
}

// types returns the types that a schema takes. One that does not say is taken
// at its other keywords: an object for properties, an array for items, the
// types of its enum. A schema of any value becomes one of scalars.
func (w *walker) types(v *value) []string {
	if t := v.get("type"); t != nil {
		return w.declaredTypes(v, t)
	}
	if types := typesOfValues(v); len(types) > 0 {
		return types
	}
	for _, m := range v.members {
		if of := w.words[m.key].of; of != "" {
			return []string{of}
		}
	}
	if v.get("format") != nil {
		return []string{"string"}
	}
	w.lose(v, "type", Narrowed, "any value becomes any scalar")
	return scalarTypes()
}

func (w *walker) declaredTypes(v, t *value) []string {
	var types []string
	list := t.items
	if t.kind == kindString {
		list = []*value{t}
	}
	for _, item := range list {
		name := ""
		if item.kind == kindString {
			name = item.str()
		}
		if !slices.Contains([]string{"string", "number", "integer", "boolean", "null", "object", "array"}, name) {
			w.fail(v, "type is not a type of JSON Schema")
			return nil
		}
		if !slices.Contains(types, name) {
			types = append(types, name)
		}
	}
	if len(types) == 0 {
		w.fail(v, "type is empty")
	}
	return types
}

// typesOfValues returns the types of the values that enum or const lists.
func typesOfValues(v *value) []string {
	var values []*value
	if enum := v.get("enum"); enum != nil {
		values = enum.items
	}
	if constant := v.get("const"); constant != nil {
		values = []*value{constant}
	}
	var types []string
	for _, item := range values {
		if t := item.typeOf(); !slices.Contains(types, t) {
			types = append(types, t)
		}
	}
	return types
}

// covers reports whether values of a type fit another type.
func covers(t, of string) bool { return t == of || t == "number" && of == "integer" }

// takes reports whether a value is of a type; 1.0 is an integer too.
func takes(t string, v *value) bool {
	return covers(t, v.typeOf()) || t == "integer" && v.kind == kindNumber && isIntegral(v.text)
}

// split writes a schema of several types as a union of schemas of one type.
func (w *walker) split(v *value, types []string) *value {
	if w.rules.noUnions {
		return w.fail(v, "type: the provider's subset has no values of several types")
	}
	out := object()
	for _, m := range v.members {
		switch {
		case w.isConstraint(m.key):
		case w.rules.keep(m.key, m.value):
			out.set(m.key, m.value)
		case w.definitionsAt(v, m.key):
			out.set(m.key, object())
		}
	}
	union := array()
	for _, t := range types {
		if branch := w.ofType(v, t); branch != nil {
			union.items = append(union.items, w.plain(branch))
		}
	}
	if len(union.items) == 0 {
		return w.fail(v, "no type takes the values of enum or const")
	}
	out.set("anyOf", union)
	return out
}

// ofType returns what a schema says about one type, or nil when it takes no
// value of it.
func (w *walker) ofType(v *value, t string) *value {
	branch := object(member{key: "type", value: stringValue(t)}).at(v)
	for _, m := range v.members {
		switch {
		case m.key == "type" || !w.isConstraint(m.key):
		case m.key == "const" && !takes(t, m.value):
			return nil
		case m.key == "const" && t == "null":
		case m.key == "enum":
			values := array()
			for _, item := range m.value.items {
				if takes(t, item) {
					values.items = append(values.items, item)
				}
			}
			if len(values.items) == 0 {
				return nil
			}
			if t != "null" { // which lists its only value
				branch.set("enum", values)
			}
		default: // plain leaves out what says nothing about the type
			branch.set(m.key, m.value)
		}
	}
	return branch
}

func (w *walker) enum(out, v, values *value) {
	if len(values.items) == 0 {
		w.fail(v, "enum is empty")
		return
	}
	if !w.spend(v, len(values.items)/4) { // a union repeats what stands beside it
		return
	}
	for _, item := range values.items {
		if !slices.Contains(w.rules.enums, item.typeOf()) {
			w.lose(v, "enum", Widened, "values of type "+item.typeOf()+" cannot be listed")
			return
		}
	}
	out.set("enum", values)
}

func (w *walker) constant(out, v, constant *value) {
	switch {
	case constant.kind == kindNull && !slices.Contains(w.rules.enums, "null"):
		// Its type says it all.
	case !slices.Contains(w.rules.enums, constant.typeOf()):
		w.lose(v, "const", Widened, "a value of type "+constant.typeOf()+" cannot be named")
	case w.rules.constant:
		out.set("const", constant)
	default:
		out.set("enum", array(constant))
	}
}

// nullable returns a rewritten schema that takes null too.
func nullable(s *value) *value {
	null := object(member{key: "type", value: stringValue("null")})
	out := object()
	for _, m := range s.members {
		switch m.key {
		case "$ref":
			return object(member{key: "anyOf", value: array(s, null)})
		case "anyOf":
			m.value = array(append(slices.Clone(m.value.items), null)...)
		case "type":
			m.value = withNull(m.value)
		case "enum":
			if !listsNull(m.value) {
				m.value = array(append(slices.Clone(m.value.items), nullValue())...)
			}
		case "const":
			m = member{key: "enum", value: array(m.value, nullValue())}
		}
		out.members = append(out.members, m)
	}
	return out
}

func withNull(types *value) *value {
	switch {
	case types.str() == "null":
		return types
	case types.kind == kindString:
		return array(types, stringValue("null"))
	case slices.ContainsFunc(types.items, func(t *value) bool { return t.str() == "null" }):
		return types
	default:
		return array(append(slices.Clone(types.items), stringValue("null"))...)
	}
}

func listsNull(values *value) bool {
	return slices.ContainsFunc(values.items, func(v *value) bool { return v.kind == kindNull })
}

// takesNull reports whether a rewritten schema takes null; a reference counts
// as one that does not.
func takesNull(s *value) bool {
	if union := s.get("anyOf"); union != nil {
		return slices.ContainsFunc(union.items, takesNull)
	}
	if enum := s.get("enum"); enum != nil && !listsNull(enum) {
		return false
	}
	if constant := s.get("const"); constant != nil && constant.kind != kindNull {
		return false
	}
	t := s.get("type")
	return t != nil && same(withNull(t), t)
}
