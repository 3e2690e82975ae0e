package azure_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/azure"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/request"
)

// A request with every feature set goes out as the golden file of the family has it.
func TestEverything(t *testing.T) {
	t.Parallel()
	canned.Everything(t, "../internal/chatwire/testdata/everything/azure", func(client *http.Client, spec *request.Spec) providers.Model {
		m, err := azure.New(azure.Config{Endpoint: resource, Deployment: "my-gpt", Key: key, Spec: spec, HTTPClient: client})
		require.NoError(t, err)
		return m
	})
}
