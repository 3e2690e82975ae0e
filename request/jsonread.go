package request

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/weirsdk/weir/events"
)

// Parse reads the JSON form of a request, strictly: a field that it does not
// know, at any level, a key that comes twice, a value of another type and text
// after the request are refused. null stands for an absent value. Whether the
// request makes sense is [Request.CheckFor]'s matter; tools are compiled here.
//
// The error is a failure of kind invalid_request that names the field: reason
// bad_tool or schema_unsupported for a tool, bad_parameter for everything else.
// Where an unknown field is what another API calls one of these, the detail says
// what it is called here.
func Parse(text []byte) (Request, error) {
	var out Request
	if f := parse(text, func(r *reader) { r.request(&out) }); f != nil {
		return Request{}, f
	}
	return out, nil
}

// UnmarshalJSON reads the JSON form as [Parse] does; null leaves r unchanged.
func (r *Request) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	parsed, err := Parse(text)
	if err == nil {
		*r = parsed
	}
	return err
}

// UnmarshalJSON reads a tool as [Parse] does, and compiles its schema; null
// leaves t unchanged.
func (t *Tool) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	var parsed Tool
	if f := parse(text, func(r *reader) { parsed = r.tool("tool") }); f != nil {
		return f
	}
	*t = parsed
	return nil
}

// UnmarshalJSON reads an answer as [Parse] does, and compiles its schema; null
// leaves a unchanged.
func (a *Answer) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	var parsed Answer
	if f := parse(text, func(r *reader) { parsed = r.answer("answer") }); f != nil {
		return f
	}
	*a = parsed
	return nil
}

// parse checks that text is one well-formed object, so that read only meets
// values of the wrong type and unknown fields.
func parse(text []byte, read func(*reader)) *events.Failure {
	if issue := events.CheckArguments(string(text)); issue != nil {
		return invalid(events.ReasonBadParameter, inWords("request", issue))
	}
	r := reader{tokens: json.NewDecoder(bytes.NewReader(text))}
	read(&r)
	return r.failure
}

// A reader reads values one after the other. After the first failure it reads
// nothing more.
type reader struct {
	tokens  *json.Decoder
	failure *events.Failure
}

func (r *reader) fail(at, detail string) {
	if r.failure == nil {
		r.failure = invalid(events.ReasonBadParameter, at+": "+detail)
	}
}

// token reads the next token; nil for null and on a failure.
func (r *reader) token() json.Token {
	if r.failure != nil {
		return nil
	}
	token, _ := r.tokens.Token() // the text is well-formed
	return token
}

// object reads an object or null; member reads the value of a key, and returns
// false for a key that it does not know.
func (r *reader) object(at string, member func(key, at string) bool) {
	switch r.token() {
	case nil:
	case json.Delim('{'):
		r.members(at, member)
	default:
		r.fail(at, "is not an object")
	}
}

func (r *reader) members(at string, member func(key, at string) bool) {
	for r.failure == nil && r.tokens.More() {
		key, _ := r.token().(string)
		inside := strings.TrimPrefix(at+"."+key, ".")
		if !member(key, inside) {
			r.fail(inside, "unknown field"+hint(inside))
		}
	}
	r.token() // the closing brace
}

// list reads a list or null.
func (r *reader) list(at string, item func(at string)) {
	switch r.token() {
	case nil:
	case json.Delim('['):
		r.items(at, item)
	default:
		r.fail(at, "is not a list")
	}
}

func (r *reader) items(at string, item func(at string)) {
	for i := 0; r.failure == nil && r.tokens.More(); i++ {
		item(at + "[" + strconv.Itoa(i) + "]")
	}
	r.token() // the closing bracket
}

// value reads a whole value into dst and reports true: the key was known.
func (r *reader) value(at string, dst any) bool {
	if r.failure != nil {
		return true
	}
	if err := r.tokens.Decode(dst); err != nil {
		detail := "is of the wrong type"
		var te *json.UnmarshalTypeError
		if errors.As(err, &te) {
			detail = "does not take a " + te.Value
		}
		r.fail(at, detail)
	}
	return true
}

func (r *reader) request(out *Request) {
	r.object("", func(key, at string) bool {
		switch key {
		case "answer":
			out.Answer = r.answer(at)
		case "cache":
			out.Cache = r.cache(at)
		case "citations":
			return r.value(at, &out.Citations)
		case "effort":
			return r.value(at, &out.Effort)
		case "extra":
			out.Extra = r.extra(at)
		case "hosted_tools":
			r.list(at, func(at string) { out.HostedTools = append(out.HostedTools, r.hosted(at)) })
		case "max_output_tokens":
			return r.value(at, &out.MaxOutputTokens)
		case "messages":
			r.list(at, func(at string) { out.Messages = append(out.Messages, r.message(at)) })
		case "parallel":
			return r.value(at, &out.Parallel)
		case "seed":
			return r.value(at, &out.Seed)
		case "stop":
			return r.value(at, &out.Stop)
		case "strict":
			return r.value(at, &out.Strict)
		case "system":
			return r.value(at, &out.System)
		case "temperature":
			return r.value(at, &out.Temperature)
		case "thinking_budget":
			return r.value(at, &out.ThinkingBudget)
		case "tool_choice":
			out.ToolChoice = r.toolChoice(at)
		case "tools":
			r.list(at, func(at string) { out.Tools = append(out.Tools, r.tool(at)) })
		case "top_p":
			return r.value(at, &out.TopP)
		default:
			return false
		}
		return true
	})
}

func (r *reader) extra(at string) map[string]string {
	var extra map[string]string
	r.object(at, func(family, at string) bool {
		var raw json.RawMessage
		r.value(at, &raw)
		if string(raw) == "null" {
			return true
		}
		if detail := extraProblem(string(raw)); detail != "" {
			r.fail(at, detail)
		}
		if extra == nil {
			extra = map[string]string{}
		}
		if _, twice := extra[family]; twice {
			r.fail(at, "comes twice")
		}
		extra[family] = string(raw)
		return true
	})
	return extra
}

// toolChoice reads an object, or the mode alone; "auto" is the zero choice.
func (r *reader) toolChoice(at string) (c ToolChoice) {
	switch token := r.token().(type) {
	case nil:
	case string:
		c.Mode = ToolMode(token)
	case json.Delim:
		if token != '{' {
			r.fail(at, "is not an object or a mode")
			break
		}
		r.members(at, func(key, at string) bool {
			switch key {
			case "mode":
				return r.value(at, &c.Mode)
			case "name":
				return r.value(at, &c.Name)
			default:
				return false
			}
		})
	default:
		r.fail(at, "is not an object or a mode")
	}
	if c.Mode == "auto" {
		c.Mode = ToolAuto
	}
	return c
}

func (r *reader) tool(at string) (t Tool) {
	var name, description string
	var schema json.RawMessage
	r.object(at, func(key, at string) bool {
		switch key {
		case "description":
			return r.value(at, &description)
		case "name":
			return r.value(at, &name)
		case "schema":
			return r.value(at, &schema)
		default:
			return false
		}
	})
	if r.failure != nil {
		return Tool{}
	}
	t, err := NewTool(name, description, string(schema))
	if f, ok := events.AsFailure(err); ok {
		f.Detail = events.CleanDetail(at + ": " + f.Detail)
		r.failure = f
	}
	return t
}

// answer reads an answer; null is the zero Answer.
func (r *reader) answer(at string) (a Answer) {
	var name string
	var schema json.RawMessage
	var strict, given bool
	switch r.token() {
	case nil:
	case json.Delim('{'):
		given = true
		r.members(at, func(key, at string) bool {
			switch key {
			case "name":
				return r.value(at, &name)
			case "schema":
				return r.value(at, &schema)
			case "strict":
				return r.value(at, &strict)
			default:
				return false
			}
		})
	default:
		r.fail(at, "is not an object")
	}
	if r.failure != nil || !given {
		return Answer{}
	}
	a, err := NewAnswer(name, string(schema))
	if f, ok := events.AsFailure(err); ok {
		f.Detail = events.CleanDetail(at + ": " + f.Detail)
		r.failure = f
	}
	a.strict = strict
	return a
}

// inWords says what is wrong with JSON that is not arguments.
func inWords(what string, issue *events.Issue) string {
	if rest, ok := strings.CutPrefix(issue.Detail, "arguments are "); ok {
		return what + " is " + rest
	}
	return what + ": " + issue.Detail
}
