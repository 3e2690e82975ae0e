// Package transport is one HTTP exchange with a provider done right: it sends a
// call, cuts the body into frames, feeds a decoder, and returns the reply as a
// lazy stream that obeys the grammar.
//
// An adapter gives it a [Call] and a [Decoder]:
//
//	func (m *Model) Stream(ctx context.Context, req request.Request) stream.Stream {
//		return transport.Stream(ctx, m.client, func() (transport.Call, transport.Decoder, error) {
//			body, err := encode(m.model, req)
//			if err != nil {
//				return transport.Call{}, nil, err // nothing is sent
//			}
//			return transport.Call{
//				Provider: "acme",
//				URL:      m.url,
//				Header:   http.Header{"Authorization": {"Bearer " + m.key()}}, // a function: fmt prints fields
//				Body:     body,
//				Framing:  transport.SSE,
//				Failure:  failure,
//				Secrets:  []string{m.key()},
//			}, &decoder{}, nil
//		})
//	}
//
// The client is made once, by [NewClient]. The example is a whole adapter.
//
// What it owns, so that no adapter has to:
//
//   - laziness: prepare is called, and the request sent, when the stream is
//     ranged; everything runs on the ranging goroutine and is closed when the
//     loop is left, however it is left;
//   - evidence: how far the request got is told from httptrace hooks and from
//     what was read, not from types of errors ([events.Sent]);
//   - framing: SSE by the WHATWG rules, with bare JSON in or after it where a server
//     does that, NDJSON, and AWS event streams with their checksums, in slices of one
//     bounded buffer; a last frame of text without its end is read too;
//   - the end: a body that ends or breaks before the provider's terminal
//     evidence is a failure, after it a success; the body is closed before the
//     terminal is handed on;
//   - clocks: those of cancel.WithClocks or of a cancel.Watch in the context,
//     else the defaults;
//   - answers that are no stream: statuses, HTML, JSON on 200, redirects
//     (refused unless the user's client has a policy), content encodings;
//   - Retry-After in all its forms, rate-limit headers, request ids;
//   - bounds on everything read, redaction of everything told, and the byte tap
//     of providers.WithTap.
//
// What it does not do: retry, meter, price, or understand a provider's JSON.
package transport
