package wire

import (
	"cmp"
	"encoding/base64"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/replay/internal/tape"
)

// shortKey is how many digits of the key are in file names and messages.
const shortKey = tape.ShortSum

// A question is a request as it is stored: without secrets.
type question struct {
	Method string              `json:"method"`
	Host   string              `json:"host,omitempty"`
	Path   string              `json:"path"`
	Query  map[string][]string `json:"query,omitempty"`
	// QueryDigest is of the parameters that count and whose values are not stored.
	QueryDigest string      `json:"query_digest,omitempty"`
	Header      http.Header `json:"header,omitempty"`
	// One of these holds the body, none an empty one.
	Body   any    `json:"body,omitempty"`
	Text   string `json:"text,omitempty"`
	Base64 string `json:"base64,omitempty"`
	// Asked is the key of the request as it was asked, when more was replaced in it
	// than what is surely a credential. It takes the place of one of the above.
	Asked string `json:"asked,omitempty"`

	// certain is that request, and place the path of the one that is stored.
	certain *question
	place   string
}

// ask returns what is stored of a request with the body, and what scrubs its secrets.
// Those named come on top of those that it holds.
func (k keeping) ask(r *http.Request, body []byte, named []providers.Secret) (question, *providers.Scrubber) {
	query := queryOf(r.URL.RawQuery)
	hidden := k.hidden(query)
	body, _ = storable(r.Header, body)
	s := k.gather(r, body, named)
	s.addCredentials(query)
	sum := digest(hidden, s.sure)
	s.addHidden(hidden)
	q := s.question(r, body, s.all)
	q.QueryDigest = sum
	if s.unsure {
		certain := s.question(r, body, s.sure)
		certain.QueryDigest = sum
		if !reflect.DeepEqual(certain, q) {
			q.certain = &certain
			q.place = q.Path
		}
	}
	return q, s.all
}

// question returns a request without the secrets that scrub knows.
func (s *secrets) question(r *http.Request, body []byte, scrub *providers.Scrubber) question {
	q := question{
		Method: cmp.Or(r.Method, http.MethodGet),
		Host:   scrub.ScrubWhole(storedHost(r)),
		Path:   scrub.ScrubWhole(r.URL.EscapedPath()),
		Query:  s.stored(queryOf(r.URL.RawQuery), scrub),
		Header: keep(r.Header, s.inRequest, scrub),
	}
	q.setBody(body, s, scrub)
	return q
}

func (q *question) setBody(body []byte, s *secrets, scrub *providers.Scrubber) {
	switch value, err := tape.Decode(withoutMark(body)); {
	case len(body) == 0:
	case !utf8.Valid(body):
		q.Base64 = base64.StdEncoding.EncodeToString([]byte(scrub.ScrubWhole(string(body))))
	case err != nil || value == nil:
		q.Text = scrub.ScrubWhole(s.cleanLines(string(body)))
	default:
		value, _ = s.clean(value)
		q.Body = scrubbed(value, scrub)
	}
}

// scrubbed returns a JSON value without secrets.
func scrubbed(value any, scrub *providers.Scrubber) any {
	switch v := value.(type) {
	case map[string]any:
		clean := make(map[string]any, len(v))
		for name, e := range v {
			clean[scrub.ScrubWhole(name)] = scrubbed(e, scrub)
		}
		return clean
	case []any:
		clean := make([]any, len(v))
		for i, e := range v {
			clean[i] = scrubbed(e, scrub)
		}
		return clean
	case string:
		return scrub.ScrubWhole(v)
	case interface{ String() string }: // json.Number
		if text := v.String(); scrub.ScrubWhole(text) != text {
			return redacted
		}
		return v
	default:
		return v
	}
}

// storedHost returns the host, for people. A port of loopback is chance.
func storedHost(r *http.Request) string {
	host := r.URL.Host
	if host == "" {
		host = r.Host
	}
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		return host
	}
	if isLoopback(name) {
		return name
	}
	return host
}

func isLoopback(name string) bool {
	addr, err := netip.ParseAddr(name)
	return name == "localhost" || err == nil && addr.IsLoopback()
}

// outline returns what the key is made of, but the body. Parameters whose values
// were replaced are not in it, but for their digest.
func (q question) outline() map[string]any {
	query := map[string]any{}
	for _, name := range q.plainNames() {
		query[name] = listOf(q.Query[name])
	}
	outline := map[string]any{"method": q.Method, "path": q.Path, "query": query}
	if q.QueryDigest != "" {
		outline["query_digest"] = q.QueryDigest
	}
	return outline
}

// sketch returns the outline and the names of what the digest is of, which tell more
// than that does.
func (q question) sketch() map[string]any {
	outline := q.outline()
	if query, ok := outline["query"].(map[string]any); ok {
		for name := range (keeping{plain: q.plainNames()}).hidden(q.Query) {
			query[name] = listOf(q.Query[name])
		}
	}
	return outline
}

func listOf(values []string) []any {
	list := make([]any, len(values))
	for i, v := range values {
		list[i] = v
	}
	return list
}

// content returns the body as the key is made of it.
func (q question) content() map[string]any {
	switch {
	case q.Body != nil:
		return map[string]any{"body": q.Body}
	case q.Text != "":
		return map[string]any{"text": q.Text}
	case q.Base64 != "":
		return map[string]any{"base64": q.Base64}
	default:
		return map[string]any{}
	}
}

// key returns the key of the question. What only looks like a credential counts.
func (q question) key() (string, error) {
	switch {
	case q.Asked != "":
		return q.Asked, nil
	case q.certain != nil:
		certain := *q.certain
		if q.Path != q.place {
			certain.Path = q.Path
		}
		return certain.key()
	}
	whole := q.outline()
	maps.Copy(whole, q.content())
	return tape.Sum(whole)
}

const maxSlug = 40

// slug returns the last words of the path, for file names.
func (q question) slug() string {
	var words []string
	for _, segment := range strings.Split(q.Path, "/") {
		word := strings.Trim(strings.Map(slugRune, strings.ToLower(segment)), "-")
		if word != "" && !isVersion(word) {
			words = append(words, word)
		}
	}
	text := strings.Join(words[max(0, len(words)-2):], "-")
	text = strings.Trim(text[max(0, len(text)-maxSlug):], "-")
	if text == "" {
		return "request"
	}
	return text
}

func slugRune(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
		return r
	}
	return '-'
}

// isVersion reports whether a segment is v1 or the like.
func isVersion(word string) bool {
	return len(word) > 1 && word[0] == 'v' && word[1] >= '0' && word[1] <= '9'
}

// base returns the beginning of the names of a question's files.
func (q question) base(key string) string { return q.slug() + "-" + key[:shortKey] }
