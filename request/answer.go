package request

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/weirsdk/weir/events"
)

// DefaultAnswerName is the name of an answer that was given none.
const DefaultAnswerName = "answer"

// maxAnswerName is the longest name of an answer, in bytes. OpenAI takes letters,
// digits, "_" and "-" up to 64 (API reference of response_format.json_schema.name,
// a stored copy read 2026-11-30).
const maxAnswerName = 64

// An Answer is a structured answer that a request asks for: one JSON object that
// fits a schema. Make one with [NewAnswer], which checks and compiles its schema
// once. The zero Answer asks for none. An Answer is immutable and safe for
// concurrent use; copies share the compiled schema. Compare answers with
// [Answer.Equal].
type Answer struct {
	name, schema string
	// canonical is the schema with sorted keys and without white space.
	canonical string
	compiled  *compiledSchema
	strict    bool
}

// NewAnswer returns an answer.
//
// The name is 1 to 64 letters, digits, "_" and "-"; empty means
// [DefaultAnswerName]. Some providers show it to the model. The schema is a JSON
// Schema as [NewTool] takes one, whose type is "object", within the same bounds.
//
// The error is a failure of kind invalid_request: schema_unsupported for a
// reference to another document, bad_parameter for everything else.
func NewAnswer(name, schema string) (Answer, error) {
	if name == "" {
		name = DefaultAnswerName
	}
	if len(name) > maxAnswerName || strings.ContainsFunc(name, isUnsafe) {
		return Answer{}, invalid(events.ReasonBadParameter, "the answer's name "+quoteShort(name)+
			` is not 1 to `+strconv.Itoa(maxAnswerName)+` letters, digits, "_" and "-"`)
	}
	compiled, canonical, f := compileSchema(schema, events.ReasonBadParameter)
	if f != nil {
		f.Detail = events.CleanDetail("answer " + strconv.Quote(name) + ": " + f.Detail)
		return Answer{}, f
	}
	return Answer{name: name, schema: schema, canonical: canonical, compiled: compiled}, nil
}

// Name returns the name; of the zero Answer nothing.
func (a Answer) Name() string { return a.name }

// Schema returns the JSON Schema, byte for byte as declared.
func (a Answer) Schema() string { return a.schema }

// Strict reports whether a provider has to enforce the schema; see WithStrict.
func (a Answer) Strict() bool { return a.strict }

// WithStrict returns the answer with a schema that has to be asked for in full:
// where the model's own way of asking cannot express a part of it, or the model
// has none, the request is refused (reason schema_unsupported). Without it the
// rest is asked for, a Notice tells what is lost, and [Answer.Check] finds what
// the provider let pass.
func (a Answer) WithStrict() Answer {
	a.strict = true
	return a
}

// IsZero reports whether no answer is asked for.
func (a Answer) IsZero() bool { return a == Answer{} }

// Equal reports whether two answers have the same name, schema (byte for byte) and
// strictness.
func (a Answer) Equal(o Answer) bool {
	return a.name == o.name && a.schema == o.schema && a.strict == o.strict
}

// Check reports what keeps a text from being the answer, or nil: it has to be one
// JSON object, within the bounds of [events.CheckArguments] and [MaxCheckSteps], and
// fit the full schema. Issues are those of [Tool.Check]; read their Kind and
// Detail, for Error speaks of tool calls.
//
// What Check takes is the JSON alone: [Answer.Extract] it first. An answer that a
// provider wrote to a rewritten schema holds null for each property left out, which
// [github.com/weirsdk/weir/request/schema.Strip] takes out. The zero Answer has no
// schema to fit.
func (a Answer) Check(text string) *events.Issue {
	const what = "the answer"
	if issue := events.CheckArguments(text); issue != nil {
		return &events.Issue{Kind: issue.Kind, Detail: events.CleanDetail(inWords(what, issue))}
	}
	if a.compiled == nil {
		return nil
	}
	return a.compiled.check(text, what, "does")
}

// Extract returns the JSON of an answer's text: the text without white space
// around it, or what is inside when all of it is one fenced block (``` or
// ```json, each fence on a line of its own). Nothing is repaired or searched for:
// any other text comes back as it is, but for the white space.
func (a Answer) Extract(text string) string {
	const fence = "```"
	text = strings.TrimSpace(text)
	first, rest, ok := strings.Cut(text, "\n")
	language, opened := strings.CutPrefix(strings.TrimSpace(first), fence)
	if !ok || !opened || language != "" && !strings.EqualFold(strings.TrimSpace(language), "json") {
		return text
	}
	at := strings.LastIndexByte(rest, '\n')
	if at < 0 || strings.TrimSpace(rest[at:]) != fence {
		return text
	}
	inside := strings.TrimSpace(rest[:at])
	for line := range strings.Lines(inside) {
		if strings.HasPrefix(strings.TrimSpace(line), fence) {
			return text // JSON has no such line: these are several blocks
		}
	}
	return inside
}

// Instruction asks for the answer in words, schema included: what the system prompt says
// where a model cannot be asked in its own way.
func (a Answer) Instruction() string {
	var schema bytes.Buffer
	if err := json.Compact(&schema, []byte(a.schema)); err != nil {
		return ""
	}
	return "Answer with one JSON object and nothing else, no code fence, that fits this JSON Schema: " + schema.String()
}

// askAnswer checks the answer, and asks for it in words where the model cannot be
// asked in its own way.
func (p *preparer) askAnswer(r *Request) {
	a := r.Answer
	switch {
	case a.IsZero():
		return
	case a.compiled == nil:
		p.problem("answer", events.ReasonBadParameter, "was not made by NewAnswer")
		return
	case p.spec.StructuredAnswer != No && !r.without(FeatureAnswerSchema):
		return
	case a.strict:
		p.problem("answer", events.ReasonSchemaUnsupported, "the model takes no schema, and the answer is strict")
		return
	}
	p.change("answer", events.NoticeParameterDropped, "the model does not take a schema",
		"; it is asked for in words, at the end of the system prompt")
	if r.System != "" {
		r.System += "\n\n"
	}
	r.System += a.Instruction()
	r.Answer, p.inWords = Answer{}, true
}
