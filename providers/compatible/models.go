package compatible

import (
	"context"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/chatwire"
	"github.com/weirsdk/weir/providers/internal/modellist"
	"github.com/weirsdk/weir/providers/transport"
)

var _ providers.ModelLister = (*Model)(nil)

// ListModels returns the models that the endpoint has, by GET /models below its base
// URL. An endpoint that has no such list is Failed with rejected/not_found, as a rule.
func (m *Model) ListModels(ctx context.Context) ([]providers.ModelInfo, error) {
	header, secrets, err := m.credential(ctx)
	if err != nil {
		return nil, err
	}
	return modellist.List(ctx, m.client, transport.Call{
		Provider: m.provider, URL: m.language.models, Header: header,
		Failure: chatwire.FailureOf, Secrets: secrets, Limits: m.limits,
	})
}
