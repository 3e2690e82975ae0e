package wire

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/replay/internal/tape"
)

const (
	redacted = "[redacted]"
	// The fewest bytes of a secret: one whose name says so, and any other.
	shortestNamed = 4
	shortest      = 8
)

// gather returns a scrubber of every secret of a request.
func gather(r *http.Request, body []byte, named []providers.Secret) *providers.Scrubber {
	s := new(providers.Scrubber)
	for _, secret := range named {
		addSecret(s, string(secret), shortestNamed)
	}
	for name, values := range r.Header {
		for _, v := range values {
			addHeader(s, http.CanonicalHeaderKey(name), v)
		}
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		// What cannot be parsed was sent all the same.
		for _, piece := range strings.FieldsFunc(r.URL.RawQuery, func(c rune) bool { return strings.ContainsRune("&;=", c) }) {
			addSecret(s, piece, shortest)
		}
	}
	for name, values := range query {
		if isKeptInQuery(name) {
			continue
		}
		for _, v := range values {
			addSecret(s, v, least(name))
			if v == "" {
				addSecret(s, name, shortest)
			}
		}
	}
	if u := r.URL.User; u != nil {
		password, _ := u.Password()
		addSecret(s, u.Username(), shortestNamed)
		addSecret(s, password, shortestNamed)
	}
	addFields(s, body)
	return s
}

// least returns the fewest bytes of a secret with the name.
func least(name string) int {
	if isCredentialName(name) {
		return shortestNamed
	}
	return shortest
}

// addHeader adds what a header that is not listed holds.
func addHeader(s *providers.Scrubber, name, value string) {
	if isKeptInRequest(name) || isHarmless(name) {
		return
	}
	n := least(name)
	if name == "Cookie" {
		for _, pair := range strings.Split(value, ";") {
			_, v, _ := strings.Cut(pair, "=")
			addSecret(s, strings.Trim(v, ` "`), n)
		}
		return
	}
	addSecret(s, value, n)
	scheme, rest, found := strings.Cut(strings.TrimSpace(value), " ")
	if !found || !isCredentialName(name) {
		return
	}
	addSecret(s, strings.TrimSpace(rest), n)
	if strings.EqualFold(scheme, "basic") {
		pair, _ := base64.StdEncoding.DecodeString(strings.TrimSpace(rest))
		user, password, _ := strings.Cut(string(pair), ":")
		addSecret(s, user, n)
		addSecret(s, password, n)
	}
	// The parameters of a signature (AWS4-HMAC-SHA256, Digest).
	for _, part := range strings.Split(rest, ",") {
		if _, v, ok := strings.Cut(part, "="); ok {
			addSecret(s, strings.Trim(v, ` "`), shortest)
		}
	}
}

// addFields adds what a JSON body holds under the name of a credential.
func addFields(s *providers.Scrubber, body []byte) {
	value, err := tape.Decode(body)
	if err != nil {
		return
	}
	var walk func(any)
	walk = func(value any) {
		switch v := value.(type) {
		case map[string]any:
			for name, e := range v {
				if text, ok := e.(string); ok && isCredentialField(name) {
					addSecret(s, text, shortest)
					if _, rest, found := strings.Cut(text, " "); found {
						addSecret(s, rest, shortest)
					}
				}
				walk(e)
			}
		case []any:
			for _, e := range v {
				walk(e)
			}
		}
	}
	walk(value)
}

// addSecret adds a secret of at least n bytes.
func addSecret(s *providers.Scrubber, secret string, n int) {
	// A word of the mark itself would be replaced again at each reading.
	if len(secret) < n || strings.Contains(redacted, secret) {
		return
	}
	s.Add(secret)
}
