package openai_test

import (
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/openai"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// TestAudio: speech is asked for by Extra, comes as words and as bytes, and its turn goes
// back by the id that the provider gave it, or, without the data of the turn, as words.
func TestAudio(t *testing.T) {
	t.Parallel()
	wire, err := os.ReadFile("testdata/audio/1.sse")
	require.NoError(t, err)
	ask := func(r request.Request) (*stream.Reply, string) {
		rt := &canned.Transport{Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: wire}
		m, err := openai.New(openai.Config{Key: key, Model: "gpt-audio", HTTPClient: &http.Client{Transport: rt}})
		require.NoError(t, err)
		reply, err := stream.Collect(m.Stream(t.Context(), r))
		require.NoError(t, err)
		return reply, string(rt.Requests()[0].Body)
	}
	speech := map[string]string{openai.ExtraKey: `{"modalities":["text","audio"],"audio":{"voice":"alloy","format":"pcm16"}}`}
	r := request.Request{Messages: []request.Message{request.User(request.AudioBytes("audio/wav", []byte{1, 2, 3}))}, Extra: speech}
	reply, sent := ask(r)
	assert.Contains(t, sent, `"content":[{"type":"input_audio","input_audio":{"data":"AQID","format":"wav"}}]`)
	assert.Contains(t, sent, `"modalities":["text","audio"],"audio":{"voice":"alloy","format":"pcm16"}`)
	assert.Equal(t, "Good morning.", reply.Text())
	assert.Equal(t, []events.Media{{Type: "audio/pcm", Data: []byte{0, 1, 2, 3, 4, 5, 6, 7}}}, reply.Media())
	assert.Equal(t, "default", reply.Start().Metadata["service_tier"])
	assert.Equal(t, events.Known(24), reply.Usage().OutputAudio)

	turn := reply.Turn()
	r.Messages = append(r.Messages, turn, request.UserText("Again."))
	_, sent = ask(r)
	assert.Contains(t, sent, `{"role":"assistant","content":null,"audio":{"id":"audio_6a"}},{"role":"user","content":"Again."}`)
	turn.Data = events.ProviderData{}
	r.Messages[1] = turn
	_, sent = ask(r)
	assert.Contains(t, sent, `{"role":"assistant","content":"Good morning."},`)

	for format, want := range map[string]string{"mp3": "audio/mpeg", "wav": "audio/wav", "Opus": "audio/opus"} {
		r.Extra = map[string]string{openai.ExtraKey: `{"audio":{"format":"` + format + `"}}`}
		reply, _ := ask(r)
		assert.Equal(t, want, reply.Media()[0].Type)
	}
}
