package schema

import (
	"strconv"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// maxListed bounds the losses of one notice that are told one by one, in bytes.
const maxListed = events.MaxDetail / 2

// Prepare makes a request ready for one model, as request.Request.Prepare does, and
// rewrites the schema of its answer for the way in which the model is asked:
// Prepared.AnswerSchema.
//
// What the profile cannot express is told by one notice of code schema_lossy, which
// lists what is [Widened] or [Narrowed]; that null stands for what is left out
// ([Nullable]) is no loss. A schema that has no form at all in the profile is asked
// for in words, with a notice. Where the answer or the request is strict, both are
// failures of kind invalid_request and reason schema_unsupported, as of [Rewrite].
func Prepare(r request.Request, t request.Target, p Profile) (request.Prepared, error) {
	ready, err := r.Prepare(t)
	if err != nil || ready.Request.Answer.IsZero() {
		return ready, err
	}
	strict := r.Strict || r.Answer.Strict()
	rewritten, err := Rewrite(r.Answer.Schema(), p, Options{Strict: strict})
	if err == nil {
		ready.AnswerSchema = rewritten.Schema
		if lost := lossesInWords(rewritten.Losses); lost != "" {
			ready.Notices = append(ready.Notices, lossy("the provider is asked for less than the schema says: "+lost))
		}
		return ready, nil
	}
	f, ok := events.AsFailure(err)
	if strict || !ok || f.Reason != events.ReasonSchemaUnsupported {
		return request.Prepared{}, err
	}
	t.Spec.StructuredAnswer = request.No
	ready, err = r.Prepare(t)
	if err == nil {
		ready.Notices = append(ready.Notices, lossy("the provider cannot be asked for the schema: "+f.Detail))
	}
	return ready, err
}

func lossy(detail string) events.NoticeInfo {
	return events.NoticeInfo{Code: events.NoticeSchemaLossy, Detail: events.CleanDetail("answer: " + detail)}
}

// lossesInWords lists what changes the contract, as far as it fits.
func lossesInWords(losses []Loss) string {
	text, left := "", 0
	for _, l := range losses {
		switch {
		case l.Effect == Nullable:
		case len(text) > maxListed:
			left++
		case text == "":
			text = l.String()
		default:
			text += "; " + l.String()
		}
	}
	if left > 0 {
		text = events.CutText(text, maxListed+256) + "; and " + strconv.Itoa(left) + " more"
	}
	return text
}
