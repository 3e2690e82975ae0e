package schema_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request/schema"
)

// A row is a schema with its rewritten form. Losses are "pointer keyword effect".
type row struct {
	why     string
	profile schema.Profile
	in      string
	want    string
	losses  []string
}

func lines(losses []schema.Loss) []string {
	var out []string
	for _, l := range losses {
		out = append(out, l.Pointer+" "+l.Keyword+" "+string(l.Effect))
	}
	return out
}

func check(t *testing.T, rows []row) {
	t.Helper()
	for _, r := range rows {
		t.Run(string(r.profile)+"/"+r.why, func(t *testing.T) {
			t.Parallel()
			require.NotEmpty(t, r.why)
			got, err := schema.Rewrite(r.in, r.profile, schema.Options{})
			require.NoError(t, err)
			assert.Equal(t, r.want, got.Schema)
			assert.Equal(t, r.losses, lines(got.Losses))
			_, err = schema.Rewrite(r.in, r.profile, schema.Options{Strict: true})
			if changes(got.Losses) {
				wantUnsupported(t, err)
			} else {
				assert.NoError(t, err, "Strict takes what is only Nullable")
			}
		})
	}
}

func changes(losses []schema.Loss) bool {
	for _, l := range losses {
		if l.Effect != schema.Nullable {
			return true
		}
	}
	return false
}

func wantUnsupported(t *testing.T, err error) {
	t.Helper()
	f, ok := events.AsFailure(err)
	require.True(t, ok, "%v", err)
	assert.Equal(t, events.InvalidRequest, f.Kind)
	assert.Equal(t, events.ReasonSchemaUnsupported, f.Reason)
	assert.Equal(t, events.NotSent, f.Sent)
}

const closed = `"additionalProperties":false}`

// asProperty wraps a schema as the required property of an object.
func asProperty(s string) string {
	return `{"type":"object","properties":{"p":` + s + `},"required":["p"],` + closed
}

func TestRewriteOpenAI(t *testing.T) {
	t.Parallel()
	p := schema.OpenAIStrict
	check(t, []row{
		{
			"white space goes, number literals and escapes stay", p,
			` { "type": "object", "properties": {"p": {"type": "number", "minimum": 1.50e+1, "description": "<b> & \u00e9"}}, "required": ["p"], "additionalProperties": false } `,
			asProperty(`{"type":"number","minimum":1.50e+1,"description":"<b> & \u00e9"}`), nil,
		},
		{
			"an optional enum takes null in both type and enum", p,
			`{"type":"object","properties":{"p":{"type":"string","enum":["a"]}}}`,
			`{"type":"object","properties":{"p":{"type":["string","null"],"enum":["a",null]}},"required":["p"],` + closed,
			[]string{"#/properties/p required nullable"},
		},
		{
			"an optional constant becomes an enum with null", p,
			`{"type":"object","properties":{"p":{"const":1.50}}}`,
			`{"type":"object","properties":{"p":{"type":["number","null"],"enum":[1.50,null]}},"required":["p"],` + closed,
			[]string{"#/properties/p required nullable"},
		},
		{
			"an optional union gets a branch", p,
			`{"type":"object","properties":{"p":{"description":"d","anyOf":[{"type":"string"},{"type":"integer"}]}}}`,
			`{"type":"object","properties":{"p":{"description":"d","anyOf":[{"type":"string"},{"type":"integer"},{"type":"null"}]}},"required":["p"],` + closed,
			[]string{"#/properties/p required nullable"},
		},
		{
			"an optional property that takes null already is only told", p,
			`{"type":"object","properties":{"p":{"type":["null","string"]}}}`,
			`{"type":"object","properties":{"p":{"type":["null","string"]}},"required":["p"],` + closed,
			[]string{"#/properties/p required nullable"},
		},
		{
			"an optional reference becomes a union; a recursion stays; unused definitions go", p,
			`{"type":"object","$defs":{"U":{"not":{}},"N":{"type":"object","properties":{"next":{"$ref":"#/$defs/N"}}}},"properties":{"n":{"$ref":"#/$defs/N"}},"required":["n"]}`,
			`{"type":"object","$defs":{"N":{"type":"object","properties":{"next":{"anyOf":[{"$ref":"#/$defs/N"},{"type":"null"}]}},"required":["next"],` + closed +
				`},"properties":{"n":{"$ref":"#/$defs/N"}},"required":["n"],` + closed,
			[]string{"#/$defs/N/properties/next required nullable"},
		},
		{
			"recursion by the root", p,
			`{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#"}}},"required":["kids"]}`,
			`{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#"}}},"required":["kids"],` + closed, nil,
		},
		{
			"words beside a reference: it is written out, because nothing may stand there", p,
			`{"type":"object","properties":{"p":{"$ref":"#/definitions/S","description":"mine"}},"required":["p"],"definitions":{"S":{"type":"string","description":"theirs","pattern":"^a"}}}`,
			`{"type":"object","properties":{"p":{"type":"string","description":"mine","pattern":"^a"}},"required":["p"],` + closed, nil,
		},
		{
			"words beside a recursion give way to it", p,
			`{"type":"object","properties":{"n":{"$ref":"#/$defs/N"}},"required":["n"],"$defs":{"N":{"type":"object","properties":{"next":{"$ref":"#/$defs/N","description":"d"}},"required":["next"]}}}`,
			`{"type":"object","properties":{"n":{"$ref":"#/$defs/N"}},"required":["n"],"$defs":{"N":{"type":"object","properties":{"next":{"$ref":"#/$defs/N"}},"required":["next"],` + closed + `},` + closed, nil,
		},
		{
			"a bound beside a recursion is lost", p,
			`{"type":"object","properties":{"next":{"$ref":"#","minProperties":1}},"required":["next"]}`,
			`{"type":"object","properties":{"next":{"$ref":"#"}},"required":["next"],` + closed,
			[]string{"#/properties/next minProperties widened"},
		},
		{
			"a closed part stays closed when the other part allows a schema", p,
			`{"type":"object","properties":{"a":{"type":"null"}},"required":["a"],"additionalProperties":{"type":"string"},"allOf":[{"additionalProperties":false}]}`,
			`{"type":"object","properties":{"a":{"type":"null"}},"required":["a"],` + closed,
			[]string{"#/allOf/0 additionalProperties widened"},
		},
		{
			"the same, the other way round", p,
			`{"type":"object","properties":{"a":{"type":"null"}},"required":["a"],"additionalProperties":false,"allOf":[{"additionalProperties":{"type":"string"}}]}`,
			`{"type":"object","properties":{"a":{"type":"null"}},"required":["a"],` + closed,
			[]string{"#/allOf/0 additionalProperties widened"},
		},
		{
			"the whole schema as a reference is written out", p,
			`{"$ref":"#/$defs/R","$defs":{"R":{"type":"object","properties":{"p":{"type":"null"}},"required":["p"]}}}`,
			`{"type":"object","properties":{"p":{"type":"null"}},"required":["p"],` + closed, nil,
		},
		{
			"an escaped pointer, outside the definitions", p,
			`{"type":"object","properties":{"a/b~c d":{"type":"string"},"p":{"$ref":"#/properties/a~1b~0c%20d"}},"required":["a/b~c d","p"]}`,
			`{"type":"object","properties":{"a/b~c d":{"type":"string"},"p":{"type":"string"}},"required":["a/b~c d","p"],` + closed, nil,
		},
		{
			"allOf is merged; the narrower type and the first of two bounds stay", p,
			`{"type":"object","allOf":[{"properties":{"p":{"type":"number","minimum":1}},"required":["p"]},{"properties":{"p":{"type":"integer","minimum":2}}}]}`,
			`{"type":"object","properties":{"p":{"type":"integer","minimum":1}},"required":["p"],` + closed,
			[]string{"#/allOf/1/properties/p minimum widened"},
		},
		{
			"a closed part of an allOf is opened to the other part", p,
			`{"type":"object","properties":{"p":{"type":"null"}},"required":["p"],"additionalProperties":false,"allOf":[{"properties":{"q":{"type":"null"}},"required":["q"]}]}`,
			`{"type":"object","properties":{"p":{"type":"null"},"q":{"type":"null"}},"required":["p","q"],` + closed,
			[]string{"# additionalProperties widened"},
		},
		{
			"a union that shares its properties is multiplied", p,
			asProperty(`{"type":"object","properties":{"a":{"type":"null"}},"anyOf":[{"required":["a"]},{"type":"object"}]}`),
			asProperty(`{"anyOf":[{"type":"object","properties":{"a":{"type":"null"}},"required":["a"],` + closed + `,{"type":"object","properties":{"a":{"type":"null"}},"required":["a"],` + closed + `]}`),
			[]string{"#/properties/p/properties/a required nullable"},
		},
		{
			"a union of the whole schema goes", p,
			`{"type":"object","properties":{"p":{"type":"null"}},"required":["p"],"oneOf":[{"required":["p"]}]}`,
			`{"type":"object","properties":{"p":{"type":"null"}},"required":["p"],` + closed,
			[]string{"# oneOf widened", "# oneOf widened"},
		},
		{
			"an object of any properties becomes empty", p,
			asProperty(`{"type":"object"}`), asProperty(`{"type":"object","properties":{},"required":[],` + closed),
			[]string{"#/properties/p additionalProperties narrowed"},
		},
		{
			"a map becomes empty", p,
			asProperty(`{"additionalProperties":{"type":"string"}}`), asProperty(`{"type":"object",` + `"additionalProperties":false,"properties":{},"required":[]}`),
			[]string{"#/properties/p additionalProperties narrowed"},
		},
		{
			"any value becomes a scalar, true too", p,
			asProperty(`true`), asProperty(`{"type":["string","number","boolean","null"]}`),
			[]string{"#/properties/p type narrowed"},
		},
		{
			"a list of anything becomes one of scalars", p,
			asProperty(`{"type":"array","minItems":2}`), asProperty(`{"type":"array","minItems":2,"items":{"type":["string","number","boolean","null"]}}`),
			[]string{"#/properties/p items narrowed"},
		},
		{
			"a tuple becomes a list", p,
			asProperty(`{"prefixItems":[{"type":"string"},{"type":"null"}],"items":false}`), asProperty(`{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"null"}]}}`),
			[]string{"#/properties/p prefixItems widened"},
		},
		{
			"a tuple of older drafts", p,
			asProperty(`{"items":[{"type":"string"}]}`), asProperty(`{"type":"array","items":{"anyOf":[{"type":"string"}]}}`),
			[]string{"#/properties/p items widened"},
		},
		{
			"every keyword outside the subset is told", p,
			asProperty(`{"type":"string","minLength":1,"maxLength":2,"format":"uri","not":{"const":"a"},"if":{},"then":{},"x-mine":1,"$comment":"c","default":"d","examples":["e"],"title":"T"}`),
			asProperty(`{"type":"string","title":"T"}`),
			[]string{"#/properties/p minLength widened", "#/properties/p maxLength widened", "#/properties/p format widened", "#/properties/p not widened", "#/properties/p if widened", "#/properties/p then widened"},
		},
		{
			"what says nothing is no loss", p,
			asProperty(`{"type":"array","items":{"type":"null"},"uniqueItems":false,"minLength":3,"unevaluatedItems":true}`), asProperty(`{"type":"array","items":{"type":"null"}}`), nil,
		},
		{
			"a property that is not declared cannot be required", p,
			`{"type":"object","properties":{"p":{"type":"null"}},"required":["p","q"]}`,
			`{"type":"object","properties":{"p":{"type":"null"}},"required":["p"],` + closed,
			[]string{"# required widened"},
		},
		{
			"properties called like keywords are properties", p,
			`{"type":"object","properties":{"$ref":{"type":"string"},"allOf":{"type":"null"},"$defs":{"type":"null"},"required":{"const":{"title":1,"$ref":"#/x"}}},"required":["$ref","allOf","$defs","required"]}`,
			`{"type":"object","properties":{"$ref":{"type":"string"},"allOf":{"type":"null"},"$defs":{"type":"null"},"required":{"type":"object","properties":{},"required":[],` + closed + `},"required":["$ref","allOf","$defs","required"],` + closed,
			[]string{"#/properties/required const widened", "#/properties/required additionalProperties narrowed"},
		},
	})
}

func TestRewriteAnthropic(t *testing.T) {
	t.Parallel()
	p := schema.AnthropicStrict
	check(t, []row{
		{
			"optional properties stay optional", p,
			`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["b"]}`,
			`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["b"],` + closed, nil,
		},
		{
			"a property required twice, and by both parts of an allOf", p,
			`{"type":"object","properties":{"a":{"type":"null"}},"required":["a","a"],"allOf":[{"required":["a"]}]}`,
			`{"type":"object","properties":{"a":{"type":"null"}},"required":["a"],` + closed, nil,
		},
		{
			"bounds, lengths and patterns are lost; a default stays intact", p,
			asProperty(`{"type":["integer","null"],"minimum":1,"multipleOf":2,"default":{"title":1,"$ref":"x"}}`), asProperty(`{"type":["integer","null"],"default":{"title":1,"$ref":"x"}}`),
			[]string{"#/properties/p minimum widened", "#/properties/p multipleOf widened"},
		},
		{
			"minItems of one stays", p,
			asProperty(`{"type":"array","items":{"type":"null"},"minItems":1}`), asProperty(`{"type":"array","items":{"type":"null"},"minItems":1}`), nil,
		},
		{
			"minItems of two does not, nor do the rest", p,
			asProperty(`{"type":"array","items":{"type":"null"},"minItems":2,"maxItems":3,"uniqueItems":true}`), asProperty(`{"type":"array","items":{"type":"null"}}`),
			[]string{"#/properties/p minItems widened", "#/properties/p maxItems widened", "#/properties/p uniqueItems widened"},
		},
		{
			"a property called pattern survives", p,
			`{"type":"object","properties":{"pattern":{"type":"string","pattern":"a"}},"required":["pattern"]}`,
			`{"type":"object","properties":{"pattern":{"type":"string"}},"required":["pattern"],` + closed,
			[]string{"#/properties/pattern pattern widened"},
		},
		{
			"references are written out, twice where used twice, and told once", p,
			`{"type":"object","properties":{"a":{"$ref":"#/$defs/S"},"b":{"$ref":"#/$defs/S"}},"$defs":{"S":{"type":"string","format":"uri","maxLength":9}}}`,
			`{"type":"object","properties":{"a":{"type":"string","format":"uri"},"b":{"type":"string","format":"uri"}},` + closed,
			[]string{"#/$defs/S maxLength widened"},
		},
		{
			"an object within a type list is closed", p,
			asProperty(`{"type":["object","null"],"properties":{"a":{"enum":[1,null,"x"]}}}`), asProperty(`{"type":["object","null"],"properties":{"a":{"type":["integer","null","string"],"enum":[1,null,"x"]}},` + closed), nil,
		},
		{
			"an enum of lists is lost", p,
			asProperty(`{"type":"array","items":{"type":"null"},"enum":[[null]]}`), asProperty(`{"type":"array","items":{"type":"null"}}`),
			[]string{"#/properties/p enum widened"},
		},
	})
}

// What generateContent takes as JSON Schema, of which an answer of a Go type needs no more.
func TestRewriteGeminiJSON(t *testing.T) {
	t.Parallel()
	p := schema.GeminiJSON
	check(t, []row{
		{
			"what an object may hold besides is said", p,
			`{"type":"object","title":"T","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`,
			`{"type":"object","title":"T","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`, nil,
		},
		{
			"a map, and its values in the subset", p,
			`{"type":"object","additionalProperties":{"type":"string","pattern":"^a"}}`,
			`{"type":"object","additionalProperties":{"type":"string"}}`,
			[]string{"#/additionalProperties pattern widened"},
		},
		{"true is said too", p, `{"type":"object","additionalProperties":true}`, `{"type":"object","additionalProperties":true}`, nil},
		{"a type list becomes a union", p, `{"type":["string","null"]}`, `{"anyOf":[{"type":"string"},{"type":"null"}]}`, nil},
		{"numbers can be listed, and null by its type", p, `{"enum":[1,2.5,null]}`, `{"anyOf":[{"type":"integer","enum":[1]},{"type":"number","enum":[1,2.5]},{"type":"null"}]}`, nil},
		{"booleans cannot", p, `{"enum":[true]}`, `{"type":"boolean"}`, []string{"# enum widened"}},
		{
			"bounds of numbers and lists, none of strings", p,
			`{"type":"array","items":{"type":"string","minLength":2},"minItems":1,"maxItems":3,"uniqueItems":true}`,
			`{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":3}`,
			[]string{"#/items minLength widened", "# uniqueItems widened"},
		},
		{
			"a format of its own and another one", p,
			`{"anyOf":[{"type":"string","format":"date"},{"type":"string","format":"email"}]}`,
			`{"anyOf":[{"type":"string","format":"date"},{"type":"string"}]}`,
			[]string{"#/anyOf/1 format widened"},
		},
		{
			"a recursion stays", p,
			`{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/N"}}},"$defs":{"N":{"type":"object","properties":{"next":{"$ref":"#/$defs/N"}},"additionalProperties":false}}}`,
			`{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/N"}}},"$defs":{"N":{"type":"object","properties":{"next":{"$ref":"#/$defs/N"}},"additionalProperties":false}}}`, nil,
		},
	})
}

func TestRewriteGemini(t *testing.T) {
	t.Parallel()
	p := schema.Gemini
	check(t, []row{
		{
			"a type list becomes a union, each keyword with its type", p,
			`{"type":["string","integer","null"],"description":"d","minLength":1,"maximum":3}`,
			`{"description":"d","anyOf":[{"type":"string","minLength":1},{"type":"integer","maximum":3},{"type":"null"}]}`, nil,
		},
		{
			"an enum with null", p,
			`{"enum":["a",null]}`, `{"anyOf":[{"type":"string","enum":["a"]},{"type":"null"}]}`, nil,
		},
		{
			"a type without a listed value is no branch", p,
			`{"type":["string","null"],"enum":["a"]}`, `{"anyOf":[{"type":"string","enum":["a"]}]}`, nil,
		},
		{"a constant is an enum of one", p, `{"const":"k"}`, `{"type":"string","enum":["k"]}`, nil},
		{"numbers cannot be listed", p, `{"enum":[1,2]}`, `{"type":"integer"}`, []string{"# enum widened"}},
		{
			"a default is data; the order of properties stays", p,
			`{"type":"object","title":"T","properties":{"a":{"type":"string","default":{"title":1}}},"propertyOrdering":["a"]}`,
			`{"type":"object","properties":{"a":{"type":"string","default":{"title":1}}},"propertyOrdering":["a"]}`, nil,
		},
		{"an open object says nothing that is lost", p, `{"type":"object","additionalProperties":true}`, `{"type":"object"}`, nil},
		{
			"a recursion through two definitions", p,
			`{"$ref":"#/$defs/A","$defs":{"A":{"type":"object","properties":{"b":{"$ref":"#/$defs/B"}}},"B":{"type":"array","items":{"$ref":"#/$defs/A"}}}}`,
			`{"type":"object","properties":{"b":{"type":"array","items":{"type":"object"}}}}`,
			[]string{"#/$defs/B/items $ref widened"},
		},
		{
			"a recursion by the root", p,
			`{"type":"object","properties":{"a":{"$ref":"#"}}}`, `{"type":"object","properties":{"a":{"type":"object"}}}`,
			[]string{"#/properties/a $ref widened"},
		},
		{
			"one definition used beside itself is no recursion", p,
			`{"type":"object","properties":{"a":{"allOf":[{"$ref":"#/$defs/S"},{"$ref":"#/$defs/S"}]},"b":{"$ref":"#/$defs/S"}},"$defs":{"S":{"type":"string"}}}`,
			`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}`, nil,
		},
		{
			"a definition merged above may be used below", p,
			`{"type":"object","allOf":[{"$ref":"#/$defs/A"},{"properties":{"x":{"$ref":"#/$defs/A"}}}],"$defs":{"A":{"properties":{"k":{"$ref":"#/$defs/S"}}},"S":{"type":"string"}}}`,
			`{"type":"object","properties":{"k":{"type":"string"},"x":{"type":"object","properties":{"k":{"type":"string"}}}}}`, nil,
		},
	})
}

func TestRewriteRefuses(t *testing.T) {
	t.Parallel()
	// The profiles in which a reference does not stay.
	writeOut := []schema.Profile{schema.AnthropicStrict, schema.Gemini, schema.Cohere}
	rows := []struct {
		why     string
		in      string
		at      string
		profile []schema.Profile
	}{
		{why: "no JSON", in: `{`},
		{why: "no object", in: `[]`},
		{why: "a key twice", in: `{"type":"object","type":"object"}`},
		{why: "too deep", in: strings.Repeat(`{"items":`, 32) + `{}` + strings.Repeat(`}`, 32)},
		{why: "too long", in: `{"description":"` + strings.Repeat("a", schema.MaxBytes) + `"}`},
		{why: "another document", in: asProperty(`{"$ref":"https://example.com/s"}`), at: "#/properties/p"},
		{why: "a reference to nothing", in: asProperty(`{"$ref":"#/$defs/none"}`), at: "#/properties/p"},
		{why: "a reference to a list", in: asProperty(`{"$ref":"#/required"}`), at: "#/properties/p"},
		{why: "an anchor", in: asProperty(`{"$ref":"#here"}`), at: "#/properties/p"},
		{why: "a dynamic reference", in: asProperty(`{"$dynamicRef":"#/$defs/a"}`), at: "#/properties/p"},
		{why: "false takes nothing", in: asProperty(`false`), at: "#/properties/p"},
		{why: "no schema at all", in: asProperty(`3`), at: "#/properties/p"},
		{why: "an unknown type", in: asProperty(`{"type":"file"}`), at: "#/properties/p"},
		{why: "no type", in: asProperty(`{"type":[]}`), at: "#/properties/p"},
		{why: "a bound that is no number", in: asProperty(`{"type":"number","minimum":"1"}`), at: "#/properties/p"},
		{why: "draft 4's boolean bound", in: asProperty(`{"type":"number","exclusiveMinimum":true}`), at: "#/properties/p"},
		{why: "an empty union", in: asProperty(`{"anyOf":[]}`), at: "#/properties/p"},
		{why: "an empty enum", in: asProperty(`{"type":"string","enum":[]}`), at: "#/properties/p"},
		{why: "types that exclude each other", in: asProperty(`{"type":"string","allOf":[{"type":"null"}]}`), at: "#/properties/p/allOf/0"},
		{why: "another $id inside", in: asProperty(`{"$id":"x","type":"null"}`), at: "#/properties/p"},
		{why: "the root is no object", in: `{"type":"array","items":{"type":"null"}}`, at: "#", profile: schema.Profiles()[:2]},
		{why: "the root is a union", in: `{"anyOf":[{"type":"object"}]}`, at: "#", profile: schema.Profiles()[:2]},
		{why: "the root is itself", in: `{"$ref":"#"}`, at: "#", profile: []schema.Profile{schema.OpenAIStrict, schema.AnthropicStrict, schema.GeminiJSON}},
		{why: "the root is only a definition of itself", in: `{"$ref":"#/$defs/R","$defs":{"R":{"allOf":[{"$ref":"#/$defs/R"}]}}}`, at: "#", profile: []schema.Profile{schema.GeminiJSON}},
		{
			why: "definitions that are only each other", in: `{"type":"object","properties":{"p":{"$ref":"#/$defs/a"}},"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`,
			at: "#/$defs/a", profile: schema.Profiles()[:1],
		},
		{
			why: "a recursion", in: `{"type":"object","properties":{"p":{"$ref":"#"}}}`,
			at: "#/properties/p", profile: []schema.Profile{schema.AnthropicStrict},
		},
		{why: "references that double at each step", in: doubling(30), profile: writeOut},
		{
			why: "deeper than before by the union of its types", profile: schema.Profiles()[2:],
			in: strings.Repeat(`{"type":"array","items":`, 29) + `{"type":["string","null"]}` + strings.Repeat(`}`, 29),
		},
		{why: "a long text used too often", in: repeated(), profile: writeOut},
	}
	for _, r := range rows {
		if r.profile == nil {
			r.profile = schema.Profiles()
		}
		for _, p := range r.profile {
			t.Run(string(p)+"/"+r.why, func(t *testing.T) {
				t.Parallel()
				_, err := schema.Rewrite(r.in, p, schema.Options{})
				wantUnsupported(t, err)
				if r.at != "" {
					assert.ErrorContains(t, err, "schema: "+r.at+": ", "the place is part of the contract")
				}
			})
		}
	}
}

// doubling returns a schema whose definitions each use the next one twice.
func doubling(n int) string {
	var b strings.Builder
	b.WriteString(`{"type":"object","properties":{"p":{"$ref":"#/$defs/a"}},"$defs":{`)
	for i := range n {
		name := strings.Repeat("a", i+1)
		b.WriteString(`"` + name + `":{"anyOf":[{"$ref":"#/$defs/` + name + `a"},{"$ref":"#/$defs/` + name + `a"}]},`)
	}
	b.WriteString(`"` + strings.Repeat("a", n+1) + `":{"type":"null"}}}`)
	return b.String()
}

// repeated returns a schema that grows a hundredfold when it is written out.
func repeated() string {
	uses := strings.Repeat(`{"$ref":"#/$defs/a"},`, 1000)
	return `{"type":"object","properties":{"p":{"anyOf":[` + uses + `{"type":"null"}]}},"$defs":{"a":{"type":"string","description":"` +
		strings.Repeat("a", 20_000) + `"}}}`
}

func TestUnknownProfile(t *testing.T) {
	t.Parallel()
	_, err := schema.Rewrite(`{"type":"object"}`, "other", schema.Options{})
	f, ok := events.AsFailure(err)
	require.True(t, ok)
	assert.Equal(t, events.ReasonBadParameter, f.Reason)
}
