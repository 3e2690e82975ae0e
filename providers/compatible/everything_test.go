package compatible_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/compatible"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/request"
)

// A request with every feature set goes out as the family's golden file has it, of each
// vendor that has one there.
func TestEverything(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"default", "groq", "groq-compound", "mistral", "deepseek", "xai", "alibaba"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join("../internal/chatwire/testdata/everything", name)
			text, err := os.ReadFile(filepath.Join(dir, "case.json"))
			require.NoError(t, err)
			var c struct{ Vendor, Model string }
			require.NoError(t, json.Unmarshal(text, &c))
			config, known := compatible.Preset(c.Vendor)
			if !known {
				config.BaseURL = "https://llm.example/v1"
			}
			config.Key, config.Model = key, c.Model
			canned.Everything(t, dir, func(client *http.Client, spec *request.Spec) providers.Model {
				config.Spec, config.HTTPClient = spec, client
				m, err := compatible.New(config)
				require.NoError(t, err)
				return m
			})
		})
	}
}
