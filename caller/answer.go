package caller

import (
	"context"
	"encoding/json"
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
	why := "That answer was refused: " + o.issue.Detail +
		"\nAnswer again with one JSON object and nothing else, no code fence, that fits this JSON Schema:\n" + req.Answer.Schema()
	req.Messages = slices.Clone(req.Messages)
	if message := turn.Turn(); len(message.Blocks) > 0 || !message.Data.IsZero() {
		req.Messages = append(req.Messages, message)
	}
	req.Messages = append(req.Messages, request.UserText(why))
	return req
}

// As asks for an answer in the form of T and returns it: the schema is that of T
// (schema.For; a T that is no struct or map travels as the member "value" of an
// object), sent in the provider's own way and checked in full, with as many
// corrective turns as the caller is configured for. The request's own Answer is
// replaced.
//
// The error is as of [Caller.Generate]; invalid_reply/answer_invalid also when a reply
// is complete but no answer: a refusal, a truncated or paused reply, or a tool request.
// The result is never nil.
func As[T any](ctx context.Context, c *Caller, req request.Request) (T, *Result, error) {
	var value T
	answer, boxed, err := answerFor[T]()
	if err != nil {
		return value, &Result{Reply: new(stream.Reply)}, err
	}
	req.Answer = answer
	result, err := c.Generate(ctx, req)
	if err != nil {
		return value, result, err
	}
	if result.Answer == "" {
		return value, result, noAnswer("the reply is "+string(result.Reply.Outcome()), result)
	}
	if boxed {
		var b box[T]
		err = json.Unmarshal([]byte(result.Answer), &b)
		value = b.Value
	} else {
		err = json.Unmarshal([]byte(result.Answer), &value)
	}
	if err != nil {
		return value, result, noAnswer("it fits the schema and not the type: "+err.Error(), result)
	}
	return value, result, nil
}

func noAnswer(detail string, result *Result) *events.Failure {
	f := events.NewFailure(events.InvalidReply, events.ReasonAnswerInvalid, "no answer: "+detail)
	f.Sent, f.Usage = events.Served, result.Reply.Usage()
	return f
}

// box carries an answer that is no object.
type box[T any] struct {
	Value T `json:"value"`
}

// answerFor returns the answer that asks for a T, and whether it is in a box: a type
// that is no JSON object needs one.
func answerFor[T any]() (answer request.Answer, boxed bool, err error) {
	text, err := schema.For[T]()
	if err != nil {
		return request.Answer{}, false, err
	}
	if answer, err := request.NewAnswer("", text); err == nil {
		return answer, false, nil
	}
	text, err = schema.For[box[T]]()
	if err != nil {
		return request.Answer{}, false, err
	}
	answer, err = request.NewAnswer("", text)
	return answer, true, err
}
