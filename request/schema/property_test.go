package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/request/schema"
)

// drawSchema draws a schema of few names, so that parts of it meet. Branches of
// unions are told apart by a constant: what Strip promises for unions.
func drawSchema(t *rapid.T, depth int) map[string]any {
	if depth == 0 || rapid.IntRange(0, 3).Draw(t, "leaf") == 0 {
		return drawLeaf(t)
	}
	switch rapid.IntRange(0, 6).Draw(t, "shape") {
	case 0:
		s := map[string]any{"type": "array", "items": drawSchema(t, depth-1)}
		drawOptional(t, s, "minItems", 1, 2)
		return s
	case 1:
		return drawUnion(t, depth)
	case 2:
		s := drawObject(t, depth)
		s["allOf"] = []any{drawObject(t, depth-1)}
		return s
	case 3:
		s := map[string]any{"$ref": rapid.SampledFrom([]string{"#/$defs/a", "#/$defs/b", "#"}).Draw(t, "ref")}
		drawOptional(t, s, "description", "d")
		return s
	default:
		return drawObject(t, depth)
	}
}

func drawLeaf(t *rapid.T) map[string]any {
	return rapid.SampledFrom([]map[string]any{
		{"type": "string"},
		{"type": "null"},
		{"type": "string", "minLength": 2},
		{"type": "string", "pattern": "^a"},
		{"type": "integer", "minimum": 1, "maximum": 3},
		{"type": []any{"string", "null"}},
		{"type": []any{"integer", "string"}, "maximum": 2, "description": "d"},
		{"enum": []any{"x", nil}},
		{"enum": []any{1, 2.5, "x"}},
		{"const": "k"},
		{"const": 2},
		{"const": nil},
		{"type": "boolean", "title": "T", "default": true},
		{"type": "object"},
		{},
	}).Draw(t, "leaf")
}

func drawOptional(t *rapid.T, s map[string]any, key string, values ...any) {
	if rapid.Bool().Draw(t, "has "+key) {
		s[key] = rapid.SampledFrom(values).Draw(t, key)
	}
}

func drawObject(t *rapid.T, depth int) map[string]any {
	properties := map[string]any{}
	var required []any
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "title", "$ref"}), 0, 3, rapid.ID).Draw(t, "names") {
		properties[name] = drawSchema(t, max(depth-1, 0))
		if rapid.Bool().Draw(t, "required") {
			required = append(required, name)
		}
	}
	s := map[string]any{"type": "object", "properties": properties}
	if required != nil {
		s["required"] = required
	}
	drawOptional(t, s, "additionalProperties", true, false, map[string]any{"type": "string"})
	return s
}

func drawUnion(t *rapid.T, depth int) map[string]any {
	var branches []any
	for _, kind := range []string{"p", "q"} {
		branch := drawObject(t, depth-1)
		branch["properties"].(map[string]any)["kind"] = map[string]any{"const": kind}
		required, _ := branch["required"].([]any)
		branch["required"] = append(required, "kind")
		branches = append(branches, branch)
	}
	if rapid.Bool().Draw(t, "with a string") {
		branches = append(branches, map[string]any{"type": "string"})
	}
	return map[string]any{rapid.SampledFrom([]string{"anyOf", "oneOf"}).Draw(t, "union"): branches}
}

func drawRoot(t *rapid.T) string {
	s := drawObject(t, 3)
	s["$defs"] = map[string]any{"a": drawSchema(t, 2), "b": drawSchema(t, 1)}
	text, err := json.Marshal(s)
	require.NoError(t, err)
	return string(text)
}

func compile(t require.TestingT, text string) *jsonschema.Schema {
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	require.NoError(t, c.AddResource("mem:///s", strings.NewReader(text)))
	s, err := c.Compile("mem:///s")
	require.NoError(t, err, text)
	return s
}

func decode(t require.TestingT, text string) (v any) {
	require.NoError(t, json.Unmarshal([]byte(text), &v), text)
	return v
}

// drawAnswer draws an answer along a rewritten schema; it may miss a bound.
func drawAnswer(t *rapid.T, root, s map[string]any, fuel int) any {
	if ref, ok := s["$ref"].(string); ok {
		target := root
		if name, ok := strings.CutPrefix(ref, "#/$defs/"); ok {
			target = root["$defs"].(map[string]any)[name].(map[string]any)
		}
		return drawAnswer(t, root, target, fuel-1)
	}
	if union, ok := s["anyOf"].([]any); ok {
		at := len(union) - 1 // null, where a recursion has to end
		if fuel > 0 {
			at = rapid.IntRange(0, at).Draw(t, "branch")
		}
		return drawAnswer(t, root, union[at].(map[string]any), fuel-1)
	}
	if constant, ok := s["const"]; ok {
		return constant
	}
	if enum, ok := s["enum"].([]any); ok {
		return rapid.SampledFrom(enum).Draw(t, "value")
	}
	return drawOfType(t, root, s, fuel)
}

func drawOfType(t *rapid.T, root, s map[string]any, fuel int) any {
	types, ok := s["type"].([]any)
	if !ok {
		types = []any{s["type"]}
	}
	kind := types[len(types)-1]
	if fuel > 0 {
		kind = rapid.SampledFrom(types).Draw(t, "type")
	}
	switch kind {
	case "object":
		answer := map[string]any{}
		properties, _ := s["properties"].(map[string]any)
		for _, name := range []string{"$ref", "a", "b", "kind", "title"} {
			p, ok := properties[name].(map[string]any)
			required, _ := s["required"].([]any)
			if ok && fuel > -20 && (contains(required, name) || rapid.Bool().Draw(t, "there")) {
				answer[name] = drawAnswer(t, root, p, fuel-1)
			}
		}
		return answer
	case "array":
		answer := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			if fuel > 0 {
				answer = append(answer, drawAnswer(t, root, s["items"].(map[string]any), fuel-1))
			}
		}
		return answer
	default:
		return rapid.SampledFrom(samples()[kind.(string)]).Draw(t, "scalar")
	}
}

func samples() map[string][]any {
	return map[string][]any{"string": {"", "ab", "x", "k"}, "integer": {0, 2}, "number": {2.5, 3}, "boolean": {true}, "null": {nil}}
}

func contains(list []any, name string) bool {
	for _, item := range list {
		if item == name {
			return true
		}
	}
	return false
}

func widened(losses []schema.Loss) bool {
	for _, l := range losses {
		if l.Effect == schema.Widened {
			return true
		}
	}
	return false
}

// What is promised of every rewritten schema, over random schemas and answers:
// it is stable, it compiles, its objects are closed where the subset asks for
// it, and with nothing widened its answers fit the original.
func TestRewriteProperties(t *testing.T) {
	t.Parallel()
	held := 0
	rapid.Check(t, func(t *rapid.T) {
		text := drawRoot(t)
		profile := rapid.SampledFrom(schema.Profiles()).Draw(t, "profile")
		got, err := schema.Rewrite(text, profile, schema.Options{})
		if err != nil {
			wantRefusal(t, text, profile, err)
			return
		}
		again, err := schema.Rewrite(got.Schema, profile, schema.Options{})
		require.NoError(t, err, got.Schema)
		require.Equal(t, got.Schema, again.Schema, "rewriting again changes nothing")
		if profile != schema.Gemini && profile != schema.GeminiJSON && profile != schema.Cohere {
			requireClosed(t, decode(t, got.Schema).(map[string]any), profile)
		}
		rewritten := decode(t, got.Schema).(map[string]any)
		answer := drawAnswer(t, rewritten, rewritten, 8)
		if compile(t, got.Schema).Validate(answer) != nil || widened(got.Losses) {
			return
		}
		given, err := json.Marshal(answer)
		require.NoError(t, err)
		stripped := schema.Strip(text, string(given))
		require.NoError(t, compile(t, text).Validate(decode(t, stripped)), "%s\nrewritten %s\nanswer %s\nstripped %s", text, got.Schema, given, stripped)
		held++
	})
	require.Positive(t, held, "no answer was ever held to its schema")
}

// wantRefusal accepts a refusal only where there is a reason for one.
func wantRefusal(t *rapid.T, text string, profile schema.Profile, err error) {
	conflict := strings.Contains(text, "allOf") || strings.Contains(text, "$ref") || profile == schema.Cohere
	require.True(t, conflict, "%s: %s: %v", profile, text, err)
}

// requireClosed walks a rewritten schema by position.
func requireClosed(t *rapid.T, s map[string]any, p schema.Profile) {
	if s["type"] == "object" || contains(typeList(s), "object") {
		require.Equal(t, false, s["additionalProperties"])
		if p == schema.OpenAIStrict {
			require.Len(t, s["required"], len(s["properties"].(map[string]any)))
		}
	}
	for _, key := range []string{"properties", "$defs"} {
		named, _ := s[key].(map[string]any)
		for _, inner := range named {
			requireClosed(t, inner.(map[string]any), p)
		}
	}
	if items, ok := s["items"].(map[string]any); ok {
		requireClosed(t, items, p)
	}
	union, _ := s["anyOf"].([]any)
	for _, inner := range union {
		requireClosed(t, inner.(map[string]any), p)
	}
}

func typeList(s map[string]any) []any {
	list, _ := s["type"].([]any)
	return list
}
