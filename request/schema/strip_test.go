package schema_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/weirsdk/weir/request/schema"
)

func TestStrip(t *testing.T) {
	t.Parallel()
	const tree = `{"$ref":"#/$defs/N","$defs":{"N":{"type":"object","properties":{"v":{"type":"string"},"next":{"$ref":"#/$defs/N"}}}}}`
	const union = `{"type":"object","properties":{"u":{"anyOf":[
		{"type":"object","properties":{"kind":{"const":"a"},"x":{"type":"string"}},"required":["kind"]},
		{"type":"object","properties":{"kind":{"const":"b"},"x":{"type":"null"}},"required":["kind","x"]}]}},"required":["u"]}`
	rows := []struct{ why, schema, answer, want string }{
		{
			"the case of the optional property", read(t, "testdata/cases/028-strict-mode-optional-properties", "schema.in.json"),
			`{"a":"","o":null,"rows":[]}`, `{"a":"","rows":[]}`,
		},
		{"a required null stays", `{"type":"object","properties":{"a":{"type":["string","null"]}},"required":["a"]}`, `{"a":null}`, `{"a":null}`},
		{"an optional null of the schema's own stays", `{"type":"object","properties":{"a":{"type":["string","null"]}}}`, `{"a":null}`, `{"a":null}`},
		{
			"one by a reference too", `{"type":"object","properties":{"a":{"$ref":"#/$defs/n"},"b":{"$ref":"#/$defs/s"}},"$defs":{"n":{"type":["string","null"]},"s":{"type":"string"}}}`,
			`{"a":null,"b":null}`, `{"a":null}`,
		},
		{"nothing to take out: byte for byte", `{"type":"object","properties":{"a":{"type":"number"}}}`, ` {"a": 1.50e1 } `, ` {"a": 1.50e1 } `},
		{
			"literals and strings stay", `{"type":"object","properties":{"a":{"type":"string"},"b":{},"c":{"type":"null"}}}`,
			`{"a": null, "b": 1.50e1, "c": "\u00e9<"}`, `{"b":1.50e1,"c":"\u00e9<"}`,
		},
		{
			"in items", `{"type":"object","properties":{"l":{"type":"array","items":{"type":"object","properties":{"a":{"type":"null"},"b":{"type":"string"}}}}},"required":["l"]}`,
			`{"l":[{"a":null,"b":null},{"b":"x"}]}`, `{"l":[{"a":null},{"b":"x"}]}`,
		},
		{"along a recursion", tree, `{"v":null,"next":{"v":"x","next":{"v":null,"next":null}}}`, `{"next":{"v":"x","next":{}}}`},
		{"the branch of a union: the first", union, `{"u":{"kind":"a","x":null}}`, `{"u":{"kind":"a"}}`},
		{"the branch of a union: the second", union, `{"u":{"kind":"b","x":null}}`, `{"u":{"kind":"b","x":null}}`},
		{"no branch fits: untouched", union, `{"u":{"kind":"c","x":null}}`, `{"u":{"kind":"c","x":null}}`},
		{"an unknown property stays", `{"type":"object","properties":{"a":{"type":"string"}}}`, `{"z":null,"a":null}`, `{"z":null}`},
		{
			"numbers compare by value", `{"type":"object","properties":{"u":{"anyOf":[{"type":"object","properties":{"k":{"const":1},"x":{"type":"string"}},"required":["k"]}]}}}`,
			`{"u":{"k":1.0,"x":null}}`, `{"u":{"k":1.0}}`,
		},
		{
			"branches told apart by a type", `{"type":"object","properties":{"u":{"anyOf":[
			{"type":"object","properties":{"k":{"type":"string"},"x":{"type":"string"}},"required":["k"]},
			{"type":"object","properties":{"k":{"type":"integer"},"x":{"type":"null"}},"required":["k","x"]}]}}}`,
			`{"u":{"k":1,"x":null}}`, `{"u":{"k":1,"x":null}}`,
		},
		{"a circle of references is not followed for ever", `{"type":"object","properties":{"a":{"$ref":"#/$defs/a"},"b":{"type":"string"}},
			"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/a"},{"type":"string"}]}}}`, `{"a":"x","b":null}`, `{"a":"x"}`},
		{
			"branches told apart by what they require", `{"type":"object","properties":{"u":{"anyOf":[
			{"type":"object","properties":{"k":{"type":"string"},"x":{"type":"string"}},"required":["k"]},
			{"type":"object","properties":{"x":{"type":"null"}},"required":["x"]}]}}}`,
			`{"u":{"x":null}}`, `{"u":{"x":null}}`,
		},
		{"no object", `{"type":"object","properties":{"a":{"type":"string"}}}`, `[null]`, `[null]`},
		{"cut off", `{"type":"object","properties":{"a":{"type":"string"}}}`, `{"a":null`, `{"a":null`},
		{"no schema", `{`, `{"a":null}`, `{"a":null}`},
		{"a schema without a form", `{"type":"object","properties":{"a":{"type":"string"},"b":{"$ref":"x:y"}}}`, `{"a":null}`, `{"a":null}`},
		{"references in a circle", `{"type":"object","properties":{"a":{"anyOf":[{"$ref":"#/properties/a"},{"type":"string"}]}}}`, `{"a":null}`, `{}`},
	}
	for _, r := range rows {
		t.Run(r.why, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, r.want, schema.Strip(r.schema, r.answer))
			assert.Equal(t, r.want, schema.Strip(r.schema, r.want), "stripping again changes nothing")
		})
	}
}
