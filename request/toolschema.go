package request

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/weirsdk/weir/events"
)

// schemaURL is the base that a schema's own references resolve against. Any
// absolute URL does: a relative one would be resolved against the working
// directory and name it in messages.
const schemaURL = "tool:///schema"

// compiledSchema keeps the third-party type out of Tool's declaration.
type compiledSchema struct {
	schema *jsonschema.Schema
	steps  *schemaNode
}

// errReference is what loading another document gives.
var errReference = errors.New("schema refers to another document")

// errSteps is what arguments beyond MaxCheckSteps give.
var errSteps = errors.New("too many steps")

// compileSchema checks a declared schema against the bounds and compiles it. bad is
// the reason of a failure that is no reference to another document.
func compileSchema(text string, bad events.Reason) (c *compiledSchema, canonical string, f *events.Failure) {
	if detail := schemaProblem(text); detail != "" {
		return nil, "", invalid(bad, detail)
	}
	compiled, err := compile(text)
	if errors.Is(err, errReference) {
		return nil, "", invalid(events.ReasonSchemaUnsupported, err.Error())
	}
	if err != nil {
		return nil, "", invalid(bad, schemaMessage(err))
	}
	if compiled.countSteps(map[string]any{}) > MaxCheckSteps {
		return nil, "", invalid(bad, "schema takes more than "+strconv.Itoa(MaxCheckSteps)+" steps to check an empty object")
	}
	return compiled, string(appendCanonical(nil, text)), nil
}

// schemaProblem returns what is wrong with a schema before it is compiled, or
// nothing.
func schemaProblem(text string) string {
	if len(text) > MaxToolSchema {
		return "schema is longer than " + strconv.Itoa(MaxToolSchema) + " bytes"
	}
	// The bounds of arguments hold here too: the compiler computes a bound such
	// as "minimum": 1e1000000 in full.
	issue := events.CheckArguments(text)
	switch {
	case issue != nil:
		return inWords("schema", issue)
	case repairSurrogates(text) != text:
		return "schema holds half a surrogate pair"
	case jsonDepth(text) > MaxToolSchemaDepth:
		return "schema is nested deeper than " + strconv.Itoa(MaxToolSchemaDepth)
	case !describesObject(text):
		return `schema is not of "type": "object"`
	default:
		return ""
	}
}

func describesObject(text string) bool {
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &members); err != nil {
		return false
	}
	var kind string
	return json.Unmarshal(members["type"], &kind) == nil && kind == "object"
}

// compile contains the compiler's panics. Loading is refused whatever the URL:
// the library would read file URLs from the disk.
func compile(text string) (s *compiledSchema, err error) {
	defer func() {
		if r := recover(); r != nil {
			s, err = nil, fmt.Errorf("schema cannot be compiled: %v", r)
		}
	}()
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	c.LoadURL = func(url string) (io.ReadCloser, error) {
		return nil, fmt.Errorf("%w: %s", errReference, url)
	}
	if err := c.AddResource(schemaURL, strings.NewReader(text)); err != nil {
		return nil, err
	}
	root, err := c.Compile(schemaURL)
	if err != nil {
		return nil, err
	}
	return &compiledSchema{schema: root, steps: newSchemaGraph(root, compileAnchors(c, text))}, nil
}

// compileAnchors returns the schemas that name a dynamic anchor: the root does
// not lead to all that a dynamic reference can find.
func compileAnchors(c *jsonschema.Compiler, text string) (anchors []*jsonschema.Schema) {
	value, err := decodeNumbers(text)
	if err != nil {
		return nil
	}
	for _, pointer := range anchorPointers(value, "") {
		anchors = append(anchors, compileAnchor(c, pointer))
	}
	return anchors
}

// compileAnchor returns nil for what is no schema, such as an example that looks
// like one: the validator does not find it either.
func compileAnchor(c *jsonschema.Compiler, pointer string) (s *jsonschema.Schema) {
	defer func() {
		if recover() != nil {
			s = nil
		}
	}()
	s, err := c.Compile(schemaURL + "#" + pointer)
	if err != nil {
		return nil
	}
	return s
}

// schemaMessage says why a schema does not compile. For one that breaks its
// metaschema that is the place in the schema.
func schemaMessage(err error) string {
	var ve *jsonschema.ValidationError
	if errors.As(err, &ve) {
		return "schema " + describe(ve)
	}
	return err.Error()
}

// check validates a text that is within bounds. what is its name and do the verb
// that goes with it, in the words of issues.
func (c *compiledSchema) check(text, what, do string) *events.Issue {
	value, err := decodeNumbers(text)
	if err != nil {
		return &events.Issue{Kind: events.IssueNotObject, Detail: what + " cannot be read as a JSON object"}
	}
	err = c.validate(value)
	if err == nil {
		return nil
	}
	if errors.Is(err, errSteps) {
		return &events.Issue{Kind: events.IssueOutOfBounds, Detail: "checking " + what + " against the schema takes more than " +
			strconv.Itoa(MaxCheckSteps) + " steps: use fewer or less nested values"}
	}
	detail := what + " could not be checked against the schema"
	var ve *jsonschema.ValidationError
	if errors.As(err, &ve) {
		detail = what + " " + do + " not fit the schema: " + describe(ve)
	}
	return &events.Issue{Kind: events.IssueSchema, Detail: events.CleanDetail(detail)}
}

// validate contains the validator's panics. It does not begin what it could not
// end: the validator cannot be stopped.
func (c *compiledSchema) validate(value any) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("validator panicked: %v", r)
		}
	}()
	if c.countSteps(value) > MaxCheckSteps {
		return errSteps
	}
	return c.schema.Validate(value)
}

// decodeNumbers decodes one JSON value with its number literals kept.
func decodeNumbers(text string) (value any, err error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	err = d.Decode(&value)
	return value, err
}

// describe returns the most useful leaf of a validation error as text. The
// library walks objects in Go's random map order; taking the least leaf makes
// the answer the same every time.
func describe(ve *jsonschema.ValidationError) string {
	least := ve
	if leaves := leavesOf(ve); len(leaves) > 0 {
		least = slices.MinFunc(leaves, compareLeaves)
	}
	where := "at " + least.InstanceLocation
	if least.InstanceLocation == "" {
		where = "at the top level"
	}
	return where + ": " + sortedNames(least.Message)
}

func leavesOf(ve *jsonschema.ValidationError) (leaves []*jsonschema.ValidationError) {
	if len(ve.Causes) == 0 {
		return []*jsonschema.ValidationError{ve}
	}
	for _, cause := range ve.Causes {
		leaves = append(leaves, leavesOf(cause)...)
	}
	return leaves
}

// compareLeaves puts first what tells most. Where branches of an anyOf fail, a
// mismatched type mostly means that the branch was not meant.
func compareLeaves(a, b *jsonschema.ValidationError) int {
	return cmp.Or(
		cmp.Compare(branchRank(a), branchRank(b)),
		cmp.Compare(a.InstanceLocation, b.InstanceLocation),
		cmp.Compare(a.KeywordLocation, b.KeywordLocation),
		cmp.Compare(a.Message, b.Message),
	)
}

func branchRank(ve *jsonschema.ValidationError) int {
	inBranch := strings.Contains(ve.KeywordLocation, "/anyOf/") || strings.Contains(ve.KeywordLocation, "/oneOf/")
	if inBranch && strings.HasSuffix(ve.KeywordLocation, "/type") {
		return 1
	}
	return 0
}

// sortedNames sorts the properties that a message about additional ones lists,
// which come in random order.
func sortedNames(message string) string {
	const begin, between, end = "additionalProperties '", "', '", "' not allowed"
	if !strings.HasPrefix(message, begin) || !strings.HasSuffix(message, end) {
		return message
	}
	names := strings.Split(message[len(begin):len(message)-len(end)], between)
	slices.Sort(names)
	return begin + strings.Join(names, between) + end
}
