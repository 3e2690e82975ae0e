package weir_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/conformance"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/openai"
	"github.com/weirsdk/weir/replay"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
	"github.com/weirsdk/weir/stream/sse"
	"github.com/weirsdk/weir/validator"
)

// The programs of README.md, compiled. TestReadmeFragments compares the texts.

func readmeChat(ctx context.Context) error {
	// readme: chat
	model, err := openai.New(openai.Config{Key: providers.Secret(os.Getenv("OPENAI_API_KEY")), Model: "gpt-5-mini"})
	if err != nil {
		return err
	}
	req := request.Request{Messages: []request.Message{request.UserText("Why is the sky blue?")}}
	var reply stream.Reply
	for ev := range model.Stream(ctx, req) {
		reply.Add(ev)
		if ev.Kind == events.TextDelta {
			fmt.Print(ev.Text)
		}
	}
	if err := reply.Err(); err != nil {
		return err // an *events.Failure; what came before it is in reply
	}
	req.Messages = append(req.Messages, reply.Turn()) // and ask the next question
	// readme: end
	return nil
}

type readmeCity struct {
	City string `json:"city"`
}

func readmeAgent(ctx context.Context, model providers.Model, req request.Request, lookUp func(context.Context, readmeCity) (string, error)) error {
	// readme: agent
	weather, err := caller.NewTool("weather", "Current weather of a city.", lookUp) // func(ctx, struct{ City string `json:"city"` }) (string, error)
	// ...
	if err != nil {
		return err
	}
	// readme: on
	tools := caller.Tools{weather}
	c := caller.New(model, caller.Config{Prices: openai.Prices(), MaxRetries: 2, ToolPolicy: validator.Report})
	run, err := c.OpenRun(ctx, caller.RunConfig{ID: "order-42", Limits: caller.Limits{
		MaxCost: 500_000, MaxCalls: 20, MaxToolCalls: 40, MaxOutputTokensPerCall: 4_000, // half a dollar, in microdollars
	}})
	// ...
	if err != nil {
		return err
	}
	// readme: on
	ctx = caller.WithRun(ctx, run)
	req.Tools = tools.Declared()
	for {
		result, err := c.Generate(ctx, req)
		if err != nil {
			return err // *caller.Exceeded, *caller.Unavailable ...; result has what came and what it cost
		}
		reply := result.Reply
		if reply.Outcome() != stream.OutcomeToolRequest {
			fmt.Println(reply.Text(), result.Cost, result.CostCertainty)
			return nil
		}
		// Answer counts and runs the calls that fit their schemas, and tells the model what is wrong with the others.
		req.Messages = append(req.Messages, reply.Turn(), run.Answer(ctx, reply, tools.Handle))
	}
	// readme: end
}

func readmePage(w http.ResponseWriter, r *http.Request, c *caller.Caller, req request.Request, user string) {
	// readme: page
	ctx := caller.WithScope(r.Context(), caller.Scope{Actor: user, Purpose: "chat"})
	if err := c.Check(ctx, req); err != nil { // the head of a stream is 200, so ask before
		status := http.StatusServiceUnavailable // the books do not answer
		if limit := new(caller.Exceeded); errors.As(err, &limit) {
			status = http.StatusTooManyRequests // or 402, where limit.MayPass() is false
		} else if errors.Is(err, &events.Failure{Kind: events.InvalidRequest}) {
			status = http.StatusBadRequest
		}
		http.Error(w, http.StatusText(status), status)
		return
	}
	call := c.Stream(ctx, req) // nothing is sent yet
	if err := sse.Serve(w, r, call.Events(), sse.Options{}); err != nil {
		log.Print(err) // the call's own failure, or the reader has gone and the call is closed and booked
	}
	result, _ := call.Result() // what was said and what it cost, however the loop ended; the error is the one above
	// readme: end
	log.Print(result.Cost)
}

func readmeReplay(record *bool) (*replay.Scripted, *replay.Cassette, error) {
	// readme: replay
	model := &replay.Scripted{ModelName: "openai:gpt-5-mini", Replies: []replay.Reply{ // a name that has a price
		replay.Calls(replay.Call("weather", `{"city":"Oslo"}`)),
		replay.Fails(&events.Failure{Kind: events.Overloaded, Status: 503}),
		replay.Says("It rains in Oslo.").WithUsage(120, 8),
	}}
	// ... and run the agent on it: model.Requests() is what it asked.

	recorded, err := replay.Open("testdata/weather", "openai:gpt-5-mini", *record, func() (providers.Model, error) {
		return openai.New(openai.Config{Key: providers.Secret(os.Getenv("OPENAI_API_KEY")), Model: "gpt-5-mini"})
	})
	// readme: end
	return model, recorded, err
}

func readmeAdapter(t *testing.T, newModel func(testing.TB, http.RoundTripper) providers.Model) {
	t.Helper()
	// readme: adapter
	conformance.Run(t, conformance.Adapter{
		New:  newModel,                         // func(testing.TB, http.RoundTripper) providers.Model
		Wire: os.DirFS("testdata/conformance"), // text.sse, tool-call.sse, error-429.json ...: your provider's bytes
		Unsupported: map[string]string{
			"citations": "a frame has no place for a source (docs.acme.example/streaming, 2026-11-30)",
		},
	})
	// readme: end
}

// TestReadmeFragments compares the README's programs with the ones above, which
// compile. Lines between "// ..." and "// readme: on" are left out there.
func TestReadmeFragments(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	source, err := os.ReadFile("readme_test.go")
	require.NoError(t, err)
	shown := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(readme), -1)
	compiled := regexp.MustCompile(`(?s)\t// readme: (?:chat|agent|page|replay|adapter)\n(.*?)\t// readme: end\n`).FindAllStringSubmatch(string(source), -1)
	require.Len(t, compiled, 5)
	require.Len(t, shown, len(compiled))
	hidden := regexp.MustCompile(`(?s)(// \.\.\.\n).*?// readme: on\n`)
	for i := range shown {
		assert.Equal(t, trimmedLines(shown[i][1]), trimmedLines(hidden.ReplaceAllString(compiled[i][1], "$1")))
	}
}

func trimmedLines(s string) []string {
	var lines []string
	for line := range strings.Lines(s) {
		lines = append(lines, strings.TrimSpace(line))
	}
	return lines
}

var _, _, _, _, _ = readmeChat, readmeAgent, readmePage, readmeReplay, readmeAdapter
