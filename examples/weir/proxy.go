package main

import (
	"encoding/json"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"time"
)

// A proxy forwards what it is asked to one upstream, by a round tripper that
// records. Of itself it changes the address only: credentials go along, redirects
// and errors come back, and each piece of an answer is flushed as it comes.
type proxy struct {
	upstream *url.URL
	rt       http.RoundTripper
	console  console
}

func (p proxy) handler() http.Handler {
	return &httputil.ReverseProxy{
		Rewrite:       p.rewrite,
		Transport:     p.rt,
		FlushInterval: -1, // at once
		ErrorLog:      p.console.log("record"),
		ErrorHandler:  p.refuse,
	}
}

func (p proxy) rewrite(r *httputil.ProxyRequest) {
	r.SetURL(p.upstream)
	header := r.Out.Header
	// The body was awaited here; upstream it goes at once.
	header.Del("Expect")
	if header.Values("Accept-Encoding") != nil {
		header.Set("Accept-Encoding", readable(header.Values("Accept-Encoding")))
	}
}

// readable returns those of the accepted encodings that a recorder can search for
// credentials: a body in another one is not stored. None is added, so the client
// gets nothing that it did not ask for.
func readable(accepted []string) string {
	var kept []string
	for _, part := range strings.Split(strings.Join(accepted, ","), ",") {
		name, _, _ := strings.Cut(part, ";")
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "gzip", "x-gzip", "deflate", "identity":
			kept = append(kept, strings.TrimSpace(part))
		}
	}
	if kept == nil {
		return "identity"
	}
	return strings.Join(kept, ", ")
}

// refuse answers for an upstream that did not.
func (p proxy) refuse(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		panic(http.ErrAbortHandler) // the client has left, or has to
	}
	what := "the upstream gave no answer: " + err.Error()
	p.console.say("record: " + what)
	var answer struct {
		Error struct {
			Message string `json:"message"`
			Type    string `json:"type"`
		} `json:"error"`
	}
	answer.Error.Message, answer.Error.Type = what, "upstream_failed"
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadGateway)
	_ = json.NewEncoder(w).Encode(answer)
}

// newUpstream returns the transport of live calls. It asks for no encoding of its
// own, so that what is recorded is what was asked for.
func newUpstream() *http.Transport {
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout: 10 * time.Second,
		IdleConnTimeout:     90 * time.Second,
		ForceAttemptHTTP2:   true,
		DisableCompression:  true,
	}
}
