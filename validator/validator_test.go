package validator_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/validator"
)

// TestObserveAllocatesNothing is not parallel: AllocsPerRun counts everything
// that runs.
func TestObserveAllocatesNothing(t *testing.T) { //nolint:paralleltest // see above
	for name, ev := range pieces() {
		v := opened(t)
		assert.Zero(t, testing.AllocsPerRun(1000, func() {
			if err := v.Observe(ev); err != nil {
				t.Fatal(err)
			}
		}), name)
	}
}

// TestGuardAllocatesPerStream: what a guard allocates does not grow with the
// events.
func TestGuardAllocatesPerStream(t *testing.T) { //nolint:paralleltest // as above
	allocs := func(n int) float64 {
		s := validator.Guard(textOf(n))
		return testing.AllocsPerRun(20, func() {
			for range s {
				continue // only the allocations count
			}
		})
	}
	assert.InDelta(t, allocs(1), allocs(1000), 0)
}

func TestRules(t *testing.T) {
	t.Parallel()
	rules := validator.Rules()
	require.Len(t, rules, 19)
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	text := strings.Join(strings.Fields(strings.ReplaceAll(string(doc), "//", " ")), " ")
	for i, rule := range rules {
		assert.Equal(t, validator.Rule("G"+string(rune('0'+(i+1)/10))+string(rune('0'+(i+1)%10))), rule.ID)
		assert.Equal(t, rule.Sentence, rule.ID.Sentence())
		assert.Contains(t, text, "- "+string(rule.ID)+": "+rule.Sentence, "doc.go tells every rule")
	}
	assert.Empty(t, validator.Rule("G20").Sentence())
	rules[0] = validator.Definition{}
	assert.NotEqual(t, rules[0], validator.Rules()[0], "the table is the caller's")
}

func TestLimits(t *testing.T) {
	t.Parallel()
	assert.Equal(t, validator.DefaultLimits(), validator.OrDefaults(validator.Limits{}))
	assert.Equal(t, validator.DefaultLimits(), validator.OrDefaults(validator.Limits{Events: -1, DataBytes: -5}), "negative is no way to none")
	want := validator.DefaultLimits()
	want.Calls = 7
	assert.Equal(t, want, validator.OrDefaults(validator.Limits{Calls: 7}))
}

func TestFinishOfTheZeroValidator(t *testing.T) {
	t.Parallel()
	var v validator.Validator
	sum, err := v.Finish()
	var bad *validator.Violation
	require.ErrorAs(t, err, &bad)
	assert.Equal(t, validator.G04, bad.Rule)
	assert.Equal(t, 1, bad.Event)
	assert.Zero(t, sum)
}

func TestViolationIsAFailure(t *testing.T) {
	t.Parallel()
	var v validator.Validator
	err := v.Observe(events.NewTextDelta(0, "private words of the reply"))
	f, ok := events.AsFailure(err)
	require.True(t, ok)
	assert.Equal(t, events.InvalidReply, f.Kind)
	assert.Equal(t, events.ReasonProtocolViolation, f.Reason)
	assert.False(t, f.Retryable())
	assert.NotContains(t, err.Error(), "private", "a violation quotes nothing of the reply")
}
