package providers

import (
	"encoding/base64"
	"strings"
)

// spellings returns a secret plain and in base64. What escapes make of these is read
// by a view.
func spellings(secret string) []string {
	return append([]string{secret}, base64Spellings(secret)...)
}

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
