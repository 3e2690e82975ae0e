package providers

import (
	"fmt"
	"io"
	"log/slog"
)

// A Secret is a credential that no printer prints: fmt with any verb, JSON, text
// marshalling and slog all give "[redacted]" (nothing at all when it is empty).
// Convert it to a string to use it: string(key).
//
// fmt cannot call methods of unexported fields, so a type that holds a Secret in
// one must hold it in a function instead, as the adapters of weir do.
type Secret string

const redacted = "[redacted]"

// String returns "[redacted]", or "" when there is none.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return redacted
}

// Format prints the same for every verb.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, s.String()) }

// GoString returns what String does.
func (s Secret) GoString() string { return s.String() }

// MarshalText returns what String does.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// LogValue returns what String does.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }
