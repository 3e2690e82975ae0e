package chatwire_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/chatwire"
)

// What a reply costs with a key of one's own at the upstream is more than OpenRouter's
// own fee, and unknown rather than that fee alone.
func TestCostOfOwnKeys(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why, members string
		want         *events.Cost
	}{
		{"no such key: the upstream's bill is in it", `"cost":0.0117,"is_byok":false,"cost_details":{"upstream_inference_cost":0.0117}`, &events.Cost{Micros: 11_700, Text: "0.0117"}},
		{"no fee", `"cost":0,"is_byok":true,"cost_details":{"upstream_inference_cost":0.0360795}`, &events.Cost{Micros: 36_080, Text: "0.0360795"}},
		{"a fee, and rounded up once", `"cost":0.0000001,"is_byok":true,"cost_details":{"upstream_inference_cost":2e-7}`, &events.Cost{Micros: 1, Text: "0.0000003"}},
		{"the upstream's bill is not told", `"cost":0,"is_byok":true,"cost_details":{"upstream_inference_cost":null}`, nil},
		{"there are no details", `"cost":0,"is_byok":true`, nil},
		{"the fee is not told", `"is_byok":true,"cost_details":{"upstream_inference_cost":1}`, nil},
		{"what is no amount", `"cost":0,"is_byok":true,"cost_details":{"upstream_inference_cost":-1}`, nil},
		{"what is no truth value", `"cost":1,"is_byok":"true"`, &events.Cost{Micros: 1_000_000, Text: "1"}},
	} {
		got := playAll(t, sent(deltaOf(`"content":"a"`), endOf("stop"), `{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1,`+c.members+`}}`, "[DONE]"), chatwire.ProfileFor("openrouter"))
		end, ok := got[len(got)-1].Completion()
		require.True(t, ok, c.why)
		assert.Equal(t, c.want, end.Cost, c.why)
	}
}

// xAI tells what a reply cost in ticks; of another provider the same member may be a
// bill of somebody else's (Azure sells Grok, and bills as Azure).
func TestCostInTicks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why, vendor, ticks string
		want               *events.Cost
	}{
		{"as recorded", "xai", `1654500`, &events.Cost{Micros: 166, Text: "0.00016545"}},
		{"dollars", "xai", `20000000000`, &events.Cost{Micros: 2_000_000, Text: "2"}},
		{"free", "xai", `0`, &events.Cost{Text: "0"}},
		{"not told", "xai", `null`, nil},
		{"no number of ticks", "xai", `-1`, nil},
		{"another vendor", "azure", `1654500`, nil},
	} {
		got := playAll(t, sent(deltaOf(`"content":"a"`), endOf("stop"), `{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1,"cost_in_usd_ticks":`+c.ticks+`}}`, "[DONE]"), chatwire.ProfileFor(c.vendor))
		end, ok := got[len(got)-1].Completion()
		require.True(t, ok, c.why)
		assert.Equal(t, c.want, end.Cost, c.why)
	}
}
