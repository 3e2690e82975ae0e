package wire

import (
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/replay/internal/tape"
)

const (
	redacted = "[redacted]"
	// The fewest bytes of a secret: one whose name says so, and one that stands
	// beside or inside such a one.
	shortestNamed = 4
	shortest      = 8
)

// gather returns a scrubber of the secrets of a request, its query apart.
func (k keeping) gather(r *http.Request, body []byte, named []providers.Secret) *providers.Scrubber {
	s := new(providers.Scrubber)
	for _, secret := range named {
		addSecret(s, string(secret), shortestNamed)
	}
	for name, values := range r.Header {
		for _, v := range values {
			k.addHeader(s, http.CanonicalHeaderKey(name), v)
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

// addHeader adds what a header that is not listed holds.
func (k keeping) addHeader(s *providers.Scrubber, name, value string) {
	switch {
	case k.inRequest(name) || isHarmless(name):
		return
	case name == "Cookie":
		for _, pair := range strings.Split(value, ";") {
			_, v, _ := strings.Cut(pair, "=")
			addSecret(s, strings.Trim(v, ` "`), shortestNamed)
		}
	case isCredentialName(name):
		addCredential(s, value)
	default:
		addLikely(s, value)
	}
}

// addCredential adds what a header of that name holds.
func addCredential(s *providers.Scrubber, value string) {
	const n = shortestNamed
	addSecret(s, value, n)
	scheme, rest, found := strings.Cut(strings.TrimSpace(value), " ")
	if !found {
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
