package weir_test

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/openai"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
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

func readmeAgent(ctx context.Context, model providers.Model, req request.Request, run func(events.ToolCall) (string, error)) error {
	// readme: agent
	weather, err := request.NewTool("weather", "Current weather of a city.",
		`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`)
	// ...
	if err != nil {
		return err
	}
	// readme: on
	req.Tools = []request.Tool{weather}
	for range 8 { // turns
		guarded := validator.Guard(model.Stream(ctx, req), validator.ForRequest(req), validator.WithPolicy(validator.Report))
		reply, err := stream.Collect(guarded)
		if err != nil {
			return err
		}
		if reply.Outcome() != stream.OutcomeToolRequest {
			fmt.Println(reply.Text())
			return nil
		}
		// Answer runs the calls that fit, and tells the model what is wrong with the others.
		req.Messages = append(req.Messages, reply.Turn(), reply.Answer(run))
	}
	// readme: end
	return nil
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
	compiled := regexp.MustCompile(`(?s)\t// readme: (?:chat|agent)\n(.*?)\t// readme: end\n`).FindAllStringSubmatch(string(source), -1)
	require.Len(t, compiled, 2)
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

var _, _ = readmeChat, readmeAgent
