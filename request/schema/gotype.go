package schema

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/weirsdk/weir/events"
)

// For returns the schema of a Go type, as [ForType] does.
func For[T any]() (string, error) { return ForType(reflect.TypeFor[T]()) }

// ForType returns a JSON Schema (draft 2020-12) of what encoding/json reads into a
// Go type, without white space; the same type gives the same bytes. A pointer at
// the top stands for what it points to.
//
//   - A struct is an object that takes no other members: its fields with the names,
//     the promotion and the hiding of encoding/json. Fields with omitempty or
//     omitzero, and those of an embedded pointer, may be left out; all others are
//     required. A tag description:"..." describes a field, enum:"a,b,c" lists the
//     values of a string or a number; spaces around a value do not count.
//   - A pointer takes null too, but not where its field may be left out.
//   - Slices are arrays, arrays are arrays of their length, maps are objects with
//     any names, []byte is a text in base64. None of them is null, so a nil slice
//     or map that encoding/json writes does not fit: use omitempty.
//   - bool, string, floats, json.Number and integers are what they are. Integers of
//     up to 32 bits have both bounds, larger unsigned ones are not negative; the
//     bounds of 64 bits are left to the decoder. The option ",string" makes them text.
//   - time.Time is a text of format date-time, other types with MarshalText or
//     UnmarshalText are texts. any, json.RawMessage and other types that write or
//     read JSON of their own may be anything.
//
// A struct that is used more than once, and any type that contains itself, is a
// definition ($defs), or "#" for the whole.
//
// The error is a failure of kind invalid_request and reason schema_unsupported
// that names the field: for channels, functions, complex numbers, maps whose keys
// are no strings, interfaces with methods, embedded pointers to unexported structs
// (encoding/json cannot set them), a tag that does not fit its field, and for a
// schema beyond the bounds of [Rewrite].
func ForType(t reflect.Type) (string, error) {
	if t == nil {
		return "", unsupported("#", "no type")
	}
	for depth := 0; t.Kind() == reflect.Pointer; depth++ {
		if depth == MaxDepth { // type P *P has no end
			return "", unsupported(t.String(), "a pointer to pointers")
		}
		t = t.Elem()
	}
	g := generator{root: t, uses: map[reflect.Type]int{}, recursive: map[reflect.Type]bool{}, refs: map[reflect.Type]string{}}
	g.count(t, map[reflect.Type]bool{})
	out := g.ofType(t, t.String())
	if g.failure != nil {
		return "", g.failure
	}
	if len(g.definitions) > 0 {
		out.set("$defs", object(g.definitions...))
	}
	if out.size(MaxBytes) > MaxBytes || out.depth() > MaxDepth {
		return "", unsupported("#", t.String()+" has a schema of more than "+strconv.Itoa(MaxBytes)+" bytes or "+strconv.Itoa(MaxDepth)+" levels")
	}
	return string(out.append(nil)), nil
}

// A generator writes the schema of one type.
type generator struct {
	root reflect.Type
	// uses counts where a struct stands, as far as more than once.
	uses      map[reflect.Type]int
	recursive map[reflect.Type]bool

	refs        map[reflect.Type]string
	definitions []member
	failure     *events.Failure
}

// count counts the uses of structs and finds the types that contain themselves.
func (g *generator) count(t reflect.Type, inside map[reflect.Type]bool) {
	switch {
	case inside[t]:
		g.recursive[t] = true
		return
	case ownForm(t) != nil:
		return
	case t.Name() != "": // every type that contains itself has one
		inside[t] = true
		defer delete(inside, t)
	}
	switch t.Kind() {
	case reflect.Struct:
		g.uses[t]++
		if g.uses[t] > 1 {
			return
		}
		for _, f := range fieldsOf(t) {
			g.count(f.kind, inside)
		}
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		g.count(t.Elem(), inside)
	default:
	}
}

func (g *generator) fail(path, detail string) *value {
	if g.failure == nil {
		g.failure = unsupported(path, detail)
	}
	return object()
}

// ofType returns the schema of a type, or a reference to its definition.
func (g *generator) ofType(t reflect.Type, path string) *value {
	shared := g.recursive[t] || g.uses[t] > 1
	if !shared || t.Name() == "" {
		return g.inline(t, path)
	}
	ref, known := g.refs[t]
	switch {
	case known:
	case t == g.root:
		g.refs[t] = "#"
		return g.inline(t, path)
	default:
		name := g.name(t)
		ref = "#/$defs/" + name
		g.refs[t] = ref
		// The place is taken first, so that definitions stand in the order of
		// their first use.
		at := len(g.definitions)
		g.definitions = append(g.definitions, member{key: name})
		definition := g.inline(t, path)
		g.definitions[at].value = definition
	}
	return object(member{key: "$ref", value: stringValue(ref)})
}

// name returns a name for a definition: the type's own, without what a reference
// would have to escape, and with a number where another type has it.
func (g *generator) name(t reflect.Type) string {
	base := strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, t.Name())
	name := base
	for n := 2; slices.ContainsFunc(g.definitions, func(m member) bool { return m.key == name }); n++ {
		name = base + "_" + strconv.Itoa(n)
	}
	return name
}

// inline returns the schema of a type itself.
func (g *generator) inline(t reflect.Type, path string) *value {
	if own := ownForm(t); own != nil {
		return own
	}
	switch t.Kind() {
	case reflect.Pointer:
		return orNull(g.ofType(t.Elem(), path))
	case reflect.Struct:
		return g.ofStruct(t, path)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 && ownForm(t.Elem()) == nil {
			return typed("string", member{key: "contentEncoding", value: stringValue("base64")})
		}
		return typed("array", member{key: "items", value: g.ofType(t.Elem(), path+"[]")})
	case reflect.Array:
		return typed("array", member{key: "items", value: g.ofType(t.Elem(), path+"[]")},
			number("minItems", t.Len()), number("maxItems", t.Len()))
	case reflect.Map:
		if t.Key().Kind() != reflect.String {
			return g.fail(path, "a map whose keys are no strings")
		}
		return typed("object", member{key: "additionalProperties", value: g.ofType(t.Elem(), path+"[]")})
	case reflect.Interface:
		if t.NumMethod() > 0 {
			return g.fail(path, "an interface with methods, "+t.String())
		}
		return object()
	default:
		return g.ofScalar(t, path)
	}
}

func (g *generator) ofScalar(t reflect.Type, path string) *value {
	switch kind := t.Kind(); kind {
	case reflect.Bool:
		return typed("boolean")
	case reflect.String:
		return typed("string")
	case reflect.Float32, reflect.Float64:
		return typed("number")
	case reflect.Int, reflect.Int64:
		return typed("integer")
	case reflect.Int8, reflect.Int16, reflect.Int32:
		most := 1<<(t.Bits()-1) - 1
		return typed("integer", number("minimum", -most-1), number("maximum", most))
	case reflect.Uint, reflect.Uint64, reflect.Uintptr:
		return typed("integer", number("minimum", 0))
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return typed("integer", number("minimum", 0), bound("maximum", 1<<t.Bits()-1))
	default:
		return g.fail(path, "no JSON has a "+kind.String())
	}
}

// ownForm returns the schema of a type whose JSON its structure does not tell, or
// nil. Methods of the pointer count too: encoding/json finds them on whatever it
// reads into.
func ownForm(t reflect.Type) *value {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return typed("string", member{key: "format", value: stringValue("date-time")})
	case t == reflect.TypeFor[json.Number]():
		return typed("number")
	case t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface:
		return nil
	case has[json.Marshaler](t) || has[json.Unmarshaler](t):
		return object()
	case has[encoding.TextMarshaler](t) || has[encoding.TextUnmarshaler](t):
		return typed("string")
	default:
		return nil
	}
}

func has[I any](t reflect.Type) bool {
	return t.Implements(reflect.TypeFor[I]()) || reflect.PointerTo(t).Implements(reflect.TypeFor[I]())
}

func typed(name string, more ...member) *value {
	return object(append([]member{{key: "type", value: stringValue(name)}}, more...)...)
}

func number(key string, n int) member { return bound(key, int64(n)) }

func bound(key string, n int64) member {
	return member{key: key, value: &value{kind: kindNumber, text: strconv.FormatInt(n, 10)}}
}

// orNull returns a schema that takes null too.
func orNull(s *value) *value {
	kind := s.get("type")
	switch {
	case len(s.members) == 0 || s.get("anyOf") != nil:
		return s // it does already
	case kind == nil:
		return object(member{key: "anyOf", value: array(s, typed("null"))})
	case kind.kind == kindString:
		s.set("type", array(kind, stringValue("null")))
	}
	return s
}
