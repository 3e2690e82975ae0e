package events

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

const (
	// MaxDetail is the most bytes that a detail keeps.
	MaxDetail = 1 << 10
	maxCode   = 256
)

// CleanDetail returns text fit for a failure's detail: at most [MaxDetail]
// bytes, valid UTF-8, one line, without control characters or terminal escapes,
// with everything that looks like a credential replaced by "[redacted]". It is
// idempotent.
func CleanDetail(text string) string { return cleanText(text, MaxDetail) }

func cleanText(s string, most int) string {
	// Cut first so that a large body is not scanned whole; twice the bound
	// leaves room for what cleaning removes.
	s = CutText(s, 2*most)
	if !plain(s) {
		s = printable(s)
	}
	s = redactPatterns(s)
	if len(s) > most {
		s = CutText(s, most-len("...")) + "..."
	}
	return s
}

// plain reports whether s is printable ASCII that starts and ends without space.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return strings.TrimSpace(s) == s
}

// printable makes s one line of valid text without control characters.
func printable(s string) string {
	s = ansiEscape().ReplaceAllString(s, "")
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			return ' '
		case r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0x2028 || r == 0x2029:
			return -1
		default:
			return r
		}
	}, s)
	return strings.TrimSpace(s)
}

// CutText returns at most the first n bytes of s, cut where a rune begins.
func CutText(s string, n int) string {
	if n < 0 {
		n = 0
	}
	if len(s) <= n {
		return s
	}
	for back := 0; back < utf8.UTFMax && n > 0 && !utf8.RuneStart(s[n]); back++ {
		n--
	}
	return s[:n]
}

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

func redactPatterns(s string) string {
	if len(s) < 8 {
		return s
	}
	s = keyShape().ReplaceAllString(s, redacted)
	return namedSecret().ReplaceAllString(s, "${1}"+redacted)
}

var (
	ansiEscape = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("\x1b\\[[0-9;?]*[ -/]*[@-~]")
	})
	// keyShape matches tokens that by their prefix are keys of providers and
	// clouds: OpenAI and OpenRouter sk-, Anthropic sk-ant-, Groq gsk_, xAI xai-,
	// Google AIza and ya29., Hugging Face hf_, AWS AKIA and ASIA, GitHub ghp_
	// and the like, JSON web tokens.
	keyShape = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(?:(?:sk|pk|rk|gsk|xai|hf|r8|nvapi|pplx|csk|fw|tgp|ghp|gho|ghs|github_pat|glpat|dapi)[-_][A-Za-z0-9_\-*.]{6,}` +
			`|AIza[A-Za-z0-9_\-]{10,}|ya29\.[A-Za-z0-9_\-.]{6,}|(?:AKIA|ASIA)[A-Z0-9]{12,}` +
			`|eyJ[A-Za-z0-9_\-]{6,}\.[A-Za-z0-9_\-]{6,}(?:\.[A-Za-z0-9_\-]*)?)`)
	})
	// namedSecret matches what follows the name of a credential.
	namedSecret = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(\b(?:authorization|proxy-authorization|(?:x-)?api[-_ ]?key|x-goog-api-key|access[-_]?token|refresh[-_]?token|client[-_]?secret|password|passwd|secret)["']?\s*[:=]\s*["']?(?:bearer\s+|basic\s+)?|[?&](?:key|token|sig|signature|api[-_]?key|access_token)=|\bbearer\s+)[^\s"'&,;}\]]{4,}`)
	})
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
