package cohere_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/weirsdk/weir/providers/cohere"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

func Example() {
	// A canned server stands in for Cohere here; leave BaseURL out for the real one.
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, reply)
	}))
	defer srv.Close()

	model, err := cohere.New(cohere.Config{Key: "key", Model: "command-a-03-2025", BaseURL: srv.URL, HTTPClient: srv.Client()})
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
	// Output: Hi
}
