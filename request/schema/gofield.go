package schema

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A field is a member of a struct as encoding/json has it.
type field struct {
	name string
	// kind is the type that its value has where it is there.
	kind     reflect.Type
	optional bool
	quoted   bool

	description, enum string
	goName            string

	index  []int
	tagged bool
	// unsettable: encoding/json writes the field and cannot read it.
	unsettable bool
}

// An embedding is a struct whose fields belong to another one.
type embedding struct {
	kind       reflect.Type
	index      []int
	optional   bool
	unsettable bool
	goName     string
}

// fieldsOf returns the fields of a struct in their order, by the rules of
// encoding/json (Go 1.26, typeFields): of several of one name the least nested,
// then the tagged one, else none.
func fieldsOf(t reflect.Type) []field {
	var found []field
	visited, count := map[reflect.Type]bool{}, map[reflect.Type]int{}
	for level := []embedding{{kind: t}}; len(level) > 0; {
		var next []embedding
		nextCount := map[reflect.Type]int{}
		for _, in := range level {
			if visited[in.kind] {
				continue
			}
			visited[in.kind] = true
			for i := range in.kind.NumField() {
				f, inner := readField(in, i)
				switch {
				case inner != nil:
					if nextCount[inner.kind]++; nextCount[inner.kind] == 1 {
						next = append(next, *inner)
					}
				case f != nil:
					found = append(found, *f)
					if count[in.kind] > 1 {
						found = append(found, *f) // so that the two hide each other
					}
				}
			}
		}
		level, count = next, nextCount
	}
	return dominant(found)
}

// readField reads one field of a struct: a member, or a struct whose fields are
// members, or nothing.
func readField(in embedding, i int) (*field, *embedding) {
	sf := in.kind.Field(i)
	target := sf.Type
	if target.Name() == "" && target.Kind() == reflect.Pointer {
		target = target.Elem()
	}
	if !sf.IsExported() && (!sf.Anonymous || target.Kind() != reflect.Struct) {
		return nil, nil
	}
	tag := sf.Tag.Get("json")
	if tag == "-" {
		return nil, nil
	}
	name, options, _ := strings.Cut(tag, ",")
	if !isName(name) {
		name = ""
	}
	index := append(slices.Clone(in.index), i)
	goName := strings.TrimPrefix(in.goName+"."+sf.Name, ".")
	unsettable := in.unsettable || !sf.IsExported() && sf.Type.Kind() == reflect.Pointer
	if name == "" && sf.Anonymous && target.Kind() == reflect.Struct {
		return nil, &embedding{
			kind: target, index: index, goName: goName, unsettable: unsettable,
			optional: in.optional || sf.Type.Kind() == reflect.Pointer,
		}
	}
	f := field{
		name: cmp.Or(name, sf.Name), tagged: name != "", index: index, goName: goName, kind: sf.Type,
		description: sf.Tag.Get("description"), enum: sf.Tag.Get("enum"), unsettable: unsettable,
		optional: in.optional || hasOption(options, "omitempty") || hasOption(options, "omitzero"),
		quoted:   hasOption(options, "string") && isQuoted(target),
	}
	if sf.Type.Kind() == reflect.Pointer && (hasOption(options, "omitempty") || hasOption(options, "omitzero")) {
		f.kind = sf.Type.Elem() // null is left out
	}
	return &f, nil
}

func hasOption(options, name string) bool {
	return slices.Contains(strings.Split(options, ","), name)
}

// isName reports whether encoding/json takes a name from a tag.
func isName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// isQuoted reports whether ",string" speaks about a type. One that writes JSON of
// its own does not hear it.
func isQuoted(t reflect.Type) bool {
	scalar := t.Kind() == reflect.String || t.Kind() >= reflect.Bool && t.Kind() <= reflect.Float64
	return scalar && (ownForm(t) == nil || t == reflect.TypeFor[json.Number]())
}

// dominant leaves one field of each name, or none.
func dominant(found []field) []field {
	byName := map[string][]field{}
	for _, f := range found {
		byName[f.name] = append(byName[f.name], f)
	}
	var out []field
	for _, same := range byName {
		slices.SortFunc(same, func(a, b field) int {
			tagged := 0
			if a.tagged != b.tagged {
				tagged = 1
				if a.tagged {
					tagged = -1
				}
			}
			return cmp.Or(cmp.Compare(len(a.index), len(b.index)), tagged, slices.Compare(a.index, b.index))
		})
		if len(same) == 1 || len(same[0].index) != len(same[1].index) || same[0].tagged != same[1].tagged {
			out = append(out, same[0])
		}
	}
	slices.SortFunc(out, func(a, b field) int { return slices.Compare(a.index, b.index) })
	return out
}

func (g *generator) ofStruct(t reflect.Type, path string) *value {
	properties, required := object(), array()
	for _, f := range fieldsOf(t) {
		properties.members = append(properties.members, member{key: f.name, value: g.ofField(f, path+"."+f.goName)})
		if !f.optional {
			required.items = append(required.items, stringValue(f.name))
		}
	}
	out := typed("object", member{key: "properties", value: properties})
	if len(required.items) > 0 {
		out.set("required", required)
	}
	out.set("additionalProperties", boolValue(false))
	return out
}

func (g *generator) ofField(f field, path string) *value {
	if f.unsettable {
		return g.fail(path, "a field of an embedded pointer to an unexported struct")
	}
	var s *value
	if f.quoted {
		s = quoted(f.kind)
	} else {
		s = g.ofType(f.kind, path)
	}
	if f.enum != "" {
		g.listValues(s, f, path)
	}
	if f.description != "" {
		if !utf8.ValidString(f.description) {
			return g.fail(path, "a description that is not valid UTF-8")
		}
		s.set("description", stringValue(f.description))
	}
	return s
}

// quoted is the schema of a scalar that is written as a text.
func quoted(t reflect.Type) *value {
	if t.Kind() == reflect.Pointer {
		return orNull(typed("string"))
	}
	return typed("string")
}

// listValues limits a schema to the values of an enum tag.
func (g *generator) listValues(s *value, f field, path string) {
	kind := scalarType(s)
	values := array()
	for _, text := range strings.Split(f.enum, ",") {
		text = strings.TrimSpace(text)
		v := stringValue(text)
		if kind != "string" {
			v = &value{kind: kindNumber, text: text}
		}
		bad := text == "" || !utf8.ValidString(text) || kind != "string" && !isNumber(text, kind)
		if bad || f.quoted || kind == "" || slices.ContainsFunc(values.items, func(o *value) bool { return same(o, v) }) {
			g.fail(path, "an enum that is no list of different values of a string or a number")
			return
		}
		values.items = append(values.items, v)
	}
	if s.get("type").kind == kindArray {
		values.items = append(values.items, nullValue())
	}
	s.set("enum", values)
}

// scalarType returns the type of a schema whose values may be listed, or nothing.
func scalarType(s *value) string {
	kind := s.get("type")
	if kind == nil {
		return ""
	}
	if kind.kind == kindArray {
		kind = kind.items[0]
	}
	switch name := kind.str(); name {
	case "string", "integer", "number":
		return name
	default:
		return ""
	}
}

func isNumber(text, kind string) bool {
	n := json.Number(text)
	if !json.Valid([]byte(text)) {
		return false
	}
	if kind == "integer" {
		_, err := n.Int64()
		return err == nil
	}
	_, err := n.Float64()
	return err == nil
}
