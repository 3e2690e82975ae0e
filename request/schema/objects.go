package schema

// properties rewrites the schemas of an object's properties. Where all must be
// there, one that may be left out takes null instead.
func (w *walker) properties(v, properties *value) *value {
	required := v.get("required").names()
	out := object()
	for _, m := range properties.members {
		s := w.schema(m.value)
		absent := false
		if w.rules.allRequired && !required[m.key] {
			detail := "null and left out can no longer be told apart"
			if !takesNull(s) {
				detail = "null stands for left out"
				s, absent = nullable(s), true
			}
			w.lose(m.value, "required", Nullable, detail)
		}
		out.members = append(out.members, member{key: m.key, value: s, absent: absent})
	}
	return out
}

// required returns the properties that must be there: all, in their order, or
// those that the schema requires.
func (w *walker) required(v, required *value) []string {
	declared, seen := v.get("properties").keys(), map[string]bool{}
	var names []string
	if w.rules.allRequired {
		for _, m := range v.get("properties").membersOrNone() {
			names = append(names, m.key)
		}
	}
	for _, item := range required.items {
		name := item.str()
		switch {
		case !declared[name]:
			w.lose(v, "required", Widened, "a property that is not declared cannot be required")
		case !w.rules.allRequired && !seen[name]:
			names = append(names, name)
		}
		seen[name] = true
	}
	return names
}

// close adds what every object of a strict subset must say.
func (w *walker) close(out, v *value) {
	if !w.rules.closed {
		return
	}
	if w.rules.allRequired {
		if out.get("properties") == nil {
			out.set("properties", object())
		}
		if out.get("required") == nil {
			out.set("required", stringList(w.required(v, array())))
		}
	}
	additional := v.get("additionalProperties")
	switch {
	case additional != nil && additional.isBool(false):
	case additional != nil:
		w.lose(v, "additionalProperties", Narrowed, "no properties but the declared ones")
	case len(out.get("properties").membersOrNone()) == 0:
		w.lose(v, "additionalProperties", Narrowed, "an object of any properties becomes an empty one")
	}
	if !w.rules.unsaid {
		out.set("additionalProperties", boolValue(false))
	}
	if w.rules.someRequired && out.get("required") == nil {
		w.fail(v, "the provider wants an object to require one of its properties")
	}
}

// membersOrNone returns the members of an object, none of nil.
func (v *value) membersOrNone() []member {
	if v == nil {
		return nil
	}
	return v.members
}

func stringList(names []string) *value {
	list := array()
	for _, name := range names {
		list.items = append(list.items, stringValue(name))
	}
	return list
}
