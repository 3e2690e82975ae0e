package gemini

import (
	"context"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/geminiwire"
	"github.com/weirsdk/weir/providers/internal/tokencount"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

var _ providers.TokenCounter = (*Model)(nil)

// CountTokens counts by models.countTokens, of the whole request.
func (m *Model) CountTokens(ctx context.Context, req request.Request) (int64, error) {
	return tokencount.Ask(ctx, m.client, geminiwire.CountMember, func() (transport.Call, error) {
		call, _, err := m.prepare(req)
		if err != nil {
			return call, err
		}
		call.URL, call.Body = m.countURL, geminiwire.CountBody(call.Body, m.resource)
		return call, nil
	})
}
