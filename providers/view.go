package providers

import (
	"regexp"
	"sort"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"
)

// A view is a text as a reader of its escapes sees it, and where its bytes stand in
// the text that they were read from.
type view struct {
	text    string
	from    *view // nil for the text itself
	escapes []escape
	url     bool
}

// An escape stands from begin to end and means width bytes at at.
type escape struct{ at, width, begin, end int }

// maxEscaped is how often a text is taken to be escaped over: JSON stands in strings
// of JSON, and addresses stand in addresses.
const maxEscaped = 2

// views returns a text and what it says to those who read its escapes.
func views(text string) []*view {
	all := []*view{{text: text}}
	for v, n := all[0], 0; n < maxEscaped; n++ {
		if v = v.read('\\', readJSON); v == nil {
			break
		}
		all = append(all, v)
	}
	for _, v := range all {
		for n := 0; n < maxEscaped; n++ {
			next := v.read('%', readURL)
			// A form writes a plus for a space. No two secrets differ in that only.
			if next == nil && n == 0 && strings.Contains(v.text, "+") {
				next = &view{text: v.text, from: v}
			}
			if v = next; v == nil {
				break
			}
			v.url, v.text = true, plusless(v.text)
			all = append(all, v)
		}
	}
	return all
}

func plusless(text string) string { return strings.ReplaceAll(text, "+", " ") }

// read returns the view without its escapes that begin with mark, or nil when it has
// none.
func (v *view) read(mark byte, decode func(string) (plain string, size int)) *view {
	out := &view{from: v, url: v.url}
	var b strings.Builder
	done := 0
	for at := 0; ; {
		i := strings.IndexByte(v.text[at:], mark)
		if i < 0 {
			break
		}
		i += at
		plain, size := decode(v.text[i:])
		at = i + max(size, 1)
		if size == 0 {
			continue
		}
		b.WriteString(v.text[done:i])
		out.escapes = append(out.escapes, escape{b.Len(), len(plain), i, at})
		b.WriteString(plain)
		done = at
	}
	if len(out.escapes) == 0 {
		return nil
	}
	b.WriteString(v.text[done:])
	out.text = b.String()
	return out
}

// readJSON reads the escape of a JSON string that a text begins with; its size is 0
// when it is none.
func readJSON(text string) (plain string, size int) {
	if len(text) < len(`\n`) {
		return "", 0
	}
	switch c := text[1]; c {
	case '"', '\\', '/':
		return text[1:2], len(`\n`)
	case 'b', 'f', 'n', 'r', 't':
		return string("\b\f\n\r\t"[strings.IndexByte("bfnrt", c)]), len(`\n`)
	case 'u':
	default:
		return "", 0
	}
	r, ok := unit(text)
	if !ok {
		return "", 0
	}
	if utf16.IsSurrogate(r) {
		if low, ok := unit(text[len(`\u0000`):]); ok {
			if pair := utf16.DecodeRune(r, low); pair != '\uFFFD' {
				return string(pair), 2 * len(`\u0000`)
			}
		}
	}
	return string(r), len(`\u0000`)
}

// unit returns the number of the \u that a text begins with.
func unit(text string) (rune, bool) {
	if len(text) < len(`\u0000`) || text[:2] != `\u` {
		return 0, false
	}
	n, err := strconv.ParseUint(text[2:len(`\u0000`)], 16, 16)
	return rune(n), err == nil
}

// readURL reads the percent-encoded byte that a text begins with.
func readURL(text string) (plain string, size int) {
	if len(text) < len("%00") {
		return "", 0
	}
	n, err := strconv.ParseUint(text[1:len("%00")], 16, 8)
	if err != nil {
		return "", 0
	}
	return string([]byte{byte(n)}), len("%00")
}

// spelled returns a secret as it stands in the view.
func (v *view) spelled(secret string) string {
	if v.url {
		return plusless(secret)
	}
	return secret
}

// find adds where a secret is, and where the view ends in the beginning of one.
func (v *view) find(all []span, secret string, cut bool) []span {
	for at := 0; ; {
		i := strings.Index(v.text[at:], secret)
		if i < 0 {
			break
		}
		all = append(all, v.place(at+i, at+i+len(secret)))
		at += i + len(secret)
	}
	if cut {
		for _, text := range []string{v.text, v.text[:len(v.text)-brokenEscape(v.text)]} {
			for n := min(len(secret)-1, len(text)); n >= shortestCut; n-- {
				if strings.HasSuffix(text, secret[:n]) {
					return append(all, v.place(len(text)-n, len(v.text)))
				}
			}
		}
	}
	return all
}

// brokenEscape returns how many bytes of an escape a text ends in, that was cut in it.
func brokenEscape(text string) int {
	const most = len(`\u000`)
	tail := text[max(0, len(text)-most):]
	return len(broken().FindString(tail))
}

var broken = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(\\(u[0-9A-Fa-f]{0,3})?|%[0-9A-Fa-f]?)$`)
})

// place returns where bytes of the view stand in the text itself.
func (v *view) place(begin, end int) span {
	for ; v.from != nil; v = v.from {
		begin, end = v.source(begin).begin, v.source(end-1).end
	}
	return span{begin, end}
}

// source returns where one byte of the view stands in what it was read from.
func (v *view) source(at int) span {
	i := sort.Search(len(v.escapes), func(i int) bool { return v.escapes[i].at > at }) - 1
	if i < 0 {
		return span{at, at + 1}
	}
	e := v.escapes[i]
	if at < e.at+e.width {
		return span{e.begin, e.end}
	}
	n := e.end + at - e.at - e.width
	return span{n, n + 1}
}
