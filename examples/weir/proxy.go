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
// and errors come back, and each piece of an answer is flushed as it comes. A tunnel
// could not be recorded, so none is made.
type proxy struct {
	upstream *url.URL
	rt       http.RoundTripper
	console  console
}

func (p proxy) handler() http.Handler {
	forward := &httputil.ReverseProxy{
		Rewrite:       p.rewrite,
		Transport:     p.rt,
		FlushInterval: -1, // at once
		ErrorLog:      p.console.log("record"),
		ErrorHandler:  p.refuse,
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodConnect {
			p.refuseTunnel(w)
			return
		}
		forward.ServeHTTP(w, r)
	})
}

func (p proxy) rewrite(r *httputil.ProxyRequest) {
	r.SetURL(p.upstream)
	r.Out.URL.RawQuery = r.In.URL.RawQuery // without what Go cannot parse of it, until here
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
	p.sayAndAnswer(w, http.StatusBadGateway, "upstream_failed", "the upstream gave no answer: "+err.Error())
}

// refuseTunnel answers a client that takes this for an HTTP proxy.
func (p proxy) refuseTunnel(w http.ResponseWriter) {
	w.Header().Set("Allow", "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT")
	p.sayAndAnswer(w, http.StatusMethodNotAllowed, "no_tunnel",
		"a tunnel cannot be recorded: give this address to the client as the base URL of "+p.upstream.Host+", not as an HTTP proxy")
}

// sayAndAnswer tells what is wrong here and there.
func (p proxy) sayAndAnswer(w http.ResponseWriter, status int, kind, what string) {
	p.console.say("record: " + what)
	var answer struct {
		Error struct {
			Message string `json:"message"`
			Type    string `json:"type"`
		} `json:"error"`
	}
	answer.Error.Message, answer.Error.Type = what, kind
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
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
