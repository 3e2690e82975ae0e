package chatwire_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/chatwire"
)

// reports is a good reply followed by reports of usage.
func reports(list ...string) []byte {
	var b strings.Builder
	b.WriteString(`data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}` + "\n\n")
	for _, u := range list {
		b.WriteString(`data: {"choices":[],"usage":` + u + "}\n\n")
	}
	return []byte(b.String() + "data: [DONE]\n\n")
}

func notices(list []events.Event) []events.NoticeCode {
	var codes []events.NoticeCode
	for _, ev := range list {
		if n, ok := ev.Notice(); ok {
			codes = append(codes, n.Code)
		}
	}
	return codes
}

// The last report counts, also when it is the one before a bad one again.
func TestUsageHeals(t *testing.T) {
	t.Parallel()
	const good, bad = `{"prompt_tokens":1,"completion_tokens":2}`, `{"prompt_tokens":-1}`
	c, ok := folded(playAll(t, reports(good, bad, good), chatwire.Profile{})).terminal.Completion()
	require.True(t, ok)
	assert.Equal(t, events.Known(1), c.Usage.Input)
	assert.True(t, c.Usage.Final)
	f, ok := folded(playAll(t, reports(good, bad), chatwire.Profile{})).terminal.Failure()
	require.True(t, ok)
	assert.Equal(t, events.ReasonUnusableUsage, f.Reason)
}

// A part that is larger than its whole is told, in one report or over two.
func TestUsagePartsAndWholes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why           string
		reports       []string
		input, output events.Count
		inconsistent  bool
	}{
		{"audio read", []string{`{"prompt_tokens":5,"completion_tokens":2,"prompt_tokens_details":{"audio_tokens":50}}`}, events.Known(50), events.Known(2), true},
		{"images read", []string{`{"prompt_tokens":5,"prompt_tokens_details":{"image_tokens":50}}`}, events.Known(50), events.Count{}, true},
		{"audio written", []string{`{"completion_tokens":5,"completion_tokens_details":{"audio_tokens":50}}`}, events.Count{}, events.Known(50), true},
		{"images written", []string{`{"completion_tokens":5,"completion_tokens_details":{"image_tokens":50}}`}, events.Count{}, events.Known(50), true},
		{"thinking over two", []string{`{"completion_tokens_details":{"reasoning_tokens":50}}`, `{"completion_tokens":10}`}, events.Count{}, events.Known(50), true},
		{"the cache over two", []string{`{"cached_tokens":50}`, `{"prompt_tokens":10}`}, events.Known(50), events.Count{}, true},
		{"what is written to it, over two", []string{`{"cache_creation_input_tokens":50}`, `{"prompt_tokens":10}`}, events.Known(50), events.Count{}, true},
		{"a later report of another part", []string{`{"prompt_tokens":5,"prompt_tokens_details":{"audio_tokens":50}}`, `{"completion_tokens":1}`}, events.Known(50), events.Known(1), true},
		{"a later report of all", []string{`{"prompt_tokens":5,"prompt_tokens_details":{"audio_tokens":50}}`, `{"prompt_tokens":60,"completion_tokens":1}`}, events.Known(60), events.Known(1), false},
		{"parts that fit", []string{`{"prompt_tokens":50,"completion_tokens":50,"prompt_tokens_details":{"audio_tokens":50},"completion_tokens_details":{"reasoning_tokens":50}}`}, events.Known(50), events.Known(50), false},
	} {
		list := playAll(t, reports(c.reports...), chatwire.Profile{})
		got, ok := list[len(list)-1].Completion()
		require.True(t, ok, c.why)
		assert.Equal(t, c.input, got.Usage.Input, c.why)
		assert.Equal(t, c.output, got.Usage.Output, c.why)
		assert.Equal(t, c.inconsistent, got.Usage.Inconsistent, c.why)
		if c.inconsistent {
			assert.Equal(t, []events.NoticeCode{events.NoticeUsageInconsistent}, notices(list), c.why)
		}
	}
}

// A usage that is no object costs no good reply: it is told, once.
func TestUsageNoObject(t *testing.T) {
	t.Parallel()
	for _, odd := range []string{`[]`, `""`, `0`, `false`} {
		list := playAll(t, reports(odd, `{"prompt_tokens":1}`, odd), chatwire.Profile{})
		c, ok := list[len(list)-1].Completion()
		require.True(t, ok, odd)
		assert.Equal(t, events.Known(1), c.Usage.Input, odd)
		assert.Equal(t, []events.NoticeCode{events.NoticeUnknownFrame}, notices(list), odd)
	}
}
