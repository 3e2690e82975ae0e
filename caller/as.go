package caller

import (
	"context"
	"encoding/json"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/request/schema"
	"github.com/weirsdk/weir/stream"
)

// As asks for an answer in the form of T and returns it: [AnswerFor], [Caller.Generate]
// and [Decode] in one. What fits the schema and not the type is asked for again like
// what does not fit the schema. The request's own Answer is replaced. A call that
// streams, or a loop with tools, uses the three: there a reply that asks for tools is
// no error.
//
// The error is as of Generate and Decode. The result is never nil.
func As[T any](ctx context.Context, c *Caller, req request.Request) (T, *Result, error) {
	answer, boxed, err := answerFor[T]()
	if err != nil {
		var none T
		return none, &Result{Reply: new(stream.Reply)}, err
	}
	req.Answer = answer
	var value T
	s := newSession(ctx, c, req, false)
	s.accept = func(answer string) (issue *events.Issue) {
		value, issue = decode[T](answer, boxed)
		return issue
	}
	result, err := c.generate(s)
	if err == nil && result.Answer == "" {
		err = noAnswer("the reply is "+string(result.Reply.Outcome()), result)
	}
	if err != nil {
		var none T
		return none, result, err
	}
	return value, result, nil
}

// AnswerFor returns the answer that asks for a T, for a request. Its schema is that of
// T (schema.For), which is sent in the provider's own way and checked in full; a T that
// is no JSON object travels as the member "value" of one. The error is of kind
// invalid_request and reason schema_unsupported.
func AnswerFor[T any]() (request.Answer, error) {
	answer, _, err := answerFor[T]()
	return answer, err
}

// Decode returns the answer of a call whose request asked for [AnswerFor] the same T.
// The error is of kind invalid_reply and reason answer_invalid when there is none: the
// reply asks for tools, is a refusal, truncated, paused or has failed.
func Decode[T any](result *Result) (T, error) {
	var none T
	answer, boxed, err := answerFor[T]()
	if err != nil {
		return none, err
	}
	if result == nil {
		result = &Result{Reply: new(stream.Reply)}
	}
	if result.Answer == "" {
		return none, noAnswer("the reply is "+string(result.Reply.Outcome()), result)
	}
	if issue := answer.Check(result.Answer); issue != nil {
		return none, noAnswer("it was asked for in another form: "+issue.Detail, result)
	}
	value, issue := decode[T](result.Answer, boxed)
	if issue != nil {
		return none, noAnswer(issue.Detail, result)
	}
	return value, nil
}

// decode reads an answer into a T, out of its box if it is in one.
func decode[T any](answer string, boxed bool) (T, *events.Issue) {
	var b box[T]
	var err error
	if boxed {
		err = json.Unmarshal([]byte(answer), &b)
	} else {
		err = json.Unmarshal([]byte(answer), &b.Value)
	}
	if err != nil {
		var none T
		return none, &events.Issue{Kind: events.IssueSchema, Detail: events.CleanDetail("it fits the schema and not the type: " + err.Error())}
	}
	return b.Value, nil
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
