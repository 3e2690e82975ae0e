package main

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/openai"
	"github.com/weirsdk/weir/providers/price"
)

// recording holds replies in OpenAI's chat-completions format, written for this
// program.
//
//go:embed recording
var recording embed.FS

const (
	demoModel = "demo-1"
	demoCheap = "demo-mini"
	demoPace  = 10 * time.Millisecond
)

// A demo is a server on loopback that plays the recording.
type demo struct {
	pace time.Duration
	// limited: the one "too many requests" was given.
	limited atomic.Bool
}

// openDemo returns the real adapter, twice, talking to a demo.
func openDemo(ctx context.Context, pace time.Duration) (*source, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	server := &http.Server{Handler: &demo{pace: pace}, ReadHeaderTimeout: time.Second}
	go func() { _ = server.Serve(listener) }()
	config := openai.Config{Key: "no-key-is-needed", BaseURL: "http://" + listener.Addr().String() + "/v1"}
	config.Model = demoModel
	model, err1 := openai.New(config)
	config.Model = demoCheap
	cheap, err2 := openai.New(config)
	if err := errors.Join(err1, err2); err != nil {
		_ = server.Close()
		return nil, err
	}
	return &source{
		model: model, cheap: cheap, recorded: true,
		prices: price.Merge(demoPrice(model.Name(), 1), demoPrice(cheap.Name(), 10)),
		close:  func() { _ = server.Close() },
	}, nil
}

// demoPrice is made up: a dollar for a million tokens in, four out, or a part of it.
// It names the service tier that the replies name: without it their cost is estimated.
func demoPrice(name string, part events.Micros) price.Table {
	rate := func(micros events.Micros) price.Rate { return price.PerMillion(micros / part) }
	return price.Table{name: {
		Input: rate(1_000_000), CacheRead: rate(100_000), Output: rate(4_000_000),
		Service: map[string]price.Multiplier{"default": {Num: 1, Den: 1}},
	}}
}

// ServeHTTP answers a request that holds what it should, and refuses any other.
func (d *demo) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var a asked
	if err := json.NewDecoder(r.Body).Decode(&a); err != nil {
		refuse(w, http.StatusBadRequest, "invalid_request_error", err.Error())
		return
	}
	file, err := a.reply()
	if err != nil {
		refuse(w, http.StatusBadRequest, "invalid_request_error", err.Error())
		return
	}
	if file == limitedReply && !d.limited.Swap(true) {
		w.Header().Set("Retry-After", "0.2")
		refuse(w, http.StatusTooManyRequests, "rate_limit_exceeded", "Rate limit reached for "+a.Model+". Please try again in 200ms.")
		return
	}
	d.play(w, r, file)
}

// refuse answers with an error in the provider's format.
func refuse(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{
		"message": message, "type": code, "param": nil, "code": code,
	}})
}

// play writes a reply event by event, at a human pace.
func (d *demo) play(w http.ResponseWriter, r *http.Request, file string) {
	body, err := recording.ReadFile("recording/" + file)
	if err != nil {
		refuse(w, http.StatusInternalServerError, "server_error", err.Error())
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	flush := http.NewResponseController(w)
	for event := range bytes.SplitAfterSeq(body, []byte("\n\n")) {
		select {
		case <-r.Context().Done():
			return
		case <-time.After(d.pace):
		}
		if _, err := w.Write(event); err != nil {
			return
		}
		_ = flush.Flush()
	}
}
