package cohere

import (
	"context"
	"strings"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/coherewire"
	"github.com/weirsdk/weir/providers/internal/modellist"
	"github.com/weirsdk/weir/providers/transport"
)

var _ providers.ModelLister = (*Model)(nil)

// ListModels returns the models that chat, by GET /v1/models, which is there in
// version 1 of the API only. It reads one page, of as many as Cohere gives: 1,000
// (the vendor's Python SDK, read 2026-12-01).
func (m *Model) ListModels(ctx context.Context) ([]providers.ModelInfo, error) {
	base := strings.TrimSuffix(m.url, "/chat")
	if other, ok := strings.CutSuffix(base, "/v2"); ok {
		base = other + "/v1"
	}
	return modellist.List(ctx, m.client, transport.Call{
		Provider: Provider, URL: base + "/models?endpoint=chat&page_size=1000", Header: m.header(),
		Failure: coherewire.FailureOf, Secrets: m.secrets(), Limits: m.limits,
	})
}
