package wire

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"

	"github.com/weirsdk/weir/providers"
)

// location returns a Location as it is stored: as it was sent, without user info,
// fragment, chance and what may be a credential in its query; "" when it cannot be read.
func (k keeping) location(text string, scrub *providers.Scrubber) string {
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	if isLoopback(u.Hostname()) {
		u.Host = strings.TrimSuffix(u.Host, ":"+u.Port())
	}
	u.RawQuery = pair().ReplaceAllStringFunc(u.RawQuery, k.cleanPair)
	return scrub.ScrubWhole(u.String())
}

var pair = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^&;]+`) })

// cleanPair returns a parameter of a query, without a value that may be a credential.
func (k keeping) cleanPair(pair string) string {
	name, value, _ := strings.Cut(pair, "=")
	plainName, plainValue := unescaped(name), unescaped(value)
	switch {
	case k.inQuery(plainName):
		return pair
	case value == "" && looksLikeKey(plainName):
		return redacted
	case value != "" && (isCredentialParameter(plainName) || isSigning(plainName) || looksLikeKey(plainValue)):
		return name + "=" + redacted
	default:
		return pair
	}
}

// addLocation adds the credentials of a Location, which the body of a redirect may hold
// as well.
func (s *secrets) addLocation(text string) {
	if u, err := url.Parse(text); err == nil {
		s.addUser(u.User)
		s.addCredentials(queryOf(u.RawQuery))
	}
}

// locate returns a recorded Location as one that leads to a server: to the host that was
// asked, under the prefix that was asked.
func locate(location string, one *recording, r *http.Request) string {
	u, err := url.Parse(location)
	if err != nil {
		return location
	}
	if u.Host != "" {
		u.Host = r.Host
		if u.Scheme != "" {
			u.Scheme = schemeOf(r)
		}
	}
	prefix, under := strings.CutSuffix(r.URL.EscapedPath(), one.Request.Path)
	raw := prefix + u.EscapedPath()
	if plain, err := url.PathUnescape(raw); err == nil && under && strings.HasPrefix(u.Path, "/") {
		u.Path, u.RawPath = plain, raw
	}
	return u.String()
}

func schemeOf(r *http.Request) string {
	if r.TLS != nil {
		return "https"
	}
	return "http"
}
