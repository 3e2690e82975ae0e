package azure

import (
	"context"
	"net/http"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/chatwire"
	"github.com/weirsdk/weir/providers/internal/modellist"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// A Model is one deployment. It is immutable and safe for concurrent use, and prints
// nothing of its credential.
type Model struct {
	name, deployment, models string

	language language
	spec     request.Spec
	client   *http.Client
	limits   transport.Limits
	// credential is a function so that no printer reaches the key.
	credential func(context.Context) (header http.Header, secrets []string, err error)
}

var (
	_ providers.Model       = (*Model)(nil)
	_ providers.ModelLister = (*Model)(nil)
)

// Name returns "azure:<deployment>", or what Config says.
func (m *Model) Name() string { return m.name }

// Spec returns what Config says that the model can do.
func (m *Model) Spec() request.Spec { return m.spec }

// Stream returns the reply to req as a lazy stream.
func (m *Model) Stream(ctx context.Context, req request.Request) stream.Stream {
	return transport.Stream(ctx, m.client, func() (transport.Call, transport.Decoder, error) {
		call, decoder, err := m.language.prepare(req, m.deployment, m.spec)
		call.Provider, call.URL, call.Limits = Provider, m.language.url, m.limits
		if err == nil {
			call.Header, call.Secrets, err = m.credential(ctx)
		}
		return call, decoder, err
	})
}

// ListModels returns the models that the resource can deploy, by GET /openai/models or
// /openai/v1/models. They are not its deployments, which only Azure's management API
// tells: their ids are no names for Config.Deployment.
func (m *Model) ListModels(ctx context.Context) ([]providers.ModelInfo, error) {
	header, secrets, err := m.credential(ctx)
	if err != nil {
		return nil, err
	}
	return modellist.List(ctx, m.client, transport.Call{
		Provider: Provider, URL: m.models, Header: header,
		Failure: chatwire.FailureOf, Secrets: secrets, Limits: m.limits,
	})
}
