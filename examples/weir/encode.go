package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// encode prints the exact body that would be sent for a request, and says what
// of the request is not in it.
func encode(ctx context.Context, args []string, c console) error {
	t, req, err := parseEncode(args, c)
	if err != nil {
		return err
	}
	a, _ := apiNamed(t.api)
	sent := &capture{answer: tape{
		status: http.StatusOK,
		header: http.Header{"Content-Type": {a.stream}},
		body:   []byte(a.answer),
	}}
	t.client = &http.Client{Transport: sent}
	model, err := openModel(t)
	if err != nil {
		return err
	}
	c.tellDefault("encode", t)
	for ev := range model.Stream(ctx, req) {
		if n, ok := ev.Notice(); ok {
			c.say("encode: " + describeNotice(n))
		}
		if f, ok := ev.Failure(); ok {
			c.say(fmt.Sprintf("encode: refused: %s", f))
			return errFailed
		}
	}
	return sent.print(c)
}

// parseEncode reads the flags and the request.
func parseEncode(args []string, c console) (t target, req request.Request, err error) {
	fs := newFlags("encode")
	fs.StringVar(&t.api, "api", "", "")
	fs.StringVar(&t.vendor, "vendor", "", "")
	fs.StringVar(&t.model, "model", "", "")
	file, err := parseFlags(fs, args)
	if err != nil {
		return t, req, err
	}
	if err := checkAPI("encode", t.api); err != nil {
		return t, req, err
	}
	if t.model == "" {
		return t, req, wrongUsage("encode: --model is missing")
	}
	// The body that whoever made the API takes, unless told whose.
	t.vendor = cmp.Or(t.vendor, usualVendor(t.api))
	data, err := readInput(file, c.in)
	if err != nil {
		return t, req, err
	}
	if req, err = request.Parse(data); err != nil {
		return t, req, badJSON("encode: "+file, err)
	}
	return t, req, nil
}

// describeNotice says what was left out. The field is not named twice.
func describeNotice(n events.NoticeInfo) string {
	detail := n.Detail
	if field, rest, ok := strings.Cut(detail, ": "); ok && strings.HasSuffix(rest, " "+field) {
		detail = rest
	}
	return string(n.Code) + ": " + detail
}

// A capture keeps the body of a request and sends nothing. It gives a good
// answer, so that the adapter says all that it has to say.
type capture struct {
	body   []byte
	answer tape
}

// RoundTrip reads the body and answers.
func (s *capture) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body == nil {
		return s.answer.response(req)
	}
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	s.body = body
	if err := req.Body.Close(); err != nil {
		return nil, err
	}
	return s.answer.response(req)
}

// print writes the body as it is, with a line end on a terminal only.
func (s *capture) print(c console) error {
	body := s.body
	if c.terminal {
		body = append(body, '\n')
	}
	_, err := c.out.Write(body)
	return err
}
