package openaierror_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/openaierror"
)

// The words of an error are found wherever they stand.
func TestWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why, body string
		status    int
		words     string
		reason    events.Reason
	}{
		{"Cloudflare", `{"result":null,"success":false,"errors":[{"code":7003,"message":"Could not route"}],"messages":[]}`, 404, "Could not route", events.ReasonNotFound},
		{"Mistral, of a member that it does not know", `{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","n"],"msg":"Extra inputs are not permitted"}]},"type":"invalid_request_error","param":null,"code":null}`, 422, "body.n: Extra inputs are not permitted", events.ReasonBadRequest},
		{"Mistral, with a list", `{"object":"Error","message":[{"type":"extra_forbidden","loc":["body","tools"],"msg":"Extra inputs are not permitted"}],"type":"invalid_request_error","code":3001}`, 422, "body.tools: Extra inputs are not permitted", events.ReasonBadRequest},
		{"a list of errors without words", `{"errors":[{"code":1}]}`, 400, "HTTP 400 Bad Request", events.ReasonBadRequest},
		{"a list of errors that has none", `{"errors":[null]}`, 400, "HTTP 400 Bad Request", events.ReasonBadRequest},
	} {
		f := openaierror.FailureOf(c.status, nil, []byte(c.body))
		require.NotNil(t, f, c.why)
		assert.Equal(t, c.words, f.Detail, c.why)
		assert.Equal(t, c.reason, f.Reason, c.why)
	}
	// Inside a stream, or a 200, it is an error as well.
	e, ok := openaierror.Of(fastjson.MustParse(`{"result":null,"success":false,"errors":[{"code":7009,"message":"Upstream service unavailable"}]}`))
	require.True(t, ok)
	f := e.Failure()
	assert.Equal(t, events.Overloaded, f.Kind)
	assert.Equal(t, [2]string{"7009", "Upstream service unavailable"}, [2]string{f.ProviderCode, f.Detail})
	for _, body := range []string{`{"errors":[]}`, `{"errors":null}`, `{"errors":[7]}`, `{"errors":{}}`} {
		_, ok := openaierror.Of(fastjson.MustParse(body))
		assert.False(t, ok, body)
	}
}
