package schema

import (
	"strconv"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// Bounds of a schema, before and after. They are those of a tool's schema.
const (
	// MaxBytes is the longest schema.
	MaxBytes = request.MaxToolSchema
	// MaxDepth is how deep a schema may nest; the schema itself is depth 1.
	MaxDepth = request.MaxToolSchemaDepth
)

// Options says what to do with what a profile cannot express. The zero Options
// is Lossy.
type Options struct {
	// Strict refuses a schema that would be [Widened] or [Narrowed].
	Strict bool
}

// Rewritten is a schema in a provider's subset.
type Rewritten struct {
	// Schema is the JSON text, without white space.
	Schema string
	// Losses is what it no longer says, in the order of the walk; nil for nothing.
	Losses []Loss
}

// A Loss is one difference between the schema and its rewritten form.
type Loss struct {
	// Pointer is the schema that lost something, as a JSON Pointer in a URI
	// fragment: "#/properties/age". For a definition that is used in several
	// places it is the definition's own.
	Pointer string
	// Keyword is what was lost there.
	Keyword string
	// Effect is what that means for answers.
	Effect Effect
	// Detail says it in words, for people.
	Detail string
}

// String returns one line.
func (l Loss) String() string {
	return l.Pointer + ": " + l.Keyword + ": " + l.Detail + " (" + string(l.Effect) + ")"
}

// An Effect is what a [Loss] means for answers.
type Effect string

const (
	// Widened: an answer that fits the rewritten schema may not fit the schema.
	Widened Effect = "widened"
	// Narrowed: some answers that fit the schema are no longer possible.
	Narrowed Effect = "narrowed"
	// Nullable: a property that may be left out is null instead; [Strip] takes it
	// out again. Nothing else changes, so Strict takes it too.
	Nullable Effect = "nullable"
)

// Rewrite rewrites a JSON Schema (draft 2020-12, and what older drafts have in
// common with it) for a profile. The same input gives the same bytes: members
// keep their order, new ones come last (type first), number literals stay as
// they are.
//
// The error is a failure of kind invalid_request and reason schema_unsupported
// that names the place: for text that is no JSON object or is beyond the bounds,
// a reference that leads nowhere or to another document, what has no form at
// all in the profile, and under Strict for the first loss that changes the
// contract. An unknown profile is reason bad_parameter.
func Rewrite(schema string, p Profile, o Options) (Rewritten, error) {
	r, ok := rulesOf(p)
	if !ok {
		return Rewritten{}, refuse(events.ReasonBadParameter, "unknown schema profile "+strconv.Quote(events.CutText(string(p), 64)))
	}
	root, f := read(schema)
	if f != nil {
		return Rewritten{}, f
	}
	w := newWalker(root, r, o.Strict)
	out := w.run()
	if w.failure != nil {
		return Rewritten{}, w.failure
	}
	if out.size(MaxBytes) > MaxBytes || out.depth() > MaxDepth {
		return Rewritten{}, unsupported("#", "rewritten it is longer than "+strconv.Itoa(MaxBytes)+" bytes or nested deeper than "+strconv.Itoa(MaxDepth))
	}
	return Rewritten{Schema: string(out.append(nil)), Losses: w.losses}, nil
}

func read(schema string) (*value, *events.Failure) {
	if len(schema) > MaxBytes {
		return nil, unsupported("#", "longer than "+strconv.Itoa(MaxBytes)+" bytes")
	}
	root, issue := parse(schema)
	if issue != nil {
		return nil, unsupported("#", "not a schema: "+string(issue.Kind))
	}
	if root.depth() > MaxDepth {
		return nil, unsupported("#", "nested deeper than "+strconv.Itoa(MaxDepth))
	}
	return root, nil
}

func unsupported(pointer, detail string) *events.Failure {
	return refuse(events.ReasonSchemaUnsupported, "schema: "+events.CutText(pointer, 256)+": "+detail)
}

// refuse returns a failure of kind invalid_request: nothing was sent.
func refuse(reason events.Reason, detail string) *events.Failure {
	f := events.NewFailure(events.InvalidRequest, reason, detail)
	f.Sent = events.NotSent
	return f
}
