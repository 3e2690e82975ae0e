package geminiwire

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// An argumentText writes the arguments of a call, which come as values at paths
// ($.recipe.steps[2]), as one JSON text in the order in which they come: what was
// written is never written anew. A value at a place that was closed before makes a
// member twice, which no arguments may have; an element out of order cannot be
// written at all. The zero argumentText is empty.
type argumentText struct {
	text []byte
	// open are the containers that are not closed, the whole object first.
	open []container
	// leaf is the path of the text whose end is still to come; empty for none.
	leaf string
}

// A container is an object or an array, and the step that led to it.
type container struct {
	array bool
	size  int
	step  step
}

// A step is a member's name, or an index.
type step struct {
	name  string
	index int // -1 for a name
}

// set takes one value of partialArgs.
func (a *argumentText) set(piece *fastjson.Value) error {
	path, more := wirejson.String(piece.Get("jsonPath")), piece.GetBool("willContinue")
	if text, is := wirejson.Text(piece.Get("stringValue")); is {
		if a.leaf == "" || a.leaf != path {
			if err := a.goTo(path); err != nil {
				return err
			}
			a.text = append(a.text, '"')
			a.leaf = path
		}
		a.text = appendEscaped(a.text, string(text))
		if !more {
			a.endText()
		}
		return nil
	}
	value, err := valueOf(piece)
	if value == "" || err != nil {
		return err // a path alone says nothing yet
	}
	if err := a.goTo(path); err != nil {
		return err
	}
	a.text = append(a.text, value...)
	return nil
}

// valueOf returns the JSON text of a value that is no text, or nothing. Of a member that
// is null only nullValue says something: gateways write out what is not set.
func valueOf(piece *fastjson.Value) (string, error) {
	number, truth := set(piece.Get("numberValue")), set(piece.Get("boolValue"))
	switch {
	case set(piece.Get("stringValue")) != nil:
		return "", malformed("a text of arguments that is none")
	case number != nil && number.Type() != fastjson.TypeNumber:
		return "", malformed("a number of arguments that is none")
	case number != nil:
		return wirejson.Raw(number), nil
	case truth != nil && truth.Type() != fastjson.TypeTrue && truth.Type() != fastjson.TypeFalse:
		return "", malformed("a truth value of arguments that is none")
	case truth != nil:
		return wirejson.Raw(truth), nil
	case piece.Exists("nullValue"):
		return "null", nil
	default:
		return "", nil
	}
}

// appendEscaped appends the text of a JSON string without its quotes.
func appendEscaped(dst []byte, text string) []byte {
	q := events.AppendQuoted(nil, text)
	return append(dst, q[1:len(q)-1]...)
}

func (a *argumentText) endText() {
	if a.leaf != "" {
		a.text = append(a.text, '"')
		a.leaf = ""
	}
}

// close closes all that is open.
func (a *argumentText) close() {
	a.endText()
	a.closeTo(0)
}

func (a *argumentText) closeTo(depth int) {
	for len(a.open) > depth {
		last := byte('}')
		if a.open[len(a.open)-1].array {
			last = ']'
		}
		a.text = append(a.text, last)
		a.open = a.open[:len(a.open)-1]
	}
}

// goTo writes all that stands before the value at a path.
func (a *argumentText) goTo(path string) error {
	steps, ok := stepsOf(path)
	if !ok || len(steps) > events.MaxArgumentsDepth {
		return malformed("an argument at the path " + strconv.Quote(events.CutText(path, 100)))
	}
	a.endText()
	if len(a.open) == 0 {
		a.enter(step{index: -1}, false)
	}
	depth := 1
	for depth < len(a.open) && depth < len(steps) && a.open[depth].step == steps[depth-1] &&
		a.open[depth].array == (steps[depth].index >= 0) {
		depth++
	}
	a.closeTo(depth)
	for ; depth < len(steps); depth++ {
		if err := a.label(steps[depth-1]); err != nil {
			return err
		}
		a.enter(steps[depth-1], steps[depth].index >= 0)
	}
	return a.label(steps[len(steps)-1])
}

func (a *argumentText) enter(s step, array bool) {
	first := byte('{')
	if array {
		first = '['
	}
	a.text = append(a.text, first)
	a.open = append(a.open, container{array: array, step: s})
}

// label writes what stands before a member or an element.
func (a *argumentText) label(s step) error {
	c := &a.open[len(a.open)-1]
	if c.array != (s.index >= 0) || c.array && s.index != c.size {
		return malformed("an argument out of its order")
	}
	if c.size > 0 {
		a.text = append(a.text, ',')
	}
	c.size++
	if !c.array {
		a.text = append(events.AppendQuoted(a.text, s.name), ':')
	}
	return nil
}

// stepsOf reads a path of JSONPath's plain kind: $.name, ['name'], ["name"], [0]
// (RFC 9535).
func stepsOf(path string) ([]step, bool) {
	rest, ok := strings.CutPrefix(path, "$")
	var steps []step
	for ok && rest != "" {
		var s step
		if s, rest, ok = nextStep(rest); ok {
			steps = append(steps, s)
		}
	}
	return steps, ok && len(steps) > 0 && steps[0].index < 0
}

func nextStep(path string) (s step, rest string, ok bool) {
	if name, isName := strings.CutPrefix(path, "."); isName {
		end := strings.IndexAny(name, ".[")
		if end < 0 {
			end = len(name)
		}
		return step{name[:end], -1}, name[end:], end > 0
	}
	inside, isBracket := strings.CutPrefix(path, "[")
	if !isBracket || inside == "" {
		return step{}, "", false
	}
	if quote := inside[0]; quote == '\'' || quote == '"' {
		return quotedStep(inside[1:], quote)
	}
	number, after, found := strings.Cut(inside, "]")
	index, err := strconv.Atoi(number)
	return step{index: index}, after, found && err == nil && index >= 0
}

// quotedStep reads a name up to its quote and the bracket after it. An escape in it is one
// of JSON's, or that of the single quote.
func quotedStep(path string, quote byte) (s step, rest string, ok bool) {
	literal := []byte{'"'}
	for i := 0; i < len(path); i++ {
		switch c := path[i]; {
		case c == quote:
			rest, ok = strings.CutPrefix(path[i+1:], "]")
			ok = ok && json.Unmarshal(append(literal, '"'), &s.name) == nil
			return step{s.name, -1}, rest, ok
		case c == '\\' && i+1 < len(path):
			i++
			if path[i] != '\'' {
				literal = append(literal, c)
			}
			literal = append(literal, path[i])
		case c == '"':
			literal = append(literal, '\\', c)
		default:
			literal = append(literal, c)
		}
	}
	return step{}, "", false
}
