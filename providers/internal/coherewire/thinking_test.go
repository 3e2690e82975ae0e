package coherewire_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/coherewire"
	"github.com/weirsdk/weir/request"
)

// Every effort and budget is sent, or what takes its place is told, and refused where
// nothing may be changed. In the rows "-" is nothing sent, a word what thinking says, and
// "!" behind it one notice more.
func TestThinking(t *testing.T) {
	t.Parallel()
	sent := map[string]string{
		"-": "", "off": `,"thinking":{"type":"disabled"}`, "on": `,"thinking":{"type":"enabled"}`,
		"500": `,"thinking":{"type":"enabled","token_budget":500}`,
	}
	high := []request.Effort{request.EffortHigh}
	levels := []request.Effort{request.EffortOff, request.EffortLow, request.EffortHigh, request.EffortMax}
	efforts := append([]request.Effort{""}, request.Efforts()...)
	for _, c := range []struct {
		why  string
		spec request.Spec
		// want is by effort: none, off, minimal, low, medium, high, xhigh, max; capped
		// the same beside a budget of 500.
		want, capped string
	}{
		{
			"a model of which nothing is known: the wire knows on and off",
			request.Spec{},
			"- off on! on! on! on on! on!", "500 off! 500! 500! 500! 500 500! 500!",
		},
		{
			"levels that a Spec names have no word on the wire",
			request.Spec{Efforts: levels},
			"- off on! on! on! on on! on!", "500 off! 500! 500! 500! 500 500! 500!",
		},
		{
			"a model that cannot leave it",
			request.Spec{Efforts: high},
			"- on! on! on! on! on on! on!", "500 500! 500! 500! 500! 500 500! 500!",
		},
		{
			"a model without efforts",
			request.Spec{Efforts: []request.Effort{}},
			"- -! -! -! -! -! -! -!", "500 500! 500! 500! 500! 500! 500! 500!",
		},
		{
			"a model that does not think does what off asks",
			request.Spec{Thinking: request.No},
			"- - -! -! -! -! -! -!", "-! -! -!! -!! -!! -!! -!! -!!",
		},
		{
			"a model without budgets",
			request.Spec{ThinkingBudget: request.No},
			"- off on! on! on! on on! on!", "-! off! on!! on!! on!! on! on!! on!!",
		},
	} {
		for budget, row := range map[int]string{0: c.want, 500: c.capped} {
			words := strings.Fields(row)
			require.Len(t, words, len(efforts), c.why)
			for i, effort := range efforts {
				r := ask(request.UserText("q"))
				if r.Effort = effort; budget > 0 {
					r.ThinkingBudget = new(budget)
				}
				word := strings.TrimRight(words[i], "!")
				got, _, err := coherewire.Prepare(r, "m", c.spec, profile())
				require.NoError(t, err)
				assert.Equal(t, `{"model":"m","messages":[{"role":"user","content":"q"}],"stream":true`+sent[word]+`}`, string(got.Body), "%s: %q, %d", c.why, effort, budget)
				assert.Len(t, got.Notices, len(words[i])-len(word), "%s: %q, %d: %v", c.why, effort, budget, got.Notices)

				r.Strict = true
				_, _, err = coherewire.Prepare(r, "m", c.spec, profile())
				if word == words[i] {
					assert.NoError(t, err, "%s: %q, %d", c.why, effort, budget)
					continue
				}
				assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadParameter}, "%s: %q, %d", c.why, effort, budget)
			}
		}
	}
}
