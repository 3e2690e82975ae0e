package wire

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"mime/multipart"
	"regexp"
	"strings"
	"sync"

	"github.com/weirsdk/weir/replay/internal/tape"
)

// addBody adds what a body holds under the names of credentials: one JSON value, one a
// line as in NDJSON and server-sent events, a form, or a form of several parts.
func (s *secrets) addBody(contentType string, body []byte) {
	body = withoutMark(body)
	kind, parameters, _ := mime.ParseMediaType(contentType)
	value, err := tape.Decode(body)
	switch {
	case err == nil:
		s.addValue(value)
	case strings.HasPrefix(kind, "multipart/") || bytes.HasPrefix(body, []byte("--")):
		s.addParts(parameters["boundary"], body)
	case isForm().Match(body):
		s.addForm(string(body))
	default:
		for line := range bytes.Lines(body) {
			if value, ok := valueOf(string(line)); ok {
				s.addValue(value)
			}
		}
	}
}

// withoutMark returns a text without the mark of the order of its bytes, which some
// put before JSON.
func withoutMark(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")) }

var isForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9_.\-%\[\]+]+=[^&\s]*(&[A-Za-z0-9_.\-%\[\]+]+=[^&\s]*)*\s*$`)
})

func (s *secrets) addForm(text string) {
	for name, values := range queryOf(strings.TrimSpace(text)) {
		for _, v := range values {
			s.addField(name, v)
		}
	}
}

// addField adds the field of a form.
func (s *secrets) addField(name, value string) {
	if isCredentialParameter(name) || isCredentialField(name) {
		s.add(value, shortestNamed)
		return
	}
	s.addMember(name, value)
}

// addParts adds the parts of a body (RFC 2046, 5.1). Without its boundary the first
// line is one.
func (s *secrets) addParts(boundary string, body []byte) {
	if boundary == "" {
		line, _, _ := bytes.Cut(body, []byte("\n"))
		boundary = strings.TrimSpace(strings.TrimPrefix(string(line), "--"))
	}
	r := multipart.NewReader(bytes.NewReader(body), boundary)
	for {
		part, err := r.NextRawPart()
		if err != nil {
			return
		}
		content, _ := io.ReadAll(part) // what there is of one that was cut
		if name := part.FormName(); name != "" {
			s.addField(name, strings.TrimSpace(string(content)))
		}
		s.addBody(part.Header.Get("Content-Type"), content)
	}
}

// valueOf returns the object or the list that a line of a stream or a string of JSON
// is, if a credential may be in it.
func valueOf(text string) (value any, ok bool) {
	text = strings.TrimSpace(text)
	if rest, found := strings.CutPrefix(text, "data:"); found {
		text = strings.TrimSpace(rest)
	}
	if text == "" || text[0] != '{' && text[0] != '[' || !mayHold(text) {
		return nil, false
	}
	value, err := tape.Decode([]byte(text))
	return value, err == nil
}

// mayHold reports whether a text may have the name of a credential in it: to read all
// JSON takes longer.
func mayHold(text string) bool {
	text = strings.ToLower(text)
	for _, word := range []string{
		"key", "token", "secret", "pass", "pw", "auth", "cred", "cookie", "headers", "jwt", "assertion",
		"connection", "://", `\u`,
	} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// cleanLines returns a text whose lines of JSON hold no credentials.
func (s *secrets) cleanLines(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(s.cleanLine(line))
	}
	return b.String()
}

func (s *secrets) cleanLine(line string) string {
	value, ok := valueOf(line)
	if !ok {
		return line
	}
	clean, changed := s.clean(value)
	text, err := plainJSON(clean)
	if !changed || err != nil {
		return line
	}
	at := strings.IndexAny(line, "{[")
	return line[:at] + text + line[len(strings.TrimRight(line, " \t\r\n")):]
}

// plainJSON returns the JSON of a value without escapes for HTML.
func plainJSON(value any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return strings.TrimSuffix(b.String(), "\n"), err
}
