package texttools

import (
	"slices"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/validator"
)

// maxCited is the most sources that wait for a text.
const maxCited = 1 << 10

// A reply makes one reply with calls of the inner model's.
type reply struct {
	asked
	name   string
	emit   func(events.Event) bool
	parser parser
	call   call
	start  events.Start

	// next is the next index of a block, blocks those of the inner model's blocks:
	// of a text, of its last part.
	next   int
	blocks map[int32]int
	// from is the index of the inner model's text that is read, or -1; part says
	// that a part of it is open.
	from int32
	part bool
	// cited are sources of texts of which nothing was told yet.
	cited []events.Event
	// moved are the inner model's texts that are no longer whole here, from their first
	// byte on: its ranges in them are of another text.
	moved map[int32]bool
	// native are the ids of the inner model's own calls: a model may make some unasked.
	native map[int32]identity

	// began and whole count the calls that were started and those that completed.
	began, whole int
	minted       int // the n of the next minted id
	ids          map[string]bool
	broken       string
	cut          bool
	usage        events.Usage
	failure      *events.Failure
}

// An identity is the id of a call, and whether it is minted.
type identity struct {
	id     string
	minted bool
}

func newReply(emit func(events.Event) bool, name string, a asked) *reply {
	r := &reply{
		asked: a, name: name, emit: emit, blocks: map[int32]int{}, from: -1, moved: map[int32]bool{},
		native: map[int32]identity{}, minted: a.firstMinted, ids: map[string]bool{},
	}
	r.parser.to = r
	return r
}

// take takes the inner model's next event.
func (r *reply) take(ev events.Event) bool {
	if !r.spoken {
		return r.emit(ev)
	}
	ok := r.tell(ev)
	if r.failure != nil {
		r.failure.Usage, r.failure.Provider = r.usage, r.provider()
		r.failure.RequestID, r.failure.RateLimits = r.start.RequestID, r.start.RateLimits
		r.emit(events.NewFailed(r.failure))
		return false
	}
	return ok
}

func (r *reply) provider() string {
	name, _, _ := strings.Cut(r.name, ":")
	return name
}

func (r *reply) tell(ev events.Event) bool {
	switch ev.Kind {
	case events.Started:
		r.start, _ = ev.Start()
		return r.emit(ev) && r.tellNotices()
	case events.TextDelta:
		if !r.listen {
			return r.at(ev)
		}
		if ev.Index != r.from {
			if !r.parser.boundary() {
				return false
			}
			r.from, r.part = ev.Index, false
		}
		return r.parser.write(ev.Text)
	case events.CitationAdded:
		if _, told := r.blocks[ev.Index]; !told {
			if r.cited = append(r.cited, ev); len(r.cited) > maxCited {
				r.tooLarge("the reply has more sources before its text than are kept")
			}
			return r.failure == nil
		}
		return r.at(ev)
	case events.ToolCallStarted, events.ToolCallCompleted, events.ToolCallInvalid:
		return r.tellNative(ev)
	case events.UsageUpdated:
		usage, _ := ev.Usage()
		r.usage = r.usage.Merge(usage)
		return r.emit(ev)
	case events.Completed:
		return r.complete(ev)
	default: // after Failed nothing decides any more what is held
		return r.at(ev)
	}
}

func (r *reply) tellNotices() bool {
	for _, n := range r.notices {
		if !r.emit(events.NewNotice(n.Code, n.Detail)) {
			return false
		}
	}
	return true
}

// at passes an event on with the index that its block has here.
func (r *reply) at(ev events.Event) bool {
	if c, cites := ev.Citation(); cites && r.moved[ev.Index] {
		c.Start, c.End = 0, 0
		ev = indexed(events.NewCitationAdded(0, c), ev.Index)
	}
	if ev.Kind.HasIndex() {
		if _, known := r.blocks[ev.Index]; !known {
			r.blocks[ev.Index] = r.block()
		}
		ev.Index = int32(r.blocks[ev.Index])
	}
	return r.failure == nil && r.emit(ev)
}

// block returns the index of the next block.
func (r *reply) block() int {
	if r.next > validator.DefaultLimits().Index {
		r.tooLarge("the reply has more blocks than a reply may have")
		return 0
	}
	r.next++
	return r.next - 1
}

func (r *reply) tooLarge(detail string) {
	r.failure = events.NewFailure(events.InvalidReply, events.ReasonTooLarge, detail)
	r.failure.Sent = events.Answered
}

// tellNative passes on a call that the inner model made in its own way. It will go
// back as text, so what seals it has no use.
func (r *reply) tellNative(ev events.Event) bool {
	c, _ := ev.Call()
	c.Replay, c.Name = events.ProviderData{}, r.names.Declared(c.Name)
	if ev.Kind == events.ToolCallStarted {
		if c.Minted || r.ids[c.ID] {
			c.ID, c.Minted = r.mint(), true
		}
		r.native[ev.Index], r.ids[c.ID] = identity{c.ID, c.Minted}, true
	}
	c.ID, c.Minted = r.native[ev.Index].id, r.native[ev.Index].minted
	switch ev.Kind {
	case events.ToolCallStarted:
		r.began++
		return r.at(indexed(events.NewToolCallStarted(0, c.ID, c.Name, c.Minted), ev.Index))
	case events.ToolCallCompleted:
		r.whole++
		return r.at(indexed(events.NewToolCallCompleted(0, c), ev.Index))
	default:
		issue, _ := ev.Issue()
		c.Arguments = ev.Text
		return r.at(indexed(events.NewToolCallInvalid(0, c, issue), ev.Index))
	}
}

func indexed(ev events.Event, index int32) events.Event {
	ev.Index = index
	return ev
}

// mint returns an id that no call has, the inner model's own among them.
func (r *reply) mint() string {
	id := request.MintID(&r.minted, func(id string) bool { return r.ids[id] })
	r.ids[id] = true
	return id
}

// complete ends the reply as its calls say.
func (r *reply) complete(ev events.Event) bool {
	c, _ := ev.Completion()
	r.usage = r.usage.Merge(c.Usage)
	r.cut = c.Stop.Cuts()
	if !r.parser.finish() {
		return false
	}
	if r.broken != "" && !r.cut {
		r.failure = events.NewFailure(events.InvalidReply, events.ReasonBadToolArguments, r.broken)
		r.failure.Sent = events.Served
		return false
	}
	if r.whole > 0 && slices.Contains(toldAsEnd(), c.Stop) {
		c.Stop = events.StopToolUse
	}
	return r.emit(events.NewCompleted(c))
}

// toldAsEnd returns the stops that a model without tools may tell where it has called
// some.
func toldAsEnd() []events.Stop {
	return []events.Stop{events.StopEnd, events.StopSequence, events.StopUnknown, events.StopOther}
}

// text implements sink.
func (r *reply) text(s string) bool {
	begins := !r.part
	if begins {
		_, before := r.blocks[r.from]
		r.moved[r.from] = r.moved[r.from] || before
		r.blocks[r.from], r.part = r.block(), true
	}
	if r.failure != nil || !transport.EmitDelta(r.emit, events.TextDelta, r.blocks[r.from], s) {
		return false
	}
	return !begins || r.cite()
}

// cite tells the sources that waited for a text, which has just begun.
func (r *reply) cite() bool {
	cited := r.cited
	r.cited = nil
	for _, ev := range cited {
		if _, told := r.blocks[ev.Index]; !told {
			r.cited = append(r.cited, ev)
		} else if !r.at(ev) {
			return false
		}
	}
	return true
}
