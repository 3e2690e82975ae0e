package ollama_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/weirsdk/weir/providers/ollama"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

func Example() {
	// A canned server stands in for Ollama here; leave Host out for a local one.
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/x-ndjson")
		_, _ = io.WriteString(w, reply)
	}))
	defer srv.Close()

	model, err := ollama.New(ollama.Config{Model: "qwen3:4b", Host: srv.URL, ContextLength: 16_384, HTTPClient: srv.Client()})
	if err != nil {
		fmt.Println(err)
		return
	}
	req := request.Request{Messages: []request.Message{request.UserText("Greet me in one word.")}}
	for text, err := range stream.Text(model.Stream(context.Background(), req)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Print(text)
	}
	// Output: Hello
}
