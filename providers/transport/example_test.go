package transport_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// An adapter for Acme, whose invented API streams {"begin":"id"}, {"piece":"..."}
// and {"end":"done","used":[in,out]}, and {"oops":"..."} for an error.
type acme struct {
	url    string
	client *http.Client
	key    func() string // a function: fmt prints fields
}

func newAcme(url string, key providers.Secret) (*acme, error) {
	if err := transport.CheckEndpoint("acme", url, key != ""); err != nil {
		return nil, err
	}
	return &acme{url: url, client: transport.NewClient(nil), key: func() string { return string(key) }}, nil
}

func (m *acme) Name() string       { return "acme:one" }
func (m *acme) Spec() request.Spec { return request.Spec{Tools: request.No} }

func (m *acme) Stream(ctx context.Context, req request.Request) stream.Stream {
	return transport.Stream(ctx, m.client, func() (transport.Call, transport.Decoder, error) {
		p, err := req.Prepare(request.Target{Spec: m.Spec(), Format: "acme.v1", Origin: "acme"})
		if err != nil {
			return transport.Call{}, nil, err
		}
		last := p.Request.Messages[len(p.Request.Messages)-1]
		body, err := json.Marshal(map[string]string{"say": last.Blocks[0].Text})
		return transport.Call{
			Provider: "acme", URL: m.url, Body: body, Framing: transport.SSE, Notices: p.Notices,
			Header: http.Header{"Acme-Key": {m.key()}}, Secrets: []string{m.key()},
		}, &acmeDecoder{}, err
	})
}

// acmeDecoder is pure: frames in, events out.
type acmeDecoder struct {
	ended bool
	stop  string
	usage events.Usage
}

func (d *acmeDecoder) Frame(frame transport.Frame, emit func(events.Event) bool) (transport.State, error) {
	var f struct {
		Begin, Piece, End, Oops string
		Used                    []int64
	}
	if err := json.Unmarshal(frame.Data, &f); err != nil {
		return transport.Open, events.NewFailure(events.InvalidReply, events.ReasonMalformed, "a frame is no JSON")
	}
	switch {
	case f.Oops != "":
		return transport.Open, events.NewFailure(events.Overloaded, events.ReasonServer, f.Oops)
	case f.Begin != "":
		emit(events.NewStarted(events.Start{ResponseID: f.Begin}))
	case f.End != "":
		d.ended, d.stop = true, f.End
		if len(f.Used) == 2 {
			d.usage = events.Usage{Input: events.Known(f.Used[0]), Output: events.Known(f.Used[1]), Final: true}
		}
		return transport.Ended, nil
	}
	transport.EmitDelta(emit, events.TextDelta, 0, f.Piece)
	return transport.Open, nil
}

func (d *acmeDecoder) End(end transport.End) events.Event {
	if !d.ended {
		return events.NewFailed(end.Failure) // cut, broken, cancelled, or an error of Frame
	}
	return events.NewCompleted(events.Completion{Stop: events.StopEnd, RawStop: d.stop, Usage: d.usage})
}

var _ providers.Model = (*acme)(nil)

func ExampleStream() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, "data: {\"begin\":\"r1\"}\n\ndata: {\"piece\":\"Hel\"}\n\ndata: {\"piece\":\"lo\"}\n\ndata: {\"end\":\"done\",\"used\":[3,2]}\n\n")
	}))
	defer server.Close()

	model, err := newAcme(server.URL, "key")
	if err != nil {
		fmt.Println(err)
		return
	}
	reply, err := stream.Collect(model.Stream(context.Background(), request.Request{
		Messages: []request.Message{request.UserText("Say hello.")},
	}))
	fmt.Println(reply.Text(), reply.Outcome(), reply.Usage().Output, err)
	// Output: Hello final 2 <nil>
}
