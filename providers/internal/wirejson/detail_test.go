package wirejson_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

func TestExplainRefusal(t *testing.T) {
	t.Parallel()
	const note = "(no key is configured)"
	for _, c := range []struct {
		why  string
		f    events.Failure
		want bool
	}{
		{"a refused credential", events.Failure{Kind: events.Rejected, Reason: events.ReasonAuth, Detail: "no"}, true},
		{"the longest detail", events.Failure{Kind: events.Rejected, Reason: events.ReasonAuth, Detail: strings.Repeat("é", events.MaxDetail/2)}, true},
		{"a permission that is missing", events.Failure{Kind: events.Rejected, Reason: events.ReasonPermission, Detail: "no"}, false},
		{"another failure", events.Failure{Kind: events.Overloaded, Reason: events.ReasonServer, Detail: "no"}, false},
	} {
		wirejson.ExplainRefusal(&c.f)
		assert.Equal(t, c.want, strings.HasSuffix(c.f.Detail, note), c.why)
		assert.LessOrEqual(t, len(c.f.Detail), events.MaxDetail, c.why)
		assert.Equal(t, c.f.Detail, events.CleanDetail(c.f.Detail), c.why)
	}
	assert.NotPanics(t, func() { wirejson.ExplainRefusal(nil) })
}

func TestBadToolArguments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why    string
		output events.Count
		limit  int
		want   bool
	}{
		{"the output is the limit", events.Known(300), 300, true},
		{"the output is below the limit", events.Known(299), 300, false},
		{"there is no limit", events.Known(0), 0, false},
		{"the output is not known", events.Count{}, 300, false},
	} {
		f := wirejson.BadToolArguments("the arguments end early", c.output, c.limit)
		assert.Equal(t, events.InvalidReply, f.Kind, c.why)
		assert.Equal(t, events.ReasonBadToolArguments, f.Reason, c.why)
		assert.Equal(t, c.want, strings.Contains(f.Detail, "cut by the output limit"), c.why)
		assert.Contains(t, f.Detail, "the arguments end early", c.why)
	}
}
