package compatible

import (
	"context"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/responseswire"
	"github.com/weirsdk/weir/providers/internal/tokencount"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

var _ providers.TokenCounter = (*Model)(nil)

// CountTokens counts by POST /responses/input_tokens, which Mistral has for its API
// [Responses]. A model of any other vendor or API answers invalid_request/bad_config.
func (m *Model) CountTokens(ctx context.Context, req request.Request) (int64, error) {
	if m.language.count == "" {
		return 0, transport.BadConfig(m.provider, "no way to count tokens is known of this API of the provider")
	}
	return tokencount.Ask(ctx, m.client, responseswire.CountMember, func() (transport.Call, error) {
		call, _, err := m.prepare(ctx, req)
		if err != nil {
			return call, err
		}
		call.URL, call.Body = m.language.count, responseswire.CountBody(call.Body)
		return call, nil
	})
}
