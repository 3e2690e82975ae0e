package bedrock

import (
	"context"
	"net/http"
	"net/url"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/modellist"
	"github.com/weirsdk/weir/providers/transport"
)

var _ providers.ModelLister = (*Model)(nil)

// ListModels returns the models of the region and then the inference profiles of the
// account, AWS's own and others, which most newer models are called by: by
// ListFoundationModels and ListInferenceProfiles
// (docs.aws.amazon.com/bedrock/latest/APIReference, stored copies read 2026-12-01). Some of
// them write no text, and some speak neither language; Raw says what each does.
func (m *Model) ListModels(ctx context.Context) ([]providers.ModelInfo, error) {
	models, err := m.list(ctx, "/foundation-models")
	if err != nil {
		return nil, err
	}
	profiles, err := m.list(ctx, "/inference-profiles?maxResults=1000")
	if err != nil {
		return nil, err
	}
	return append(models, profiles...), nil
}

// list reads one list of the control plane.
func (m *Model) list(ctx context.Context, path string) ([]providers.ModelInfo, error) {
	return modellist.Prepared(ctx, m.client, Provider, func(next string) (transport.Call, error) {
		call := transport.Call{
			Provider: Provider, Method: http.MethodGet, URL: m.controlURL + path, Limits: m.limits, Failure: m.converse.FailureOf,
			Header: http.Header{"Accept": {"application/json"}},
		}
		if next != "" {
			call.URL += "&nextToken=" + url.QueryEscape(next)
		}
		err := m.authorize(ctx, &call)
		return call, err
	})
}
