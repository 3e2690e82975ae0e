package compatible_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/providers/compatible"
	"github.com/weirsdk/weir/request"
)

// A request with every feature set goes out as the family's golden file has it, of each
// vendor that has one there.
func TestEverything(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"default", "groq", "groq-compound", "mistral", "deepseek", "xai", "alibaba"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			read := func(file string) []byte {
				text, err := os.ReadFile(filepath.Join("../internal/chatwire/testdata/everything", name, file))
				require.NoError(t, err)
				return text
			}
			var c struct{ Vendor, Model string }
			require.NoError(t, json.Unmarshal(read("case.json"), &c))
			var r request.Request
			require.NoError(t, json.Unmarshal(read("request.json"), &r))
			config, known := compatible.Preset(c.Vendor)
			if !known {
				config.BaseURL = "https://llm.example/v1"
			}
			rt := sse(hello)
			config.Key, config.Model, config.HTTPClient = key, c.Model, &http.Client{Transport: rt}
			config.Spec = &request.Spec{CacheMarkers: request.Yes, CacheLong: request.Yes}
			m, err := compatible.New(config)
			require.NoError(t, err)
			for range m.Stream(t.Context(), r) {
			}
			require.Len(t, rt.Requests(), 1)
			assert.Equal(t, string(read("want.json")), string(rt.Requests()[0].Body)+"\n")
		})
	}
}
