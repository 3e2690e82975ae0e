package anthropic

import (
	"context"
	"net/url"
	"strings"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/messageswire"
	"github.com/weirsdk/weir/providers/internal/modellist"
	"github.com/weirsdk/weir/providers/transport"
)

var _ providers.ModelLister = (*Model)(nil)

// ListModels returns the models that the account may use, by GET /models, a
// thousand a page.
func (m *Model) ListModels(ctx context.Context) ([]providers.ModelInfo, error) {
	first := strings.TrimSuffix(m.url, "/messages") + "/models?limit=1000"
	return modellist.Pages(ctx, m.client, transport.Call{
		Provider: Provider, URL: first, Header: m.header(),
		Failure: messageswire.FailureOf, Secrets: m.secrets(), Limits: m.limits,
	}, func(last string) string { return first + "&after_id=" + url.QueryEscape(last) })
}
