package replay_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/openai"
	"github.com/weirsdk/weir/replay"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// agent is what is tested: it asks until there is nothing left to run.
func agent(ctx context.Context, model providers.Model, prompt string, run func(events.ToolCall) (string, error)) (string, error) {
	req := request.Request{Messages: []request.Message{request.UserText(prompt)}}
	for {
		reply, err := stream.Collect(model.Stream(ctx, req))
		if err != nil {
			return reply.Text(), err
		}
		if !reply.Executable() {
			return reply.Text(), nil
		}
		req.Messages = append(req.Messages, reply.Turn(), reply.Answer(run))
	}
}

// A test of an agent writes down what the model says, and looks at what it was asked.
func ExampleScripted() {
	model := &replay.Scripted{Replies: []replay.Reply{
		replay.Calls(replay.Call("get_weather", `{"city":"Oslo"}`)),
		replay.Says("It rains in Oslo.").WithUsage(120, 8),
	}}
	answer, err := agent(context.Background(), model, "Weather in Oslo?", func(call events.ToolCall) (string, error) {
		fmt.Println("runs", call.Name, call.Arguments)
		return "rain", nil
	})
	fmt.Println(answer, err)
	fmt.Println(len(model.Requests()), "requests,", model.Remaining(), "replies left")
	// Output:
	// runs get_weather {"city":"Oslo"}
	// It rains in Oslo. <nil>
	// 2 requests, 0 replies left
}

// What goes wrong is a reply too.
func ExampleFails() {
	model := &replay.Scripted{Replies: []replay.Reply{
		replay.Fails(&events.Failure{Kind: events.RateLimited, Status: 429, RetryAfter: 2 * time.Second}),
		replay.Says("It rains").WithStop(events.StopLength),
	}}
	req := request.Request{Messages: []request.Message{request.UserText("Weather in Oslo?")}}
	for range 3 {
		reply, err := stream.Collect(model.Stream(context.Background(), req))
		f, _ := events.AsFailure(err)
		fmt.Println(reply.Outcome(), errors.Is(err, replay.ErrNotRecorded), f != nil && f.Retryable())
	}
	// Output:
	// failed false true
	// truncated false false
	// failed true false
}

// What a test does while the model waits: here somebody presses stop.
func ExampleReply_OnWait() {
	scope := cancel.New(context.Background())
	defer scope.Close()
	model := &replay.Scripted{Replies: []replay.Reply{
		replay.Says("It rains").ThenWaits().OnWait(func() { scope.Cancel(cancel.User) }),
	}}
	answer, err := agent(scope.Context(), model, "Weather in Oslo?", nil)
	fmt.Println(answer)
	fmt.Println(errors.Is(err, cancel.User))
	// Output:
	// It rains
	// true
}

// A test records when it is asked to, by a flag of its own, and else replays:
//
//	var record = flag.Bool("record", false, "call the provider and record what it says")
//
// Run it once as "go test -record", read the recordings, and commit them.
func ExampleOpen() {
	record := false
	model, err := replay.Open("testdata/weather", "openai:gpt-5", record, func() (providers.Model, error) {
		return openai.New(openai.Config{Key: providers.Secret(os.Getenv("OPENAI_API_KEY")), Model: "gpt-5"})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := agent(context.Background(), model, "Weather in Oslo?", nil)
	fmt.Println(answer, err)
	fmt.Println("never played:", model.Close())
	// Output:
	// It rains in Oslo. <nil>
	// never played: <nil>
}

// A request that was not recorded names the first thing that is different.
func ExampleNotRecorded() {
	model := &replay.Replayer{ModelName: "openai:gpt-5", Dir: "testdata/weather"}
	_, err := agent(context.Background(), model, "Weather in Bergen?", nil)
	var missing *replay.NotRecorded
	if errors.As(err, &missing) {
		fmt.Println(missing.Difference.Path)
		fmt.Println(missing.Difference.Recorded, "is recorded")
		fmt.Println(missing.Difference.Asked, "is asked")
	}
	// Output:
	// messages[0].content[0].text
	// "Weather in Oslo?" is recorded
	// "Weather in Bergen?" is asked
}

// A Recorder stores each exchange of a model as a file for people to read.
func ExampleRecorder() {
	dir, err := os.MkdirTemp("", "recordings")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	model := &replay.Recorder{
		Inner: &replay.Scripted{Replies: []replay.Reply{replay.Says("Your key is hunter22!")}},
		Dir:   dir, Secrets: []providers.Secret{"hunter22"},
	}
	answer, err := agent(context.Background(), model, "What is my key?", nil)
	fmt.Println(answer, err, model.Err())

	entries, _ := os.ReadDir(dir)
	text, _ := os.ReadFile(dir + "/" + entries[0].Name())
	fmt.Println(len(entries), "file,", strings.Count(string(text), "hunter22"), "secrets")
	// Output:
	// Your key is hunter22! <nil> <nil>
	// 1 file, 0 secrets
}
