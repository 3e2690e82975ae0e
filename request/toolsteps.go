package request

import (
	"encoding/json"
	"strconv"
	"strings"
)

// MaxCheckSteps bounds the work of one [Tool.Check].
//
// The validator looks at a value once for each way that leads to it through the
// schema, and cannot be stopped: where two branches of an anyOf refer back to it,
// as in a tree of filters, that is 2 to the power of the depth of the arguments.
// So the steps are counted before it runs, each value once for each schema.
//
// A step is one schema, or one schema inside it, on one value, whether or not an
// earlier keyword decides. It counts for more where it is more work: long enum
// and required lists, patterns on long texts, long numbers, wide objects and
// arrays, uniqueItems on objects; and where a long way leads to it, because the
// validator writes the way into each mismatch. 10,000 numbers in an array take
// some 13,000 steps; schemas that are recursive in one place take few at any
// depth; the tree of filters is cut off at 9 levels.
//
// At the bound the worst shapes known take 100 to 250 ms on two busy cores
// (measured 2026-11-30 with jsonschema v5.3.1; BenchmarkToolCheckWorst).
const MaxCheckSteps = 40_000

const (
	// tooMuch is where sums stop; far above the bound and far from overflow.
	tooMuch = 1 << 40
	// maxPath ends the count's own recursion. Steps in a row to this depth are
	// beyond MaxCheckSteps alone: maxPath cubed / 3 / pathSquare.
	maxPath = 500
	// pathSquare is how much a way costs: a step at the end of one of length n
	// counts for 1 + n*n/pathSquare.
	pathSquare = 400
	// pathText is how many bytes of a name on the way are as long as one step.
	pathText = 16
)

// pathLength is the length of one step of a way that writes names down.
func pathLength(names ...string) uint64 {
	length := 1
	for _, name := range names {
		length += len(name) / pathText
	}
	return uint64(min(length, maxPath+1))
}

// stepCost sums the steps below one pair of schema and value: their weight, and
// the weight times the length, and times its square, of the way to each. The sum
// for a longer way follows from these three, which is why a pair is counted once.
type stepCost struct{ weight, path, square uint64 }

// add adds what lies at the end of a way of the given length.
func (c *stepCost) add(o stepCost, length uint64) {
	c.square = min(c.square+o.square+2*length*o.path+length*length*o.weight, tooMuch)
	c.path = min(c.path+o.path+length*o.weight, tooMuch)
	c.weight = min(c.weight+o.weight, tooMuch)
}

// atLeast raises c to o where o is larger.
func (c *stepCost) atLeast(o stepCost) {
	c.weight, c.path, c.square = max(c.weight, o.weight), max(c.path, o.path), max(c.square, o.square)
}

func (c stepCost) steps() uint64 { return c.weight + c.square/pathSquare }

// stepCounter counts one check.
type stepCounter struct {
	// memo holds the zero cost while a pair is being counted.
	memo map[stepPair]stepCost
	// work is the weight of the pairs so far.
	work uint64
	over bool
}

type stepPair struct {
	node  *schemaNode
	value *argument
}

// countSteps returns how many steps the validator takes at most, or tooMuch when
// that is beyond MaxCheckSteps or has no end.
func (c *compiledSchema) countSteps(value any) uint64 {
	counter := stepCounter{memo: map[stepPair]stepCost{}}
	steps := counter.count(stepPair{c.steps, newArgument(value)}, 0).steps()
	if counter.over || steps > MaxCheckSteps {
		return tooMuch
	}
	return steps
}

// count visits each pair once. A pair that leads back to itself is an endless
// reference.
func (c *stepCounter) count(p stepPair, depth uint64) stepCost {
	if known, ok := c.memo[p]; ok {
		c.over = c.over || known == stepCost{}
		return known
	}
	sum := stepCost{weight: p.node.weight(p.value)}
	if c.work += sum.weight; c.work > MaxCheckSteps || depth > maxPath {
		c.over = true
	}
	if c.over || p.node.leaf {
		return sum
	}
	c.memo[p] = stepCost{}
	p.node.follow(p.value, func(to *schemaNode, value *argument, length uint64) {
		if !c.over {
			sum.add(c.count(stepPair{to, value}, depth+length), length)
		}
	})
	for _, targets := range p.node.dynamic {
		var most stepCost
		for _, to := range targets {
			most.atLeast(c.count(stepPair{to, p.value}, depth+1))
		}
		sum.add(most, 1)
	}
	c.memo[p] = sum
	return sum
}

// argument is one value of the arguments, or one key. It gives equal values at
// different places an identity.
type argument struct {
	value   any
	members map[string]argumentMember
	items   []*argument
	// read is what one look at the value costs, compare what comparing it with
	// another costs, text how much a pattern has to match.
	read, compare, text uint64
}

type argumentMember struct{ name, value *argument }

func newArgument(value any) *argument {
	a := &argument{value: value, read: 1, compare: 1}
	switch v := value.(type) {
	case map[string]any:
		a.members = make(map[string]argumentMember, len(v))
		for name, member := range v {
			m := argumentMember{newArgument(name), newArgument(member)}
			a.members[name] = m
			a.text += m.name.text + 1
			a.compare += m.value.compare + 1
		}
		a.read += uint64(len(v))*entryLoops + a.text/textPerLoop
	case []any:
		a.items = make([]*argument, len(v))
		for i, item := range v {
			a.items[i] = newArgument(item)
			a.compare += a.items[i].compare
		}
		a.read += uint64(len(v)) * entryLoops
	case string:
		a.text = uint64(len(v))
	case json.Number:
		a.read, a.compare = exactCost(v), exactCost(v)
	}
	return a
}

// containers returns how many items of an array are objects or arrays.
func (a *argument) containers() (n uint64) {
	for _, item := range a.items {
		switch item.value.(type) {
		case map[string]any, []any:
			n++
		}
	}
	return n
}

// exactCost is what computing a number exactly costs: its digits count, and its
// exponent as many.
func exactCost(literal json.Number) uint64 {
	size := uint64(len(literal))
	if at := strings.IndexAny(string(literal), "eE"); at >= 0 {
		exponent, _ := strconv.Atoi(string(literal[at+1:]))
		size += uint64(max(exponent, -exponent))
	}
	return numberLoops + size/digitsPerLoop
}
