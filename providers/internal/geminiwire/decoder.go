package geminiwire

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

// NewDecoder returns a decoder of the reply to p.
func NewDecoder(p request.Prepared, profile Profile) transport.Decoder {
	d := &decoder{profile: profile, names: p.Names, limit: p.Request.MaxOutputTokens, calls: calls{minted: p.FirstMinted}}
	// Made once, for a closure a frame would be an allocation a frame.
	d.visitFrame, d.visitPart = d.frame.member, d.part.member
	return d
}

// decoder is the state of one reply.
type decoder struct {
	profile Profile
	names   request.Names
	limit   int // of the output, in tokens; 0: none

	parser                wirejson.Parser
	arena                 wirejson.Arena
	frame                 frame
	part                  part
	visitFrame, visitPart func(key []byte, v *fastjson.Value)
	emit                  func(events.Event) bool
	// left: the consumer is gone, nothing is emitted any more.
	left bool

	state     transport.State
	started   bool
	nextIndex int
	unknown   []string

	turn
	calls
	hosted []*hostedUse
	sources

	usage events.Usage
	// usageText is that of the frame's usage, reported the last one that was read.
	usageText, reported []byte

	unusable     error // the first counter that was not a count
	inconsistent bool  // told
	mediaLeft    bool  // told: some media does not go back
	// tier is the service tier that Started told, served the last one that was read.
	tier, served string

	rawStop, stopMessage string
	// blocked: the prompt was, and rawStop says why.
	blocked bool
	// begun: content came. voided: the first content came after the stop reason,
	// which was none then. contradicted: more of it did.
	begun, voided, contradicted bool
}

// A frame is what one frame said; its values die at the next Parse.
type frame struct {
	candidates, usage, feedback, model, id, err *fastjson.Value
}

func (f *frame) member(key []byte, v *fastjson.Value) {
	switch string(key) {
	case "candidates":
		f.candidates = v
	case "usageMetadata":
		f.usage = v
	case "promptFeedback":
		f.feedback = v
	case "modelVersion":
		f.model = v
	case "responseId":
		f.id = v
	case "error":
		f.err = v
	}
}

// Frame decodes one frame, see [transport.Decoder].
func (d *decoder) Frame(frame transport.Frame, emit func(events.Event) bool) (transport.State, error) {
	d.emit = emit
	if len(frame.Data) < 16 && string(bytes.TrimSpace(frame.Data)) == "[DONE]" {
		// Gateways close the stream in the manner of another wire.
		if d.state != transport.Open {
			d.state = transport.Ended
		}
		return d.state, nil
	}
	err := d.decode(frame.Data)
	if err == nil && d.kept > MaxData {
		err = tooLarge("more than 4 MiB to be sent back with the turn")
	}
	if d.left {
		err = nil
	}
	return d.state, err
}

func (d *decoder) decode(data []byte) error {
	v, err := d.parser.Parse(data)
	if err != nil {
		return err
	}
	o := v.GetObject()
	if o == nil {
		if told := readError(v); told.found {
			return told.failure(0)
		}
		d.passOver("frame that is no object")
		return nil
	}
	d.frame = frame{}
	o.Visit(d.visitFrame)
	f := &d.frame
	if f.err != nil {
		if told := readError(v); told.found {
			return told.failure(0)
		}
	}
	d.usageText = d.usageText[:0]
	if f.usage != nil { // before it is read, which would change how it is written
		d.usageText = f.usage.MarshalTo(d.usageText)
	}
	d.start(f)
	candidate := first(f.candidates)
	if err := d.content(candidate.Get("content", "parts"), data, candidatePlace(f.candidates, candidate)); err != nil {
		return err
	}
	reason := wordOf(candidate.Get("finishReason"))
	if reason == "FINISH_REASON_UNSPECIFIED" {
		reason = ""
	}
	if err := d.pause(reason, candidate); err != nil {
		return err
	}
	d.cite(candidate, reason != "" || d.rawStop != "" && !d.voided)
	d.report(f.usage, reason != "")
	d.stop(reason, wirejson.String(candidate.Get("finishMessage")))
	d.block(wordOf(f.feedback.Get("blockReason")))
	return nil
}

// first returns the candidate of index 0, which is the only one asked for, or nil.
func first(candidates *fastjson.Value) *fastjson.Value {
	for _, c := range candidates.GetArray() {
		if c.GetInt("index") == 0 {
			return c
		}
	}
	return nil
}

func candidatePlace(candidates, candidate *fastjson.Value) int {
	return slices.Index(candidates.GetArray(), candidate)
}

// wordOf returns the word of an enum, or its number as it came.
func wordOf(v *fastjson.Value) string {
	if v != nil && v.Type() == fastjson.TypeNumber {
		return wirejson.Raw(v)
	}
	return wirejson.String(v)
}

// start emits Started, once, with what its frame tells.
func (d *decoder) start(f *frame) {
	if d.started {
		return
	}
	d.started = true
	known := metadata(f.usage)
	d.tier = known[serviceTier]
	d.send(events.NewStarted(events.Start{
		ResponseID: wirejson.String(f.id), Model: wirejson.String(f.model), Metadata: known,
	}))
}

const serviceTier = "service_tier"

// metadata picks what else is worth knowing: the tier that serves the request, and
// what Vertex AI calls its traffic.
func metadata(usage *fastjson.Value) map[string]string {
	tier, traffic := wirejson.String(usage.Get("serviceTier")), wirejson.String(usage.Get("trafficType"))
	if tier == "" && traffic == "" {
		return nil
	}
	m := make(map[string]string, 2)
	if tier != "" {
		m[serviceTier] = tier
	}
	if traffic != "" {
		m["traffic_type"] = traffic
	}
	return m
}

func (d *decoder) send(e events.Event) {
	d.left = d.left || !d.emit(e)
}

// take takes the next index of the response.
func (d *decoder) take() int {
	d.nextIndex++
	return d.nextIndex - 1
}

// passOver tells, once for each kind of thing and only a few times in all, that
// something unknown was passed over.
func (d *decoder) passOver(what string) {
	what = strings.Clone(events.CutText(what, events.MaxDetail))
	if !d.started || len(d.unknown) == 8 || slices.Contains(d.unknown, what) {
		return
	}
	d.unknown = append(d.unknown, what)
	d.send(events.NewNotice(events.NoticeUnknownFrame, what))
}

// report takes over a usage object, whose text is usageText. An object without
// counts, as Vertex AI sends it while the reply goes on, says nothing, nor does one
// that is said again.
func (d *decoder) report(u *fastjson.Value, stops bool) {
	if u == nil || u.Type() != fastjson.TypeObject {
		return
	}
	stops = stops || d.rawStop != ""
	if stops == d.usage.Final && bytes.Equal(d.usageText, d.reported) {
		return
	}
	d.reported = append(d.reported[:0], d.usageText...)
	if tier := wirejson.String(u.Get("serviceTier")); tier != "" {
		d.served = tier
	}
	usage, err := usageOf(u)
	if err != nil && d.unusable == nil {
		d.unusable = err
	}
	if !usage.Reported() {
		return
	}
	if json.Valid(d.usageText) {
		usage.Raw = d.arena.String(d.usageText)
	}
	usage.Final = stops
	before := d.usage
	d.usage = d.usage.Merge(usage)
	before.Raw = d.usage.Raw
	if before != d.usage {
		d.send(events.NewUsageUpdated(d.usage))
	}
	if d.usage.Inconsistent && !d.inconsistent {
		d.inconsistent = true
		d.send(events.NewNotice(events.NoticeUsageInconsistent, "a part of the usage is larger than its whole"))
	}
}

// stop takes a finish reason. Of two the one that says more than STOP is kept.
func (d *decoder) stop(reason, message string) {
	if reason != "" {
		if d.rawStop != "" && reason != d.rawStop && !d.voided {
			d.send(events.NewNotice(events.NoticeStopRepeated, "stop reason "+reason+" after "+d.rawStop))
		}
		if d.rawStop == "" || d.voided || stopOf(d.rawStop) == events.StopEnd {
			d.rawStop, d.stopMessage, d.blocked = reason, message, false
		}
		d.voided = false
		d.settle()
	}
	if d.rawStop == "" || d.voided {
		return
	}
	if d.begun || d.usage.Final || stopOf(d.rawStop) != events.StopEnd {
		d.state = transport.Ending
	}
}

// pause keeps the token with which an answer goes on that stopped at the bound of one
// request. Tokens that come on the way are for replies that break, and are passed over
// (go-genai, continuation.go at 0fc6c42, read 2026-12-01).
func (d *decoder) pause(reason string, candidate *fastjson.Value) error {
	if reason != "CONTINUATION" {
		return nil
	}
	d.token = signatureOf(candidate.Get("continuationToken"))
	return d.checkKept(d.token)
}

// block takes the reason for which the prompt was blocked: there is no candidate
// then.
func (d *decoder) block(reason string) {
	if reason == "" || reason == "BLOCK_REASON_UNSPECIFIED" || d.rawStop != "" || d.begun {
		return
	}
	d.rawStop, d.blocked, d.state = reason, true, transport.Ending
	d.usage.Final = d.usage.Reported()
}

// End returns the terminal event, see [transport.Decoder].
func (d *decoder) End(end transport.End) events.Event {
	switch {
	case end.Kind == transport.EndError, d.rawStop == "", d.voided,
		d.state == transport.Open && end.Kind != transport.EndEOF:
		return d.failed(end.Failure)
	case d.contradicted:
		return d.failed(malformed("content after the finish reason " + d.rawStop))
	case d.unusable != nil:
		f, _ := events.AsFailure(d.unusable)
		return d.failed(f)
	}
	if f := failureOfStop(d.rawStop, d.stopMessage); f != nil {
		return d.failed(f)
	}
	if d.broken != nil {
		return d.failed(wirejson.BadToolArguments(d.broken.Error(), d.usage.Output, d.limit))
	}
	stop := normalStop(d.rawStop, d.completed, d.token != "")
	if d.blocked {
		stop = events.StopContentFilter
	}
	if stop != events.StopPause {
		d.token = ""
	}
	data := d.data(d.profile.Origin)
	if len(data.Value) > MaxData {
		return d.failed(tooLarge("more than 4 MiB to be sent back with the turn"))
	}
	done := events.Completion{Stop: stop, RawStop: d.rawStop, Usage: d.usage, Data: data}
	if d.served != d.tier {
		done.ServiceTier = d.served
	}
	return events.NewCompleted(done)
}

func (d *decoder) failed(f *events.Failure) events.Event {
	return wirejson.Failed(f, d.usage, "the reply ended before its stop reason")
}

func malformed(text string) *events.Failure {
	return events.NewFailure(events.InvalidReply, events.ReasonMalformed, text)
}

func tooLarge(text string) *events.Failure {
	return events.NewFailure(events.InvalidReply, events.ReasonTooLarge, text)
}
