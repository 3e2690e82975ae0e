package chatwire_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/chatwire"
	"github.com/weirsdk/weir/request"
)

// said returns what a body says of an effort, by the spelling.
func said(spelling chatwire.EffortSpelling, effort request.Effort) string {
	word := string(effort)
	off := effort == request.EffortOff
	switch {
	case spelling == chatwire.EffortObject && off:
		return `"reasoning":{"enabled":false}`
	case spelling == chatwire.EffortObject:
		return `"reasoning":{"effort":"` + word + `"}`
	case spelling == chatwire.EffortEnable && off:
		return `"enable_thinking":false`
	case spelling == chatwire.EffortEnable:
		return `"enable_thinking":true`
	case spelling == chatwire.EffortWord && off:
		return `"reasoning_effort":"none"`
	case spelling == chatwire.EffortWord:
		return `"reasoning_effort":"` + word + `"`
	case off:
		return `"thinking":{"type":"disabled"}`
	case spelling == chatwire.EffortSwitch:
		return `"thinking":{"type":"enabled"}`
	default:
		return `"thinking":{"type":"enabled"},"reasoning_effort":"` + word + `"`
	}
}

// noticed returns whether a notice tells of a field.
func noticed(notices []events.NoticeInfo, field string) bool {
	for _, n := range notices {
		if strings.HasPrefix(n.Detail, field+":") {
			return true
		}
	}
	return false
}

// sayable reports whether an effort is one that the model takes, and that the vendor
// tells from others.
func sayable(spelling chatwire.EffortSpelling, spec request.Spec, effort request.Effort) bool {
	takes := spec.Thinking != request.No && (spec.Efforts == nil || slices.Contains(spec.Efforts, effort))
	levels := spelling != chatwire.EffortSwitch && spelling != chatwire.EffortEnable
	return effort != "" && takes && (levels || effort == request.EffortOff || effort == request.EffortHigh)
}

// TestEffortsOfEveryVendor: of each vendor, effort and budget the body says what was
// asked for, or a notice tells what was made of it, and Strict refuses what is told. No
// wish is dropped in silence, and none is told of that was kept.
func TestEffortsOfEveryVendor(t *testing.T) {
	t.Parallel()
	vendors := chatwire.Vendors()
	vendors["unheard-of"] = chatwire.Vendor{}
	efforts := []request.Effort{
		"", request.EffortOff, request.EffortMinimal, request.EffortLow, request.EffortMedium, request.EffortHigh, request.EffortXHigh, request.EffortMax,
	}
	specs := map[string]request.Spec{
		"nothing is known":      {},
		"all levels":            {Efforts: efforts[1:], ThinkingBudget: request.Yes},
		"it always thinks":      {Efforts: []request.Effort{request.EffortLow, request.EffortHigh}},
		"it takes no effort":    {Efforts: []request.Effort{}},
		"it does not think":     {Thinking: request.No},
		"it takes no budget":    {ThinkingBudget: request.No},
		"and one level, medium": {Efforts: []request.Effort{request.EffortMedium}},
	}
	for name := range vendors {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			profile := chatwire.ProfileFor(name)
			for known, spec := range specs {
				for _, effort := range efforts {
					for _, budget := range []*int{nil, new(2345)} {
						why := known + ", effort " + string(effort)
						r := request.Request{Messages: []request.Message{request.UserText("hi")}, Effort: effort, ThinkingBudget: budget}
						call, _, err := chatwire.Prepare(r, "m", spec, profile)
						require.NoError(t, err, why)
						body := string(call.Body)
						takes := spec.Efforts == nil || len(spec.Efforts) > 0
						kept := effort != "" && takes && strings.Contains(body, said(profile.Effort, effort)) &&
							(profile.Effort != chatwire.EffortSwitch && profile.Effort != chatwire.EffortEnable || effort == request.EffortHigh || effort == request.EffortOff)
						if sayable(profile.Effort, spec, effort) && (profile.Effort != chatwire.EffortObject || budget == nil || effort == request.EffortOff) {
							assert.True(t, kept, "%s: what both have a word for is sent: %s", why, body)
						}
						done := effort == request.EffortOff && spec.Thinking == request.No
						assert.Equal(t, effort != "" && !kept && !done, noticed(call.Notices, "effort"), "%s: %s %v", why, body, call.Notices)
						if budget != nil {
							assert.NotEqual(t, strings.Contains(body, "2345"), noticed(call.Notices, "thinking_budget"), "%s: %s %v", why, body, call.Notices)
						}
						if effort == "" && budget == nil {
							assert.NotContains(t, body, "think", "%s: nothing is asked for unasked", why)
							assert.NotContains(t, body, "reasoning", why)
						}
						r.Strict = true
						_, _, err = chatwire.Prepare(r, "m", spec, profile)
						if len(call.Notices) == 0 {
							assert.NoError(t, err, why)
						} else {
							assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadParameter}, why)
						}
					}
				}
			}
		})
	}
}
