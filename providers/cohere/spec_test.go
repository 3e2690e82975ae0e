package cohere_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/cohere"
	"github.com/weirsdk/weir/request"
)

func TestSpecFor(t *testing.T) {
	t.Parallel()
	const yes, no, unknown = request.Yes, request.No, request.Unknown
	for _, c := range []struct {
		id, why                                     string
		window, output                              int
		tools, choice, images, thinking, structured request.Support
	}{
		{"command-a-plus-05-2026", "sees, thinks and calls", 128_000, 64_000, yes, yes, yes, yes, yes},
		{"command-a-03-2025", "neither sees nor thinks", 256_000, 8_000, yes, yes, no, no, yes},
		{"command-a-reasoning-08-2025", "thinks; not listed as one that takes a schema", 256_000, 32_000, yes, yes, no, yes, unknown},
		{"command-a-vision-07-2025", "sees and calls nothing", 128_000, 8_000, no, unknown, yes, no, unknown},
		{"command-a-translate-08-2025", "of its tools nothing is known", 8_000, 8_000, unknown, unknown, no, no, unknown},
		{"command-r7b-12-2024", "the first that takes a choice", 128_000, 4_000, yes, yes, no, no, unknown},
		{"command-r-08-2024", "older than the choice", 128_000, 4_000, yes, no, no, no, yes},
		{"command-r-plus-08-2024", "older than the choice", 128_000, 4_000, yes, no, no, no, yes},
		{"north-mini-code-1-0", "thinks", 256_000, 64_000, yes, yes, no, yes, unknown},
		{"north-small-translate-1-0", "a translator", 16_000, 16_000, unknown, unknown, no, no, unknown},
		{"command-r", "a deprecated alias", 0, 0, unknown, unknown, unknown, unknown, unknown},
		{"command-a-03-2026", "not the model that it looks like", 0, 0, unknown, unknown, unknown, unknown, unknown},
	} {
		s := cohere.SpecFor(c.id)
		assert.Equal(t, c.window, s.ContextWindow, "%s: %s", c.id, c.why)
		assert.Equal(t, c.output, s.MaxOutput, "%s: %s", c.id, c.why)
		assert.Equal(t, []request.Support{c.tools, c.choice, c.images, c.thinking, c.structured},
			[]request.Support{s.Tools, s.ToolChoice, s.Images, s.Thinking, s.StructuredAnswer}, "%s: %s", c.id, c.why)
		assert.Equal(t, no, s.Audio, c.id)
		assert.Equal(t, no, s.ParallelTools, c.id)
	}
}

// What no model of the API can do is known before a request is prepared.
func TestSpecKnowsTheWire(t *testing.T) {
	t.Parallel()
	base := ask()
	for why, change := range map[string]func(*request.Request){
		"parallel":   func(r *request.Request) { r.Parallel = new(false) },
		"marker":     func(r *request.Request) { r.Messages[0].Blocks[0].Cache = request.CacheShort },
		"key":        func(r *request.Request) { r.Cache.Key = "k" },
		"web search": func(r *request.Request) { r.HostedTools = []request.HostedTool{request.SearchWeb(request.WebSearch{})} },
		"raw tool":   func(r *request.Request) { r.HostedTools = []request.HostedTool{request.HostedRaw("cohere", `{"x":1}`)} },
		"audio": func(r *request.Request) {
			r.Messages = []request.Message{request.User(request.AudioBytes("audio/wav", []byte("wav")))}
		},
	} {
		for _, model := range []string{"command-next", "command-a-plus-05-2026", "command-a-vision-07-2025"} {
			r := base
			r.Messages, r.Strict = []request.Message{request.UserText("hi")}, true
			assert.Empty(t, r.CheckFor(cohere.SpecFor(model)))
			change(&r)
			assert.Len(t, r.CheckFor(cohere.SpecFor(model)), 1, "%s: %s", model, why)
		}
	}
}

// The table is nobody's to change.
func TestSpecIsACopy(t *testing.T) {
	t.Parallel()
	cohere.SpecFor("command-a-plus-05-2026").Efforts[0] = "x"
	assert.Equal(t, request.EffortOff, cohere.SpecFor("command-a-plus-05-2026").Efforts[0])
}

// What one model is told, another is told its own way.
func TestEffortByModel(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		model  string
		effort request.Effort
		want   string
		notice bool
	}{
		{"command-a-plus-05-2026", request.EffortOff, `,"thinking":{"type":"disabled"}`, false},
		{"command-a-plus-05-2026", request.EffortHigh, `,"thinking":{"type":"enabled"}`, false},
		{"command-a-plus-05-2026", request.EffortLow, `,"thinking":{"type":"enabled"}`, true},
		{"command-a-plus-05-2026", request.EffortMax, `,"thinking":{"type":"enabled"}`, true},
		{"command-a-03-2025", request.EffortOff, ``, false},
		{"command-a-03-2025", request.EffortHigh, ``, true},
		{"command-next", request.EffortMedium, `,"thinking":{"type":"enabled"}`, true},
		{"command-next", request.EffortHigh, `,"thinking":{"type":"enabled"}`, false},
	} {
		answer := ok(reply)
		m := model(t, cohere.Config{Model: c.model, HTTPClient: &http.Client{Transport: answer}})
		r := ask()
		r.Effort = c.effort
		evs := slices.Collect(m.Stream(t.Context(), r))
		require.Len(t, answer.Requests(), 1, c.model)
		want := `{"model":"` + c.model + `","messages":[{"role":"user","content":"hi"}],"stream":true` + c.want + `}`
		assert.Equal(t, want, string(answer.Requests()[0].Body), "%s %s", c.model, c.effort)
		assert.Equal(t, c.notice, slices.ContainsFunc(evs, func(e events.Event) bool { return e.Kind == events.Notice }), "%s %s", c.model, c.effort)
	}
}
