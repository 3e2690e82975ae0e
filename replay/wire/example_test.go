package wire_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/openai"
	"github.com/weirsdk/weir/replay/wire"
	"github.com/weirsdk/weir/request"
)

// A test of an application: recorded once, it runs without a key and without a
// network.
func ExampleTransport() {
	model, err := openai.New(openai.Config{
		Model:      "gpt-4o",
		HTTPClient: &http.Client{Transport: &wire.Transport{Dir: "testdata/example"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for ev := range model.Stream(context.Background(), request.Request{Messages: []request.Message{request.UserText("Hello")}}) {
		if ev.Kind == events.TextDelta {
			fmt.Print(ev.Text)
		}
		if err := ev.Err(); err != nil {
			fmt.Println(err)
		}
	}
	// Output: Hi there.
}

// A request that was not recorded says what differs.
func ExampleNotRecorded() {
	client := &http.Client{Transport: &wire.Transport{Dir: "testdata/files"}}
	resp, err := client.Post("https://api.example.com/v1/chat/completions?alt=sse", "application/json",
		strings.NewReader(`{"ids":[1,2],"messages":[{"role":"user","content":"<hi>"}],"model":"m","temperature":0.2}`))
	if err == nil {
		_ = resp.Body.Close()
	}
	var miss *wire.NotRecorded
	if errors.As(err, &miss) {
		fmt.Println(miss.Difference.Path, miss.Difference.Recorded, miss.Difference.Asked)
	}
	// Output: body.temperature 0.10 0.2
}

// A mock provider for a program in any language, on a port of its own.
func ExampleServer() {
	recordings, err := wire.Load(os.DirFS("testdata/example"))
	if err != nil {
		fmt.Println(err)
		return
	}
	server := httptest.NewServer(&wire.Server{Recordings: recordings, Any: true})
	defer server.Close()
	resp, err := http.Post(server.URL+"/v1/chat/completions", "application/json", strings.NewReader(`{"model":"any"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = resp.Body.Close() }()
	text, _ := io.ReadAll(resp.Body)
	fmt.Println(resp.StatusCode, strings.Count(string(text), "data:"), "events")
	// Output: 200 4 events
}
