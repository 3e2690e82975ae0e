package tape

import (
	"crypto/sha256"
	"strconv"
	"strings"
)

const (
	extension = ".json"
	maxKey    = 200 // bytes; file systems take 255 in all
)

// Name returns the file name of the nth recording of a key: "<key>.json" for the
// first, "<key>.2.json" for the second. The key is of letters a to z, digits and
// hyphens, nth is at least 1; anything else gives a name that [ParseName]
// refuses.
func Name(key string, nth int) string {
	if nth == 1 {
		return key + extension
	}
	return key + "." + strconv.Itoa(nth) + extension
}

// ParseName returns what [Name] made a file name of. It is strict: ok is false
// for every name that Name does not make of a good key, so a folder may hold
// other files.
func ParseName(name string) (key string, nth int, ok bool) {
	stem, found := strings.CutSuffix(name, extension)
	if !found {
		return "", 0, false
	}
	key, number, counted := strings.Cut(stem, ".")
	nth = 1
	if counted {
		n, err := strconv.Atoi(number)
		if err != nil || n < 2 {
			return "", 0, false
		}
		nth = n
	}
	// Rebuilding it refuses other spellings of the number: 02, +2.
	if !isKey(key) || Name(key, nth) != name {
		return "", 0, false
	}
	return key, nth, true
}

// IsSum reports whether a key is one that [Sum] makes, as those of package replay are.
func IsSum(key string) bool { return len(key) == 2*sha256.Size && isDigits(key) }

// IsSlug reports whether a key is words and the beginning of a sum behind them, as
// those of package replay/wire are.
func IsSlug(key string) bool {
	at := strings.LastIndexByte(key, '-')
	return at > 0 && isKey(key) && len(key)-at-1 == ShortSum && isDigits(key[at+1:])
}

// ShortSum is how many digits of a sum are shown to people and stand behind words.
const ShortSum = 12

// isDigits reports whether a text is of lowercase hexadecimal digits.
func isDigits(text string) bool { return strings.Trim(text, "0123456789abcdef") == "" }

func isKey(key string) bool {
	for i := range len(key) {
		c := key[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return key != "" && len(key) <= maxKey
}
