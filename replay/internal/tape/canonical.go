package tape

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"strings"
	"sync"
)

var errTrailing = errors.New("text follows the JSON value")

// Decode returns the value of one JSON text. Number literals are kept
// (json.Number), so that no digit is lost; of duplicate keys the last wins. Half of a
// surrogate pair, which is no character, becomes U+FFFD followed by its four digits:
// \uD800 is "\ufffdd800". Text after the value is an error.
func Decode(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(markHalves(text)))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errTrailing
	}
	return value, nil
}

// markHalves marks the halves of surrogate pairs: encoding/json makes the same U+FFFD
// of each of them, and texts that differ would be the same.
func markHalves(text []byte) []byte {
	if !bytes.Contains(text, []byte(`\ud`)) && !bytes.Contains(text, []byte(`\uD`)) {
		return text
	}
	return escape().ReplaceAllFunc(text, func(found []byte) []byte {
		digits, isUnit := strings.CutPrefix(string(found), `\u`)
		if !isUnit || len(digits) != 4 {
			return found
		}
		return []byte(`\ufffd` + strings.ToLower(digits))
	})
}

// escape matches a surrogate pair whole, else half of one, else the beginning of any
// other escape, so that the backslash of \\ud800 begins none.
var escape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\\(?:u[dD][89abAB][[:xdigit:]]{2}\\u[dD][c-fC-F][[:xdigit:]]{2}|u[dD][89a-fA-F][[:xdigit:]]{2}|.)`)
})

// Sum returns the lowercase hexadecimal SHA-256 of the canonical JSON of value:
// keys sorted, no white space, Go's HTML escapes, number literals as they were
// decoded. It fails for values that are no JSON (functions, channels, NaN).
func Sum(value map[string]any) (string, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}
