package bedrock

import (
	"context"
	"net/http"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/conversewire"
	"github.com/weirsdk/weir/providers/internal/tokencount"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

var _ providers.TokenCounter = (*Model)(nil)

// CountTokens counts by CountTokens, free of charge, of [InvokeMessages] the body as it
// is. Of [Converse] it is not told the schema of a structured answer, so that this does
// not count. It refuses (rejected/bad_request) models that do not count, as Amazon's
// own are, and inference profiles; so it is asked about the model behind a profile of
// AWS's ("us.anthropic..." is "anthropic..."), which its region must have
// (github.com/Boise-State-Development/agentcore-public-stack, pull request 430, and
// github.com/pydantic/pydantic-ai, pull request 3367, read 2026-12-01; others say that
// some models are refused so too).
func (m *Model) CountTokens(ctx context.Context, req request.Request) (int64, error) {
	return tokencount.Ask(ctx, m.client, conversewire.CountMember, func() (transport.Call, error) {
		call, _, err := m.spelled(req)
		call.Provider, call.URL, call.Limits = Provider, m.countURL, m.limits
		if err != nil {
			return call, err
		}
		if m.api == Converse {
			call.Body = conversewire.CountBody(call.Body)
		} else {
			call.Body = conversewire.InvokeCountBody(call.Body)
		}
		call.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}}
		err = m.authorize(ctx, &call)
		return call, err
	})
}
