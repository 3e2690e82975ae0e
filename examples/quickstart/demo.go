package main

import (
	"context"
	"embed"
	"io/fs"
	"net"
	"net/http"
	"time"

	"github.com/weirsdk/weir/providers/openai"
	"github.com/weirsdk/weir/providers/price"
	"github.com/weirsdk/weir/replay/wire"
)

// recording is a reply in OpenAI's chat-completions format, written for this
// program and recorded with its delays by weir record.
//
//go:embed recording
var recording embed.FS

// openDemo returns the real adapter, talking to a server on loopback that plays
// the recording.
func openDemo(ctx context.Context) (*source, error) {
	files, err := fs.Sub(recording, "recording")
	if err != nil {
		return nil, err
	}
	recordings, err := wire.Load(files)
	if err != nil {
		return nil, err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	server := &http.Server{
		Handler:           &wire.Server{Recordings: recordings, Any: true, Pace: true, Repeat: true},
		ReadHeaderTimeout: time.Second,
	}
	go func() { _ = server.Serve(listener) }()
	model, err := openai.New(openai.Config{
		Key:     "no-key-is-needed",
		Model:   "demo-1",
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

// demoPrices are made up: a dollar for a million tokens in, four out.
func demoPrices(name string) price.Table {
	return price.Table{name: {
		Input: price.PerMillion(1_000_000), CacheRead: price.PerMillion(100_000), Output: price.PerMillion(4_000_000),
	}}
}
