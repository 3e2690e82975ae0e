package gemini

import (
	"context"
	"net/url"
	"strings"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/geminiwire"
	"github.com/weirsdk/weir/providers/internal/modellist"
	"github.com/weirsdk/weir/providers/transport"
)

var _ providers.ModelLister = (*Model)(nil)

// ListModels returns the models of the API, by GET /models, a thousand a page. Not
// all of them take streamGenerateContent; what each takes is in its Raw
// (supportedGenerationMethods).
func (m *Model) ListModels(ctx context.Context) ([]providers.ModelInfo, error) {
	first := m.base + "/models?pageSize=1000"
	all, err := modellist.Pages(ctx, m.client, transport.Call{
		Provider: Provider, URL: first, Header: m.header(),
		Failure: geminiwire.FailureOf, Secrets: m.secrets(), Limits: m.limits,
	}, func(token string) string { return first + "&pageToken=" + url.QueryEscape(token) })
	for i := range all {
		all[i].ID = strings.TrimPrefix(all[i].ID, "models/")
	}
	return all, err
}
