package schema_test

import (
	"testing"

	"github.com/weirsdk/weir/request/schema"
)

// What is written as several types keeps its definitions and its values.
func TestSplitTypes(t *testing.T) {
	t.Parallel()
	check(t, []row{
		{
			"the whole schema with definitions", schema.GeminiJSON,
			`{"type":["object","null"],"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":"string"}}}`,
			`{"$defs":{"x":{"type":"string"}},"anyOf":[{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}}},{"type":"null"}]}`, nil,
		},
		{
			"an integer that is written as a fraction", schema.GeminiJSON,
			`{"type":"object","properties":{"a":{"type":["integer","string"],"enum":[1.0,"a"]}}}`,
			`{"type":"object","properties":{"a":{"anyOf":[{"type":"integer","enum":[1.0]},{"type":"string","enum":["a"]}]}}}`, nil,
		},
		{
			"one with an exponent", schema.GeminiJSON,
			`{"type":"object","properties":{"a":{"type":["integer","null"],"const":1e2}}}`,
			`{"type":"object","properties":{"a":{"anyOf":[{"type":"integer","enum":[1e2]}]}}}`, nil,
		},
		{
			"a fraction is no integer", schema.GeminiJSON,
			`{"type":"object","properties":{"a":{"type":["integer","string"],"enum":[1.5,"a"]}}}`,
			`{"type":"object","properties":{"a":{"anyOf":[{"type":"string","enum":["a"]}]}}}`, nil,
		},
		{
			"null needs no list of its one value", schema.Gemini,
			`{"type":"object","properties":{"a":{"const":null}}}`, `{"type":"object","properties":{"a":{"type":"null"}}}`, nil,
		},
	})
}
