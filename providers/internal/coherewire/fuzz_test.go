package coherewire_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/coherewire"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// Whatever the bytes, the decoder does not panic, keeps to the grammar without the
// guard's help, and gives the same events for any reads; what it keeps is JSON, and
// a turn that it completed can be sent back.
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
		if done, ok := last.Completion(); ok {
			for _, kept := range []string{done.Data.Value, done.Usage.Raw} {
				require.True(t, kept == "" || json.Valid([]byte(kept)), "%q", kept)
			}
		}
		require.Equal(t, lines(evs), lines(drive(body, int(size)%7+1)))
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
	p, err := ask(messages...).Prepare(request.Target{Format: coherewire.Format, Origin: "cohere"})
	if err != nil {
		return // the request's own bounds
	}
	sent, err := coherewire.Encode("m", p, profile())
	require.NoError(t, err)
	require.True(t, json.Valid(sent), "%s", sent)
}
