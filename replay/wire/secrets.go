package wire

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/weirsdk/weir/providers"
)

const (
	redacted = "[redacted]"
	// The fewest bytes of a secret: one whose name says so, and one that stands
	// beside or inside such a one.
	shortestNamed = 4
	shortest      = 8
)

// secrets are what is kept off the disk of one exchange.
type secrets struct {
	keeping
	// sure are those that say what they are. They are no part of what is asked.
	sure *providers.Scrubber
	// all are these and those that only look like it.
	all *providers.Scrubber
	// unsure is there when all has more than sure.
	unsure bool
}

// gather returns the secrets of a request, its query apart.
func (k keeping) gather(r *http.Request, body []byte, named []providers.Secret) *secrets {
	s := &secrets{keeping: k, sure: new(providers.Scrubber), all: new(providers.Scrubber)}
	for _, secret := range named {
		s.add(string(secret), shortestNamed)
	}
	header := canonical(r.Header)
	for name, values := range header {
		for _, v := range values {
			s.addHeader(name, v)
		}
	}
	s.addUser(r.URL.User)
	for _, secret := range k.beside {
		s.addUnsure(secret)
	}
	s.addBody(header.Get("Content-Type"), body)
	return s
}

// addUser adds user info; nil has none.
func (s *secrets) addUser(user *url.Userinfo) {
	password, _ := user.Password()
	s.add(user.Username(), shortestNamed)
	s.add(password, shortestNamed)
}

// addHeader adds what a header that is not listed holds.
func (s *secrets) addHeader(name, value string) {
	switch {
	case s.inRequest(name) || isHarmless(name):
		return
	case name == "Cookie":
		for _, pair := range strings.Split(value, ";") {
			before, v, found := strings.Cut(pair, "=")
			if !found {
				v = before
			}
			s.add(strings.Trim(v, ` "`), shortestNamed)
		}
	case isCredentialName(name) || hasScheme(value):
		s.addCredential(value)
	default:
		s.addOther(value)
	}
}

// hasScheme reports whether a value begins with a scheme of authentication.
func hasScheme(value string) bool {
	words := strings.Fields(value)
	return len(words) > 1 && slices.ContainsFunc([]string{"basic", "bearer", "digest", "token"},
		func(scheme string) bool { return strings.EqualFold(words[0], scheme) })
}

// addCredential adds what a header of that name holds: all of it, what stands behind
// a scheme, the parts of a list, the parameters of a signature (AWS4-HMAC-SHA256,
// Digest), and what stands between dots and looks like a key.
func (s *secrets) addCredential(value string) {
	value = strings.TrimSpace(value)
	s.add(value, shortestNamed)
	for part := range strings.SplitSeq(value, ",") {
		words := strings.Fields(part)
		if len(words) > 1 {
			s.add(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(part), words[0])), shortestNamed)
			if strings.EqualFold(words[0], "basic") {
				s.addPair(words[1])
			}
			words = words[1:]
		}
		for _, word := range words {
			s.addPart(word)
		}
	}
}

func (s *secrets) addPart(word string) {
	name, v, found := strings.Cut(word, "=")
	if found && strings.Trim(v, "=") != "" {
		s.add(strings.Trim(v, ` "`), shortest)
	} else if len(name) >= shortest {
		s.add(strings.Trim(word, ` "`), shortest)
	}
	for _, piece := range pieces(word) {
		if looksLikeKey(piece) {
			s.add(piece, shortest)
		}
	}
}

// pieces returns what stands between the marks of a word that may join a name and a
// key.
func pieces(word string) []string {
	return strings.FieldsFunc(word, func(r rune) bool { return strings.ContainsRune(`.=:;/"`, r) })
}

// addPair adds the user and the password of basic authentication.
func (s *secrets) addPair(encoded string) {
	encoded = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(encoded, "="))
	pair, err := base64.RawStdEncoding.DecodeString(encoded)
	if err != nil {
		return
	}
	user, password, _ := strings.Cut(string(pair), ":")
	s.add(user, shortestNamed)
	s.add(password, shortestNamed)
}

// addOther adds what looks like a key in a header whose name does not say so, and
// what stands behind the name of a credential there.
func (s *secrets) addOther(value string) {
	s.addLikely(value)
	s.addAddresses(value)
	for _, word := range strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(", \t;", r) }) {
		s.addLikely(word)
		if i := strings.IndexAny(word, ".=:"); i > 0 && isCredentialName(word[:i]) && looksLikeKey(word[i+1:]) {
			s.add(word[i+1:], shortest)
		}
	}
}

// add adds a secret of at least n bytes.
func (s *secrets) add(secret string, n int) {
	addSecret(s.sure, secret, n)
	addSecret(s.all, secret, n)
}

// addLikely adds what looks like a key.
func (s *secrets) addLikely(values ...string) {
	for _, v := range values {
		if looksLikeKey(v) {
			s.addUnsure(v)
		}
	}
}

func (s *secrets) addUnsure(secret string) {
	addSecret(s.all, secret, shortestNamed)
	s.unsure = true
}

// addSecret adds a secret of at least n bytes.
func addSecret(s *providers.Scrubber, secret string, n int) {
	// A word of the mark itself would be replaced again at each reading.
	if len(secret) < n || strings.Contains(redacted, secret) {
		return
	}
	s.Add(secret)
}
