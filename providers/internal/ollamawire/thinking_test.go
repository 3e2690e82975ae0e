package ollamawire_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/ollamawire"
	"github.com/weirsdk/weir/request"
)

// Every effort and budget is sent, or what takes its place is told, and refused where
// nothing may be changed. In the rows "-" is nothing sent, a word the value of think, and
// "!" behind it one notice more. A budget has no word for any model: it is one notice
// more everywhere.
func TestThinking(t *testing.T) {
	t.Parallel()
	const off, low, medium, high = request.EffortOff, request.EffortLow, request.EffortMedium, request.EffortHigh
	efforts := append([]request.Effort{""}, request.Efforts()...)
	for _, c := range []struct {
		why    string
		spec   request.Spec
		levels bool
		// want is by effort: none, off, minimal, low, medium, high, xhigh, max.
		want string
	}{
		{"nothing is known: on or off", request.Spec{}, false, "- false true! true! true! true true! true!"},
		{"on or off, told so", request.Spec{Efforts: []request.Effort{off, high}}, false, "- false true! true! true! true true! true!"},
		{"it cannot leave it", request.Spec{Efforts: []request.Effort{high}}, false, "- true! true! true! true! true true! true!"},
		{"nothing to be set", request.Spec{Efforts: []request.Effort{}}, false, "- -! -! -! -! -! -! -!"},
		{"it does not think", request.Spec{Thinking: request.No}, false, "- - -! -! -! -! -! -!"},
		{"levels that have no words", request.Spec{Efforts: []request.Effort{off, low, high}}, false, "- false true! true! true! true true! true!"},
		{"levels of which nothing is known", request.Spec{}, true, `- false "low"! "low" "medium" "high" "max"! "max"`},
		{"gpt-oss", request.Spec{Efforts: []request.Effort{low, medium, high}}, true, `- "low"! "low"! "low" "medium" "high" "high"! "high"!`},
		{"what the server lists is sent by its name", request.Spec{Efforts: request.Efforts()}, true, `- false "minimal" "low" "medium" "high" "xhigh" "max"`},
		{"two levels", request.Spec{Efforts: []request.Effort{off, high, request.EffortMax}}, true, `- false "high"! "high"! "high"! "high" "max"! "max"`},
		{"levels, and it does not think", request.Spec{Thinking: request.No}, true, "- - -! -! -! -! -! -!"},
	} {
		words := strings.Fields(c.want)
		require.Len(t, words, len(efforts), c.why)
		for i, effort := range efforts {
			for _, budget := range []*int{nil, new(500)} {
				r := request.Request{Messages: []request.Message{request.UserText("q")}, Effort: effort, ThinkingBudget: budget}
				word := strings.TrimRight(words[i], "!")
				sent, notices := "", len(words[i])-len(word)
				if word != "-" {
					sent = `,"think":` + word
				}
				if budget != nil {
					notices++
				}
				profile := ollamawire.Profile{ThinkLevels: c.levels}
				got, _, err := ollamawire.Prepare(r, "m", c.spec, profile)
				require.NoError(t, err)
				assert.Equal(t, `{"model":"m","messages":[{"role":"user","content":"q"}],"stream":true`+sent+`}`, string(got.Body), "%s: %q", c.why, effort)
				assert.Len(t, got.Notices, notices, "%s: %q: %v", c.why, effort, got.Notices)

				r.Strict = true
				_, _, err = ollamawire.Prepare(r, "m", c.spec, profile)
				if notices == 0 {
					assert.NoError(t, err, "%s: %q", c.why, effort)
					continue
				}
				assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadParameter}, "%s: %q", c.why, effort)
			}
		}
	}
}
