package request_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

func TestOneWish(t *testing.T) {
	t.Parallel()
	const off, high = request.EffortOff, request.EffortHigh
	for _, row := range []struct {
		why    string
		target request.Target
		effort request.Effort
		want   request.Effort
		budget bool
		code   []events.NoticeCode
	}{
		{why: "a wire that takes both", effort: high, want: high, budget: true},
		{why: "a wire that takes one: the number", target: request.Target{OneWish: true}, effort: high, budget: true, code: []events.NoticeCode{events.NoticeEffortClamped}},
		{why: "a wire that takes one and is asked for one", target: request.Target{OneWish: true}, budget: true},
		{why: "no thinking to bound", effort: off, want: off, code: dropped(1)},
		{why: "no thinking to bound, where one is taken", target: request.Target{OneWish: true}, effort: off, want: off, code: dropped(1)},
		{
			why: "off is not to be had", effort: off, want: high, budget: true, code: []events.NoticeCode{events.NoticeEffortClamped},
			target: request.Target{Spec: request.Spec{Efforts: []request.Effort{high}}},
		},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			req := request.Request{Messages: []request.Message{request.UserText("q")}, Effort: row.effort, ThinkingBudget: new(2000)}
			p, err := req.Prepare(row.target)
			require.NoError(t, err)
			assert.Equal(t, row.want, p.Request.Effort)
			assert.Equal(t, row.budget, p.Request.ThinkingBudget != nil)
			var codes []events.NoticeCode
			for _, n := range p.Notices {
				codes = append(codes, n.Code)
			}
			assert.Equal(t, row.code, codes)
			req.Strict = true
			_, err = req.Prepare(row.target)
			assert.Equal(t, len(row.code) > 0, err != nil, "nothing is left out of a strict request")
		})
	}
}
