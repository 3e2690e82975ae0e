package vertex

import (
	"context"
	"strings"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/geminiwire"
	"github.com/weirsdk/weir/providers/internal/messageswire"
	"github.com/weirsdk/weir/providers/internal/tokencount"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

var _ providers.TokenCounter = (*Model)(nil)

// CountTokens counts by countTokens, which is told nothing of the choice of tools, or,
// of [Messages], by count-tokens:rawPredict, which refuses Anthropic's own tools. Not
// every location counts.
func (m *Model) CountTokens(ctx context.Context, req request.Request) (int64, error) {
	member := geminiwire.CountMember
	if m.api == Messages {
		member = messageswire.CountMember
	}
	return tokencount.Ask(ctx, m.client, member, func() (transport.Call, error) {
		call, _, err := m.prepare(ctx, req)
		if err != nil {
			return call, err
		}
		call.URL = m.countURL
		if m.api == Messages {
			call.Body = messageswire.CountBody(call.Body, m.model[strings.LastIndexByte(m.model, '/')+1:])
		} else {
			call.Body = geminiwire.VertexCountBody(call.Body)
		}
		return call, nil
	})
}
