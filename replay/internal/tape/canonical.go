package tape

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
)

var errTrailing = errors.New("text follows the JSON value")

// Decode returns the value of one JSON text. Number literals are kept
// (json.Number), so that no digit is lost; of duplicate keys the last wins. Text
// after the value is an error.
func Decode(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
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
