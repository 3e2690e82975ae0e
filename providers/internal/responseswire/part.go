package responseswire

import (
	"bytes"
	"slices"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// pieceKind is what a piece of text is of.
type pieceKind uint8

const (
	textPiece pieceKind = iota
	refusalPiece
	reasoningPiece
	summaryPiece
	argumentsPiece
)

// pieceOf reads the type of a frame that brings a piece ("delta") or the whole
// ("done") of a text.
func pieceOf(name string) (kind pieceKind, what string, ok bool) {
	switch name {
	case "output_text.delta":
		return textPiece, "delta", true
	case "reasoning_summary_text.delta":
		return summaryPiece, "delta", true
	case "function_call_arguments.delta":
		return argumentsPiece, "delta", true
	case "reasoning_text.delta":
		return reasoningPiece, "delta", true
	case "refusal.delta":
		return refusalPiece, "delta", true
	case "output_text.done":
		return textPiece, "done", true
	case "reasoning_summary_text.done":
		return summaryPiece, "done", true
	case "function_call_arguments.done":
		return argumentsPiece, "done", true
	case "reasoning_text.done":
		return reasoningPiece, "done", true
	case "refusal.done":
		return refusalPiece, "done", true
	default:
		return 0, "", false
	}
}

// event is the event that a piece becomes.
func (k pieceKind) event() events.Kind {
	switch k {
	case refusalPiece:
		return events.RefusalDelta
	case reasoningPiece, summaryPiece:
		return events.ThinkingDelta
	case argumentsPiece:
		return events.ToolArgumentsDelta
	default:
		return events.TextDelta
	}
}

// item is the kind of item that a piece belongs to.
func (k pieceKind) item() itemKind {
	switch k {
	case reasoningPiece, summaryPiece:
		return reasoningItem
	case argumentsPiece:
		return callItem
	default:
		return messageItem
	}
}

// whole is the member that holds the whole text in a frame that ends it.
func (k pieceKind) whole() string {
	if k == refusalPiece {
		return "refusal"
	}
	return "text"
}

// place is the member that numbers the parts of one kind.
func (k pieceKind) place() string {
	if k == summaryPiece {
		return "summary_index"
	}
	return "content_index"
}

// pieceOfPart returns what the type of a part says that its text is.
func pieceOfPart(name string) (pieceKind, bool) {
	switch name {
	case "output_text":
		return textPiece, true
	case "refusal":
		return refusalPiece, true
	case "reasoning_text":
		return reasoningPiece, true
	case "summary_text":
		return summaryPiece, true
	default:
		return 0, false
	}
}

// A part is one text of an item. Each is a block of its own: where one part of a
// summary ends and the next begins is where the index changes.
type part struct {
	kind pieceKind
	n    int
	// index is weir's, -1 until the part's first piece.
	index int
	// text is what came so far.
	text []byte
	// cited is how many citations came; pending ones wait for the text they cite.
	cited   int
	pending []events.Citation
}

// part returns a part of an item, a new one at its first piece.
func (d *decoder) part(it *item, kind pieceKind, n int) (*part, error) {
	for i := len(it.parts) - 1; i >= 0; i-- {
		if p := it.parts[i]; p.kind == kind && p.n == n {
			return p, nil
		}
	}
	return d.newPart(it, kind, n)
}

func (d *decoder) newPart(it *item, kind pieceKind, n int) (*part, error) {
	if d.parts++; d.parts > maxItems {
		return nil, tooLarge("more than 1,024 parts of output items")
	}
	p := &part{kind: kind, n: n, index: -1}
	it.parts = append(it.parts, p)
	return p, nil
}

// partFor returns the part that a frame belongs to.
func (d *decoder) partFor(kind pieceKind, o *fastjson.Object) (*part, error) {
	it, err := d.itemFor(o, kind.item())
	if err != nil {
		return nil, err
	}
	return d.part(it, kind, max(number(o.Get(kind.place())), 0))
}

// delta decodes a piece of text, the frame that nearly all of a reply is made of.
func (d *decoder) delta(kind pieceKind, o *fastjson.Object) error {
	text, err := textOf(o.Get("delta"))
	if err != nil {
		return err
	}
	p, err := d.partFor(kind, o)
	if err != nil {
		return err
	}
	d.memo.note(p, nil, text)
	d.say(p, text)
	return nil
}

// textOf returns the text of a member that has to be one; null is none.
func textOf(v *fastjson.Value) ([]byte, error) {
	if !isSet(v) {
		return nil, nil
	}
	text, ok := wirejson.Text(v)
	if !ok {
		return nil, malformed("a piece of text that is none")
	}
	return text, nil
}

// say emits a piece of a part.
func (d *decoder) say(p *part, text []byte) {
	if len(text) == 0 {
		return
	}
	if p.index < 0 {
		p.index = d.takeIndex()
	}
	p.text = append(p.text, text...)
	d.sendDelta(p.kind.event(), p.index, text)
	d.placeCitations(p)
}

// thought takes a thought that belongs to no item. All of a reply are one block.
func (d *decoder) thought(v *fastjson.Value) {
	text, _ := wirejson.Text(v)
	if d.thoughts == nil {
		d.thoughts = &part{kind: reasoningPiece, index: -1}
	}
	d.say(d.thoughts, text)
}

// textDone ends a text, whole.
func (d *decoder) textDone(kind pieceKind, o *fastjson.Object) error {
	text, err := textOf(o.Get(kind.whole()))
	if err != nil {
		return err
	}
	p, err := d.partFor(kind, o)
	if err != nil {
		return err
	}
	d.complete(p, text)
	return nil
}

// complete holds a part to its whole text: what did not come in pieces is said now
// (some servers send no pieces). Where the two differ the pieces stand, which the
// consumer has.
func (d *decoder) complete(p *part, whole []byte) {
	switch rest, ok := bytes.CutPrefix(whole, p.text); {
	case ok:
		d.say(p, rest)
	case len(whole) > 0:
		d.passOver("a text that differs from its pieces")
	}
}

// partDone ends a part, whole.
func (d *decoder) partDone(o *fastjson.Object) error {
	v := o.Get("part")
	name, _ := wirejson.Text(v.Get("type"))
	kind, known := pieceOfPart(string(name))
	if !known {
		d.passOver("content part " + string(name))
		return nil
	}
	p, err := d.partFor(kind, o)
	if err != nil {
		return err
	}
	return d.completePart(p, v)
}

func (d *decoder) completePart(p *part, v *fastjson.Value) error {
	text, err := textOf(v.Get(p.kind.whole()))
	if err != nil {
		return err
	}
	d.complete(p, text)
	if p.kind != textPiece {
		return nil // only texts have sources
	}
	return d.completeCitations(p, v.GetArray("annotations"))
}

// messageDone ends a message, whole.
func (d *decoder) messageDone(it *item, v *fastjson.Value) error {
	return d.completeParts(it, v.GetArray("content"))
}

// reasoningDone ends reasoning: its summary, and its text where the provider shows
// it.
func (d *decoder) reasoningDone(it *item, v *fastjson.Value) error {
	if err := d.completeParts(it, v.GetArray("summary")); err != nil {
		return err
	}
	return d.completeParts(it, v.GetArray("content"))
}

// completeParts completes the parts of an item by their order: some servers count
// content_index on from the item before (vLLM on Bedrock, recordings).
func (d *decoder) completeParts(it *item, list []*fastjson.Value) error {
	known := it.parts
	for _, v := range list {
		name, _ := wirejson.Text(v.Get("type"))
		kind, ok := pieceOfPart(string(name))
		if !ok || kind.item() != it.kind {
			d.passOver("content part " + string(name))
			continue
		}
		i := slices.IndexFunc(known, func(p *part) bool { return p.kind == kind })
		var p *part
		if i >= 0 {
			p = known[i]
			known = slices.Concat(known[:i], known[i+1:])
		} else {
			var err error
			if p, err = d.newPart(it, kind, -1); err != nil {
				return err
			}
		}
		if err := d.completePart(p, v); err != nil {
			return err
		}
	}
	return nil
}
