package tape

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

const (
	maxExcerpt = 200 // bytes of a value that is shown
	lead       = 60  // bytes shown before the place where two long values part
	ellipsis   = "…"
	absent     = "(absent)"
)

// A Difference is the first place in which two values differ.
type Difference struct {
	// Path leads to the place, for instance messages[0].content[0].text. It is
	// empty when the values differ as a whole.
	Path string
	// Recorded and Asked are what stands there, as JSON of at most 200 bytes, or
	// "(absent)". Of long values that begin alike the beginning is left out.
	Recorded, Asked string
}

// Compare compares two JSON values as [Decode] returns them. It returns the first
// difference, keys in sorted order and arrays by index, but that the ends of arrays
// of different lengths are left out where they are the same; and how many leaves
// differ: what only one side has counts with all its leaves. A credential that was
// left out of a recorded text ("[redacted]") is no difference to any text or number.
// Differ is
// 0, credentials aside, if and only if the canonical JSON of both is the same.
func Compare(recorded, asked any) (first Difference, differ int) {
	c := compare(recorded, asked)
	return c.first, c.differ
}

// Distance returns how far two JSON values are from each other: 100 for each leaf
// that differs, and less for a text of which a part is the same. It is 0 when Compare
// counts none.
func Distance(recorded, asked any) int { return compare(recorded, asked).far }

func compare(recorded, asked any) comparison {
	var c comparison
	c.walk("", side{recorded, true}, side{asked, true})
	return c
}

// A side is a value, or the lack of one.
type side struct {
	value any
	there bool
}

type comparison struct {
	first  Difference
	differ int
	far    int
}

func (c *comparison) walk(path string, recorded, asked side) {
	if recorded.there && asked.there {
		switch r := recorded.value.(type) {
		case map[string]any:
			if a, ok := asked.value.(map[string]any); ok {
				c.objects(path, r, a)
				return
			}
		case []any:
			if a, ok := asked.value.([]any); ok {
				c.arrays(path, r, a)
				return
			}
		}
	}
	c.leaf(path, recorded, asked)
}

func (c *comparison) objects(path string, recorded, asked map[string]any) {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(recorded)), maps.Keys(asked))
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		r, inRecorded := recorded[key]
		a, inAsked := asked[key]
		c.walk(join(path, key), side{r, inRecorded}, side{a, inAsked})
	}
}

func (c *comparison) arrays(path string, recorded, asked []any) {
	at := func(list []any, i int) side {
		if i >= len(list) {
			return side{}
		}
		return side{list[i], true}
	}
	if len(recorded) != len(asked) {
		same := sameEnds(recorded, asked)
		recorded, asked = recorded[:len(recorded)-same], asked[:len(asked)-same]
	}
	for i := range max(len(recorded), len(asked)) {
		c.walk(path+"["+strconv.Itoa(i)+"]", at(recorded, i), at(asked, i))
	}
}

func (c *comparison) leaf(path string, recorded, asked side) {
	r, a := recorded.text(), asked.text()
	if recorded.there == asked.there && (bytes.Equal(r, a) || hides(recorded.value, asked.value)) {
		return
	}
	if c.differ == 0 {
		c.first = Difference{Path: path}
		c.first.Recorded, c.first.Asked = excerpts(string(r), string(a))
	}
	n := max(leaves(recorded), leaves(asked))
	c.differ += n
	c.far += max(n*whole-sharedPart(recorded.value, asked.value), 1)
}

// whole is the distance of a leaf of which nothing is the same.
const whole = 100

// sharedPart returns how much two texts have in common at their beginnings and ends,
// of a hundred; 0 of anything else.
func sharedPart(recorded, asked any) int {
	r, isText := recorded.(string)
	a, isToo := asked.(string)
	if !isText || !isToo || r == "" || a == "" {
		return 0
	}
	same, least := 0, min(len(r), len(a))
	for same < least && r[same] == a[same] {
		same++
	}
	end := 0
	for same+end < least && r[len(r)-1-end] == a[len(a)-1-end] {
		end++
	}
	return whole * (same + end) / max(len(r), len(a))
}

// redacted is what stands in a recording where a credential was.
const redacted = "[redacted]"

// hides reports whether a recorded text is an asked one, or an asked number, but for
// what was left out.
func hides(recorded, asked any) bool {
	r, isText := recorded.(string)
	a, isToo := asked.(string)
	if number, ok := asked.(json.Number); ok {
		a, isToo = number.String(), true
	}
	if !isText || !isToo {
		return false
	}
	pieces := strings.Split(r, redacted)
	last := len(pieces) - 1
	if last == 0 || !strings.HasPrefix(a, pieces[0]) {
		return false
	}
	a = a[len(pieces[0]):]
	for _, piece := range pieces[1:last] {
		at := strings.Index(a, piece)
		if at < 0 {
			return false
		}
		a = a[at+len(piece):]
	}
	return strings.HasSuffix(a, pieces[last])
}

// sameEnds returns how many items at the ends of two arrays are the same.
func sameEnds(recorded, asked []any) int {
	n := 0
	for n < min(len(recorded), len(asked)) && compare(recorded[len(recorded)-1-n], asked[len(asked)-1-n]).differ == 0 {
		n++
	}
	return n
}

// text returns a side for people and for comparing leaves.
func (s side) text() []byte {
	if !s.there {
		return []byte(absent)
	}
	text, err := json.Marshal(s.value)
	if err != nil {
		return []byte("(no JSON)")
	}
	return text
}

// leaves counts the leaves below a side; an empty object is one.
func leaves(s side) int {
	n := 0
	switch v := s.value.(type) {
	case map[string]any:
		for _, e := range v {
			n += leaves(side{e, true})
		}
	case []any:
		for _, e := range v {
			n += leaves(side{e, true})
		}
	}
	if s.there {
		n = max(n, 1)
	}
	return n
}

// join adds a key to a path, quoted where it is no plain word.
func join(path, key string) string {
	switch {
	case !plainKey().MatchString(key):
		return path + "[" + strconv.Quote(key) + "]"
	case path == "":
		return key
	default:
		return path + "." + key
	}
}

var plainKey = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$-]*$`) })

// excerpts bounds two texts so that the place where they part is in both.
func excerpts(a, b string) (string, string) {
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	if max(len(a), len(b)) <= maxExcerpt || same <= lead {
		return excerpt(a, 0), excerpt(b, 0)
	}
	return excerpt(a, same-lead), excerpt(b, same-lead)
}

// excerpt returns at most maxExcerpt bytes of text from an offset, whole runes,
// with marks where something is left out.
func excerpt(text string, from int) string {
	for from > 0 && from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	text = text[from:]
	room, mark := maxExcerpt, ""
	if from > 0 {
		mark = ellipsis
		room -= len(ellipsis)
	}
	if len(text) <= room {
		return mark + text
	}
	end := room - len(ellipsis)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return mark + text[:end] + ellipsis
}
