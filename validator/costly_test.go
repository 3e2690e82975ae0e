package validator_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/validator"
)

// TestCostlyArgumentsDoNotHoldTheStream: with this schema a check doubles with
// each level, so that an unbounded one would not end.
func TestCostlyArgumentsDoNotHoldTheStream(t *testing.T) {
	t.Parallel()
	tool, err := request.NewTool("tool", "a filter", `{"type":"object","properties":{"where":{"$ref":"#/$defs/node"}},
		"$defs":{"node":{"anyOf":[
			{"type":"object","properties":{"op":{"const":"not"},"arg":{"$ref":"#/$defs/node"}},"required":["op","arg"]},
			{"type":"object","properties":{"op":{"const":"any"},"arg":{"$ref":"#/$defs/node"}},"required":["op","arg"]},
			{"type":"object","properties":{"op":{"const":"eq"}},"required":["op"]}]}}}`)
	require.NoError(t, err)
	option := validator.ForRequest(request.Request{Tools: []request.Tool{tool}})
	depth := events.MaxArgumentsDepth - 2
	arguments := `{"where":` + strings.Repeat(`{"op":"any","arg":`, depth) + `{"op":"eq"}` + strings.Repeat("}", depth+1)
	s := from(t, "start", "c0", "a0="+arguments, "d0="+arguments)
	s.events = append(s.events, finish(events.StopToolUse))

	reported := collect(t, validator.Guard(s.stream, option, validator.WithPolicy(validator.Report)))
	assert.Equal(t, []events.IssueKind{events.IssueOutOfBounds}, issuesOf(reported))
	assert.Equal(t, events.Completed, reported[len(reported)-1].Kind)

	rejected := collect(t, validator.Guard(s.stream, option))
	assert.Equal(t, []events.IssueKind{events.IssueOutOfBounds}, issuesOf(rejected))
	f := failureOf(t, rejected)
	assert.Equal(t, events.InvalidReply, f.Kind)
	assert.Equal(t, events.ReasonBadToolArguments, f.Reason)
}
