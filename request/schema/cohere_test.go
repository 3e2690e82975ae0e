package schema_test

import (
	"testing"

	"github.com/weirsdk/weir/request/schema"
)

func TestRewriteCohere(t *testing.T) {
	t.Parallel()
	p := schema.Cohere
	check(t, []row{
		{
			"objects are closed without a word", p,
			`{"type":"object","properties":{"a":{"type":"string","title":"A"},"b":{"type":"integer"}},"required":["a"],"additionalProperties":false}`,
			`{"type":"object","properties":{"a":{"type":"string","title":"A"},"b":{"type":"integer"}},"required":["a"]}`, nil,
		},
		{
			"one that asks for others is closed all the same", p,
			`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":{"type":"string"}}`,
			`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`,
			[]string{"# additionalProperties narrowed"},
		},
		{
			"bounds, lengths and patterns are lost", p,
			`{"type":"object","properties":{"a":{"type":"string","minLength":1,"pattern":"^a","description":"d"},"n":{"type":"number","minimum":1}},"required":["a"]}`,
			`{"type":"object","properties":{"a":{"type":"string","description":"d"},"n":{"type":"number"}},"required":["a"]}`,
			[]string{"#/properties/a minLength widened", "#/properties/a pattern widened", "#/properties/n minimum widened"},
		},
		{
			"four formats, enums and constants of text", p,
			`{"type":"object","properties":{"a":{"type":"string","format":"uuid"},"b":{"type":"string","format":"email"},"c":{"type":"string","enum":["x"]},"d":{"const":"k"},"e":{"type":"integer","enum":[1]}},"required":["a"]}`,
			`{"type":"object","properties":{"a":{"type":"string","format":"uuid"},"b":{"type":"string"},"c":{"type":"string","enum":["x"]},"d":{"type":"string","const":"k"},"e":{"type":"integer"}},"required":["a"]}`,
			[]string{"#/properties/b format widened", "#/properties/e enum widened"},
		},
		{
			"references are written out, arrays need not say of what", p,
			`{"type":"object","properties":{"a":{"$ref":"#/$defs/L"},"b":{"type":"array","maxItems":2}},"required":["a"],"$defs":{"L":{"type":"array","items":{"type":"string"}}}}`,
			`{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}},"b":{"type":"array"}},"required":["a"]}`,
			[]string{"#/properties/b maxItems widened"},
		},
	})
}

// What Cohere has no form for at all.
func TestRewriteCohereRefuses(t *testing.T) {
	t.Parallel()
	property := func(s string) string {
		return `{"type":"object","properties":{"p":` + s + `},"required":["p"]}`
	}
	for why, in := range map[string]string{
		"a union":                          property(`{"anyOf":[{"type":"string"},{"type":"integer"}]}`),
		"one of several":                   property(`{"oneOf":[{"type":"string"},{"type":"integer"}]}`),
		"a value that may be null":         property(`{"type":["string","null"]}`),
		"any value":                        property(`{}`),
		"an object that requires nothing":  `{"type":"object","properties":{"a":{"type":"string"}}}`,
		"one inside that requires nothing": property(`{"type":"object","properties":{"a":{"type":"string"}}}`),
		"an object without properties":     property(`{"type":"object"}`),
		"a recursion":                      property(`{"$ref":"#"}`),
	} {
		t.Run(why, func(t *testing.T) {
			t.Parallel()
			_, err := schema.Rewrite(in, schema.Cohere, schema.Options{})
			wantUnsupported(t, err)
		})
	}
}
