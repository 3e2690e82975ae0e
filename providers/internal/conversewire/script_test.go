package conversewire_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/conversewire"
	"github.com/weirsdk/weir/providers/transport"
)

// messages draws one message of a server that knows the words of the wire and none
// of its rules.
func messages() *rapid.Generator[string] {
	key := rapid.IntRange(0, 3)
	pick := func(words ...string) *rapid.Generator[string] { return rapid.SampledFrom(words) }
	starts := pick(
		`{}`, `{"toolUse":{"toolUseId":"t1","name":"f"}}`, `{"toolUse":{"toolUseId":"t2","name":"f"}}`, `{"toolUse":{"name":"f"}}`,
		`{"toolUse":{"toolUseId":"t3"}}`, `{"toolUse":{"toolUseId":"s1","name":"g","type":"server_tool_use"}}`,
		`{"toolResult":{"toolUseId":"s1","status":"success","type":"g_result"}}`, `{"toolResult":{"toolUseId":"s2"}}`,
		`{"image":{"format":"png"}}`, `{"news":1}`)
	deltas := pick(
		`{"text":"b"}`, `{"text":" "}`, `{"text":""}`, `{"reasoningContent":{"text":"c"}}`, `{"reasoningContent":{"signature":"S"}}`,
		`{"reasoningContent":{"redactedContent":"AA=="}}`, `{"toolUse":{"input":"{"}}`, `{"toolUse":{"input":"}"}}`, `{"toolUse":{"input":"{}"}}`,
		`{"citation":{"location":{"web":{"url":"u"}}}}`, `{"toolResult":[{"text":"r"}]}`, `{"image":{"source":{"bytes":"AA=="}}}`, `{"news":1}`)
	reasons := pick("end_turn", "tool_use", "max_tokens", "content_filtered", "news", "malformed_tool_use")
	event := func(name, data string) string { return "event: " + name + "\ndata: " + data + "\n\n" }
	return rapid.Custom(func(t *rapid.T) string {
		switch rapid.IntRange(0, 19).Draw(t, "kind") {
		case 0:
			return event("messageStart", `{"role":"assistant"}`)
		case 1, 2, 3, 4:
			return event("contentBlockStart", fmt.Sprintf(`{"contentBlockIndex":%d,"start":%s}`, key.Draw(t, "key"), starts.Draw(t, "start")))
		case 5, 6, 7:
			return event("contentBlockStop", fmt.Sprintf(`{"contentBlockIndex":%d}`, key.Draw(t, "key")))
		case 8:
			return event("messageStop", fmt.Sprintf(`{"stopReason":%q}`, reasons.Draw(t, "reason")))
		case 9:
			return event("metadata", fmt.Sprintf(`{"usage":{"inputTokens":1,"outputTokens":%d,"totalTokens":3}}`, key.Draw(t, "n")))
		default:
			return event("contentBlockDelta", fmt.Sprintf(`{"contentBlockIndex":%d,"delta":%s}`, key.Draw(t, "key"), deltas.Draw(t, "delta")))
		}
	})
}

// Whatever order the words of the wire come in, the grammar holds, and what was
// completed can be sent back.
func TestAnyOrderOfMessages(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		family().AnyBody(t, framed(strings.Join(rapid.SliceOfN(messages(), 1, 30).Draw(t, "messages"), "")), 5)
	})
}

func FuzzDecode(f *testing.F) {
	for _, c := range wireCases(f) {
		f.Add(c.Body, uint8(3), false)
	}
	f.Add([]byte("event: messageStart\ndata: {}\n\nevent: contentBlockDelta\ndata: {\"contentBlockIndex\":0,\"delta\":{\"text\":\"a\"}}\n\n"), uint8(1), true)
	f.Fuzz(func(t *testing.T, body []byte, size uint8, text bool) {
		if text {
			// So that the checksums are right and the JSON is reached.
			body = framed(string(body))
		}
		family().AnyBody(t, body, int(size)%7+1)
	})
}

// A citation of many pieces is put together once, not anew for each.
func TestCitationOfManyPieces(t *testing.T) {
	const pieces = 5000
	frame := transport.Frame{Name: []byte("contentBlockDelta"), Data: []byte(
		`{"contentBlockIndex":0,"delta":{"citation":{"sourceContent":[` + strings.Repeat(`{"text":"abcd"},`, pieces) + `{}]}}}`)}
	d := conversewire.NewDecoder(minting(), bedrock())
	feed := func() {
		_, err := d.Frame(frame, func(events.Event) bool { return true })
		require.NoError(t, err)
	}
	feed() // the parser grows
	require.Less(t, testing.AllocsPerRun(5, feed), pieces/4.0)
}

// Whatever a block brings to be kept counts, event or not.
func TestBounds(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("eHh4", conversewire.MaxData/12)
	delta := func(text string) []string {
		return []string{"contentBlockDelta", `{"contentBlockIndex":0,"delta":` + text + `}`}
	}
	begin := func(text string) []string {
		return []string{"contentBlockStart", `{"contentBlockIndex":0,"start":` + text + `}`}
	}
	for _, c := range []struct {
		why    string
		before []string
		frame  []string
		most   int
	}{
		{"signatures", nil, delta(`{"reasoningContent":{"signature":"` + big + `"}}`), 6},
		{"encrypted reasoning", nil, delta(`{"reasoningContent":{"redactedContent":"` + big + `"}}`), 6},
		{"input of hosted tools", begin(`{"toolUse":{"toolUseId":"s","name":"g","type":"server_tool_use"}}`), delta(`{"toolUse":{"input":"` + big + `"}}`), 6},
		{"results", begin(`{"toolResult":{"toolUseId":"s"}}`), delta(`{"toolResult":[{"text":"` + big + `"}]}`), 6},
		{"names of hosted tools", nil, begin(`{"toolUse":{"toolUseId":"s","name":"` + big + `","type":"server_tool_use"}}`), 6},
		{"ids of results", nil, begin(`{"toolResult":{"toolUseId":"` + big + `"}}`), 6},
		{"images", begin(`{"image":{"format":"png"}}`), delta(`{"image":{"source":{"bytes":"` + strings.Repeat("AAAA", 1<<20) + `"}}}`), 30},
		{"blocks", nil, begin(`{"news":1}`), 1030},
	} {
		d := conversewire.NewDecoder(minting(), bedrock())
		feed := func(frame []string) error {
			_, err := d.Frame(transport.Frame{Name: []byte(frame[0]), Data: []byte(frame[1])}, func(events.Event) bool { return true })
			return err
		}
		if c.before != nil {
			require.NoError(t, feed(c.before), c.why)
		}
		var err error
		for n := 0; n < c.most && err == nil; n++ {
			err = feed(c.frame)
		}
		f, failed := events.AsFailure(err)
		require.True(t, failed, "%s: %d frames were taken", c.why, c.most)
		require.Equal(t, events.ReasonTooLarge, f.Reason, c.why)
	}
}
