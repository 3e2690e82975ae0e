package vertex

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/modellist"
	"github.com/weirsdk/weir/providers/transport"
)

var _ providers.ModelLister = (*Model)(nil)

// ListModels returns the models of Google, or through [Messages] of Anthropic, that are
// in Model Garden. Not each of them is in every location, nor enabled in the project,
// nor answers in this language; what each is, is in its Raw.
func (m *Model) ListModels(ctx context.Context) ([]providers.ModelInfo, error) {
	call := transport.Call{
		Provider: Provider, URL: m.listURL, Header: http.Header{}, Failure: m.gemini.FailureOf, Limits: m.limits,
	}
	if err := m.authorize(ctx, &call); err != nil {
		return nil, err
	}
	all, err := modellist.Pages(ctx, m.client, call, func(token string) string {
		return m.listURL + "&pageToken=" + url.QueryEscape(token)
	})
	for i := range all {
		all[i].ID = all[i].ID[strings.LastIndexByte(all[i].ID, '/')+1:]
	}
	return all, err
}
