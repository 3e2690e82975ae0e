package compatible_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/compatible"
)

// An account leads to no other place than the preset's.
func TestAccountsThatAreNone(t *testing.T) {
	t.Parallel()
	for _, name := range compatible.Presets() {
		if compatible.NeedsAccount(name) == "" {
			continue
		}
		for why, account := range map[string]string{
			"a step of a path": ".", "a step back": "..", "a path": "a/b", "a host": "a@evil.example", "a query": "a?b", "a fragment": "a#b",
			"an escape": "a%2fb", "a port": "a:80", "a line end": "a\nb", "beyond ASCII": "\u00fc", "the place itself": "{account}",
		} {
			config, _ := compatible.Preset(name)
			config.Model, config.Account = "m", account
			_, err := compatible.New(config)
			assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadConfig}, "%s: %s", name, why)
		}
		config, _ := compatible.Preset(name)
		config.Model, config.Account = "m", "dbc-1234.cloud.example_1"
		_, err := compatible.New(config)
		require.NoError(t, err, name)
	}
}
