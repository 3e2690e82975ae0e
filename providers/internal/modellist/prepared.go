package modellist

import (
	"context"
	"net/http"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/transport"
)

// Prepared reads a list of a provider of which every page is asked for by a call of its
// own, as one that is signed: prepare returns that of the first page, for the empty text,
// or of the one that a page calls the next.
func Prepared(ctx context.Context, client *http.Client, provider string, prepare func(next string) (transport.Call, error)) ([]providers.ModelInfo, error) {
	var all []providers.ModelInfo
	next := ""
	for range maxPages {
		text, err := transport.PreparedDocument(ctx, client, func() (transport.Call, error) { return prepare(next) })
		if err != nil {
			return nil, err
		}
		page, f := parse(text, next != "")
		if f != nil {
			return nil, answered(f, provider)
		}
		all = append(all, page.models...)
		if next = page.next; next == "" {
			return all, nil
		}
	}
	return nil, answered(events.NewFailure(events.InvalidReply, events.ReasonTooLarge, "a list of models in more than 100 pages"), provider)
}
