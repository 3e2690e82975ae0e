package chatwire_test

import (
	"io"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/chatwire"
	"github.com/weirsdk/weir/request"
)

// The type of speech is that of the format which was sent: what the request wants comes
// before what the endpoint wants of every body.
func TestTypeOfSpeech(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ why, extra, body, want string }{
		{"nobody says", "", "", "audio/pcm"},
		{"the request", `{"audio":{"format":"mp3"}}`, "", "audio/mpeg"},
		{"the endpoint", "", `{"audio":{"format":"wav"}}`, "audio/wav"},
		{"both", `{"audio":{"format":"pcm16"}}`, `{"audio":{"format":"wav"}}`, "audio/pcm"},
		{"the request wants another voice alone", `{"audio":{"voice":"alloy"}}`, `{"audio":{"format":"FLAC"}}`, "audio/flac"},
	} {
		p := request.Prepared{Request: request.Request{Extra: map[string]string{chatwire.ExtraKey: c.extra}}}
		wire := script("stop", `"audio":{"data":"AAEC"}`)
		var got []string
		for _, ev := range play(t, &body{wire, whole, io.EOF}, p, chatwire.Profile{ExtraBody: c.body}) {
			if m, ok := ev.Media(); ok && ev.Kind == events.MediaCompleted {
				got = append(got, m.Type)
			}
		}
		assert.Equal(t, []string{c.want}, got, c.why)
	}
}
