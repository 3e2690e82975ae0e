package events

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

const (
	// MaxDetail is the most bytes that a detail keeps.
	MaxDetail = 1 << 10
	maxCode   = 256
)

// cutMark ends a text that was cut. The space keeps it out of whatever word it
// follows, so that a cut makes nothing look like a credential.
const cutMark = " ..."

// CleanDetail returns text fit for a failure's detail: at most [MaxDetail]
// bytes, valid UTF-8, one line, without control characters or terminal escapes,
// with everything that looks like a credential replaced by "[redacted]". It is
// idempotent.
func CleanDetail(text string) string { return cleanText(text, MaxDetail) }

func cleanText(s string, most int) string {
	// Cut first so that a large body is not scanned whole; twice the bound
	// leaves room for what cleaning removes.
	s = redactShapes(oneLine(CutText(s, 2*most)))
	if len(s) > most {
		s = strings.TrimSpace(CutText(s, most-len(cutMark))) + cutMark
	}
	return s
}

// oneLine makes s one line of valid text without control characters.
func oneLine(s string) string {
	if isPlain(s) {
		return s
	}
	s = ansiEscape().ReplaceAllString(s, "")
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.Map(visible, s)
	return strings.TrimSpace(s)
}

// isPlain reports whether s is printable ASCII that starts and ends without space.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return strings.TrimSpace(s) == s
}

// visible maps line ends and tabs to spaces and drops control characters and
// those that turn the direction of writing.
func visible(r rune) rune {
	switch {
	case r == '\n', r == '\r', r == '\t', r == 0x2028, r == 0x2029:
		return ' '
	case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
		return -1
	default:
		return r
	}
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

var ansiEscape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("\x1b\\[[0-9;?]*[ -/]*[@-~]")
})
