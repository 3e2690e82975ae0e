package request

import (
	"strconv"

	"github.com/weirsdk/weir/events"
)

// A Problem is one reason why a request cannot be sent to a model.
type Problem struct {
	// Field is where it is, by the names of the request's JSON form, for
	// instance "messages[2].content[0]" or "temperature".
	Field string
	// Reason is bad_history, bad_tool, bad_parameter or foreign_data.
	Reason events.Reason
	// Detail says what is wrong, for people.
	Detail string
}

// String returns the field and the detail.
func (p Problem) String() string { return p.Field + ": " + p.Detail }

// FailureOf returns one failure of kind invalid_request for all problems, not
// sent, with the reason of the first and the details of as many as fit; nil for
// none. Return it as an error only when it is not nil.
func FailureOf(problems []Problem) *events.Failure {
	if len(problems) == 0 {
		return nil
	}
	text := ""
	for i, p := range problems {
		if len(text) > events.MaxDetail/2 && i < len(problems)-1 {
			text += "; and " + strconv.Itoa(len(problems)-i) + " more"
			break
		}
		if i > 0 {
			text += "; "
		}
		text += p.String()
	}
	return invalid(problems[0].Reason, text)
}

// quoteShort quotes the beginning of a text for a detail.
func quoteShort(s string) string {
	const most = 64
	if len(s) > most {
		return strconv.Quote(events.CutText(s, most)) + "..."
	}
	return strconv.Quote(s)
}
