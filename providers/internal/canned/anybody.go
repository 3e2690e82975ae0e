package canned

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// Fuzz plays any bytes, from those of the cases on; see [Family.AnyBody].
func (f Family) Fuzz(fuzz *testing.F) {
	fuzz.Helper()
	for _, c := range f.cases(fuzz) {
		fuzz.Add(string(c.Body), uint8(3))
	}
	fuzz.Fuzz(func(t *testing.T, body string, size uint8) { f.AnyBody(t, []byte(body), int(size)%7+1) })
}

// AnyBody holds a body to what is true of every one, whatever its bytes: the
// decoder does not panic, keeps to the grammar without the guard's help, and gives
// the same events when it is read size bytes at a time; what it keeps is JSON, and
// a turn that it completed can be sent back.
func (f Family) AnyBody(t require.TestingT, body []byte, size int) {
	w := f.Wire(Case{})
	evs := w.Drive(body, len(body)+1)
	f.Obeyed(t, evs)
	for _, kept := range KeptTexts(evs) {
		require.True(t, json.Valid([]byte(kept)), "%q", kept)
	}
	require.Equal(t, Lines(evs), Lines(w.Drive(body, size)))
	f.GoesBack(t, evs)
}

// Obeyed wants a terminal that is neither a crash nor the guard's. Bounds of the
// grammar may be passed by any bytes; its rules may not.
func (f Family) Obeyed(t require.TestingT, evs []events.Event) {
	last := Terminal(t, evs)
	failure, failed := last.Failure()
	if !failed {
		return
	}
	require.NotEqual(t, events.Crashed, failure.Kind, "%v", last)
	if f.Guarded != "" && strings.Contains(failure.Detail, f.Guarded) {
		return
	}
	require.NotEqual(t, events.ReasonProtocolViolation, failure.Reason, "%v", last)
}

// GoesBack sends a turn that completed back, with the answers to its calls: the
// body is JSON, unless the request's own bounds refuse it.
func (f Family) GoesBack(t require.TestingT, evs []events.Event) {
	reply := Reply(evs)
	if reply.Err() != nil {
		return
	}
	turn := reply.Turn()
	single := []request.Message{request.UserText("q"), turn}
	for _, b := range turn.Blocks {
		if b.Kind == request.BlockToolCall {
			single = append(single, request.Results(request.Result(b.Call.ID, "ok")))
		}
	}
	histories := [][]request.Message{single, append(single[:len(single):len(single)], request.UserText("next"))}
	if reply.Executable() {
		ok := func(events.ToolCall) (string, error) { return "ok", nil }
		histories = append(histories, []request.Message{request.UserText("q"), turn, reply.Answer(ok)})
	}
	for _, messages := range histories {
		p, err := request.Request{Messages: messages}.Prepare(f.Target)
		if err != nil {
			continue
		}
		sent, err := f.Encode(p)
		require.NoError(t, err)
		require.True(t, json.Valid(sent), "%s", sent)
	}
}
