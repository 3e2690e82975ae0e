package transport

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"strings"

	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
)

// Document makes one call whose answer is a JSON document and no stream (a list of
// models) and returns the document. Method is GET when empty, Framing and Notices
// are not looked at, of Limits MaxBody and MaxErrorBody count. Clocks, evidence,
// redirects, secrets and failures are as of [Stream]; the tap of
// providers.WithTap, which is for replies, sees nothing.
//
// The error is an *events.Failure: rejected, rate_limited, overloaded by status, or
// by [Call.Failure] where that knows the body, also of a 200; invalid_reply of a
// body that is none (bad_content), too large, or broken off.
func Document(ctx context.Context, client *http.Client, call Call) ([]byte, error) {
	return documentOf(ctx, client, call, nil)
}

// PreparedDocument is [Document] of a call that prepare makes ready, as it does for
// [Stream]: an error or a panic of it is the failure that a stream would end with,
// and nothing is sent.
func PreparedDocument(ctx context.Context, client *http.Client, prepare func() (Call, error)) ([]byte, error) {
	call, _, f := prepared(func() (Call, Decoder, error) {
		call, err := prepare()
		return call, nil, err
	})
	return documentOf(ctx, client, call, f)
}

// documentOf makes a call, unless preparing it has failed.
func documentOf(ctx context.Context, client *http.Client, call Call, unprepared *events.Failure) ([]byte, error) {
	if client == nil {
		client = NewClient(nil)
	}
	call.Method = cmp.Or(call.Method, http.MethodGet)
	call.Header = call.Header.Clone()
	if call.Header == nil {
		call.Header = http.Header{}
	}
	if call.Header.Get("Accept") == "" {
		call.Header.Set("Accept", "application/json")
	}
	call.Notices = nil
	var failure *events.Failure
	x := &exchange{call: call, limits: call.Limits.withDefaults(), secrets: spellings(call.Secrets)}
	x.yield = func(ev events.Event) bool {
		if f, ok := ev.Failure(); ok {
			failure = f
		}
		return true
	}
	providers.TellSecrets(ctx, call.Secrets...)
	if unprepared != nil {
		x.fail(unprepared)
		return nil, failure
	}
	text := x.runDocument(ctx, client)
	if failure != nil {
		return nil, failure
	}
	return text, nil
}

// runDocument sends the call and reads the document; what is wrong goes to fail.
func (x *exchange) runDocument(ctx context.Context, client *http.Client) []byte {
	ctx, watch := cancel.Begin(ctx)
	defer watch.Stop()
	ctx, release := context.WithCancel(ctx)
	defer release()
	x.ctx, x.release, x.watch = ctx, release, watch
	if ctx.Err() != nil {
		x.fail(failureOfCause(ctx))
		return nil
	}
	resp, f := x.send(client)
	if f != nil {
		x.fail(f)
		return nil
	}
	x.body = newBody(x, resp.Body)
	defer context.AfterFunc(ctx, x.body.close)()
	defer x.body.close()
	text, f := x.readDocument(resp)
	if f != nil {
		x.fail(f)
		return nil
	}
	return text
}

func (x *exchange) readDocument(resp *http.Response) ([]byte, *events.Failure) {
	good := resp.StatusCode >= 200 && resp.StatusCode <= 299
	plain, known := decoded(resp.Header.Get("Content-Encoding"), x.body)
	if !known && good {
		return nil, events.NewFailure(events.InvalidReply, events.ReasonBadContent,
			"the body is encoded as "+resp.Header.Get("Content-Encoding")+", which was not asked for")
	}
	if !good {
		text, _ := io.ReadAll(io.LimitReader(plain, int64(x.limits.MaxErrorBody)))
		return nil, x.failureOfAnswer(resp.StatusCode, resp.Header, text)
	}
	text, err := io.ReadAll(io.LimitReader(plain, int64(x.limits.MaxBody)+1))
	switch {
	case len(text) > x.limits.MaxBody:
		return nil, events.NewFailure(events.InvalidReply, events.ReasonTooLarge, "a document is larger than the limit")
	case err != nil:
		return nil, x.failureOfRead(err)
	}
	if first := strings.TrimSpace(string(text[:min(len(text), 64)])); first == "" || first[0] != '{' && first[0] != '[' {
		return nil, events.NewFailure(events.InvalidReply, events.ReasonBadContent, "no JSON document came where one was due")
	}
	return text, x.failureOfAnswer(resp.StatusCode, resp.Header, text)
}
