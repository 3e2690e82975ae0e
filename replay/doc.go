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
// In a bubble of testing/synctest its waits, the clocks of the call and the backoff of a
// caller take no time: a test of a minute's silence needs no sleep and no margin.
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
// With "go test ./..." each package's tests are a program of their own, and one that does
// not define the flag refuses it (flag provided but not defined: -record). Where several
// packages are tested let the environment say it: os.Getenv("RECORD") != "".
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
// A recording may be edited by hand. Its events are what is played. Its model, request
// and key have to fit each other and the name of the file. Its reply (the fold of the
// events) and its body are for people: a reply that does not agree with the events is
// refused, so that nobody edits it in vain, and may be taken out; the body is not
// read. Events that break the grammar are refused too, unless the recording says
// "ungrammatical", because those of the model did. What is refused is a
// *[BadRecording], which names the file and says what to do.
//
// Guarantees:
//
//   - A replay gives the same events as the recorded call, byte for byte in their
//     canonical JSON, but for credentials: usage, evidence of dispatch and advice on
//     retries of failures too, so that a caller charges and retries the same.
//   - A call that was not read to its end is never replayed as Completed.
//   - No credential that the call sent, nor one of Recorder.Secrets, is stored.
//   - Two recordings of the same answers are equal: of its own a Recorder stores no
//     time, no random id and no order of finishing (delays only with Recorder.Timing).
//     What a provider sends is stored as it came, and most send an id and a time with
//     each reply: those are in started, failed and the body, and differ from one run
//     to the next.
//   - To record again with no provider there, or with a key that it refuses, loses no
//     recording of an answer, and is told; see [Recorder].
//   - A crash leaves the old recording or the new one, whole.
//   - Recording changes neither the stream nor what the call costs, whatever comes
//     of the disk.
//
// The point of a recording is to be committed: read it first. A prompt may hold
// personal data, which nobody but you can tell from a prompt.
package replay
