package request_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

func TestCitations(t *testing.T) {
	t.Parallel()
	answer, err := request.NewAnswer("", `{"type":"object"}`)
	require.NoError(t, err)
	for _, row := range []struct {
		why     string
		target  request.Target
		answer  request.Answer
		strict  bool
		kept    bool
		dropped bool
		refused bool
	}{
		{why: "a wire with a word for it", target: request.Target{Cites: true}, kept: true},
		{why: "a wire without one", dropped: true},
		{why: "a model that cannot, on a wire with a word", target: request.Target{Cites: true, Spec: request.Spec{Citations: request.No}}, dropped: true},
		{why: "a model that could, on a wire without one", target: request.Target{Spec: request.Spec{Citations: request.Yes}}, dropped: true},
		{why: "nothing is left out of a strict request", strict: true, refused: true},
		{why: "an answer of JSON", target: request.Target{Cites: true}, answer: answer, refused: true},
		{
			why: "an answer of JSON that is asked for in words", answer: answer, refused: true,
			target: request.Target{Cites: true, Spec: request.Spec{StructuredAnswer: request.No}},
		},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			req := request.Request{Messages: []request.Message{request.UserText("q")}, Citations: true, Strict: row.strict, Answer: row.answer}
			p, err := req.Prepare(row.target)
			if row.refused {
				requireInvalid(t, err, events.ReasonBadParameter)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, row.kept, p.Request.Citations)
			var codes []events.NoticeCode
			for _, n := range p.Notices {
				codes = append(codes, n.Code)
			}
			if row.dropped {
				assert.Equal(t, dropped(1), codes)
			} else {
				assert.Empty(t, codes)
			}
		})
	}
	assert.Empty(t, request.Request{Messages: []request.Message{request.UserText("q")}, Citations: true}.CheckFor(request.Spec{}), "without a target nothing is known")
}
