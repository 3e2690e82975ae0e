package canned

import (
	"errors"
	"net/http"
	"sync"
)

// A Script is an http.RoundTripper that gives one request after the other its own
// answer. Set Answers before the first request; it is safe for concurrent use.
type Script struct {
	Answers []*Transport

	mu   sync.Mutex
	sent []string
}

// RoundTrip gives the next answer, and refuses a request for which none is left.
func (s *Script) RoundTrip(req *http.Request) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.sent) == len(s.Answers) {
		return nil, errors.New("no answer is left")
	}
	next := s.Answers[len(s.sent)]
	resp, err := next.RoundTrip(req)
	sent := next.Requests()
	s.sent = append(s.sent, string(sent[len(sent)-1].Body))
	return resp, err
}

// Sent returns the bodies of the requests so far.
func (s *Script) Sent() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.sent...)
}
