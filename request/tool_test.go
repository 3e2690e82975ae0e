package request_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

const citySchema = `{"type":"object","properties":{"city":{"type":"string","minLength":2},"days":{"type":"integer"}},"required":["city"],"additionalProperties":false}`

func mustTool(tb testing.TB, name, schema string) request.Tool {
	tb.Helper()
	tool, err := request.NewTool(name, "", schema)
	require.NoError(tb, err)
	return tool
}

// requireInvalid asserts that err is a failure of kind invalid_request, not sent.
func requireInvalid(tb testing.TB, err error, reason events.Reason) *events.Failure {
	tb.Helper()
	f, ok := events.AsFailure(err)
	require.True(tb, ok, "not a failure: %v", err)
	require.Equal(tb, events.InvalidRequest, f.Kind)
	require.Equal(tb, reason, f.Reason, f.Detail)
	require.Equal(tb, events.NotSent, f.Sent)
	require.NotEmpty(tb, f.Detail)
	return f
}

func nested(depth int) string {
	// {"type":"object","properties":{"a":{...}}}: each step is two levels.
	inner := `{"type":"object"}`
	for d := 1; d+2 <= depth; d += 2 {
		inner = `{"type":"object","properties":{"a":` + inner + `}}`
	}
	return inner
}

func TestNewToolAccepts(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ why, name, schema string }{
		{"the usual", "get_weather", citySchema},
		{"no arguments", "now", `{"type":"object"}`},
		{"a name that no wire takes as it is", "math.add/2 été", `{"type":"object"}`},
		{"the longest name", strings.Repeat("n", request.MaxToolName), `{"type":"object"}`},
		{"internal references", "tree", `{"type":"object","$defs":{"n":{"type":"object","properties":{"next":{"$ref":"#/$defs/n"}}}},"properties":{"top":{"$ref":"#/$defs/n"}}}`},
		{"a reference to the whole schema", "self", `{"type":"object","properties":{"next":{"$ref":"#"}}}`},
		{"an id of its own does not make its references remote", "id", `{"$id":"https://example.com/a.json","type":"object","$defs":{"x":{"type":"string"}},"properties":{"a":{"$ref":"#/$defs/x"}}}`},
		{"a draft with built-in metaschema", "old", `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","definitions":{"x":{}},"properties":{"a":{"$ref":"#/definitions/x"}}}`},
		{"properties that are named like keywords", "kw", `{"type":"object","properties":{"$ref":{"type":"string"},"type":{"type":"string"}}}`},
		{"the deepest", "deep", nested(request.MaxToolSchemaDepth)},
		{"white space", "ws", " {\n\t\"type\" : \"object\" }\n"},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			tool, err := request.NewTool(row.name, "what it does", row.schema)
			require.NoError(t, err)
			assert.Equal(t, row.name, tool.Name())
			assert.Equal(t, "what it does", tool.Description())
			assert.Equal(t, row.schema, tool.Schema(), "byte for byte")
		})
	}
}

func TestNewToolRefuses(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "string.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"type":"string"}`), 0o600))
	object := `{"type":"object"}`
	for _, row := range []struct {
		why, name, schema string
		reason            events.Reason
	}{
		{"no name", "", object, events.ReasonBadTool},
		{"name too long", strings.Repeat("n", request.MaxToolName+1), object, events.ReasonBadTool},
		{"name not UTF-8", "a\xff", object, events.ReasonBadTool},
		{"name with a line end", "a\nb", object, events.ReasonBadTool},
		{"no schema", "a", "", events.ReasonBadTool},
		{"schema no object", "a", `true`, events.ReasonBadTool},
		{"schema not JSON", "a", `{"type":"object"`, events.ReasonBadTool},
		{"two keys alike", "a", `{"type":"object","type":"object"}`, events.ReasonBadTool},
		{"half a surrogate pair", "a", `{"type":"object","title":"\ud83d"}`, events.ReasonBadTool},
		{"a number that costs seconds to compute", "a", `{"type":"object","properties":{"a":{"minimum":1e1000000}}}`, events.ReasonBadTool},
		{"type absent", "a", `{}`, events.ReasonBadTool},
		{"type of another kind", "a", `{"type":"string"}`, events.ReasonBadTool},
		{"type a list", "a", `{"type":["object","null"]}`, events.ReasonBadTool},
		{"too large", "a", `{"type":"object","title":"` + strings.Repeat("x", request.MaxToolSchema) + `"}`, events.ReasonBadTool},
		{"too deep", "a", nested(request.MaxToolSchemaDepth + 2), events.ReasonBadTool},
		{"not a schema", "a", `{"type":"object","properties":{"a":{"type":"strin"}}}`, events.ReasonBadTool},
		{"bad pattern", "a", `{"type":"object","properties":{"a":{"pattern":"("}}}`, events.ReasonBadTool},
		{"reference to nowhere", "a", `{"type":"object","properties":{"a":{"$ref":"#/$defs/none"}}}`, events.ReasonBadTool},
		{"endless reference", "a", `{"type":"object","$ref":"#"}`, events.ReasonBadTool},
		{"a file that exists", "a", `{"type":"object","properties":{"a":{"$ref":"file://` + file + `"}}}`, events.ReasonSchemaUnsupported},
		{"a remote document", "a", `{"type":"object","properties":{"a":{"$ref":"https://example.com/a.json"}}}`, events.ReasonSchemaUnsupported},
		{"a relative document", "a", `{"type":"object","properties":{"a":{"$ref":"other.json#/x"}}}`, events.ReasonSchemaUnsupported},
		{"a relative document against a file id", "a", `{"$id":"file://` + file + `","type":"object","properties":{"a":{"$ref":"x.json"}}}`, events.ReasonSchemaUnsupported},
		{"a remote metaschema", "a", `{"$schema":"https://example.com/meta","type":"object"}`, events.ReasonSchemaUnsupported},
		{"a dynamic reference elsewhere", "a", `{"type":"object","properties":{"a":{"$dynamicRef":"file://` + file + `#x"}}}`, events.ReasonSchemaUnsupported},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			tool, err := request.NewTool(row.name, "", row.schema)
			requireInvalid(t, err, row.reason)
			assert.True(t, tool.Equal(request.Tool{}))
		})
	}
	_, err := request.NewTool("a", "bad \xff", object)
	requireInvalid(t, err, events.ReasonBadTool)
}

func TestToolCheck(t *testing.T) {
	t.Parallel()
	city := mustTool(t, "get_weather", citySchema)
	tree := mustTool(t, "tree", `{"type":"object","$defs":{"n":{"type":"object","required":["v"],"properties":{"next":{"$ref":"#/$defs/n"}}}},"properties":{"top":{"$ref":"#/$defs/n"}}}`)
	either := mustTool(t, "either", `{"type":"object","properties":{"a":{"anyOf":[{"type":"null"},{"type":"object","required":["x"]}]}}}`)
	for _, row := range []struct {
		why       string
		tool      request.Tool
		arguments string
		kind      events.IssueKind // empty: fits
		detail    []string         // what the model is told
	}{
		{"fits", city, `{"city":"Oslo","days":3}`, "", nil},
		{"an integer beyond 2^53 is an integer", city, `{"city":"Oslo","days":9007199254740993}`, "", nil},
		{"1e2 is an integer", city, `{"city":"Oslo","days":1e2}`, "", nil},
		{"not JSON", city, `{"city":"Oslo"`, events.IssueNotObject, nil},
		{"not an object", city, `["Oslo"]`, events.IssueNotObject, nil},
		{"not UTF-8", city, "{\"city\":\"\xff\xff\"}", events.IssueNotUTF8, nil},
		{"two keys alike", city, `{"city":"Oslo","city":"Bergen"}`, events.IssueDuplicateKey, nil},
		{"a number on which the validator panics", city, `{"city":"Oslo","days":1e10000000}`, events.IssueOutOfBounds, nil},
		{"required property missing", city, `{}`, events.IssueSchema, []string{"at the top level", "city"}},
		{"wrong type", city, `{"city":"Oslo","days":"3"}`, events.IssueSchema, []string{"at /days", "integer", "string"}},
		{"not an integer", city, `{"city":"Oslo","days":1.5}`, events.IssueSchema, []string{"at /days", "integer"}},
		{"too short", city, `{"city":"O"}`, events.IssueSchema, []string{"at /city", ">= 2"}},
		{"additional property", city, `{"city":"Oslo","town":1}`, events.IssueSchema, []string{"town", "not allowed"}},
		{"below a reference", tree, `{"top":{"v":1,"next":{}}}`, events.IssueSchema, []string{"at /top/next", "'v'"}},
		{"the branch that was meant", either, `{"a":{}}`, events.IssueSchema, []string{"at /a", "'x'"}},
		{"the zero Tool has no schema", request.Tool{}, `{"a":1}`, "", nil},
		{"the zero Tool still wants an object", request.Tool{}, `1`, events.IssueNotObject, nil},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			issue := row.tool.Check(row.arguments)
			if row.kind == "" {
				require.Nil(t, issue)
				return
			}
			require.NotNil(t, issue)
			assert.Equal(t, row.kind, issue.Kind)
			for _, part := range row.detail {
				assert.Contains(t, issue.Detail, part)
			}
			assert.NotContains(t, issue.Detail, "tool:///", "no inner URL")
		})
	}
}

func TestToolCheckIsBounded(t *testing.T) {
	t.Parallel()
	tool := mustTool(t, "a", `{"type":"object","properties":{"a":{"enum":["x"]}},"additionalProperties":false}`)
	issue := tool.Check(`{"` + strings.Repeat("k", 100_000) + `":1}`)
	require.NotNil(t, issue)
	assert.LessOrEqual(t, len(issue.Detail), events.MaxDetail)
}

// A number costs what its exponent says, however short its literal is.
func TestToolCheckBoundsExactNumbers(t *testing.T) {
	t.Parallel()
	tool := mustTool(t, "a", `{"type":"object","properties":{"a":{"items":{"type":"integer"}}}}`)
	list := func(n int) string { return `{"a":[` + strings.Repeat("1e10000,", n) + `0]}` }
	require.Nil(t, tool.Check(list(events.MaxExponentsTotal/events.MaxNumberExponent)))
	issue := tool.Check(list(1 << 17))
	require.NotNil(t, issue)
	assert.Equal(t, events.IssueOutOfBounds, issue.Kind)
}

func TestToolCheckContainsPanics(t *testing.T) {
	t.Parallel()
	issue := request.BrokenTool().Check(`{}`)
	require.NotNil(t, issue, "what could not be checked does not pass")
	assert.Equal(t, events.IssueSchema, issue.Kind)
	assert.NotEmpty(t, issue.Detail)
	assert.NotContains(t, issue.Detail, "nil pointer", "the model is not shown how it broke")
}

// The validator walks objects in Go's random order, which would give a recorded
// stream another issue on replay.
func TestToolCheckIsDeterministic(t *testing.T) {
	t.Parallel()
	tool := mustTool(t, "a", `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"},"c":{"type":"string"}},"additionalProperties":false}`)
	for _, arguments := range []string{`{"a":1,"b":2,"c":3}`, `{"p":1,"q":2,"r":3,"s":4}`} {
		want := tool.Check(arguments)
		require.NotNil(t, want)
		for range 50 {
			require.Equal(t, want, tool.Check(arguments))
		}
	}
}

func TestToolCheckIsConcurrent(t *testing.T) {
	t.Parallel()
	tool := mustTool(t, "get_weather", citySchema)
	for range 4 {
		t.Run("reader", func(t *testing.T) {
			t.Parallel()
			for range 100 {
				require.Nil(t, tool.Check(`{"city":"Oslo"}`))
				require.NotNil(t, tool.Check(`{"days":1}`))
			}
		})
	}
}

func TestToolEqual(t *testing.T) {
	t.Parallel()
	base, err := request.NewTool("a", "d", citySchema)
	require.NoError(t, err)
	for _, other := range [][3]string{{"b", "d", citySchema}, {"a", "e", citySchema}, {"a", "d", citySchema + " "}} {
		tool, err := request.NewTool(other[0], other[1], other[2])
		require.NoError(t, err)
		assert.False(t, base.Equal(tool), other)
	}
	same, err := request.NewTool("a", "d", citySchema)
	require.NoError(t, err)
	assert.True(t, base.Equal(same))
}

func TestToolJSON(t *testing.T) {
	t.Parallel()
	var tools []request.Tool
	require.NoError(t, json.Unmarshal([]byte(`[{"name":"a.b","description":"d","schema":{"type":"object","properties":{"z":{"minimum":1.50},"a":{}}}},null]`), &tools))
	require.Len(t, tools, 2)
	assert.Equal(t, "a.b", tools[0].Name())
	assert.JSONEq(t, `{"type":"object","properties":{"z":{"minimum":1.50},"a":{}}}`, tools[0].Schema())
	assert.True(t, tools[1].Equal(request.Tool{}))
	text, err := tools[0].MarshalJSON()
	require.NoError(t, err)
	assert.Equal(t, `{"description":"d","name":"a.b","schema":{"type":"object","properties":{"z":{"minimum":1.50},"a":{}}}}`, string(text),
		"the order of properties tells the model something and is kept")
	require.NotNil(t, tools[0].Check(`{"z":1}`), "compiled on reading")

	for _, row := range []struct {
		why, text string
		reason    events.Reason
	}{
		{"unknown field", `{"name":"a","schema":{"type":"object"},"strict":true}`, events.ReasonBadParameter},
		{"another spelling of a field", `{"Name":"a","schema":{"type":"object"}}`, events.ReasonBadParameter},
		{"name of another type", `{"name":1,"schema":{"type":"object"}}`, events.ReasonBadParameter},
		{"no schema", `{"name":"a"}`, events.ReasonBadTool},
		{"schema as text", `{"name":"a","schema":"{}"}`, events.ReasonBadTool},
		{"remote reference", `{"name":"a","schema":{"type":"object","properties":{"x":{"$ref":"http://x.test/y"}}}}`, events.ReasonSchemaUnsupported},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			var tool request.Tool
			requireInvalid(t, json.Unmarshal([]byte(row.text), &tool), row.reason)
		})
	}
}
