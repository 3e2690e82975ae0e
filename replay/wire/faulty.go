package wire

import (
	"context"
	"net/http"
	"strconv"
	"sync"
)

// Faulty is an http.RoundTripper whose answers go wrong. The zero Faulty sends by
// http.DefaultTransport and spoils nothing. It is safe for concurrent use while its
// fields are left alone; its errors are those of Base. When Fault has Times it reads the
// bodies of requests whole, to know them again. What it spoils uses up an answer of Base:
// a [Transport] below it that has one recording wants Repeat.
type Faulty struct {
	// Base sends the requests; nil is http.DefaultTransport.
	Base http.RoundTripper
	// Fault is what goes wrong, with each answer or with the first few of a request.
	Fault Fault

	spoilt tally
}

// RoundTrip sends a request by Base and spoils the answer.
func (f *Faulty) RoundTrip(r *http.Request) (*http.Response, error) {
	base := f.Base
	if base == nil {
		base = http.DefaultTransport
	}
	out, q, err := f.known(r)
	if err != nil {
		return nil, err
	}
	resp, err := base.RoundTrip(out)
	if err != nil {
		return resp, err
	}
	resp.Request = r
	if q == nil || f.spoilt.counts(*q, f.Fault) {
		f.Fault.spoil(r.Context(), resp)
	}
	return resp, nil
}

// known returns a request to send, and what it asks when answers to it are counted.
func (f *Faulty) known(r *http.Request) (*http.Request, *question, error) {
	if f.Fault.Times <= 0 || r.URL == nil {
		return r, nil, nil
	}
	body, err := takeBody(r)
	if err != nil {
		return nil, nil, err
	}
	q, _ := keeping{}.ask(r, body, nil)
	return withBody(r, body), &q, nil
}

// spoil applies a fault to an answer.
func (f Fault) spoil(ctx context.Context, resp *http.Response) {
	if f.Status != 0 {
		resp.StatusCode = f.Status
		resp.Status = strconv.Itoa(f.Status) + " " + http.StatusText(f.Status)
	}
	if f.Stop != StopNone || f.Split > 0 {
		resp.Body = f.body(ctx, resp.Body)
	}
	if f.Stop != StopNone {
		resp.ContentLength = -1
	}
}

// A tally counts the answers to each request that a fault is for. The zero tally has
// counted none.
type tally struct {
	mu sync.Mutex
	of map[string]int
}

// counts counts an answer, and reports whether it is one of the first that the fault
// spoils.
func (t *tally) counts(q question, fault Fault) bool {
	key, err := q.key()
	if err != nil {
		return true
	}
	key += " " + fault.String()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of == nil {
		t.of = map[string]int{}
	}
	if t.of[key] >= fault.Times {
		return false
	}
	t.of[key]++
	return true
}
