package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// encode prints the exact body that would be sent for a request.
func encode(ctx context.Context, args []string, c console) error {
	fs := newFlags("encode")
	var t target
	fs.StringVar(&t.api, "api", "", "")
	fs.StringVar(&t.vendor, "vendor", "", "")
	fs.StringVar(&t.model, "model", "", "")
	file, err := parseFlags(fs, args)
	if err != nil {
		return err
	}
	if err := checkAPI("encode", t.api); err != nil {
		return err
	}
	if t.model == "" {
		return wrongUsage("encode: --model is missing")
	}
	// The body that OpenAI itself takes, unless told whose.
	t.vendor = cmp.Or(t.vendor, "openai")
	data, err := readInput(file, c.in)
	if err != nil {
		return err
	}
	req, err := request.Parse(data)
	if err != nil {
		return wrongUsage("encode: %s: %s", file, err)
	}
	sent := &capture{}
	t.client = &http.Client{Transport: sent}
	model, err := openModel(t)
	if err != nil {
		return err
	}
	var failure *events.Failure
	for ev := range model.Stream(ctx, req) {
		if f, ok := ev.Failure(); ok {
			failure = f
		}
	}
	return sent.print(c, failure)
}

// A capture keeps the body of a request and sends nothing.
type capture struct {
	called bool
	body   []byte
}

var errCaptured = errors.New("captured")

// RoundTrip reads the body and refuses the request.
func (s *capture) RoundTrip(req *http.Request) (*http.Response, error) {
	s.called = true
	if req.Body == nil {
		return nil, errCaptured
	}
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	s.body = body
	if err := req.Body.Close(); err != nil {
		return nil, err
	}
	return nil, errCaptured
}

// print writes the body as it is, with a line end on a terminal only. A request
// that was refused before it was sent has none: its failure goes to err.
func (s *capture) print(c console, failure *events.Failure) error {
	if !s.called {
		c.complain(fmt.Errorf("encode: refused: %w", failure))
		return errFailed
	}
	body := s.body
	if c.terminal {
		body = append(body, '\n')
	}
	_, err := c.out.Write(body)
	return err
}
