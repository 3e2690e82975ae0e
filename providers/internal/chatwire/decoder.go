package chatwire

import (
	"bytes"
	"slices"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/openaierror"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

// NewDecoder returns a decoder for the answer to p.
func NewDecoder(p request.Prepared, profile Profile) transport.Decoder {
	return &decoder{
		profile: profile, names: p.Names, minted: p.FirstMinted, limit: p.Request.MaxOutputTokens,
		extra: p.Request.Extra[ExtraKey],
	}
}

// decoder is the state of one reply.
type decoder struct {
	profile Profile
	names   request.Names
	minted  int // the n of the next minted id
	limit   int // of the output in tokens, 0 for none
	extra   string

	parser  wirejson.Parser
	arena   wirejson.Arena
	scratch []byte
	// chunk, delta and piece are the members of what is being read; their values
	// die at the next parse.
	chunk chunk
	delta delta
	piece piece
	memo  memo

	emit func(events.Event) bool
	gone bool // the consumer has left

	started  bool
	next     int // the next unused index
	text     block
	thinking block
	refusal  block
	calls    []call

	citations []events.Citation
	placed    int // of citations, those that were sent
	// What of citations there is, and the addresses among it.
	cited     map[events.Citation]bool
	addresses map[string]bool
	details   details
	parts     parts
	reasoning []byte // kept only to be sent back
	uses      []use
	audio     audio
	// tier is that of the start, served the one that was told last.
	tier, served string

	citationBytes, sourceBytes int
	media, mediaBytes          int
	callBytes                  int // of the ids and arguments of all calls

	usage    events.Usage
	told     bool // the notice of inconsistent usage was sent
	odd      bool // the notice of usage that is no object was sent
	cost     *events.Cost
	unusable error

	finished bool
	done     bool
	strange  bool     // the notice of an unknown frame was sent
	passed   []string // what was passed over, and told
	stop     events.Stop
	rawStop  string
	bad      *events.Failure // what is wrong with a reply that ended properly
	broken   string          // the first call whose arguments are none
}

// Frame implements transport.Decoder.
func (d *decoder) Frame(frame transport.Frame, emit func(events.Event) bool) (transport.State, error) {
	d.emit, d.gone = emit, false
	err := d.frame(frame)
	if d.gone {
		err = nil
	}
	return d.state(), err
}

func (d *decoder) state() transport.State {
	switch {
	case d.done:
		return transport.Ended
	case d.finished:
		return transport.Ending
	default:
		return transport.Open
	}
}

func (d *decoder) frame(frame transport.Frame) error {
	failing := false
	switch string(frame.Name) {
	case "":
		if done, err := d.repeat(frame.Data); done {
			return err
		}
	case "error":
		// Groq and Azure name the event; the data is the usual error object.
		failing = true
	case "keepalive", "ping":
		return nil
	default:
	}
	d.memo.Forget()
	if isDone(frame.Data) && !failing {
		return d.end()
	}
	v, err := d.parser.Parse(frame.Data)
	if err != nil && !failing {
		return err
	}
	o := v.GetObject()
	if o == nil || failing {
		return d.failure(v, failing)
	}
	d.memo.sent = 0
	d.chunk, d.delta = chunk{}, delta{}
	o.Visit(d.chunk.member)
	if err = d.read(v); err == nil && len(frame.Name) == 0 {
		d.learn(frame.Data)
	}
	return err
}

// isDone reports whether the data is the end marker.
func isDone(data []byte) bool {
	return len(data) >= 6 && len(data) < 16 && string(bytes.TrimSpace(data)) == "[DONE]"
}

// end takes the end marker.
func (d *decoder) end() error {
	d.begin(nil)
	d.done = true
	return d.finish("")
}

// failure takes a frame that is no chunk: an error, or nothing that this
// language knows.
func (d *decoder) failure(v *fastjson.Value, failing bool) error {
	e, ok := openaierror.Of(v)
	switch {
	case ok:
		return e.Failure()
	case failing:
		return openaierror.Error{Message: "error event of the provider"}.Failure()
	default:
		return malformed("frame is no JSON object")
	}
}

// read takes one chunk.
func (d *decoder) read(v *fastjson.Value) error {
	c := &d.chunk
	if c.choices == nil || c.err != nil {
		if e, ok := openaierror.Of(v); ok {
			d.readUsage()
			return e.Failure()
		}
	}
	if d.isPrelude() {
		return nil
	}
	d.begin(v)
	d.readTier()
	err := d.readChoices()
	if d.readUsage() {
		d.sendUsage()
	}
	if c.citations != nil {
		d.readSources(c.citations)
	}
	if text := wirejson.String(c.groq.Get("error")); text != "" && err == nil {
		// Why a stream was stopped early (github.com/groq/groq-python,
		// chat_completion_chunk.py, read 2026-12-01).
		return openaierror.Error{Message: text}.Failure()
	}
	if c.choices == nil && c.usage == nil && c.groq == nil && !d.strange {
		d.strange = true
		d.send(events.NewNotice(events.NoticeUnknownFrame, "a frame without choices and usage"))
	}
	return err
}

// isPrelude reports whether a chunk comes before the response: Azure's first one tells
// what the filters found in the prompt (prompt_filter_results) and has neither choices
// nor the id that all others have (recordings). Without it Started has the id.
func (d *decoder) isPrelude() bool {
	c := &d.chunk
	if d.started || c.choices == nil || len(arrayOf(c.choices)) > 0 || c.usage != nil || c.groq != nil || c.citations != nil {
		return false
	}
	id, ok := wirejson.Text(c.id)
	return ok && len(id) == 0
}

// begin sends Started, at the first frame that is no error.
func (d *decoder) begin(v *fastjson.Value) {
	if d.started {
		return
	}
	d.started = true
	told := metadata(v)
	d.tier = told["service_tier"]
	d.send(events.NewStarted(events.Start{
		ResponseID:   wirejson.String(d.chunk.id),
		Model:        wirejson.String(d.chunk.model),
		BillingStops: d.profile.BillingStops != nil && d.profile.BillingStops(told["provider"]),
		Metadata:     told,
	}))
}

// readTier takes the tier that serves the reply, where it is not the one that the start
// told: OpenAI names it in each chunk, and in the end as it was (the parameter
// service_tier of its API reference, read August to October 2026).
func (d *decoder) readTier() {
	tier, ok := wirejson.Text(d.chunk.tier)
	switch {
	case !ok, len(tier) == 0, string(tier) == d.served, string(tier) == "auto":
	case string(tier) == d.tier:
		d.served = ""
	default:
		d.served = string(tier)
	}
}

// metadata returns what else the first chunk says of the response, or nil.
func metadata(v *fastjson.Value) map[string]string {
	var m map[string]string
	for _, name := range []string{"provider", "service_tier", "system_fingerprint"} {
		if s := wirejson.String(v.Get(name)); s != "" {
			if m == nil {
				m = make(map[string]string, 3)
			}
			m[name] = s
		}
	}
	return m
}

// passOver tells of something that is not read, once of each.
func (d *decoder) passOver(what string) {
	if what = events.CleanDetail(what); len(d.passed) < maxPassed && !slices.Contains(d.passed, what) {
		d.passed = append(d.passed, what)
		d.send(events.NewNotice(events.NoticeUnknownFrame, what))
	}
}

// maxPassed is how many different things are told of.
const maxPassed = 16

// send hands an event over, unless the consumer has left.
func (d *decoder) send(ev events.Event) {
	d.memo.sent++
	d.memo.kind = ev.Kind
	if !d.gone {
		d.gone = !d.emit(ev)
	}
}

// sendDelta hands text over in pieces of at most [transport.MaxDelta].
func (d *decoder) sendDelta(kind events.Kind, index int, text []byte) {
	d.memo.sent++
	d.memo.kind = kind
	if !d.gone {
		d.gone = !transport.EmitDelta(d.emit, kind, index, d.arena.String(text))
	}
}

// End implements transport.Decoder.
func (d *decoder) End(end transport.End) events.Event {
	switch {
	case end.Kind == transport.EndError, !d.finished:
		return d.failed(end.Failure)
	case d.bad != nil:
		return d.failed(d.bad)
	case d.broken != "":
		return d.failed(wirejson.BadToolArguments(d.broken, d.usage.Output, d.limit))
	case d.unusable != nil:
		return d.failed(asFailure(d.unusable))
	}
	data := d.data()
	if len(data.Value) > maxData {
		return d.failed(tooLarge("what is to be sent back is above 4 MiB"))
	}
	usage := d.usage
	// Without a finish_reason the counts before the end marker are the last.
	usage.Final = usage.Final || d.rawStop == "" && usage.Reported()
	return events.NewCompleted(events.Completion{
		Stop: d.stop, RawStop: d.rawStop, ServiceTier: d.served, Usage: usage, Cost: d.cost, Data: data,
	})
}

// failed returns the terminal of a failure, with the usage so far.
func (d *decoder) failed(f *events.Failure) events.Event {
	return wirejson.Failed(f, d.usage, "the body ended before finish_reason and [DONE]")
}

func malformed(what string) *events.Failure {
	return events.NewFailure(events.InvalidReply, events.ReasonMalformed, what)
}

func tooLarge(what string) *events.Failure {
	return events.NewFailure(events.InvalidReply, events.ReasonTooLarge, what)
}

func asFailure(err error) *events.Failure {
	if f, ok := events.AsFailure(err); ok {
		return f
	}
	return malformed(err.Error())
}
