package wire

import (
	"context"
	"net/http"
	"strconv"
)

// replay plays the recording of a request.
func (t *Transport) replay(r *http.Request) (*http.Response, error) {
	body, err := takeBody(r)
	if err != nil {
		return nil, err
	}
	ctx := r.Context()
	if ctx.Err() != nil {
		fire(ctx, r.URL.Host, stageNone, stageDial)
		return nil, context.Cause(ctx)
	}
	p, err := t.load()
	if err != nil {
		fire(ctx, r.URL.Host, stageNone, stageDial)
		return nil, err
	}
	q, _ := keeping{names: t.Keep, plain: p.recordings.plain}.ask(r, body, t.Secrets)
	one, miss := p.next(q, false)
	if miss != nil {
		// Whoever looks at the hooks sees that nothing was sent.
		fire(ctx, r.URL.Host, stageNone, stageDial)
		return nil, t.note(miss.failure())
	}
	if one.Failure != nil {
		reached, _ := parseStage(one.Failure.Stage)
		fire(ctx, r.URL.Host, stageNone, reached)
		return nil, one.Failure.err()
	}
	return t.answer(r, one)
}

// answer plays a recorded response.
func (t *Transport) answer(r *http.Request, one *recording) (*http.Response, error) {
	ctx, a := r.Context(), one.Response
	fire(ctx, r.URL.Host, stageNone, stageWritten)
	body := newPlayback(ctx, one, t.Pace)
	if err := body.wait(0); err != nil {
		return nil, err
	}
	fire(ctx, r.URL.Host, stageWritten, stageHead)
	resp := &http.Response{
		Status:        strconv.Itoa(a.Status) + " " + http.StatusText(a.Status),
		StatusCode:    a.Status,
		Proto:         a.Protocol,
		Header:        a.Header.Clone(),
		Body:          body,
		ContentLength: -1,
		Request:       r,
	}
	if resp.Header == nil {
		resp.Header = http.Header{}
	}
	var ok bool
	if resp.ProtoMajor, resp.ProtoMinor, ok = http.ParseHTTPVersion(a.Protocol); !ok {
		resp.Proto, resp.ProtoMajor, resp.ProtoMinor = "HTTP/1.1", 1, 1
	}
	return resp, nil
}
