package request

import "strings"

// repairSurrogates returns valid JSON text with each lone surrogate escape
// replaced by \ufffd. Such an escape is JSON by the grammar but not text: some providers
// refuse it, so it must never be sent. It looks at the raw text, where an
// escaped backslash followed by letters (\\ud83d) is still told from an escape.
func repairSurrogates(text string) string {
	if !strings.Contains(text, `\u`) {
		return text
	}
	var out []byte
	for i := nextEscape(text, 0); i >= 0; {
		size, lone := escapeAt(text[i:])
		if lone {
			if out == nil {
				out = []byte(text)
			}
			copy(out[i:], `\ufffd`)
		}
		i = nextEscape(text, i+size)
	}
	if out == nil {
		return text
	}
	return string(out)
}

// nextEscape returns where the next escape begins at or after from, or -1.
func nextEscape(text string, from int) int {
	if from >= len(text) {
		return -1
	}
	if n := strings.IndexByte(text[from:], '\\'); n >= 0 {
		return from + n
	}
	return -1
}

// escapeAt returns the size of the escape, or pair of escapes, that s begins
// with, and whether it is half of a surrogate pair.
func escapeAt(s string) (size int, lone bool) {
	switch surrogateHalf(s) {
	case 'h':
		if surrogateHalf(s[6:]) == 'l' {
			return 12, false
		}
		return 6, true
	case 'l':
		return 6, true
	default:
		return 2, false
	}
}

// surrogateHalf returns 'h' or 'l' for the escape of a high or low surrogate at
// the start of s, 0 for anything else.
func surrogateHalf(s string) byte {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' || s[2]|0x20 != 'd' {
		return 0
	}
	switch s[3] {
	case '8', '9', 'a', 'b', 'A', 'B':
		return 'h'
	case 'c', 'd', 'e', 'f', 'C', 'D', 'E', 'F':
		return 'l'
	default:
		return 0
	}
}
