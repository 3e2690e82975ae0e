package responseswire_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/responseswire"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// Whatever the bytes, the decoder does not panic, keeps to the grammar without
// the guard's help, and gives the same events for any reads; what it keeps is JSON,
// and a turn that it completed can be sent back.
func FuzzDecode(f *testing.F) {
	for _, c := range wireCases(f) {
		f.Add(string(c.body), uint8(3))
	}
	f.Fuzz(func(t *testing.T, body string, size uint8) {
		evs := drive(body, len(body)+1)
		last := terminal(t, evs)
		if fail, ok := last.Failure(); ok {
			require.NotEqual(t, events.Crashed, fail.Kind, "%v", last)
			// Bounds of the grammar may be passed by any bytes; its rules may not.
			require.NotEqual(t, events.ReasonProtocolViolation, fail.Reason, "%v", last)
		}
		for _, kept := range keptTexts(evs) {
			require.True(t, json.Valid([]byte(kept)), "%q", kept)
		}
		require.Equal(t, string(lines(evs)), string(lines(drive(body, int(size)%7+1))))
		goesBack(t, evs)
	})
}

func goesBack(t *testing.T, evs []events.Event) {
	t.Helper()
	var reply stream.Reply
	for _, ev := range evs {
		reply.Add(ev)
	}
	if reply.Err() != nil {
		return
	}
	turn := reply.Turn()
	messages := []request.Message{request.UserText("q"), turn}
	for _, b := range turn.Blocks {
		if b.Kind == request.BlockToolCall {
			messages = append(messages, request.Results(request.Result(b.Call.ID, "ok")))
		}
	}
	p, err := ask(messages...).Prepare(request.Target{Format: responseswire.Format, Origin: "openai"})
	if err != nil {
		return // the request's own bounds
	}
	sent, err := responseswire.Encode("m", p, openai())
	require.NoError(t, err)
	require.NoError(t, notJSON(sent), "%s", sent)
}
