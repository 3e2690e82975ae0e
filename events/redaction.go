package events

import (
	"regexp"
	"strings"
	"sync"
)

// redacted replaces a credential.
const redacted = "[redacted]"

// Redact returns s with each of the secrets replaced by "[redacted]". Secrets
// shorter than four bytes are left alone: they would tear ordinary words.
func Redact(s string, secrets ...string) string {
	for _, secret := range secrets {
		if len(secret) >= 4 {
			s = strings.ReplaceAll(s, secret, redacted)
		}
	}
	return s
}

// redactShapes replaces what looks like a credential. It goes over the text until
// nothing changes, because what follows a replaced key begins a word of its own.
func redactShapes(s string) string {
	for {
		clean := redactKeys(redactNamed(s))
		if clean == s {
			return s
		}
		s = clean
	}
}

// The expressions cost far more than a search for the words that they need, and
// most texts have none of those.

func redactNamed(s string) string {
	if !containsAny(strings.ToLower(s), "password", "passwd", "secret", "authorization", "api-key", "api_key", "api key", "apikey",
		"access", "refresh", "bearer", "key=", "token=", "sig=", "signature=") {
		return s
	}
	s = certainSecret().ReplaceAllStringFunc(s, func(m string) string {
		return redactValue(certainSecret(), m, nil)
	})
	return likelySecret().ReplaceAllStringFunc(s, func(m string) string {
		return redactValue(likelySecret(), m, isWord)
	})
}

func redactKeys(s string) string {
	if !containsAny(s, "sk-", "sk_", "pk-", "pk_", "rk-", "rk_", "xai-", "xai_", "hf-", "hf_", "r8-", "r8_", "api-", "api_",
		"plx-", "plx_", "csk-", "csk_", "fw-", "fw_", "tgp-", "tgp_", "ghp", "gho", "ghs", "github", "glpat", "AIza", "ya29", "AKIA", "ASIA", "eyJ") {
		return s
	}
	return keyShape().ReplaceAllStringFunc(s, func(m string) string {
		if isName(m) {
			return m
		}
		return redacted
	})
}

func containsAny(s string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// redactValue replaces the second group of re in its match m, unless spare says
// that it is harmless.
func redactValue(re *regexp.Regexp, m string, spare func(string) bool) string {
	at := re.FindStringSubmatchIndex(m)
	value := m[at[4]:at[5]]
	if strings.HasPrefix(redacted[1:], value) || spare != nil && spare(value) {
		return m
	}
	return m[:at[4]] + redacted + m[at[5]:]
}

// maxWord is the longest run of letters that is taken for a word.
const maxWord = 16

// isWord reports whether s is an ordinary word, perhaps with a capital or
// punctuation: "Bearer token", "API key: missing.". A key of that shape would be
// a poor one.
func isWord(s string) bool {
	s = strings.TrimRight(s, ".,:;!?)")
	for i := range len(s) {
		lower := s[i] >= 'a' && s[i] <= 'z'
		upper := s[i] >= 'A' && s[i] <= 'Z'
		if !lower && (!upper || i > 0) {
			return false
		}
	}
	return len(s) <= maxWord
}

// isName reports whether s only begins like a key: names of models, columns and
// repositories do (xai-grok-beta, hf-internal-testing). Everything after sk- is
// a key.
func isName(s string) bool {
	return !strings.HasPrefix(s, "sk") && len(s) < 2*maxWord && !strings.ContainsAny(s, "*0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")
}

// The names of credentials, and what stands between a name and its value: quotes,
// a scheme, the bracket of a printed http.Header.
const (
	secretNames = `(?:password|passwd|client[-_]?secret|secret)`
	keyNames    = `(?:proxy-authorization|authorization|(?:x-)?api[-_ ]?key|x-goog-api-key|access[-_]?token|refresh[-_]?token)`
	lead        = `\s*\[?["']?(?:(?:bearer|basic)\s+)?\[?`
	secretValue = `([^\s"'&,;}\]\[][^\s"'&,;}\]]{3,})`
)

var (
	// keyShape matches tokens that by their prefix are keys of providers and
	// clouds: OpenAI and OpenRouter sk-, Anthropic sk-ant-, Groq gsk_, xAI xai-,
	// Google AIza and ya29., Hugging Face hf_, AWS AKIA and ASIA, GitHub ghp_
	// and the like, JSON web tokens.
	keyShape = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(?:(?:sk|pk|rk|gsk|xai|hf|r8|nvapi|pplx|csk|fw|tgp|ghp|gho|ghs|github_pat|glpat|dapi)[-_][A-Za-z0-9_\-*.]{6,}` +
			`|AIza[A-Za-z0-9_\-]{10,}|ya29\.[A-Za-z0-9_\-.]{6,}|(?:AKIA|ASIA)[A-Z0-9]{12,}` +
			`|eyJ[A-Za-z0-9_\-]{6,}\.[A-Za-z0-9_\-]{6,}(?:\.[A-Za-z0-9_\-]*)?)`)
	})
	// certainSecret matches a value that is assigned to the name of a credential.
	certainSecret = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(\b` + secretNames + `["']?\s*[:=]` + lead +
			`|\b` + keyNames + `["']?\s*(?:=|:\s*["'])` + lead +
			`|[?&](?:key|token|sig|signature|api[-_]?key|access_token)=)` + secretValue)
	})
	// likelySecret matches what follows the name of a credential in prose or in a
	// header, where it may be an ordinary word.
	likelySecret = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(\b` + keyNames + `["']?\s*:` + lead + `|\bbearer\s+\[?)` + secretValue)
	})
)
