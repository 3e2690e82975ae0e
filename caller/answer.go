package caller

import (
	"slices"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/request/schema"
	"github.com/weirsdk/weir/stream"
)

func asksForAnswer(req request.Request) bool { return !req.Answer.IsZero() }

// answer makes the call, and makes it again with what was wrong while the structured
// answer does not fit and there are tries left.
func (s *session) answer(yield func(events.Event) bool) {
	req := s.req
	for try := 1; ; try++ {
		o := s.models(req, yield)
		switch {
		case o.failure != nil && o.delivery.left:
			s.failure, s.ended = o.failure, true
			return
		case o.failure != nil:
			s.fail(o.failure, o.delivery)
			return
		case o.issue == nil:
			s.end(o.terminal, o.delivery)
			return
		case s.streaming || s.nested || try >= s.caller.config.AnswerAttempts:
			s.fail(answerInvalid(o), o.delivery)
			return
		}
		req = corrected(req, o)
		s.observe(s.ctx, Step{Kind: StepCorrected, Model: o.model, Failure: answerInvalid(o)})
	}
}

// checkAnswer holds a completed reply to the structured answer that was asked for and
// keeps it in the result when it fits. Only a final reply is held to it: a tool
// request, a refusal, a truncated or a paused reply has no answer yet.
func (s *session) checkAnswer(req request.Request, reply *stream.Reply, terminal events.Event) *events.Issue {
	if !asksForAnswer(req) || !isFinal(terminal) || reply.Text() == "" && reply.Refusal() != "" {
		return nil
	}
	answer := schema.Strip(req.Answer.Schema(), req.Answer.Extract(reply.Text()))
	issue := req.Answer.Check(answer)
	if issue == nil && s.accept != nil {
		issue = s.accept(answer)
	}
	if issue == nil {
		s.result.Answer = answer
	}
	return issue
}

func isFinal(terminal events.Event) bool {
	c, _ := terminal.Completion()
	return slices.Contains([]events.Stop{events.StopEnd, events.StopSequence, events.StopUnknown, events.StopOther}, c.Stop)
}

func answerInvalid(o outcome) *events.Failure {
	f := events.NewFailure(events.InvalidReply, events.ReasonAnswerInvalid, "the answer does not fit: "+o.issue.Detail)
	f.Sent, f.Usage = events.Served, o.delivery.reply.Usage()
	return f.WithCause(o.issue)
}

// corrected returns the request for another try: the answer, what was wrong with it,
// and the schema.
func corrected(req request.Request, o outcome) request.Request {
	turn := *o.delivery.reply // whatever comes next is another reply
	turn.Add(o.terminal)
	why := "That answer was refused: " + o.issue.Detail + "\n" + req.Answer.Instruction()
	req.Messages = slices.Clone(req.Messages)
	if message := turn.Turn(); len(message.Blocks) > 0 || !message.Data.IsZero() {
		req.Messages = append(req.Messages, message)
	}
	req.Messages = append(req.Messages, request.UserText(why))
	return req
}
