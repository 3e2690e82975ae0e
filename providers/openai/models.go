package openai

import (
	"context"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/chatwire"
	"github.com/weirsdk/weir/providers/internal/modellist"
	"github.com/weirsdk/weir/providers/transport"
)

var _ providers.ModelLister = (*Model)(nil)

// ListModels returns the models that the endpoint has, by GET /models.
func (m *Model) ListModels(ctx context.Context) ([]providers.ModelInfo, error) {
	return modellist.List(ctx, m.client, transport.Call{
		Provider: Provider, URL: m.language.models, Header: m.header(),
		Failure: chatwire.FailureOf, Secrets: m.secrets(), Limits: m.limits,
	})
}
