package openrouter_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/weirsdk/weir/providers/openrouter"
	"github.com/weirsdk/weir/request"
)

func TestBillingStops(t *testing.T) {
	t.Parallel()
	for upstream, want := range map[string]request.Support{
		"OpenAI": request.Yes, "Azure": request.Yes, "xAI": request.Yes, "DeepSeek": request.Yes,
		"AWS Bedrock": request.No, "Amazon Bedrock": request.No, "Google AI Studio": request.No, "Groq": request.No, "InferenceNet": request.No,
		"Z.AI": request.Unknown, "": request.Unknown, "Open": request.Unknown, "nobody": request.Unknown,
	} {
		assert.Equal(t, want, openrouter.BillingStops(upstream), upstream)
	}
}
