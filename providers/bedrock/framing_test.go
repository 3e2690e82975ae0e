package bedrock_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/providers/transport"
)

// FuzzFraming holds the framing of package transport to AWS's own: what one reads
// the other reads, and as the same.
func FuzzFraming(f *testing.F) {
	f.Add(hello(), "", "", false)
	f.Add([]byte(nil), "chunk", `{"bytes":"e30="}`, true)
	f.Fuzz(func(t *testing.T, body []byte, name, payload string, exception bool) {
		body = transport.AppendMessage(body, transport.Frame{Name: []byte(name), Data: []byte(payload), Exception: exception})
		ours := transport.NewFrameReader(bytes.NewReader(body), transport.EventStream, 0)
		theirs, rest := eventstream.NewDecoder(), bytes.NewReader(body)
		for {
			frame, err := ours.Next()
			message, theirErr := theirs.Decode(rest, nil)
			if err == io.EOF && rest.Len() == 0 && theirErr != nil {
				return
			}
			if theirErr != nil {
				// Theirs refuses what ours has no need to: types of values that it
				// reads, and headers beyond 128 KiB.
				return
			}
			if err != nil {
				// Ours refuses two headers that contradict, and long messages.
				require.Greater(t, len(message.Headers), 1, "%v", err)
				return
			}
			kind, name := header(message, ":message-type"), header(message, ":event-type")
			switch kind {
			case "error": // is told by its headers
				continue
			case "exception":
				name = header(message, ":exception-type")
			}
			require.Equal(t, kind == "exception", frame.Exception)
			require.Equal(t, name, string(frame.Name))
			require.Equal(t, string(message.Payload), string(frame.Data))
		}
	})
}

// header returns a header that is a text.
func header(message eventstream.Message, name string) string {
	value, ok := message.Headers.Get(name).(eventstream.StringValue)
	if !ok {
		return ""
	}
	return string(value)
}
