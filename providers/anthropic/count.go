package anthropic

import (
	"context"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/messageswire"
	"github.com/weirsdk/weir/providers/internal/tokencount"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

var _ providers.TokenCounter = (*Model)(nil)

// CountTokens counts by POST /messages/count_tokens, free of charge. It refuses
// (rejected/bad_request) some of what Stream takes: Anthropic's own tools, and images
// and files by URL (platform.claude.com/docs/build-with-claude/token-counting, a
// stored copy read 2026-12-01).
func (m *Model) CountTokens(ctx context.Context, req request.Request) (int64, error) {
	return tokencount.Ask(ctx, m.client, messageswire.CountMember, func() (transport.Call, error) {
		call, _, err := m.prepare(req)
		if err != nil {
			return call, err
		}
		call.URL, call.Body = m.url+"/count_tokens", messageswire.CountBody(call.Body, "")
		return call, nil
	})
}
