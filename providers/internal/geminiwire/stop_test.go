package geminiwire_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
)

// Each finish reason of the wire (go-genai, types.go, and ai.google.dev/api/
// generate-content, read 2026-12-01) ends a reply in its own way, and its word is kept.
func TestFinishReasons(t *testing.T) {
	t.Parallel()
	const fails = events.Stop("") // with the reason
	for raw, want := range map[string]struct {
		stop   events.Stop
		reason events.Reason
	}{
		"STOP":                      {events.StopEnd, ""},
		"MAX_TOKENS":                {events.StopLength, ""},
		"CONTINUATION":              {events.StopLength, ""}, // no token: it cannot go on
		"SAFETY":                    {events.StopContentFilter, ""},
		"RECITATION":                {events.StopContentFilter, ""},
		"BLOCKLIST":                 {events.StopContentFilter, ""},
		"PROHIBITED_CONTENT":        {events.StopContentFilter, ""},
		"SPII":                      {events.StopContentFilter, ""},
		"MODEL_ARMOR":               {events.StopContentFilter, ""},
		"IMAGE_SAFETY":              {events.StopContentFilter, ""},
		"IMAGE_PROHIBITED_CONTENT":  {events.StopContentFilter, ""},
		"IMAGE_RECITATION":          {events.StopContentFilter, ""},
		"LANGUAGE":                  {events.StopOther, ""},
		"OTHER":                     {events.StopOther, ""},
		"NO_IMAGE":                  {events.StopOther, ""},
		"IMAGE_OTHER":               {events.StopOther, ""},
		"NEXT_YEARS":                {events.StopOther, ""},
		"MALFORMED_FUNCTION_CALL":   {fails, events.ReasonBadToolCall},
		"UNEXPECTED_TOOL_CALL":      {fails, events.ReasonBadToolCall},
		"TOO_MANY_TOOL_CALLS":       {fails, events.ReasonBadToolCall},
		"MALFORMED_RESPONSE":        {fails, events.ReasonMalformed},
		"MISSING_THOUGHT_SIGNATURE": {fails, events.ReasonBadRequest},
		"FINISH_REASON_UNSPECIFIED": {fails, events.ReasonTruncated}, // none
	} {
		last := terminal(t, playBody(t, body(frame(hi, `,"finishReason":"`+raw+`"`, counted))))
		if f, failed := last.Failure(); failed {
			assert.Equal(t, want.reason, f.Reason, raw)
			continue
		}
		done, completed := last.Completion()
		require.True(t, completed, raw)
		assert.Equal(t, want.stop, done.Stop, raw)
		assert.Equal(t, raw, done.RawStop)
		assert.Equal(t, events.Known(20), done.Usage.Input, raw)
	}
	for _, raw := range []string{"SAFETY", "OTHER", "BLOCKLIST", "PROHIBITED_CONTENT", "IMAGE_SAFETY", "MODEL_ARMOR", "JAILBREAK"} {
		done, completed := terminal(t, playBody(t, body(`{"promptFeedback":{"blockReason":"`+raw+`"}`+counted+`}`))).Completion()
		require.True(t, completed, raw)
		assert.Equal(t, events.StopContentFilter, done.Stop, raw)
		assert.Equal(t, raw, done.RawStop)
	}
}
