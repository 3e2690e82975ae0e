package openai

import (
	"context"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/responseswire"
	"github.com/weirsdk/weir/providers/internal/tokencount"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

var _ providers.TokenCounter = (*Model)(nil)

// CountTokens counts by POST /responses/input_tokens, of the API [Responses]. Chat
// Completions has no count: a model of it answers invalid_request/bad_config.
func (m *Model) CountTokens(ctx context.Context, req request.Request) (int64, error) {
	if m.language.count == "" {
		return 0, transport.BadConfig(Provider, "tokens are counted by the Responses API alone")
	}
	return tokencount.Ask(ctx, m.client, responseswire.CountMember, func() (transport.Call, error) {
		call, _, err := m.prepare(req)
		if err != nil {
			return call, err
		}
		call.URL, call.Body = m.language.count, responseswire.CountBody(call.Body)
		return call, nil
	})
}
