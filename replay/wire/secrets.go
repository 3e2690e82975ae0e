package wire

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"

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

// addSecret adds a secret of at least n bytes in every spelling in which it may be
// echoed.
func addSecret(s *providers.Scrubber, secret string, n int) {
	// A word of the mark itself would be replaced again at each reading.
	if len(secret) < n || strings.Contains(redacted, secret) {
		return
	}
	s.Add(spellings(secret)...)
}

// spellings returns a secret plain, escaped for JSON and for URLs, and in base64.
func spellings(secret string) []string {
	query, path := url.QueryEscape(secret), url.PathEscape(secret)
	all := []string{secret, query, path, lowerHex(query), lowerHex(path)}
	for _, html := range []bool{true, false} {
		quoted := quote(secret, html)
		all = append(all, quoted, strings.ReplaceAll(quoted, "/", `\/`))
	}
	return append(all, base64Spellings(secret)...)
}

// quote returns the inside of a JSON string.
func quote(text string, html bool) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(html)
	_ = e.Encode(text) // a string always has a JSON text
	return strings.TrimSuffix(strings.TrimPrefix(b.String(), `"`), "\"\n")
}

func lowerHex(escaped string) string { return percent().ReplaceAllStringFunc(escaped, strings.ToLower) }

var percent = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`%[0-9A-F]{2}`) })

// base64Spellings returns the secret's base64, and those of its characters that
// are the same whatever stands before and behind it in a larger text.
func base64Spellings(secret string) []string {
	all := []string{base64.RawStdEncoding.EncodeToString([]byte(secret)), base64.RawURLEncoding.EncodeToString([]byte(secret))}
	for before := range 3 {
		text := base64.RawStdEncoding.EncodeToString(append(make([]byte, before), secret...))
		// Six bits a character: one byte before spoils two of them, two spoil three,
		// and a last one with bits to spare depends on what follows.
		if before > 0 {
			text = text[before+1:]
		}
		if (before+len(secret))%3 != 0 {
			text = text[:len(text)-1]
		}
		if len(text) >= shortest {
			all = append(all, text, strings.NewReplacer("+", "-", "/", "_").Replace(text))
		}
	}
	return all
}
