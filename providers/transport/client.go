package transport

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/weirsdk/weir/events"
)

// NewClient returns a copy of the user's client, or a new one for nil, that is
// fit for streams: without a Timeout, which would govern the reading of a body
// too and cut healthy streams, and refusing redirects unless the user set a
// policy, because a redirect would carry the request's credentials elsewhere.
// The round tripper is shared with the original, so connections are reused.
func NewClient(user *http.Client) *http.Client {
	var c http.Client
	if user != nil {
		c = *user
	}
	c.Timeout = 0
	if c.CheckRedirect == nil {
		c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	}
	return &c
}

// CheckEndpoint checks the base URL of a provider: http or https, with a host,
// without user info, query or fragment, and https when a key goes with it unless
// the host is loopback ("localhost" or a literal loopback address). A failure is
// of kind invalid_request and reason bad_config and does not repeat the URL.
func CheckEndpoint(provider, endpoint string, hasKey bool) error {
	u, err := url.Parse(endpoint)
	var what string
	switch {
	case err != nil:
		what = "endpoint is no URL"
	case u.Scheme != "http" && u.Scheme != "https":
		what = "endpoint is neither http nor https"
	case u.Host == "" || u.Hostname() == "":
		what = "endpoint has no host"
	case u.User != nil:
		what = "endpoint holds user info: put the credential into the configuration"
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		what = "endpoint holds a query or fragment"
	case hasKey && u.Scheme == "http" && !isLoopback(u.Hostname()):
		what = "a key is sent over plain http only to loopback, and " + u.Hostname() + " is not"
	default:
		return nil
	}
	return BadConfig(provider, what)
}

// BadConfig returns the failure of a configuration that cannot be used: of kind
// invalid_request and reason bad_config, with nothing sent.
func BadConfig(provider, what string) *events.Failure {
	f := events.NewFailure(events.InvalidRequest, events.ReasonBadConfig, what)
	f.Provider, f.Sent = provider, events.NotSent
	return f
}

// isLoopback reports whether host is "localhost" or a literal loopback address.
// Other spellings (127.1, LOCALHOST, names that resolve to loopback) are not.
func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Zone() == "" && addr.Unmap().IsLoopback()
}

// hostOf returns the host of a location header, for people; "" when there is none.
func hostOf(location string) string {
	u, err := url.Parse(location)
	if err != nil {
		return ""
	}
	host := u.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	return strings.ToLower(host)
}
