package ollama

import (
	"context"
	"strings"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/modellist"
	"github.com/weirsdk/weir/providers/internal/ollamawire"
	"github.com/weirsdk/weir/providers/transport"
)

var _ providers.ModelLister = (*Model)(nil)

// ListModels returns the models that the server has, by GET /api/tags.
func (m *Model) ListModels(ctx context.Context) ([]providers.ModelInfo, error) {
	return modellist.List(ctx, m.client, transport.Call{
		Provider: Provider, URL: strings.TrimSuffix(m.url, "/chat") + "/tags", Header: m.header(),
		Failure: ollamawire.FailureOf, Secrets: []string{m.key()}, Limits: m.limits,
	})
}
