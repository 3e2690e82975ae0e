package modellist

import (
	"context"
	"net/http"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/transport"
)

// maxPages bounds the requests for one list.
const maxPages = 100

// List sends a call and reads the list that it answers with.
func List(ctx context.Context, client *http.Client, call transport.Call) ([]providers.ModelInfo, error) {
	return Pages(ctx, client, call, nil)
}

// Pages reads a list that comes in pages: next returns the address of the page
// after the one that ends in a model. Nil reads one page.
func Pages(ctx context.Context, client *http.Client, call transport.Call, next func(last string) string) ([]providers.ModelInfo, error) {
	var all []providers.ModelInfo
	for n := range maxPages {
		text, err := transport.Document(ctx, client, call)
		if err != nil {
			return nil, err
		}
		page, f := parse(text, n > 0)
		if f != nil {
			return nil, answered(f, call.Provider)
		}
		all = append(all, page.models...)
		if next == nil || page.next == "" {
			return all, nil
		}
		url := next(page.next)
		if url == call.URL {
			return nil, answered(malformed("the list of models goes round in a ring"), call.Provider)
		}
		call.URL = url
	}
	return nil, answered(events.NewFailure(events.InvalidReply, events.ReasonTooLarge, "a list of models in more than 100 pages"), call.Provider)
}

func answered(f *events.Failure, provider string) *events.Failure {
	f.Provider, f.Sent = provider, events.Answered
	return f
}

func malformed(what string) *events.Failure {
	return events.NewFailure(events.InvalidReply, events.ReasonMalformed, what)
}
