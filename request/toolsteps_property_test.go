package request_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/request"
)

// slowSteps counts by walking every way through the schema, and remembers nothing
// but the way it is on.
type slowSteps struct {
	steps, square uint64
	// anchored is every schema with a dynamic or recursive anchor.
	anchored []*jsonschema.Schema
	endless  bool
	weight   func(*jsonschema.Schema, any) uint64
	// left is how many looks the test has patience for.
	left *int
}

type slowLook struct {
	schema *jsonschema.Schema
	place  string
}

func (c *slowSteps) total() uint64 {
	total := c.steps + c.square/request.PathSquare
	if c.endless || total > request.MaxCheckSteps {
		return request.TooManySteps
	}
	return total
}

func (c *slowSteps) look(s *jsonschema.Schema, value any, place string, length uint64, way []slowLook) {
	if *c.left--; s == nil || c.endless || *c.left < 0 {
		return
	}
	here := slowLook{s, place}
	if slices.Contains(way, here) {
		c.endless = true
		return
	}
	way = append(slices.Clip(way), here)
	weight := c.weight(s, value)
	c.steps += weight
	c.square += weight * length * length
	next := func(to *jsonschema.Schema, value any, at string, names ...string) {
		c.look(to, value, place+at, length+request.PathLength(names...), way)
	}
	for _, to := range slices.Concat([]*jsonschema.Schema{s.Ref, s.Not, s.If, s.Then, s.Else}, s.AllOf, s.AnyOf, s.OneOf) {
		next(to, value, "")
	}
	c.dynamic(s, value, place, length, way)
	switch v := value.(type) {
	case map[string]any:
		slowMembers(s, v, next)
	case []any:
		slowItems(s, v, next)
	}
}

// dynamic takes the dearest target.
func (c *slowSteps) dynamic(s *jsonschema.Schema, value any, place string, length uint64, way []slowLook) {
	to := s.DynamicRef
	if to == nil {
		return
	}
	var steps, square uint64
	for _, target := range append([]*jsonschema.Schema{to}, c.anchored...) {
		if target != to && (to.DynamicAnchor == "" || target.DynamicAnchor != to.DynamicAnchor) {
			continue
		}
		one := slowSteps{anchored: c.anchored, weight: c.weight, left: c.left}
		one.look(target, value, place, length+1, way)
		steps, square, c.endless = max(steps, one.steps), max(square, one.square), c.endless || one.endless
	}
	c.steps, c.square = c.steps+steps, c.square+square
}

func slowMembers(s *jsonschema.Schema, members map[string]any, next func(*jsonschema.Schema, any, string, ...string)) {
	for name, to := range s.DependentSchemas {
		if _, ok := members[name]; ok {
			next(to, members, "", name)
		}
	}
	for name, dependency := range s.Dependencies {
		to, _ := dependency.(*jsonschema.Schema)
		if _, ok := members[name]; ok {
			next(to, members, "", name)
		}
	}
	for name, member := range members {
		at := "/" + name
		next(s.Properties[name], member, at, name)
		next(s.PropertyNames, name, at+"#", name)
		next(s.UnevaluatedProperties, member, at, name)
		additional := s.Properties[name] == nil
		for pattern, to := range s.PatternProperties {
			if pattern.MatchString(name) {
				additional = false
				next(to, member, at, name, pattern.String())
			}
		}
		if to, ok := s.AdditionalProperties.(*jsonschema.Schema); ok && additional {
			next(to, member, at, name)
		}
	}
}

func slowItems(s *jsonschema.Schema, items []any, next func(*jsonschema.Schema, any, string, ...string)) {
	oldFirst, _ := s.Items.([]*jsonschema.Schema)
	oldAll, _ := s.Items.(*jsonschema.Schema)
	oldRest, _ := s.AdditionalItems.(*jsonschema.Schema)
	first := append(slices.Clone(s.PrefixItems), oldFirst...)
	for i, item := range items {
		at := "/" + string(rune('0'+i))
		next(s.Contains, item, at)
		next(s.UnevaluatedItems, item, at)
		next(oldAll, item, at)
		switch {
		case i < len(first):
			next(first[i], item, at)
		case len(oldFirst) > 0:
			next(oldRest, item, at)
		default:
			next(s.Items2020, item, at)
		}
	}
}

const longName = "a-name-that-is-as-long-as-three-steps-of-a-way"

// wildSchema draws a schema of every keyword that applies another one.
func wildSchema(depth int, old bool) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		if depth == 0 || rapid.IntRange(0, 5).Draw(t, "leaf") == 0 {
			refs := []any{map[string]any{"$ref": "#/$defs/x"}, map[string]any{"$ref": "#/$defs/y"}, map[string]any{"$dynamicRef": "#T"}}
			return rapid.SampledFrom(append(refs, refs[0], refs[1], true, false, map[string]any{"type": "integer"},
				map[string]any{"minProperties": 2, "const": 1}, map[string]any{"uniqueItems": true, "minLength": 2})).Draw(t, "end")
		}
		one := wildSchema(depth-1, old)
		many := rapid.SliceOfN(one, 1, 3)
		named := rapid.MapOfN(rapid.SampledFrom([]string{"a", "b", longName}), one, 1, 2)
		forms := map[string]*rapid.Generator[any]{
			"allOf": many.AsAny(), "anyOf": many.AsAny(), "oneOf": many.AsAny(), "not": one, "if": one, "then": one, "else": one,
			"properties": named.AsAny(), "additionalProperties": one, "propertyNames": one, "contains": one,
			"patternProperties": rapid.MapOfN(rapid.SampledFrom([]string{"a", "^b"}), one, 1, 2).AsAny(),
		}
		if old {
			forms["items"], forms["additionalItems"], forms["dependencies"] = rapid.OneOf(one, many.AsAny()), one, named.AsAny()
		} else {
			forms["items"], forms["prefixItems"], forms["dependentSchemas"] = one, many.AsAny(), named.AsAny()
			forms["unevaluatedProperties"], forms["unevaluatedItems"] = one, one
		}
		names := make([]string, 0, len(forms))
		for name := range forms {
			names = append(names, name)
		}
		slices.Sort(names)
		s := map[string]any{}
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 2, 5, rapid.ID[string]).Draw(t, "keywords") {
			s[name] = forms[name].Draw(t, name)
		}
		return s
	})
}

func wildValue(depth int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		kind := rapid.IntRange(0, 4).Draw(t, "kind")
		if depth == 0 {
			kind = 0
		}
		switch kind {
		case 1:
			return rapid.SliceOfN(wildValue(depth-1), 1, 3).Draw(t, "items")
		case 2, 3, 4:
			return rapid.MapOfN(rapid.SampledFrom([]string{"a", "b", "ab", longName}), wildValue(depth-1), 1, 4).Draw(t, "members")
		default:
			return rapid.SampledFrom([]any{nil, true, json.Number("1"), "text"}).Draw(t, "value")
		}
	})
}

// lookCounter is a keyword of every schema that counts the validator's looks. It
// does not see those that a type or a boolean schema ends.
type lookCounter struct{ looks *uint64 }

func (c lookCounter) Compile(jsonschema.CompilerContext, map[string]any) (jsonschema.ExtSchema, error) {
	return c, nil
}

func (c lookCounter) Validate(jsonschema.ValidationContext, any) error {
	*c.looks++
	return nil
}

// drawCompiled draws a schema with two definitions that may refer to each other,
// and an anchor of which the root and an inner document have one each.
func drawCompiled(t *rapid.T, looks *uint64) (root *jsonschema.Schema, anchors []*jsonschema.Schema) {
	old := rapid.Bool().Draw(t, "old")
	one := wildSchema(2, old)
	anchor := func(s any) any { return map[string]any{"$dynamicAnchor": "T", "allOf": []any{s}} }
	doc := map[string]any{"allOf": []any{one.Draw(t, "schema"), map[string]any{"$ref": "#/$defs/in/$defs/use"}}, "$defs": map[string]any{
		"x": one.Draw(t, "x"), "y": one.Draw(t, "y"), "T": anchor(one.Draw(t, "T")),
		"in": map[string]any{"$id": "in", "$defs": map[string]any{
			"use": map[string]any{"properties": map[string]any{"a": map[string]any{"$dynamicRef": "#T"}}}, "T": anchor(true),
			"x": true, "y": true,
		}},
	}}
	if old {
		doc["$schema"] = "http://json-schema.org/draft-07/schema#"
	}
	text, err := json.Marshal(doc)
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	c.RegisterExtension("looks", nil, lookCounter{looks})
	require.NoError(t, c.AddResource("test:///schema", strings.NewReader(string(text))))
	if root, err = c.Compile("test:///schema"); err != nil {
		t.Skip("endless reference")
	}
	for _, pointer := range []string{"#/$defs/T", "#/$defs/in/$defs/T"} {
		s, err := c.Compile("test:///schema" + pointer)
		if err != nil {
			t.Skip("endless reference behind an anchor")
		}
		anchors = append(anchors, s)
	}
	return root, anchors
}

// The memo changes how long counting takes and not what comes out.
func TestStepsAreThoseOfTheSlowCount(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		root, anchors := drawCompiled(t, new(uint64))
		value := wildValue(3).Draw(t, "value")
		left := 20_000
		slow := slowSteps{anchored: anchors, weight: request.StepWeights(root, anchors), left: &left}
		slow.look(root, value, "", 0, nil)
		if left < 0 {
			t.Skip("too slow for the slow count")
		}
		require.Equal(t, slow.total(), request.CountSteps(root, anchors, value))
	})
}

// The validator never looks more often than was counted.
func TestStepsAreAtLeastTheValidatorsLooks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var looks uint64
		root, anchors := drawCompiled(t, &looks)
		value := wildValue(3).Draw(t, "value")
		steps := request.CountSteps(root, anchors, value)
		if steps == request.TooManySteps {
			t.Skip("not validated")
		}
		_ = root.Validate(value)
		require.LessOrEqual(t, looks, steps)
	})
}
