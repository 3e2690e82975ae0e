package wire

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/replay/internal/tape"
	"github.com/weirsdk/weir/stream"
)

// A sequence is what a Transport has recorded of one key.
type sequence struct {
	started  int
	replaced bool    // the recordings of an earlier Transport are gone
	held     []*take // what waits for a useful answer
}

// A take is one exchange that is being recorded.
type take struct {
	ctx      context.Context
	exchange exchange
	scrub    *providers.Scrubber
	sequence *sequence
	nth      int
	began    time.Time
	body     []byte // of the answer, as it is stored
	notice   error  // what is told while it is held back
	left     bool   // the one who asked had left before the head
}

// record sends a request and stores what comes of it.
func (t *Transport) record(r *http.Request) (*http.Response, error) {
	body, err := takeBody(r)
	if err != nil {
		return nil, err
	}
	out := withBody(r, body)
	k, err := t.begin(r, body)
	if err != nil {
		t.report("the request cannot be recorded", err)
		return t.base().RoundTrip(out)
	}
	var at stageWatch
	resp, err := t.base().RoundTrip(out.WithContext(at.trace(r.Context())))
	if err != nil {
		k.exchange.Failure = newBreakage(k.ctx, err, k.scrub)
		k.exchange.Failure.Stage = at.stage().String()
		k.left = k.ctx.Err() != nil
		t.store(k, nil)
		return resp, err
	}
	resp.Request = r
	if !isFinal(resp.StatusCode) {
		t.lost(k, errNotFinal)
		return resp, nil
	}
	t.follow(k, resp)
	return resp, nil
}

// begin numbers a request.
func (t *Transport) begin(r *http.Request, body []byte) (*take, error) {
	k := &take{ctx: r.Context(), began: time.Now()}
	k.exchange.Version = formatVersion
	if _, err := storable(r.Header, body); err != nil {
		return nil, err
	}
	how := t.keeping()
	how.beside = besides(t.base(), r)
	k.exchange.Request, k.scrub = how.ask(r, body, t.Secrets)
	key, err := k.exchange.Request.key()
	if err != nil {
		return nil, err
	}
	k.exchange.Key = key
	if k.exchange.Request.certain != nil {
		k.exchange.Request.Asked = key
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.sequences == nil {
		t.sequences = map[string]*sequence{}
	}
	if t.sequences[key] == nil {
		t.sequences[key] = &sequence{}
	}
	k.sequence = t.sequences[key]
	k.sequence.started++
	k.nth = k.sequence.started
	return k, nil
}

// follow makes the response's body tell what is read of it.
func (t *Transport) follow(k *take, resp *http.Response) {
	header := canonical(resp.Header)
	for _, c := range (&http.Response{Header: header}).Cookies() {
		addSecret(k.scrub, c.Value, shortestNamed)
	}
	seen := &secrets{keeping: t.keeping(), sure: k.scrub, all: k.scrub}
	seen.addLocation(header.Get("Location"))
	a := &answer{Status: resp.StatusCode, Protocol: resp.Proto, Header: t.keeping().response(header, k.scrub)}
	k.exchange.Response = a
	var head time.Duration
	if t.Timing {
		head = time.Since(k.began)
	}
	rc := resp.Body
	if rc == nil { // http.Client takes it for an empty one
		rc = http.NoBody
	}
	resp.Body = &listener{ctx: k.ctx, rc: rc, done: func(h heard) {
		a.End, a.Complete = h.end, h.end == endEOF
		switch h.end {
		case endClosed:
			a.Reason = reasonOfClose(k.ctx)
		case endBroken:
			a.Broken = newBreakage(k.ctx, h.err, k.scrub)
		}
		if t.Timing {
			a.Chunks, a.Delays = h.chunks, append([]int64{milliseconds(head)}, h.delays...)
		}
		t.store(k, h.body)
	}}
	if rc == http.NoBody {
		_, _ = resp.Body.Read(make([]byte, 1)) // nobody else need read it
	}
}

// reasonOfClose says why a body was closed before its end.
func reasonOfClose(ctx context.Context) string {
	f := stream.Interrupted(ctx)
	switch {
	case f == nil:
		return "abandoned"
	case f.Kind == events.Cancelled:
		return "canceled"
	default:
		return string(f.Kind)
	}
}

// store writes a recording and reports what stands in the way.
func (t *Transport) store(k *take, body []byte) {
	err := t.settle(k, body)
	switch {
	case k.notice != nil:
		t.tell(k.notice)
	case err != nil:
		t.lost(k, err)
	}
}

// lost reports an exchange that is not stored.
func (t *Transport) lost(k *take, err error) {
	t.report("the exchange with "+k.exchange.Request.Path+" was not recorded", err)
}

// settle writes a recording, or holds it back.
func (t *Transport) settle(k *take, body []byte) error {
	t.disk.Lock()
	defer t.disk.Unlock()
	if t.Dir == "" {
		return errNoDir
	}
	var err error
	if k.body, err = k.clean(body); err != nil {
		return err
	}
	if k.exchange.isUseless() && !k.sequence.replaced {
		good, err := t.good(k)
		if err != nil {
			return err
		}
		if good > 0 {
			return t.hold(k, good)
		}
	}
	for _, one := range t.release(k) {
		err = errors.Join(err, t.save(one))
	}
	return err
}

// save writes the body first and the exchange last, so that a crash leaves no
// exchange without its body. The body has a name of its own, so it takes no other's
// place.
func (t *Transport) save(k *take) error {
	base := k.exchange.Request.base(k.exchange.Key)
	if len(k.body) > 0 {
		name := bodyName(base, k.nth, k.exchange.Response.Header, k.body)
		k.exchange.Response.BodyFile = name
		if err := t.writeFile(name, k.body); err != nil {
			return err
		}
	}
	text, err := k.exchange.encode()
	if err != nil {
		return err
	}
	name := tape.Name(base, k.nth)
	if k.sequence.replaced {
		err = t.writeFile(name, text)
	} else {
		err = t.replace(k, base, text)
	}
	if err == nil && t.OnStored != nil {
		defer t.contain("OnStored")
		t.OnStored(name)
	}
	return err
}

// replace writes the first recording of a key in the Transport's life. Recordings
// of an earlier one with higher numbers go first, so that whatever remains after a
// crash is the beginning of the old sequence or of the new.
func (t *Transport) replace(k *take, base string, text []byte) error {
	heads, bodies, err := filesOf(t.Dir, base)
	if err != nil {
		return err
	}
	slices.Reverse(heads)
	heads = slices.DeleteFunc(heads, func(name string) bool {
		return k.nth == 1 && name == tape.Name(base, 1)
	})
	if err := tape.Remove(t.Dir, heads...); err != nil {
		return err
	}
	if err := t.writeFile(tape.Name(base, k.nth), text); err != nil {
		return err
	}
	k.sequence.replaced = true
	stale := slices.DeleteFunc(bodies, func(name string) bool {
		return k.exchange.Response != nil && name == k.exchange.Response.BodyFile
	})
	return tape.Remove(t.Dir, stale...)
}
