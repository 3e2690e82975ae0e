package request

import "github.com/weirsdk/weir/events"

// A Tool is a tool that the model may call. Make one with NewTool, which checks
// and compiles its schema once. A Tool is immutable and safe for concurrent use.
type Tool struct {
	name, description, schema string
	compiled                  *compiledSchema
}

type compiledSchema struct{}

// NewTool returns a tool. (to be written)
func NewTool(name, description, schema string) (Tool, error) {
	return Tool{name: name, description: description, schema: schema}, nil
}

// Name returns the declared name.
func (t Tool) Name() string { return t.name }

// Description returns what the tool does, for the model.
func (t Tool) Description() string { return t.description }

// Schema returns the JSON Schema of the arguments, byte for byte as declared.
func (t Tool) Schema() string { return t.schema }

// Check reports what is wrong with a call's arguments, or nil. (to be written)
func (t Tool) Check(arguments string) *events.Issue { return events.CheckArguments(arguments) }
