package request_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// filterSchema has two branches that refer back: validating doubles with each
// level of the arguments.
const filterSchema = `{"type":"object","properties":{"where":{"$ref":"#/$defs/node"}},"required":["where"],
"$defs":{"node":{"anyOf":[
 {"type":"object","properties":{"op":{"const":"not"},"arg":{"$ref":"#/$defs/node"}},"required":["op","arg"]},
 {"type":"object","properties":{"op":{"const":"any"},"arg":{"$ref":"#/$defs/node"}},"required":["op","arg"]},
 {"type":"object","properties":{"op":{"const":"eq"},"value":{"type":"string"}},"required":["op","value"]}]}}}`

func filter(depth int) string {
	return `{"where":` + strings.Repeat(`{"op":"any","arg":`, depth) + `{"op":"eq","value":"x"}` + strings.Repeat("}", depth) + "}"
}

// numbered joins n texts with commas, each made from its number.
func numbered(n int, format string) string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = strings.ReplaceAll(format, "%d", strconv.Itoa(i))
	}
	return strings.Join(texts, ",")
}

// chainOf is definitions a0, a1, ... of which each applies the next one so often,
// and the last is end.
func chainOf(n, times int, end string) string {
	var b strings.Builder
	for i := range n {
		next := fmt.Sprintf(`{"$ref":"#/$defs/a%d"}`, i+1)
		fmt.Fprintf(&b, `"a%d":{"allOf":[%s]},`, i, strings.TrimSuffix(strings.Repeat(next+",", times), ","))
	}
	fmt.Fprintf(&b, `"a%d":%s`, n, end)
	return b.String()
}

// properties is a schema whose property a has the given schema.
func properties(schema string) string { return `{"type":"object","properties":{"a":` + schema + `}}` }

const anyJSON = `{"type":"object","additionalProperties":{"$ref":"#/$defs/any"},"$defs":{"any":{"anyOf":[
 {"type":["string","number","boolean","null"]},
 {"type":"array","items":{"$ref":"#/$defs/any"}},
 {"type":"object","additionalProperties":{"$ref":"#/$defs/any"}}]}}}`

func TestToolCheckAllows(t *testing.T) {
	t.Parallel()
	record := `{"type":"array","items":{"type":"object","additionalProperties":false,"required":["p0"],"properties":{` + numbered(10, `"p%d":{"type":["string","null"]}`) + `}}}`
	for _, row := range []struct{ why, schema, arguments string }{
		{
			"recursive in one place, at the deepest", `{"type":"object","properties":{"next":{"$ref":"#"}},"additionalProperties":false}`,
			strings.Repeat(`{"next":`, events.MaxArgumentsDepth-1) + "{}" + strings.Repeat("}", events.MaxArgumentsDepth-1),
		},
		{"any JSON, at the deepest", anyJSON, strings.Repeat(`{"next":`, events.MaxArgumentsDepth-1) + "{}" + strings.Repeat("}", events.MaxArgumentsDepth-1)},
		{"any JSON, wide", anyJSON, `{"a":[` + numbered(200, `{"id":%d,"tags":["x","y"],"at":{"x":1,"y":2}}`) + `]}`},
		{
			"a tree of 1,000 nodes", `{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#"}}}}`,
			`{"name":"r","children":[` + numbered(100, `{"name":"n%d","children":[`+strings.TrimSuffix(strings.Repeat(`{"name":"x"},`, 9), ",")+`]}`) + `]}`,
		},
		{"a chain of references", `{"type":"object","$ref":"#/$defs/a0","$defs":{` + chainOf(100, 1, `{"required":["a"]}`) + `}}`, `{"a":1}`},
		{"1,000 declared properties", `{"type":"object","additionalProperties":false,"properties":{` + numbered(1000, `"p%d":{"type":"integer"}`) + `}}`, `{` + numbered(1000, `"p%d":%d`) + `}`},
		{"1,000 free properties", `{"type":"object","additionalProperties":{"type":"integer"}}`, `{` + numbered(1000, `"p%d":%d`) + `}`},
		{"10,000 numbers", properties(`{"type":"array","items":{"type":"integer","minimum":0}}`), `{"a":[` + numbered(10_000, "%d") + `]}`},
		{"10,000 numbers or null", properties(`{"type":"array","items":{"anyOf":[{"type":"number"},{"type":"null"}]}}`), `{"a":[` + numbered(10_000, "%d.5") + `]}`},
		{"10,000 different texts", properties(`{"type":"array","uniqueItems":true,"items":{"type":"string"}}`), `{"a":[` + numbered(10_000, `"t%d"`) + `]}`},
		{"500 different objects", properties(`{"type":"array","uniqueItems":true}`), `{"a":[` + numbered(500, `{"id":%d,"name":"n%d","x":1}`) + `]}`},
		{"1,000 records", properties(record), `{"a":[` + numbered(1000, `{`+strings.Join(strings.Split(numbered(10, `"p%d":"x"`), ","), ",")+`}`) + `]}`},
		{"a text of 1 MiB", properties(`{"type":"string","maxLength":2000000}`), `{"a":"` + strings.Repeat("x", 1<<20) + `"}`},
		{"a text of 1 MiB or null", properties(`{"anyOf":[{"type":"string"},{"type":"null"}],"maxLength":2000000}`), `{"a":"` + strings.Repeat("x", 1<<20) + `"}`},
		{"a text of 100 KiB with a pattern", properties(`{"pattern":"^[a-z]+$"}`), `{"a":"` + strings.Repeat("x", 100<<10) + `"}`},
		{"one of 250 codes, 100 times", properties(`{"items":{"enum":[` + numbered(250, `"c%d"`) + `]}}`), `{"a":[` + numbered(100, `"c%d"`) + `]}`},
		{"a schema as an argument: dynamic references", properties(`{"$ref":"https://json-schema.org/draft/2020-12/schema"}`), `{"a":` + citySchema + `}`},
		{"a schema as an argument: recursive references", properties(`{"$ref":"https://json-schema.org/draft/2019-09/schema"}`), `{"a":` + citySchema + `}`},
		{"two branches that refer back, to the depth that people write", filterSchema, filter(8)},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			tool := mustTool(t, "a", row.schema)
			t.Logf("%d steps", request.StepsOf(tool, row.arguments))
			require.Nil(t, tool.Check(row.arguments))
		})
	}
}

func TestToolCheckRefusesTooManySteps(t *testing.T) {
	t.Parallel()
	doubling := `"$defs":{` + chainOf(24, 2, "{}") + `}`
	item := func(schema string) string { return properties(`{"items":` + schema + `}`) }
	for _, row := range []struct{ why, schema, arguments string }{
		{"two branches that refer back, 270 bytes of arguments", filterSchema, filter(12)},
		{"the same at the deepest", filterSchema, filter(events.MaxArgumentsDepth - 2)},
		{"doubling references on a member", `{"type":"object","properties":{"a":{"$ref":"#/$defs/a0"}},` + doubling + `}`, `{"a":1}`},
		{"on a key", `{"type":"object","propertyNames":{"$ref":"#/$defs/a0"},` + doubling + `}`, `{"a":1}`},
		{"on an additional member", `{"type":"object","additionalProperties":{"$ref":"#/$defs/a0"},` + doubling + `}`, `{"a":1}`},
		{"on a member by pattern", `{"type":"object","patternProperties":{"^a":{"$ref":"#/$defs/a0"}},` + doubling + `}`, `{"a":1}`},
		{"on a member not evaluated", `{"type":"object","unevaluatedProperties":{"$ref":"#/$defs/a0"},` + doubling + `}`, `{"a":1}`},
		{"on an item", `{"type":"object","properties":{"a":{"items":{"$ref":"#/$defs/a0"}}},` + doubling + `}`, `{"a":[1]}`},
		{"on the first item", `{"type":"object","properties":{"a":{"prefixItems":[{"$ref":"#/$defs/a0"}]}},` + doubling + `}`, `{"a":[1]}`},
		{"on the contained item", `{"type":"object","properties":{"a":{"contains":{"$ref":"#/$defs/a0"}}},` + doubling + `}`, `{"a":[1]}`},
		{"on an item not evaluated", `{"type":"object","properties":{"a":{"unevaluatedItems":{"$ref":"#/$defs/a0"}}},` + doubling + `}`, `{"a":[1]}`},
		{"on each item of an old draft", `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"items":{"$ref":"#/$defs/a0"}}},` + doubling + `}`, `{"a":[1]}`},
		{"on additional items of an old draft", `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"items":[true],"additionalItems":{"$ref":"#/$defs/a0"}}},` + doubling + `}`, `{"a":[1,2]}`},
		{"where a member is there", `{"type":"object","dependentSchemas":{"a":{"$ref":"#/$defs/a0"}},` + doubling + `}`, `{"a":1}`},
		{"where a member is there, in an old draft", `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","dependencies":{"a":{"$ref":"#/$defs/a0"}},` + doubling + `}`, `{"a":1}`},
		{
			"behind a dynamic reference whose target no keyword leads to",
			`{"type":"object","$ref":"list","$defs":{"T":{"$dynamicAnchor":"T","$ref":"#/$defs/a0"},"list":{"$id":"list","properties":{"a":{"$dynamicRef":"#T"}},"$defs":{"T":{"$dynamicAnchor":"T"}}},` + chainOf(24, 2, "{}") + `}}`, `{"a":1}`,
		},
		{
			"the same, in a list, below a name that a pointer escapes",
			`{"type":"object","$ref":"list","$defs":{"a/b~c %d":{"anyOf":[true,{"$dynamicAnchor":"T","$ref":"#/$defs/a0"}]},"list":{"$id":"list","properties":{"a":{"$dynamicRef":"#T"}},"$defs":{"T":{"$dynamicAnchor":"T"}}},` + chainOf(24, 2, "{}") + `}}`, `{"a":1}`,
		},
		{
			"behind a recursive reference to the outermost schema",
			`{"$schema":"https://json-schema.org/draft/2019-09/schema","$recursiveAnchor":true,"type":"object","properties":{"b":{"$ref":"#/$defs/a0"}},"$ref":"list","$defs":{"list":{"$id":"list","$recursiveAnchor":true,"properties":{"a":{"$recursiveRef":"#"}}},` + chainOf(24, 2, "{}") + `}}`, `{"a":{"b":1}}`,
		},
		{
			"an endless reference that the compiler does not see",
			`{"type":"object","$ref":"list","$defs":{"T":{"$dynamicAnchor":"T","$ref":"list#/$defs/x"},"list":{"$id":"list","properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"$dynamicRef":"#T"},"T":{"$dynamicAnchor":"T"}}}}}`, `{"a":1}`,
		},
		{"many shallow trees", `{"type":"object","properties":{"a":{"items":{"$ref":"#/$defs/node"}}},` + filterSchema[strings.Index(filterSchema, `"$defs"`):], `{"a":[` + numbered(100, filter(5)[len(`{"where":`):len(filter(5))-1]) + `]}`},
		{"too many values", item(`{"type":"integer"}`), `{"a":[` + numbered(100_000, "%d") + `]}`},
		{"an enum of numbers on each of many numbers", item(`{"enum":[` + numbered(2000, "%d") + `]}`), `{"a":[` + numbered(1000, "%d") + `]}`},
		{"an enum that is compared with each large exact number", item(`{"enum":[` + numbered(100, "%d") + `]}`), `{"a":[` + numbered(90, "1e9999") + `]}`},
		{"many required long names on each of many objects", item(`{"required":["` + strings.Repeat("r", 100_000) + `"]}`), `{"a":[` + numbered(100, "{}") + `]}`},
		{"a schema at a long place on each of many values", `{"type":"object","properties":{"` + strings.Repeat("k", 60_000) + `":true,"a":{"items":{"$ref":"#/$defs/` + strings.Repeat("k", 60_000) + `"}}},"$defs":{"` + strings.Repeat("k", 60_000) + `":{"type":"string"}}}`, `{"a":[` + numbered(1000, "%d") + `]}`},
		{"a long pattern on each of many texts", item(`{"pattern":"^(` + strings.Repeat("k", 100_000) + `)?"}`), `{"a":[` + numbered(1000, `""`) + `]}`},
		{"a bound of many digits on each of many numbers", item(`{"minimum":1e9999}`), `{"a":[` + numbered(2000, "%d") + `]}`},
		{"formats of an old draft on a long text", `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"anyOf":[` + strings.TrimSuffix(strings.Repeat(`{"format":"email"},`, 50), ",") + `]}}}`, `{"a":"` + strings.Repeat("x", 100_000) + `"}`},
		{"contents of an old draft in a long text", `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"anyOf":[` + strings.TrimSuffix(strings.Repeat(`{"contentMediaType":"application/json"},`, 10), ",") + `]}}}`, `{"a":"` + strings.Repeat("x", 100_000) + `"}`},
		{"many names of an old dependency on each of many objects", `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"items":{"dependencies":{"z":[` + numbered(1000, `"r%d"`) + `]}}}}}`, `{"a":[` + numbered(200, `{"z":1}`) + `]}`},
		{"keys that have to be patterns", `{"$schema":"http://json-schema.org/draft-04/schema#","type":"object","regexProperties":true}`, `{"` + strings.Repeat("x{1000}", 1000) + `":1}`},
		{"a long const on each of many values", item(`{"const":"` + strings.Repeat("x", 100_000) + `"}`), `{"a":[` + numbered(1000, "%d") + `]}`},
		{"many required names on each of many objects", item(`{"required":[` + numbered(1000, `"r%d"`) + `]}`), `{"a":[` + numbered(1000, "{}") + `]}`},
		{"many dependent names on each of many objects", item(`{"dependentRequired":{"z":[` + numbered(1000, `"r%d"`) + `]}}`), `{"a":[` + numbered(1000, `{"z":1}`) + `]}`},
		{"many declared names on each of many objects", item(`{"properties":{` + numbered(1000, `"r%d":true`) + `}}`), `{"a":[` + numbered(1000, "{}") + `]}`},
		{"many schemas on a wide object", `{"type":"object","anyOf":[` + numbered(200, `{"minProperties":%d}`) + `]}`, `{` + numbered(2000, `"p%d":1`) + `}`},
		{"many schemas on an object with a long name", `{"type":"object","anyOf":[` + numbered(200, `{"minProperties":%d}`) + `]}`, `{"` + strings.Repeat("k", 100_000) + `":1}`},
		{"many schemas on a wide array", properties(`{"anyOf":[` + numbered(200, `{"minItems":%d}`) + `]}`), `{"a":[` + numbered(10_000, "%d") + `]}`},
		{"many schemas on a long text", properties(`{"anyOf":[` + numbered(400, `{"minLength":%d}`) + `]}`), `{"a":"` + strings.Repeat("x", 100_000) + `"}`},
		{"a large pattern on a long text", properties(`{"pattern":"(x+x+){500}y"}`), `{"a":"` + strings.Repeat("x", 100_000) + `"}`},
		{"many patterns on many names", `{"type":"object","patternProperties":{` + numbered(200, `"(a|b)*%d$":true`) + `}}`, `{` + numbered(1000, `"p%d":1`) + `}`},
		{"a text that is a pattern of a million states", `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"format":"regex"}}}`, `{"a":"` + strings.Repeat("x{1000}", 1000) + `"}`},
		{"objects that have to be different", properties(`{"uniqueItems":true}`), `{"a":[` + numbered(3000, `{"id":%d,"name":"n"}`) + `]}`},
		{"a few large numbers that have to be different", properties(`{"allOf":[` + numbered(23, `{"uniqueItems":true,"minItems":%d}`) + `]}`), `{"a":[` + numbered(20, "1e9999") + `]}`},
		{"many schemas on large exact numbers", item(`{"allOf":[` + numbered(100, `{"minimum":%d}`) + `]}`), `{"a":[` + numbered(90, "1e9999") + `]}`},
		{"a division of each large exact number", item(`{"multipleOf":0.7}`), `{"a":[` + numbered(90, "1e9999") + `]}`},
		{"a long name before each of many mismatches", `{"type":"object","additionalProperties":{"items":{"type":"string"}}}`, `{"` + strings.Repeat("k", 10_000) + `":[` + numbered(1000, "%d") + `]}`},
		{"a long name at the end", `{"type":"object","additionalProperties":{"type":"string"}}`, `{"` + strings.Repeat("k", 100_000) + `":1}`},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			issue := mustTool(t, "a", row.schema).Check(row.arguments)
			require.NotNil(t, issue)
			assert.Equal(t, events.IssueOutOfBounds, issue.Kind)
			assert.Contains(t, issue.Detail, strconv.Itoa(request.MaxCheckSteps), "the model is told why")
		})
	}
}

func TestNewToolRefusesTooManySteps(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ why, schema string }{
		{"1 KB of doubling references", `{"type":"object","$ref":"#/$defs/a0","$defs":{` + chainOf(24, 2, "{}") + `}}`},
		{"under not", `{"type":"object","not":{"$ref":"#/$defs/a0"},"$defs":{` + chainOf(24, 2, "{}") + `}}`},
		{"under a condition", `{"type":"object","if":{"$ref":"#/$defs/a0"},"$defs":{` + chainOf(24, 2, "{}") + `}}`},
		{"under a condition that never holds", `{"type":"object","if":false,"then":{"$ref":"#/$defs/a0"},"$defs":{` + chainOf(24, 2, "{}") + `}}`},
		{"under a condition that always holds", `{"type":"object","if":true,"else":{"$ref":"#/$defs/a0"},"$defs":{` + chainOf(24, 2, "{}") + `}}`},
		{"in one of many", `{"type":"object","oneOf":[true,{"$ref":"#/$defs/a0"}],"$defs":{` + chainOf(24, 2, "{}") + `}}`},
		{"in any of many", `{"type":"object","anyOf":[true,{"$ref":"#/$defs/a0"}],"$defs":{` + chainOf(24, 2, "{}") + `}}`},
		{"a chain that is too long to write into a mismatch", `{"type":"object","$ref":"#/$defs/a0","$defs":{` + chainOf(1000, 1, "{}") + `}}`},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			_, err := request.NewTool("a", "", row.schema)
			f := requireInvalid(t, err, events.ReasonBadTool)
			assert.Contains(t, f.Detail, strconv.Itoa(request.MaxCheckSteps))
		})
	}
}

// Only what is beyond the bound on any arguments is refused when it is declared.
func TestNewToolAcceptsWhatOnlyArgumentsMakeLong(t *testing.T) {
	t.Parallel()
	tool := mustTool(t, "a", filterSchema)
	require.Nil(t, tool.Check(filter(1)))
	require.NotNil(t, tool.Check(filter(20)))
	require.Nil(t, tool.Check(filter(2)), "an issue leaves nothing behind")
}

// Draft-07 does not have contentSchema: it neither checks nor costs.
func TestToolCheckIgnoresContentSchemaOfOldDrafts(t *testing.T) {
	t.Parallel()
	tool := mustTool(t, "a", `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"contentMediaType":"application/json","contentSchema":{"type":"integer"}}}}`)
	require.Nil(t, tool.Check(`{"a":"[1]"}`))
}

func TestManyToolsAreAllowed(t *testing.T) {
	t.Parallel()
	for i := range 100 {
		schema := `{"type":"object","required":["p0"],"additionalProperties":false,"properties":{` + numbered(i+1, `"p%d":{"type":"string","description":"field %d"}`) + `}}`
		require.Nil(t, mustTool(t, "t"+strconv.Itoa(i), schema).Check(`{"p0":"x"}`))
	}
}
