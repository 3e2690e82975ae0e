package schema_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/request/schema"
)

func typeOf(pointer any) reflect.Type { return reflect.TypeOf(pointer) }

// drawType draws a Go type of everything that may stand in a struct.
func drawType(t *rapid.T, depth int) reflect.Type {
	leaves := []reflect.Type{
		reflect.TypeFor[bool](), reflect.TypeFor[string](), reflect.TypeFor[int](), reflect.TypeFor[int8](),
		reflect.TypeFor[uint16](), reflect.TypeFor[uint64](), reflect.TypeFor[float64](), reflect.TypeFor[[]byte](),
		reflect.TypeFor[time.Time](), reflect.TypeFor[goText](), reflect.TypeFor[goPoint](), reflect.TypeFor[json.Number](),
	}
	if depth == 0 {
		return rapid.SampledFrom(leaves).Draw(t, "leaf")
	}
	switch rapid.IntRange(0, 7).Draw(t, "shape") {
	case 0:
		return reflect.SliceOf(drawType(t, depth-1))
	case 1:
		return reflect.ArrayOf(rapid.IntRange(0, 2).Draw(t, "length"), drawType(t, depth-1))
	case 2:
		return reflect.MapOf(reflect.TypeFor[string](), drawType(t, depth-1))
	case 3, 4:
		return reflect.PointerTo(drawType(t, depth-1))
	case 5, 6:
		return drawStruct(t, depth-1)
	default:
		return rapid.SampledFrom(leaves).Draw(t, "leaf")
	}
}

func drawStruct(t *rapid.T, depth int) reflect.Type {
	var fields []reflect.StructField
	for i := range rapid.IntRange(0, 4).Draw(t, "fields") {
		tag := rapid.SampledFrom([]string{"", `json:",omitempty"`, `json:"n%,omitzero"`, `json:"type%"`, `json:"-"`, `json:",string"`, `description:"d"`}).Draw(t, "tag")
		n := strconv.Itoa(i)
		for at := range len(tag) {
			if tag[at] == '%' {
				tag = tag[:at] + n + tag[at+1:]
			}
		}
		fields = append(fields, reflect.StructField{Name: "F" + n, Type: drawType(t, depth), Tag: reflect.StructTag(tag)})
	}
	return reflect.StructOf(fields)
}

// fill sets a value to a random one. Slices and maps are never nil: null is not
// what is asked for.
func fill(t *rapid.T, v reflect.Value) {
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(time.Unix(rapid.Int64Range(0, 1<<33).Draw(t, "time"), 0).UTC()))
		return
	case goText:
		v.Set(reflect.ValueOf(goText{rapid.String().Draw(t, "text")}))
		return
	case json.Number:
		v.SetString(rapid.SampledFrom([]string{"0", "-1.50", "1e3", "9007199254740993"}).Draw(t, "number"))
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.String:
		v.SetString(rapid.String().Draw(t, "string"))
	case reflect.Int, reflect.Int8:
		least := int64(-1) << (v.Type().Bits() - 1)
		v.SetInt(rapid.Int64Range(least, -least-1).Draw(t, "int"))
	case reflect.Uint8, reflect.Uint16, reflect.Uint64:
		v.SetUint(rapid.Uint64Range(0, 1<<v.Type().Bits()-1).Draw(t, "uint"))
	case reflect.Float64:
		v.SetFloat(rapid.Float64Range(-1e9, 1e9).Draw(t, "float"))
	default:
		fillParts(t, v)
	}
}

func fillParts(t *rapid.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if rapid.Bool().Draw(t, "set") {
			v.Set(reflect.New(v.Type().Elem()))
			fill(t, v.Elem())
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), rapid.IntRange(0, 2).Draw(t, "length"), 2))
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			fill(t, v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for i := range rapid.IntRange(0, 2).Draw(t, "length") {
			inner := reflect.New(v.Type().Elem()).Elem()
			fill(t, inner)
			v.SetMapIndex(reflect.ValueOf(strconv.Itoa(i)), inner)
		}
	default:
		for i := range v.NumField() {
			fill(t, v.Field(i))
		}
	}
}

// withNulls puts null where a property of the schema is left out, as a provider
// does that has to name them all.
func withNulls(root, s map[string]any, v any) any {
	if ref, ok := s["$ref"].(string); ok {
		s = root
		if name := ref[len("#"):]; name != "" {
			s = root["$defs"].(map[string]any)[name[len("/$defs/"):]].(map[string]any)
		}
	}
	if union, ok := s["anyOf"].([]any); ok && v != nil {
		return withNulls(root, union[0].(map[string]any), v)
	}
	switch v := v.(type) {
	case []any:
		items := make([]any, len(v))
		for i, item := range v {
			items[i] = withNulls(root, s["items"].(map[string]any), item)
		}
		return items
	case map[string]any:
		out := maps.Clone(v)
		properties, _ := s["properties"].(map[string]any)
		for name, inner := range properties {
			out[name] = withNulls(root, inner.(map[string]any), v[name])
		}
		if rest, ok := s["additionalProperties"].(map[string]any); ok {
			for name := range v {
				out[name] = withNulls(root, rest, v[name])
			}
		}
		return out
	}
	return v
}

// readInto decodes text into a new value. Values and not texts are compared: for a
// pointer to a pointer null is the same as nothing.
func readInto(t *rapid.T, kind reflect.Type, text string) any {
	v := reflect.New(kind)
	require.NoError(t, json.Unmarshal([]byte(text), v.Interface()))
	return v.Elem().Interface()
}

func narrowed(losses []schema.Loss) bool {
	for _, l := range losses {
		if l.Effect == schema.Narrowed {
			return true
		}
	}
	return false
}

// What encoding/json writes of a random value of a random type fits the type's
// schema; a provider's answer to the rewritten schema is that value again once it
// went through Strip, for every profile.
func TestForTypeProperties(t *testing.T) {
	t.Parallel()
	stripped := 0
	rapid.Check(t, func(t *rapid.T) {
		kind := drawStruct(t, 3)
		pointer := reflect.New(kind)
		fill(t, pointer.Elem())
		text, written := requireFits(t, pointer.Interface())
		root := decode(t, text).(map[string]any)
		for _, profile := range schema.Profiles() {
			got, err := schema.Rewrite(text, profile, schema.Options{})
			if profile == schema.Cohere && err != nil {
				continue // what may be null, or may be left out with all beside it
			}
			require.NoError(t, err, text)
			answer := written
			if profile == schema.OpenAIStrict {
				d := json.NewDecoder(strings.NewReader(written))
				d.UseNumber()
				var value any
				require.NoError(t, d.Decode(&value))
				filled, err := json.Marshal(withNulls(root, root, value))
				require.NoError(t, err)
				answer = string(filled)
			}
			if !narrowed(got.Losses) {
				require.NoError(t, compile(t, got.Schema).Validate(decode(t, answer)), "%s: %s\nrewritten %s", profile, answer, got.Schema)
			}
			back := schema.Strip(text, answer)
			require.Equal(t, readInto(t, kind, written), readInto(t, kind, back), "schema %s\nanswer %s", text, answer)
			if back != answer {
				stripped++
			}
		}
	})
	require.Positive(t, stripped, "nothing was ever left out")
}
