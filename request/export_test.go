package request

import "github.com/santhosh-tekuri/jsonschema/v5"

// BrokenTool returns a tool whose validator panics on everything.
func BrokenTool() Tool { return Tool{name: "broken", compiled: &compiledSchema{}} }

// TooManySteps is what CountSteps returns for what is not validated.
const TooManySteps = tooMuch

// CountSteps returns what Check counts before it validates.
func CountSteps(root *jsonschema.Schema, anchors []*jsonschema.Schema, value any) uint64 {
	return (&compiledSchema{steps: newSchemaGraph(root, anchors)}).countSteps(value)
}

// StepsOf returns what Check of a tool counts.
func StepsOf(t Tool, arguments string) uint64 {
	value, err := decodeNumbers(arguments)
	if err != nil {
		return 0
	}
	return t.compiled.countSteps(value)
}

// StepWeights returns what one look of a schema at a value counts.
func StepWeights(root *jsonschema.Schema, anchors []*jsonschema.Schema) func(*jsonschema.Schema, any) uint64 {
	g := schemaGraph{}
	g.node(root)
	g.all(anchors)
	return func(s *jsonschema.Schema, value any) uint64 { return g[s].weight(newArgument(value)) }
}

// Of the counted steps.
var (
	PathLength = pathLength
	PathSquare = uint64(pathSquare)
)
