package wirejson

import (
	"bytes"
	"slices"
)

// repairSurrogates returns the JSON text with each lone surrogate escape
// replaced by \ufffd. It looks at the raw text, where an escaped backslash
// followed by letters (\\ud83d) is still told from an escape. The text itself is
// not changed; it is returned as it is when there is nothing to repair.
func repairSurrogates(text []byte) []byte {
	copied := false
	for i := nextBackslash(text, 0); i >= 0 && i+1 < len(text); i = nextBackslash(text, i) {
		unit, ok := surrogate(text[i:])
		switch {
		case !ok:
			i += 2
		case unit == high && isLow(text[i+6:]):
			i += 12
		default:
			if !copied {
				text, copied = slices.Clone(text), true
			}
			copy(text[i:], `\ufffd`)
			i += 6
		}
	}
	return text
}

// nextBackslash returns where the next escape begins at or after from, or -1.
func nextBackslash(text []byte, from int) int {
	if from >= len(text) {
		return -1
	}
	if n := bytes.IndexByte(text[from:], '\\'); n >= 0 {
		return from + n
	}
	return -1
}

type half uint8

const (
	high half = iota
	low
)

// surrogate reports whether an escape at the start of b is half of a surrogate
// pair, and which.
func surrogate(b []byte) (half, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' || b[2]|0x20 != 'd' || !isHex(b[4]) || !isHex(b[5]) {
		return 0, false
	}
	switch b[3] {
	case '8', '9', 'a', 'b', 'A', 'B':
		return high, true
	case 'c', 'd', 'e', 'f', 'C', 'D', 'E', 'F':
		return low, true
	}
	return 0, false
}

func isLow(b []byte) bool {
	unit, ok := surrogate(b)
	return ok && unit == low
}

func isHex(b byte) bool {
	return b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'f'
}
