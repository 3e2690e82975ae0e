package coherewire_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/coherewire"
	"github.com/weirsdk/weir/providers/transport"
)

// feed hands frames to a decoder that nothing else bounds, and returns it with the
// first error and the number of the frame that it was for.
func feed(n int, frame func(i int) string) (d transport.Decoder, at int, err error) {
	d = coherewire.NewDecoder(minting(), profile())
	for i := range n {
		_, err := d.Frame(transport.Frame{Data: []byte(frame(i))}, func(events.Event) bool { return true })
		if err != nil {
			return d, i, err
		}
	}
	return d, n, nil
}

// Thinking and blocks are bounded.
func TestRepliesAreBounded(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("x", coherewire.MaxData/4)
	for _, c := range []struct {
		why string
		at  int
		of  func(i int) string
	}{
		{"the plan", 4, func(int) string { return `{"type":"tool-plan-delta","delta":{"message":{"tool_plan":"` + big + `"}}}` }},
		{"thinking", 4, func(i int) string {
			return fmt.Sprintf(`{"type":"content-start","index":%d,"delta":{"message":{"content":{"type":"thinking","thinking":%q}}}}`, i, big)
		}},
		{"content", 1024, func(i int) string {
			return fmt.Sprintf(`{"type":"content-start","index":%d,"delta":{"message":{"content":{"type":"text","text":""}}}}`, i)
		}},
		{"calls", 1024, func(i int) string {
			return fmt.Sprintf(`{"type":"tool-call-start","index":%d,"delta":{"message":{"tool_calls":{"id":"t%d","function":{"name":"f"}}}}}`, i, i)
		}},
		{"citations of no text", 2, func(int) string {
			return `{"type":"citation-start","delta":{"message":{"citations":{"sources":[{"id":"` + big[:400_000] + `"}]}}}}`
		}},
		{"sources without a word", 3, func(int) string {
			return `{"type":"citation-start","delta":{"message":{"citations":{"sources":[` + strings.Repeat(`{},`, 5_000) + `{}]}}}}`
		}},
	} {
		_, at, err := feed(c.at+1, c.of)
		f, failed := events.AsFailure(err)
		require.True(t, failed, c.why)
		assert.Equal(t, c.at, at, c.why)
		assert.Equal(t, events.InvalidReply, f.Kind, c.why)
		assert.Equal(t, events.ReasonTooLarge, f.Reason, c.why)
	}
}

// What is kept is bounded as it is written, escapes and all.
func TestDataIsBounded(t *testing.T) {
	t.Parallel()
	quotes := strings.Repeat(`\"`, coherewire.MaxData*3/4)
	d, _, err := feed(2, func(i int) string {
		return []string{`{"type":"tool-plan-delta","delta":{"message":{"tool_plan":"` + quotes + `"}}}`, `{"type":"message-end","delta":{"finish_reason":"COMPLETE"}}`}[i]
	})
	require.NoError(t, err)
	f, failed := d.End(transport.End{}).Failure()
	require.True(t, failed)
	assert.Equal(t, events.ReasonTooLarge, f.Reason)
}

// Of what is not known only the first few kinds are told.
func TestUnknownFramesAreToldAFewTimes(t *testing.T) {
	t.Parallel()
	told := 0
	d := coherewire.NewDecoder(minting(), profile())
	for i := range 20 {
		frame := fmt.Sprintf(`{"type":"news-%d"}`, i)
		if i == 0 {
			frame = `{"type":"message-start"}`
		}
		_, err := d.Frame(transport.Frame{Data: []byte(frame)}, func(ev events.Event) bool {
			if ev.Kind == events.Notice {
				told++
			}
			return true
		})
		require.NoError(t, err)
	}
	assert.Equal(t, 8, told)
}

// Citations repeat whole documents, and are no reason to fail an answer: what is
// told of each is short, and of too many only the first are kept.
func TestCitationsAreBounded(t *testing.T) {
	t.Parallel()
	document := strings.Repeat("é", 100_000)
	told := 0
	d := coherewire.NewDecoder(minting(), profile())
	emit := func(ev events.Event) bool {
		if c, ok := ev.Citation(); ok {
			told++
			assert.LessOrEqual(t, len(c.Text), events.MaxDetail)
			assert.True(t, strings.HasPrefix(document, c.Text) && c.Text != "")
		}
		return true
	}
	frame := func(data string) {
		_, err := d.Frame(transport.Frame{Data: []byte(data)}, emit)
		require.NoError(t, err)
	}
	frame(`{"type":"content-start","index":0,"delta":{"message":{"content":{"type":"text","text":"a"}}}}`)
	for range 60 {
		frame(`{"type":"citation-start","delta":{"message":{"citations":{"text":"a","sources":[{"id":"d","document":{"text":"` + document + `"}}]}}}}`)
	}
	frame(`{"type":"message-end","delta":{"finish_reason":"COMPLETE"}}`)
	assert.Equal(t, 60, told)
	done, ok := d.End(transport.End{}).Completion()
	require.True(t, ok)
	assert.Equal(t, 5, strings.Count(done.Data.Value, `"sources"`), "1 MiB of 200 kB each")
}
