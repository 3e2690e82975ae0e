package main

import (
	"bytes"
	"context"
	_ "embed"
	"net"
	"net/http"
	"time"

	"github.com/weirsdk/weir/providers/openai"
	"github.com/weirsdk/weir/providers/price"
)

// recording is a reply in OpenAI's chat-completions format, written for this
// program.
//
//go:embed recording.sse
var recording []byte

const (
	demoModel = "demo-1"
	demoPace  = 25 * time.Millisecond
)

// openDemo returns the real adapter, talking to a server on loopback that plays
// the recording.
func openDemo(ctx context.Context) (*source, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	server := &http.Server{Handler: http.HandlerFunc(playRecording), ReadHeaderTimeout: time.Second}
	go func() { _ = server.Serve(listener) }()
	model, err := openai.New(openai.Config{
		Key:     "no-key-is-needed",
		Model:   demoModel,
		BaseURL: "http://" + listener.Addr().String() + "/v1",
	})
	if err != nil {
		_ = server.Close()
		return nil, err
	}
	return &source{
		model:    model,
		prices:   demoPrices(model.Name()),
		recorded: true,
		close:    func() { _ = server.Close() },
	}, nil
}

// playRecording writes the recording event by event at a human pace.
func playRecording(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	flush := http.NewResponseController(w)
	for event := range bytes.SplitAfterSeq(recording, []byte("\n\n")) {
		select {
		case <-r.Context().Done():
			return
		case <-time.After(demoPace):
		}
		if _, err := w.Write(event); err != nil {
			return
		}
		_ = flush.Flush()
	}
}

// demoPrices are made up: a dollar for a million tokens in, four out.
func demoPrices(name string) price.Table {
	return price.Table{name: {
		Input: price.PerMillion(1_000_000), CacheRead: price.PerMillion(100_000), Output: price.PerMillion(4_000_000),
	}}
}
