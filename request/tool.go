package request

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/weirsdk/weir/events"
)

// Bounds of a declared tool.
const (
	// MaxToolName is the longest declared name, in bytes.
	MaxToolName = 128
	// MaxToolSchema is the longest schema, in bytes as declared.
	MaxToolSchema = 256 << 10
	// MaxToolSchemaDepth is how deep a schema may nest; the schema itself is
	// depth 1.
	MaxToolSchemaDepth = 32
)

// A Tool is a tool that the model may call. Make one with [NewTool], which
// checks and compiles its schema once. The zero Tool is refused by every model.
// A Tool is immutable and safe for concurrent use; copies share the compiled
// schema. Compare tools with [Tool.Equal].
type Tool struct {
	name, description, schema string
	// canonical is the schema with sorted keys and without white space.
	canonical string
	compiled  *compiledSchema
}

// NewTool returns a tool.
//
// The name is any text of 1 to [MaxToolName] bytes in valid UTF-8 without control
// characters. Names of up to 64 letters, digits, "_" and "-" are sent as they
// are, others under a safe name (see [Names]).
//
// The schema is a JSON Schema of draft 2020-12 (another draft where it says so
// in $schema) whose type is "object", of at most [MaxToolSchema] bytes and
// [MaxToolSchemaDepth] levels, without duplicate keys. References inside the
// schema work; nothing is ever loaded from a file or the network. Only the
// published metaschemas, which are built in, can be named by URL.
//
// A schema that takes more than [MaxCheckSteps] to check the empty object is refused.
//
// The error is a failure of kind invalid_request: schema_unsupported for a
// reference to another document, bad_tool for everything else.
func NewTool(name, description, schema string) (Tool, error) {
	if f := checkToolTexts(name, description); f != nil {
		return Tool{}, f
	}
	compiled, canonical, f := compileSchema(schema, events.ReasonBadTool)
	if f != nil {
		f.Detail = events.CleanDetail("tool " + strconv.Quote(events.CutText(name, 64)) + ": " + f.Detail)
		return Tool{}, f
	}
	return Tool{name: name, description: description, schema: schema, canonical: canonical, compiled: compiled}, nil
}

func checkToolTexts(name, description string) *events.Failure {
	switch {
	case name == "":
		return badTool("a tool has no name")
	case len(name) > MaxToolName:
		return badTool("a tool's name is longer than " + strconv.Itoa(MaxToolName) + " bytes")
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return badTool("a tool's name is not printable text")
	case !utf8.ValidString(description):
		return badTool("the description of tool " + strconv.Quote(name) + " is not valid UTF-8")
	default:
		return nil
	}
}

func badTool(detail string) *events.Failure { return invalid(events.ReasonBadTool, detail) }

// invalid returns a failure of kind invalid_request: by its nature nothing was
// sent.
func invalid(reason events.Reason, detail string) *events.Failure {
	f := events.NewFailure(events.InvalidRequest, reason, detail)
	f.Sent = events.NotSent
	return f
}

// Name returns the declared name.
func (t Tool) Name() string { return t.name }

// Description returns what the tool does, for the model.
func (t Tool) Description() string { return t.description }

// Schema returns the JSON Schema of the arguments, byte for byte as declared.
func (t Tool) Schema() string { return t.schema }

// Equal reports whether two tools have the same name, description and schema,
// byte for byte.
func (t Tool) Equal(o Tool) bool {
	return t.name == o.name && t.description == o.description && t.schema == o.schema
}

// Check reports what is wrong with a call's arguments, or nil: first what
// [events.CheckArguments] finds, then whether they fit the schema, as an issue of
// kind schema whose detail says where and how in words that can be shown to the
// model. The same arguments always give the same issue. The bounds of
// CheckArguments bound the work too, and so does [MaxCheckSteps]: arguments beyond
// it are not checked and give an issue of kind out_of_bounds. The zero Tool has no
// schema to fit.
func (t Tool) Check(arguments string) *events.Issue {
	if issue := events.CheckArguments(arguments); issue != nil {
		return issue
	}
	if t.compiled == nil {
		return nil
	}
	return t.compiled.check(arguments, "arguments", "do")
}
