// Package conformance holds an adapter to the contract of
// [github.com/weirsdk/weir/providers.Model], without a network: the suite plays
// what a provider may answer, and everything that can go wrong with it, through
// the adapter, and checks what comes out. The contract is the clauses M01 to M20 in
// the documentation of that interface; a finding names the one that is broken, and
// [Clauses] lists them.
//
//	func TestConformance(t *testing.T) {
//		conformance.Run(t, conformance.Adapter{
//			New: func(tb testing.TB, rt http.RoundTripper) providers.Model {
//				m, err := acme.New(acme.Config{
//					Key: conformance.Canary, Model: "acme-1", HTTPClient: &http.Client{Transport: rt},
//				})
//				if err != nil {
//					tb.Fatal(err)
//				}
//				return m
//			},
//			Wire: os.DirFS("testdata/conformance"),
//			Unsupported: map[string]string{
//				"citations": "a frame has no place for a source (docs.acme.example/streaming, 2026-11-30)",
//			},
//		})
//	}
//
// The suite owns the scenarios: what is asked and what the events must come to
// ([Scenarios] lists them). The adapter owns the bytes that say it in its
// provider's language, one file a scenario, or claims with a reason that the
// provider cannot say it. examples/customadapter is a whole adapter with its bytes
// and a guide.
//
// # Scenarios
//
// What each has to say is in [Scenarios], and in the failure of one that has no
// bytes:
//
//	text many-deltas empty unicode thinking thinking-signed refusal content-filter
//	length stop-sequence structured-answer hosted-tool citations
//	tool-call text-and-tool-call tool-call-no-arguments parallel-calls
//	parallel-calls-interleaved exact-arguments length-in-arguments
//	length-after-arguments broken-arguments no-call
//	usage usage-cached usage-thinking usage-late usage-cumulative usage-absent
//	usage-unusable unknown-frames keep-alive
//	error-400 error-401 error-403 error-404 error-429 error-quota error-context
//	error-500 error-503 error-first error-middle
//
// # What is derived
//
// Every scenario runs as it is and under these mutations, each a subtest of its
// own (go test -run 'TestConformance/tool-call/cut'):
//
//   - split: the body in reads of 1, 2, 3 and 7 bytes, in two at every byte, the
//     last bytes together with the end; the events are the same;
//   - cut: the body ended at every byte by a clean end and by a reset, at every
//     frame by an unexpected end and by a reset of an HTTP/2 stream: what is
//     Completed says all that the whole body says, no call is executable
//     otherwise, and the charge is that of package caller/charge;
//   - stall: silence before the head, at every edge of a frame, after the evidence:
//     the right clock fires when it is due;
//   - consumer: never ranged, ranged twice, left at every event by break, panic,
//     runtime.Goexit, cancel and a deadline: the body is closed once, and no
//     goroutine is left;
//   - noise: comments, empty frames, other line ends, members that nobody knows;
//   - corrupt: each frame broken in three ways, the terminal repeated;
//   - confuse: each value replaced by ones that nobody expects;
//   - echo: the credential in every place that is not the model's;
//   - next turn: the reply sent back with the answers to its calls.
//
// The credential is looked for in every stream that is played, whatever for, whole or
// its first twelve bytes, plain or in base64: in its events, its failure and the causes of that, but not in what the model says; and in
// the printed forms of the model and in recordings. An error of New is the adapter's
// own to test: the suite sees only models.
//
// What no scenario decides is checked once, under model: the name, requests that
// no model takes, a conversation of several turns, parameters, pictures and hosted
// tools that are sent or told to be left out, how far a request got, answers that are
// no stream, sizes, streams at the same time. A body of up to 8 KiB is cut and split at every
// byte, a larger one at the edges of its frames and at random; so is every body with
// go test -short and under the race detector.
//
// Contrasts find what is lost although nobody knows how the provider spells it: two
// requests that differ in one thing, the tool choice for one, or whether a tool
// failed, are sent as two that differ in address, head or body, or one of them is
// refused or tells a Notice that a plain request does not.
//
// # What passing means
//
// That the adapter keeps each clause for the bytes that it was given and for all
// that is derived from them. It does not mean that the bytes are what the provider
// sends today: record them (package replay/wire), say where they are from, and look
// again when the provider changes. It does not mean that the model is good, that a
// claim is true, that the adapter is fast, or that prices are right. Of what a contrast
// holds apart it does not mean that each is spelled right: low and high may be
// exchanged. The suite may miss a fault; it must not accuse falsely: where the contract
// leaves a choice, every choice passes.
//
// [Cases] runs folders of reported bugs, bytes and the outcome that is right. The
// package needs nothing but the standard package testing; it is no mock provider
// (package replay/wire has a server) and judges no live one.
package conformance
