package request

import (
	"encoding/json"
	"math/big"
	"net/url"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// Work beside the steps is counted in loops; so many make a step.
const (
	loopsPerStep = 16
	// entryLoops is for one member or item, of which the validator keeps sets.
	entryLoops = 4
	// textPerLoop is how many bytes are quoted in a loop, and matchPerLoop how many
	// a pattern of one state passes in it.
	textPerLoop, matchPerLoop = 4, 32
	// numberLoops is for one number, and digitsPerLoop for what is long in it.
	numberLoops, digitsPerLoop = 12, 8
	// mismatchEach is for names that give a mismatch each and not one together.
	mismatchEach = 8
	// What else is done with a text is as if it were matched by so many states:
	// counting it, reading it as a format, decoding it, compiling it as a pattern.
	countStates, formatStates, decodeStates, compileStates = 1, 8, 40, 8192
	// nameStates is for matching keys: they are short, so that each start counts.
	nameStates = 4
	// divisionLoops divides the square of a number's loops: multipleOf divides.
	divisionLoops = 128
)

// schemaNode is a compiled schema as far as it decides what the validator looks
// at: which schemas follow, for the value itself and for what is in it, and how
// much work each look is. It is immutable once built.
type schemaNode struct {
	schema *jsonschema.Schema
	// leaf: no other schema follows.
	leaf bool

	// For the value itself. Each of dynamic is the possible targets of one
	// dynamic reference, of which one is taken; dependent is by the member that
	// has to be there.
	inPlace   []*schemaNode
	dynamic   [][]*schemaNode
	dependent map[string]*schemaNode

	// For members; names is for the keys.
	properties                    map[string]*schemaNode
	patterns                      []patternNode
	additional, eachMember, names *schemaNode

	// For items: the first ones, those after them, and whatever is for all.
	prefix   []*schemaNode
	rest     *schemaNode
	eachItem []*schemaNode

	// Work in loops: on any value, on an object, for each comparison with a
	// value, and for each matchPerLoop bytes of a text and of an object's keys.
	fixed, lists, equals, textWork, nameWork uint64
}

type patternNode struct {
	pattern *regexp.Regexp
	to      *schemaNode
}

// schemaGraph builds the nodes of one compiled schema.
type schemaGraph map[*jsonschema.Schema]*schemaNode

// newSchemaGraph returns the node of root. Anchors are the schemas that a dynamic
// reference may find although no keyword leads to them.
func newSchemaGraph(root *jsonschema.Schema, anchors []*jsonschema.Schema) *schemaNode {
	g := schemaGraph{}
	node := g.node(root)
	g.all(anchors)
	for _, n := range g {
		g.addDynamic(n)
		n.leaf = n.isLeaf()
	}
	return node
}

func (g schemaGraph) node(s *jsonschema.Schema) *schemaNode {
	if s == nil {
		return nil
	}
	if n, ok := g[s]; ok {
		return n
	}
	// Draft-07 does not have contentSchema, and yet the library checks the JSON
	// in a text with it, which nothing bounds.
	if s.ContentSchema != nil {
		s.ContentSchema = nil
	}
	n := &schemaNode{schema: s}
	g[s] = n
	g.addInPlace(n)
	g.addMembers(n)
	g.addItems(n)
	n.addWork()
	return n
}

func (g schemaGraph) all(schemas []*jsonschema.Schema) (nodes []*schemaNode) {
	for _, s := range schemas {
		if s != nil {
			nodes = append(nodes, g.node(s))
		}
	}
	return nodes
}

func (g schemaGraph) named(schemas map[string]*jsonschema.Schema) map[string]*schemaNode {
	nodes := make(map[string]*schemaNode, len(schemas))
	for name, s := range schemas {
		nodes[name] = g.node(s)
	}
	return nodes
}

func (g schemaGraph) addInPlace(n *schemaNode) {
	s := n.schema
	n.inPlace = g.all([]*jsonschema.Schema{s.Ref, s.Not, s.If, s.Then, s.Else})
	for _, list := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf} {
		n.inPlace = append(n.inPlace, g.all(list)...)
	}
	n.dependent = g.named(s.DependentSchemas)
	for name, dependency := range s.Dependencies {
		if to, ok := dependency.(*jsonschema.Schema); ok {
			n.dependent[name] = g.node(to)
		}
	}
	g.all([]*jsonschema.Schema{s.RecursiveRef, s.DynamicRef})
}

// addDynamic needs every node: a dynamic reference goes to the outermost schema
// on the way that has the anchor, which may be any.
func (g schemaGraph) addDynamic(n *schemaNode) {
	if to := n.schema.RecursiveRef; to != nil {
		n.dynamic = append(n.dynamic, g.targets(to, func(s *jsonschema.Schema) bool {
			return to.RecursiveAnchor && s.RecursiveAnchor
		}))
	}
	if to := n.schema.DynamicRef; to != nil {
		n.dynamic = append(n.dynamic, g.targets(to, func(s *jsonschema.Schema) bool {
			return to.DynamicAnchor != "" && s.DynamicAnchor == to.DynamicAnchor
		}))
	}
}

func (g schemaGraph) targets(named *jsonschema.Schema, also func(*jsonschema.Schema) bool) []*schemaNode {
	nodes := []*schemaNode{g[named]}
	for s, n := range g {
		if s != named && also(s) {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

func (g schemaGraph) addMembers(n *schemaNode) {
	s := n.schema
	n.properties = g.named(s.Properties)
	for pattern, to := range s.PatternProperties {
		n.patterns = append(n.patterns, patternNode{pattern, g.node(to)})
		n.nameWork += nameStates * programSize(pattern)
	}
	if additional, ok := s.AdditionalProperties.(*jsonschema.Schema); ok {
		n.additional = g.node(additional)
	}
	n.names, n.eachMember = g.node(s.PropertyNames), g.node(s.UnevaluatedProperties)
}

func (g schemaGraph) addItems(n *schemaNode) {
	s := n.schema
	n.prefix, n.rest = g.all(s.PrefixItems), g.node(s.Items2020)
	switch items := s.Items.(type) {
	case *jsonschema.Schema:
		n.rest = g.node(items)
	case []*jsonschema.Schema:
		n.prefix = g.all(items)
		if additional, ok := s.AdditionalItems.(*jsonschema.Schema); ok {
			n.rest = g.node(additional)
		}
	}
	n.eachItem = g.all([]*jsonschema.Schema{s.Contains, s.UnevaluatedItems})
}

func (n *schemaNode) isLeaf() bool {
	lists := len(n.inPlace) + len(n.dynamic) + len(n.dependent) + len(n.properties) + len(n.patterns) + len(n.prefix) + len(n.eachItem)
	return lists == 0 && n.additional == nil && n.names == nil && n.eachMember == nil && n.rest == nil
}

// addWork counts what the schema's own keywords cost on any value.
func (n *schemaNode) addWork() {
	s := n.schema
	n.fixed = uint64(len(s.Location)) / loopsPerStep
	for _, bound := range []*big.Rat{s.Minimum, s.ExclusiveMinimum, s.Maximum, s.ExclusiveMaximum, s.MultipleOf} {
		if bound != nil {
			n.fixed += uint64(bound.Num().BitLen()+bound.Denom().BitLen()) / 64
		}
	}
	for _, list := range [][]any{s.Enum, s.Constant} {
		n.equals += uint64(len(list))
		for _, value := range list {
			n.fixed += wholeRead(newArgument(value))
		}
	}
	n.addLists()
	n.addTextWork()
}

func (n *schemaNode) addLists() {
	s := n.schema
	n.lists = entryLoops*uint64(len(s.Properties)+len(s.Dependencies)+len(s.DependentRequired)) + namesLoops(s.Required)
	for _, list := range s.DependentRequired {
		n.lists += namesLoops(list) * mismatchEach
	}
	for _, list := range s.Dependencies {
		if list, ok := list.([]string); ok {
			n.lists += namesLoops(list) * mismatchEach
		}
	}
	if s.RegexProperties {
		n.nameWork += compileStates
	}
}

func namesLoops(names []string) (loops uint64) {
	for _, name := range names {
		loops += entryLoops + uint64(len(name))/textPerLoop
	}
	return loops
}

func (n *schemaNode) addTextWork() {
	if n.schema.Pattern != nil {
		n.textWork += programSize(n.schema.Pattern)
		n.fixed += uint64(len(n.schema.Pattern.String())) / textPerLoop
	}
	if n.schema.MinLength >= 0 || n.schema.MaxLength >= 0 {
		n.textWork += countStates
	}
	if n.schema.Format == "regex" {
		n.textWork += compileStates
	} else if n.schema.Format != "" {
		n.textWork += formatStates
	}
	if n.schema.ContentEncoding != "" || n.schema.ContentMediaType != "" {
		n.textWork += decodeStates
	}
}

// programSize is how many states a pattern can be in.
func programSize(pattern *regexp.Regexp) uint64 {
	parsed, err := syntax.Parse(pattern.String(), syntax.Perl)
	if err != nil {
		return tooMuch
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return tooMuch
	}
	return uint64(len(program.Inst))
}

// wholeRead is what reading a value and all in it costs.
func wholeRead(a *argument) uint64 {
	sum := a.read + a.text/textPerLoop
	for _, member := range a.members {
		sum += wholeRead(member.value)
	}
	for _, item := range a.items {
		sum += wholeRead(item)
	}
	return sum
}

// weight is how many steps one look at the value counts for.
func (n *schemaNode) weight(value *argument) uint64 {
	loops := value.read + n.fixed + n.equals*value.compare
	switch value.value.(type) {
	case map[string]any:
		loops += n.lists + n.nameWork*value.text/matchPerLoop
	case []any:
		if n.schema.UniqueItems {
			loops += uniqueLoops(value)
		}
	case string:
		loops += n.textWork * value.text / matchPerLoop
	case json.Number:
		if n.schema.MultipleOf != nil {
			loops += value.read * value.read / divisionLoops
		}
	}
	return min(1+loops/loopsPerStep, tooMuch)
}

// uniqueLoops is what uniqueItems costs. The validator compares each item of a
// short array, and each object or array of a long one, with all before it if
// their hashes are equal, which can be arranged.
func uniqueLoops(list *argument) uint64 {
	compared := list.containers()
	if len(list.items) <= 20 {
		compared = uint64(len(list.items))
	}
	return list.compare + compared*list.compare/64
}

// follow calls step for each schema that the validator applies, and the value
// that it applies it to.
func (n *schemaNode) follow(value *argument, step func(*schemaNode, *argument, uint64)) {
	for _, to := range n.inPlace {
		step(to, value, 1)
	}
	switch value.value.(type) {
	case map[string]any:
		for name, to := range n.dependent {
			if _, ok := value.members[name]; ok {
				step(to, value, pathLength(name))
			}
		}
		for name, member := range value.members {
			n.followMember(name, member, step)
		}
	case []any:
		n.followItems(value.items, step)
	}
}

func (n *schemaNode) followMember(name string, member argumentMember, step func(*schemaNode, *argument, uint64)) {
	length := pathLength(name)
	to, declared := n.properties[name]
	if declared {
		step(to, member.value, length)
	}
	for _, p := range n.patterns {
		if p.pattern.MatchString(name) {
			declared = true
			step(p.to, member.value, pathLength(name, p.pattern.String()))
		}
	}
	if n.additional != nil && !declared {
		step(n.additional, member.value, length)
	}
	if n.names != nil {
		step(n.names, member.name, length)
	}
	if n.eachMember != nil {
		step(n.eachMember, member.value, length)
	}
}

func (n *schemaNode) followItems(items []*argument, step func(*schemaNode, *argument, uint64)) {
	for i, item := range items {
		if i < len(n.prefix) {
			step(n.prefix[i], item, 1)
		} else if n.rest != nil {
			step(n.rest, item, 1)
		}
		for _, to := range n.eachItem {
			step(to, item, 1)
		}
	}
}

// anchorPointers returns where a schema names a dynamic anchor.
func anchorPointers(value any, at string) (pointers []string) {
	switch v := value.(type) {
	case map[string]any:
		if _, ok := v["$dynamicAnchor"].(string); ok {
			pointers = append(pointers, at)
		}
		for name, member := range v {
			pointers = append(pointers, anchorPointers(member, at+"/"+pointerToken(name))...)
		}
	case []any:
		for i, item := range v {
			pointers = append(pointers, anchorPointers(item, at+"/"+strconv.Itoa(i))...)
		}
	}
	return pointers
}

func pointerToken(name string) string {
	return url.PathEscape(strings.NewReplacer("~", "~0", "/", "~1").Replace(name))
}
