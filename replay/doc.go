// Package replay stands in for a provider in tests: replies from a script, and
// replies that were recorded. It stands for nothing else: it is no cache and no
// mock of a wire, which is package replay/wire.
//
// A test of an agent needs no provider at all. It writes down what the model says:
//
//	model := &replay.Scripted{Replies: []replay.Reply{
//		replay.Calls(replay.Call("get_weather", `{"city":"Oslo"}`)),
//		replay.Says("It rains in Oslo.").WithUsage(120, 8),
//	}}
//
// A test of what a real model says records it once and replays it for ever:
//
//	var record = flag.Bool("record", false, "call the provider and record what it says")
//
//	model, err := replay.Open("testdata/weather", "openai:gpt-5", *record, func() (providers.Model, error) {
//		return openai.New(openai.Config{Key: key, Model: "gpt-5"})
//	})
//	...
//	t.Cleanup(func() { assert.NoError(t, model.Close()) })
//
// [Open] gives a [Recorder] or a [Replayer], which can be used by themselves. No
// network and no credential is needed to replay, on any machine.
//
// # Recordings
//
// A recording is one exchange: the request, each event, the fold of the events and
// the bytes that the provider sent. It is one JSON file for people to read and to
// diff, with a version first and one event a line. It is named by the key of model
// and request (see [KeyOf]): <key>.json, and <key>.2.json for the second identical
// request. The nth identical request gets the nth recording. A request that differs
// in anything is a miss, *[NotRecorded], which names the first difference.
//
// Guarantees:
//
//   - A replay gives the same events as the recorded call, byte for byte in their
//     canonical JSON, but for credentials: usage, evidence of dispatch and advice on
//     retries of failures too, so that a caller charges and retries the same.
//   - A call that was not read to its end is never replayed as Completed.
//   - No credential that the call sent, nor one of Recorder.Secrets, is stored.
//   - Two recordings of the same run are equal: no time, no random id, no order of
//     finishing is stored (delays only with Recorder.Timing).
//   - A crash leaves the old recording or the new one, whole.
//   - Recording changes neither the stream nor what the call costs, whatever comes
//     of the disk.
//
// The point of a recording is to be committed: read it first. A prompt may hold
// personal data, which nobody but you can tell from a prompt.
package replay
