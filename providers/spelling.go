package providers

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"regexp"
	"strings"
	"sync"
)

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
		if len(text) >= shortestCut {
			all = append(all, text, strings.NewReplacer("+", "-", "/", "_").Replace(text))
		}
	}
	return all
}
