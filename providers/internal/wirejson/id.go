package wirejson

import (
	"hash/fnv"
	"strconv"
	"strings"
)

// SafeID returns an id of letters, digits, "_" and "-" and of at most that many
// bytes (0: any number): ids of other providers may hold characters that a wire
// refuses. The same id gives the same one, different ones different ones.
func SafeID(id string, most int) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		default:
			return '_'
		}
	}, id)
	if clean == id && (most <= 0 || len(id) <= most) {
		return id
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(id))
	suffix := "_" + strconv.FormatUint(h.Sum64(), 36)
	if most > 0 {
		clean = clean[:min(len(clean), max(most-len(suffix), 0))]
	}
	return clean + suffix
}
