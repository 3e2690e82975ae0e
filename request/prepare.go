package request

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/weirsdk/weir/events"
)

// A Target is the model that a request is made ready for.
type Target struct {
	// Spec is what the model can do.
	Spec Spec
	// Format is the family's ProviderData format ("chat.v1"), Origin the
	// provider's name: data of another format or origin is foreign.
	Format, Origin string
	// OneWish says that the wire takes Effort or ThinkingBudget, and not both.
	OneWish bool
	// Cites says that the wire has a word for Request.Citations, or needs none. The zero
	// value has them told as left out.
	Cites bool
	// Unmarkable are the places where the wire has no cache markers.
	Unmarkable []CachePlace
}

// A Prepared is a request made ready for one model, so that a wire family only
// has to spell it.
type Prepared struct {
	// Request is a cleaned copy; the original is not touched. It shares with the
	// original what nobody writes to: strings, tools, the bytes of media. In it
	//   - no text is empty or white space only, and all text is valid UTF-8;
	//   - no message is empty; each call is answered once, in the tool messages
	//     that follow its turn directly, under an id unique in its turn;
	//   - arguments are one JSON object without lone surrogate escapes;
	//   - all provider data is of the target's format and origin;
	//   - no parameter is left that the Spec says No to, and Effort is one that
	//     the model takes;
	//   - markers are on what is sent, and Cache.Automatic is a marker where the
	//     model takes markers.
	// Tools are named as declared: spell them, and calls, with Names.
	Request Request
	// Names maps the names of tools and of calls in the history to wire names and
	// back.
	Names Names
	// Notices tell what was left out or clamped. They are for the Notices of the
	// transport's Call: the transport emits them right after Started, whatever comes
	// of the call.
	Notices []events.NoticeInfo
	// AnswerSchema is the schema that the model is asked for in its own way, as
	// declared; package request/schema puts the rewritten one in its place. Empty
	// where Request.Answer is zero.
	AnswerSchema string
	// AnswerInWords says that the Answer of the original request is asked for at
	// the end of Request.System, and no longer by Request.Answer.
	AnswerInWords bool
	// FirstMinted is the n of the first id call_w<n> that a decoder may mint: one
	// past the highest in the history, 1 when there is none.
	FirstMinted int
}

// Prepare checks the request against the target and returns it made ready. The
// error is what [FailureOf] makes of the problems of [Request.CheckFor], and of
// provider data that is foreign to the target (reason foreign_data).
func (r Request) Prepare(t Target) (Prepared, error) {
	p := preparer{spec: t.Spec, strict: r.Strict, foreign: r.Foreign, target: &t, firstMinted: 1}
	out := p.prepare(r)
	if f := FailureOf(p.problems); f != nil {
		return Prepared{}, f
	}
	return Prepared{
		Request: out, Names: newNames(p.names), Notices: p.notices(), FirstMinted: p.firstMinted,
		AnswerSchema: out.Answer.schema, AnswerInWords: p.inWords,
	}, nil
}

// CheckFor returns every problem that keeps the request from being sent to a
// model of this Spec, in the order of the history, the tools, the answer, the
// parameters; nil for none. Of the Spec only what is No refuses, and only where leaving out would
// change what is asked: tools and media. Parameters that a model does not take
// are left out by [Request.Prepare], and are problems only of a Strict request.
// Provider data of another provider, and a raw hosted tool of another family, need a
// target to be seen, so Prepare reports them.
func (r Request) CheckFor(spec Spec) []Problem {
	p := preparer{spec: spec, strict: r.Strict, foreign: r.Foreign}
	p.prepare(r)
	return p.problems
}

// A preparer makes one request ready and collects what is wrong with it, what is
// left out, and what it learns on the way.
type preparer struct {
	spec    Spec
	strict  bool
	foreign Foreign
	// target is nil when only checking: no data is foreign then.
	target *Target

	problems    []Problem
	changes     []change
	told        map[changeKey]int // where in changes
	names       []string
	firstMinted int
	inWords     bool
	// marked are the fields of the markers on the blocks that are kept, in their order.
	marked []string
}

// A change is something that is left out or clamped.
type change struct {
	field, detail string
	code          events.NoticeCode
	count         int
}

func (p *preparer) problem(field string, reason events.Reason, detail string) {
	p.problems = append(p.problems, Problem{Field: field, Reason: reason, Detail: detail})
}

// A changeKey tells changes apart that are told apart.
type changeKey struct {
	code   events.NoticeCode
	detail string
	// field is that of a change whose detail does not name it; else empty.
	field string
}

// maxChanges is the most changes that are told apart: the words of a stored history may
// make each of its blocks another one.
const maxChanges = 256

// change records what is left out or clamped; under Strict that is a problem. What is
// wrong is the whole problem, and a notice goes on with what is done about it.
func (p *preparer) change(field string, code events.NoticeCode, wrong, done string) {
	if p.strict {
		p.problem(field, reasonOf(code), wrong)
		return
	}
	p.tell(field, changeKey{code: code, detail: wrong + done})
}

// dropped is the change of a field that is left out.
func (p *preparer) dropped(field string) {
	const wrong = "the model does not take "
	if p.strict {
		p.problem(field, events.ReasonBadParameter, wrong+"it")
		return
	}
	what := field
	if strings.Contains(field, ".") {
		what = "it" // a path is not said twice
	}
	p.tell(field, changeKey{events.NoticeParameterDropped, wrong + what, field})
}

// tell records a change. Changes of one key become one notice.
func (p *preparer) tell(field string, key changeKey) {
	if _, told := p.told[key]; !told && len(p.changes) >= maxChanges {
		key.detail, key.field = "more of this kind", ""
	}
	if at, told := p.told[key]; told {
		p.changes[at].count++
		return
	}
	if p.told == nil {
		p.told = map[changeKey]int{}
	}
	p.told[key] = len(p.changes)
	p.changes = append(p.changes, change{field: field, code: key.code, detail: key.detail, count: 1})
}

func reasonOf(code events.NoticeCode) events.Reason {
	switch code {
	case events.NoticeForeignDropped:
		return events.ReasonForeignData
	case events.NoticeEmptyBlockDropped:
		return events.ReasonBadHistory
	default:
		return events.ReasonBadParameter
	}
}

func (p *preparer) notices() []events.NoticeInfo {
	var notices []events.NoticeInfo
	for _, c := range p.changes {
		detail := c.field + ": " + c.detail
		if c.count > 1 {
			detail += " (" + strconv.Itoa(c.count) + " times, here first)"
		}
		notices = append(notices, events.NoticeInfo{Code: c.code, Detail: events.CleanDetail(detail)})
	}
	return notices
}

func (p *preparer) prepare(r Request) Request {
	r = detach(r)
	r.System = p.system(r.System)
	r.Messages = p.history(r.Messages)
	p.tools(&r)
	p.askAnswer(&r)
	p.parameters(&r)
	p.cache(&r)
	return r
}

// detach copies what the preparer changes or hands on; history copies messages.
func detach(r Request) Request {
	r.Tools = slices.Clone(r.Tools)
	r.HostedTools = slices.Clone(r.HostedTools)
	r.Stop = slices.Clone(r.Stop)
	r.Extra = maps.Clone(r.Extra)
	r.Options.Without = slices.Clone(r.Options.Without)
	r.Parallel = clonePointer(r.Parallel)
	r.Temperature, r.TopP = clonePointer(r.Temperature), clonePointer(r.TopP)
	r.Seed = clonePointer(r.Seed)
	r.ThinkingBudget = clonePointer(r.ThinkingBudget)
	return r
}

func clonePointer[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}

func (p *preparer) system(text string) string {
	if text != "" && isBlank(text) {
		p.change("system", events.NoticeEmptyBlockDropped, emptyText, notSent)
		return ""
	}
	return validText(text)
}

func isBlank(text string) bool { return strings.TrimSpace(text) == "" }

// validText returns text with each run of bytes that are not UTF-8 as U+FFFD.
func validText(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }
