package responseswire_test

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/responseswire"
	"github.com/weirsdk/weir/request"
)

// everything says all at once that a request can say, of a conversation with a vendor.
func everything(t *testing.T, origin string) request.Request {
	t.Helper()
	turn := with(list(sealed, held, search, sealed, slot), request.Text("Wait."), call("call_1", "über tool", `{"a":1,"n":9007199254740993}`))
	turn.Data.Origin = origin
	return request.Request{
		System: "Be \"brief\".",
		Messages: []request.Message{
			request.User(
				request.Text("q"), request.ImageURL("https://example.com/a.png"), request.ImageBytes("image/png", []byte{1, 2}),
				request.FileBytes("a.pdf", "application/pdf", []byte("%PDF")), request.FileURL("b.pdf", "application/pdf", "https://example.com/b.pdf"),
				request.AudioBytes("audio/mpeg", []byte{4}).Cached(request.CacheShort)),
			turn,
			request.Results(request.ResultBlocks("call_1", request.Text("see"), request.ImageBytes("image/png", []byte{3}))),
			request.UserText("and now?"),
		},
		Tools: []request.Tool{tool(t, "get_weather", "weather"), tool(t, "über tool", "")},
		HostedTools: []request.HostedTool{
			request.SearchWeb(request.WebSearch{MaxUses: 2, AllowedDomains: []string{"a.example"}, Location: request.Location{Country: "AT"}}),
			request.HostedRaw("responses", `{"type":"code_interpreter", "container":{"type":"auto"}}`),
		},
		ToolChoice: request.ToolChoice{Mode: request.ToolNamed, Name: "über tool"}, Parallel: new(false),
		Answer: answer(t), MaxOutputTokens: 4096, Temperature: new(0.5), TopP: new(0.9), Stop: []string{"END"}, Seed: new(int64(7)),
		Effort: request.EffortHigh, ThinkingBudget: new(2000), Foreign: request.ForeignDrop,
		Cache:       request.Cache{Tools: request.CacheShort, Automatic: request.CacheShort, Key: "k"},
		Extra:       map[string]string{"responses": `{"tools":[{"type":"image_generation"}],"service_tier":"flex","text":{"verbosity":"low"}}`, "chat": `{"x":1}`},
		Correlation: request.Correlation{Run: "run", Turn: "turn", Actor: "actor", Purpose: "purpose"},
	}
}

// All that a request can say comes to the same bytes each time, a Notice for what the
// host has no word for, and the request stays as it was.
func TestPrepareEverything(t *testing.T) {
	t.Parallel()
	// Strict refuses instead, Options are the caller's, Citations are refused beside an
	// Answer.
	unset := map[string]bool{"Strict": true, "Options": true, "Citations": true}
	full := reflect.ValueOf(everything(t, "openai"))
	for i := range full.NumField() {
		name := full.Type().Field(i).Name
		require.Equal(t, !unset[name], !full.Field(i).IsZero(), "everything says nothing of %s", name)
	}
	spec := request.Spec{CacheMarkers: request.Yes, CacheLong: request.Yes}
	for vendor, told := range map[string][]string{
		"openai":     {"stop", "seed", "thinking_budget", "cache.tools", "answer", "hosted_tools[0].max_uses"},
		"openrouter": {"stop", "seed", "effort", "cache.tools", "answer"},
		"vllm":       {"thinking_budget", "cache.tools", "cache.key", "answer", "hosted_tools[0]"},
	} {
		t.Run(vendor, func(t *testing.T) {
			t.Parallel()
			r := everything(t, vendor)
			prepare := func() (body string, fields []string) {
				call, _, err := responseswire.Prepare(r, "gpt-test", spec, responseswire.ProfileFor(vendor))
				require.NoError(t, err)
				for _, n := range call.Notices {
					fields = append(fields, n.Detail)
				}
				return string(call.Body), fields
			}
			body, details := prepare()
			require.True(t, json.Valid([]byte(body)), body)
			assert.Len(t, details, len(told), "%q", details)
			for _, field := range told {
				assert.Condition(t, func() bool {
					return slices.ContainsFunc(details, func(d string) bool { return strings.HasPrefix(d, field+":") })
				}, "no word of %s: %q", field, details)
			}
			for range 8 {
				again, _ := prepare()
				require.Equal(t, body, again, "other bytes of the same request")
			}
			assert.Equal(t, everything(t, vendor), r, "the request was written to")
			canned.Golden(t, filepath.Join("testdata", "encode", "everything-"+vendor+".json"), []byte(body+"\n"), *update)
		})
	}
}
