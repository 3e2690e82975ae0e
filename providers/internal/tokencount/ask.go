package tokencount

import (
	"context"
	"net/http"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/providers/transport"
)

// Ask posts the call that prepare makes ready and returns the count that stands in
// one member of the answer. Failures are those of [transport.PreparedDocument], and
// invalid_reply: malformed for what is not JSON, bad_content for an answer without
// the member, unusable_usage for one that is no count.
func Ask(ctx context.Context, client *http.Client, member string, prepare func() (transport.Call, error)) (int64, error) {
	var provider string
	text, err := transport.PreparedDocument(ctx, client, func() (transport.Call, error) {
		call, err := prepare()
		call.Method = http.MethodPost
		provider = call.Provider
		return call, err
	})
	if err != nil {
		return 0, err
	}
	n, f := read(text, member)
	if f != nil {
		f.Provider, f.Sent = provider, events.Answered
		return 0, f
	}
	return n, nil
}

// read returns the count of an answer. No failure quotes the answer: it may echo a
// credential.
func read(text []byte, member string) (int64, *events.Failure) {
	var parser wirejson.Parser
	answer, err := parser.Parse(text)
	if err != nil {
		return 0, invalid(events.ReasonMalformed, "the count of tokens is not JSON")
	}
	count, err := wirejson.Count(member, answer.Get(member))
	if err != nil {
		return 0, invalid(events.ReasonUnusableUsage, member+" is not a count")
	}
	n, known := count.Get()
	if !known {
		return 0, invalid(events.ReasonBadContent, "a JSON document came without "+member)
	}
	return n, nil
}

func invalid(reason events.Reason, what string) *events.Failure {
	return events.NewFailure(events.InvalidReply, reason, what)
}
