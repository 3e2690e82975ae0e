package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"

	"github.com/weirsdk/weir/providers"
)

// A keeping is what a user says of names: that they hold no credential.
type keeping struct {
	// names are of headers and query parameters.
	names []string
	// plain are the query parameters whose values stand in the recordings that
	// are played.
	plain []string
	// beside are secrets that are sent beside the request, to a proxy.
	beside []string
}

// has reports whether a name is one that the user gave, in any case of letters.
func (k keeping) has(name string) bool {
	return slices.ContainsFunc(k.names, func(one string) bool { return strings.EqualFold(one, name) })
}

func (k keeping) inRequest(name string) bool {
	return isKeptInRequest(name) || k.has(name) && !isAlwaysSecret(name)
}

func (k keeping) inResponse(name string) bool {
	return isKeptInResponse(name) || k.has(name) && !isAlwaysSecret(name)
}

func (k keeping) inQuery(name string) bool {
	return isKeptInQuery(name) || k.has(name) || slices.Contains(k.plain, name)
}

// isKeptInQuery lists the query parameters whose values are stored.
func isKeptInQuery(name string) bool {
	return slices.Contains([]string{"alt", "api-version", "beta", "version"}, name)
}

// isSigning reports whether a query parameter belongs to a signed address: of one
// request it is another each time.
func isSigning(name string) bool {
	name = strings.ToLower(name)
	return strings.HasPrefix(name, "x-amz-") || strings.HasPrefix(name, "x-goog-")
}

// queryOf returns the parameters of a query; of one that cannot be parsed all that
// can be told apart, for it was sent all the same.
func queryOf(raw string) url.Values {
	values, err := url.ParseQuery(raw)
	if err == nil {
		return values
	}
	values = url.Values{}
	for _, pair := range strings.FieldsFunc(raw, func(c rune) bool { return c == '&' || c == ';' }) {
		name, value, _ := strings.Cut(pair, "=")
		values.Add(unescaped(name), unescaped(value))
	}
	return values
}

// unescaped returns a part of a query in plain, or as it is when it cannot be read.
func unescaped(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}

// hidden returns the parameters that count and whose values are not stored.
func (k keeping) hidden(query url.Values) url.Values {
	hidden := url.Values{}
	for name, values := range query {
		if !k.inQuery(name) && !isCredentialParameter(name) && !isSigning(name) {
			hidden[name] = values
		}
	}
	return hidden
}

// addCredentials adds the credentials of a query.
func (s *secrets) addCredentials(query url.Values) {
	for name, values := range query {
		switch {
		case s.inQuery(name):
		case isCredentialParameter(name):
			for _, v := range values {
				s.add(v, shortestNamed)
			}
		case isSigning(name):
			s.addLikely(values...)
		}
	}
}

// addHidden adds what may be a secret of parameters that say nothing of it. One
// without a value may be one itself.
func (s *secrets) addHidden(hidden url.Values) {
	for name, values := range hidden {
		s.addLikely(values...)
		if slices.Contains(values, "") {
			s.addLikely(name)
		}
	}
}

// digest returns the SHA-256 of the hidden parameters as a query, names sorted, and
// "" of none. Credentials in them do not count.
func digest(hidden url.Values, scrub *providers.Scrubber) string {
	if len(hidden) == 0 {
		return ""
	}
	clean := url.Values{}
	for name, values := range hidden {
		for _, v := range values {
			clean.Add(scrub.ScrubWhole(name), scrub.ScrubWhole(v))
		}
	}
	sum := sha256.Sum256([]byte(clean.Encode()))
	return hex.EncodeToString(sum[:])
}

// stored returns a query as it is stored: of parameters that are not kept the name
// only.
func (k keeping) stored(query url.Values, scrub *providers.Scrubber) map[string][]string {
	stored := map[string][]string{}
	for name, values := range query {
		if !k.inQuery(name) {
			stored[scrub.ScrubWhole(name)] = []string{redacted}
			continue
		}
		for _, v := range values {
			stored[name] = append(stored[name], scrub.ScrubWhole(v))
		}
	}
	return stored
}

// plainNames returns the parameters of a stored query whose values stand in it.
func (q question) plainNames() []string {
	var names []string
	for name, values := range q.Query {
		if !slices.Equal(values, []string{redacted}) {
			names = append(names, name)
		}
	}
	return names
}
