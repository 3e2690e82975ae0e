package events

import "unicode/utf8"

const hexDigits = "0123456789abcdef"

// AppendQuoted appends s to dst as a JSON string with only this escaped: what
// RFC 8259 requires (the quote, the backslash and control characters) and what
// some readers of lines take for the end of one (U+0085, U+2028 and U+2029).
// Nothing is HTML-escaped. Bytes that are not UTF-8 become U+FFFD.
func AppendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		b := s[i]
		if b >= ' ' && b != '"' && b != '\\' && b < utf8.RuneSelf {
			i++
			continue
		}
		size := 1
		if b >= utf8.RuneSelf {
			var r rune
			r, size = utf8.DecodeRuneInString(s[i:])
			if !mustEscape(r, size) {
				i += size
				continue
			}
		}
		dst = append(dst, s[start:i]...)
		dst = appendEscaped(dst, s[i:i+size])
		i += size
		start = i
	}
	return append(append(dst, s[start:]...), '"')
}

// mustEscape reports whether a rune beyond ASCII is not written as it is.
func mustEscape(r rune, size int) bool {
	switch r {
	case utf8.RuneError:
		return size == 1
	case 0x85, 0x2028, 0x2029:
		return true
	default:
		return false
	}
}

// appendEscaped appends one character that may not stand as it is.
func appendEscaped(dst []byte, c string) []byte {
	switch b := c[0]; b {
	case '"', '\\':
		return append(dst, '\\', b)
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	r, _ := utf8.DecodeRuneInString(c)
	if r == utf8.RuneError {
		return append(dst, "\uFFFD"...)
	}
	return append(dst, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
}
