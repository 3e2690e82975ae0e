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
	suffix := "_" + strconv.FormatUint(hash(id), 36)
	if most > 0 {
		clean = clean[:min(len(clean), max(most-len(suffix), 0))]
	}
	return clean + suffix
}

// ShortID returns an id of exactly that many letters and digits, at most 13: the id
// itself if it is one. The same id gives the same one; that two give the same is as
// likely as with a hash of that length.
func ShortID(id string, length int) string {
	isOther := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	}
	if len(id) == length && !strings.ContainsFunc(id, isOther) {
		return id
	}
	const digits = 13 // of 64 bits to the base of 36
	text := strconv.FormatUint(hash(id), 36)
	text = strings.Repeat("0", digits-len(text)) + text
	return text[digits-length:]
}

func hash(id string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(id))
	return h.Sum64()
}
