package events

import (
	"strconv"
	"unicode/utf8"
)

// Bounds of a tool call's arguments.
const (
	// MaxArgumentsDepth is how deep the arguments may nest; the object itself
	// is depth 1.
	MaxArgumentsDepth = 64
	// MaxNumberLength is the longest number literal, in bytes.
	MaxNumberLength = 1000
	// MaxNumberExponent bounds the exponent of a number literal, both ways.
	MaxNumberExponent = 10_000
	// MaxExponentsTotal bounds the sum of all exponents, signs aside. A schema is
	// checked with exact numbers, whose size grows with the exponent and not with
	// the literal: without it 1 MiB of 1e10000 would take seconds. A hundred of
	// those fit, and 1 MiB of numbers as programs write them.
	MaxExponentsTotal = 1_000_000
)

// CheckArguments reports what is wrong with a tool call's arguments, or nil:
// they must be one JSON object by RFC 8259, in valid UTF-8, without duplicate
// keys (compared after unescaping), nested at most [MaxArgumentsDepth] deep, and
// each number literal at most [MaxNumberLength] bytes with an exponent within
// [MaxNumberExponent], and all exponents together within [MaxExponentsTotal].
// White space around the object is allowed.
//
// A lone surrogate escape such as \ud83d is allowed: it is JSON by the grammar,
// and readers turn it into U+FFFD.
func CheckArguments(text string) *Issue {
	if !utf8.ValidString(text) {
		return &Issue{Kind: IssueNotUTF8, Detail: "arguments are not valid UTF-8"}
	}
	c := argumentsChecker{text: text}
	c.space()
	if c.at >= len(text) || text[c.at] != '{' {
		return c.fail(IssueNotObject, "arguments are not a JSON object")
	}
	if issue := c.value(1); issue != nil {
		return issue
	}
	c.space()
	if c.at != len(text) {
		return c.fail(IssueNotObject, "more text after the arguments")
	}
	return nil
}

// argumentsChecker is a recursive-descent reader that keeps nothing but the keys
// of the objects it is in. Its depth is bounded, and so is its recursion.
type argumentsChecker struct {
	text string
	at   int
	keys keyStack
	// exponents is the sum so far.
	exponents int
}

func (c *argumentsChecker) fail(kind IssueKind, what string) *Issue {
	return &Issue{Kind: kind, Detail: what + " at byte " + strconv.Itoa(c.at)}
}

func (c *argumentsChecker) bad(what string) *Issue { return c.fail(IssueNotObject, what) }

func (c *argumentsChecker) space() {
	for c.at < len(c.text) {
		switch c.text[c.at] {
		case ' ', '\t', '\n', '\r':
			c.at++
		default:
			return
		}
	}
}

// peek returns the next byte after white space, or 0 at the end. A NUL byte in
// the text is as good an answer: it is nowhere legal.
func (c *argumentsChecker) peek() byte {
	c.space()
	if c.at < len(c.text) {
		return c.text[c.at]
	}
	return 0
}

func (c *argumentsChecker) value(depth int) *Issue {
	switch b := c.peek(); {
	case b == '{':
		return c.object(depth)
	case b == '[':
		return c.array(depth)
	case b == '"':
		_, issue := c.str()
		return issue
	case b == '-' || b >= '0' && b <= '9':
		return c.number()
	case b == 't':
		return c.word("true")
	case b == 'f':
		return c.word("false")
	case b == 'n':
		return c.word("null")
	default:
		return c.bad("no JSON value")
	}
}

func (c *argumentsChecker) word(w string) *Issue {
	if len(c.text)-c.at < len(w) || c.text[c.at:c.at+len(w)] != w {
		return c.bad("no JSON value")
	}
	c.at += len(w)
	return nil
}

func (c *argumentsChecker) object(depth int) *Issue {
	if depth > MaxArgumentsDepth {
		return c.fail(IssueOutOfBounds, "nested deeper than "+strconv.Itoa(MaxArgumentsDepth))
	}
	c.at++
	if c.peek() == '}' {
		c.at++
		return nil
	}
	c.keys.open()
	defer c.keys.close()
	for {
		if c.peek() != '"' {
			return c.bad("no key")
		}
		key, issue := c.str()
		if issue != nil {
			return issue
		}
		if !c.keys.add(unescape(key)) {
			return c.fail(IssueDuplicateKey, "key "+strconv.Quote(clip(key))+" twice")
		}
		if c.peek() != ':' {
			return c.bad("no colon")
		}
		c.at++
		if issue := c.value(depth + 1); issue != nil {
			return issue
		}
		if done, issue := c.next('}'); done || issue != nil {
			return issue
		}
	}
}

func (c *argumentsChecker) array(depth int) *Issue {
	if depth > MaxArgumentsDepth {
		return c.fail(IssueOutOfBounds, "nested deeper than "+strconv.Itoa(MaxArgumentsDepth))
	}
	c.at++
	if c.peek() == ']' {
		c.at++
		return nil
	}
	for {
		if issue := c.value(depth + 1); issue != nil {
			return issue
		}
		if done, issue := c.next(']'); done || issue != nil {
			return issue
		}
	}
}

// next reads the comma before another element, or the end.
func (c *argumentsChecker) next(end byte) (done bool, issue *Issue) {
	switch c.peek() {
	case ',':
		c.at++
		return false, nil
	case end:
		c.at++
		return true, nil
	default:
		return false, c.bad("no comma or end")
	}
}

// str reads a string and returns what stands between its quotes, still escaped.
func (c *argumentsChecker) str() (string, *Issue) {
	c.at++
	start := c.at
	for c.at < len(c.text) {
		switch b := c.text[c.at]; {
		case b == '"':
			c.at++
			return c.text[start : c.at-1], nil
		case b < ' ':
			return "", c.bad("control character in a string")
		case b == '\\':
			if issue := c.escape(); issue != nil {
				return "", issue
			}
		default:
			c.at++
		}
	}
	return "", c.bad("string without end")
}

func (c *argumentsChecker) escape() *Issue {
	if c.at+1 >= len(c.text) {
		return c.bad("string without end")
	}
	switch c.text[c.at+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		c.at += 2
		return nil
	case 'u':
		if _, ok := hex4(c.text[c.at+2:]); ok {
			c.at += 6
			return nil
		}
	}
	return c.bad("bad escape")
}

func (c *argumentsChecker) number() *Issue {
	start := c.at
	if c.text[c.at] == '-' {
		c.at++
	}
	whole := c.digits()
	if whole == 0 || whole > 1 && c.text[c.at-whole] == '0' {
		return c.bad("bad number")
	}
	if c.at < len(c.text) && c.text[c.at] == '.' {
		c.at++
		if c.digits() == 0 {
			return c.bad("bad number")
		}
	}
	exponent, ok := c.exponent()
	if !ok {
		return c.bad("bad number")
	}
	if c.at-start > MaxNumberLength || exponent > MaxNumberExponent {
		c.at = start
		return c.fail(IssueOutOfBounds, "number out of bounds")
	}
	if c.exponents += exponent; c.exponents > MaxExponentsTotal {
		c.at = start
		return c.fail(IssueOutOfBounds, "too many numbers with large exponents")
	}
	return nil
}

func (c *argumentsChecker) digits() int {
	start := c.at
	for c.at < len(c.text) && c.text[c.at] >= '0' && c.text[c.at] <= '9' {
		c.at++
	}
	return c.at - start
}

// exponent reads an exponent, if there is one, and returns its size, saturated.
func (c *argumentsChecker) exponent() (size int, ok bool) {
	if c.at >= len(c.text) || c.text[c.at]|0x20 != 'e' {
		return 0, true
	}
	c.at++
	if c.at < len(c.text) && (c.text[c.at] == '+' || c.text[c.at] == '-') {
		c.at++
	}
	start := c.at
	if c.digits() == 0 {
		return 0, false
	}
	for _, d := range []byte(c.text[start:c.at]) {
		size = min(size*10+int(d-'0'), MaxNumberExponent+1)
	}
	return size, true
}

func hex4(s string) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	var r rune
	for i := range 4 {
		switch d := s[i]; {
		case d >= '0' && d <= '9':
			r = r<<4 | rune(d-'0')
		case d|0x20 >= 'a' && d|0x20 <= 'f':
			r = r<<4 | rune(d|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// unescape decodes a checked string, so that keys that are spelled differently
// compare equal. A lone surrogate becomes the three bytes that UTF-8 would give
// it if it were allowed to: two different ones stay different, and no valid text
// is the same.
func unescape(s string) string {
	slash := -1
	for i := range len(s) {
		if s[i] == '\\' {
			slash = i
			break
		}
	}
	if slash < 0 {
		return s
	}
	out := append(make([]byte, 0, len(s)), s[:slash]...)
	for i := slash; i < len(s); {
		if s[i] != '\\' {
			out = append(out, s[i])
			i++
			continue
		}
		r, size := unescapeOne(s[i:])
		if r >= 0xd800 && r <= 0xdfff {
			out = append(out, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f)
		} else {
			out = utf8.AppendRune(out, r)
		}
		i += size
	}
	return string(out)
}

// unescapeOne decodes the escape at the start of s; r is a surrogate only when it
// stands alone.
func unescapeOne(s string) (r rune, size int) {
	switch s[1] {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
	default:
		return rune(s[1]), 2
	}
	r, _ = hex4(s[2:])
	if r < 0xd800 || r > 0xdfff {
		return r, 6
	}
	if r < 0xdc00 && len(s) >= 12 && s[6] == '\\' && s[7] == 'u' {
		if low, ok := hex4(s[8:]); ok && low >= 0xdc00 && low <= 0xdfff {
			return (r-0xd800)<<10 | (low - 0xdc00) + 0x10000, 12
		}
	}
	return r, 6
}

// keyStack holds the keys of the objects that are open, innermost last. Small
// objects are compared one by one, large ones through a set.
type keyStack struct {
	keys  []string
	marks []int
	sets  []map[string]struct{}
}

// smallObject is the number of keys up to which a scan beats a set.
const smallObject = 16

func (k *keyStack) open() {
	k.marks = append(k.marks, len(k.keys))
	k.sets = append(k.sets, nil)
}

func (k *keyStack) close() {
	last := len(k.marks) - 1
	k.keys = k.keys[:k.marks[last]]
	k.marks, k.sets = k.marks[:last], k.sets[:last]
}

// add adds a key to the innermost object and reports whether it is new there.
func (k *keyStack) add(key string) bool {
	last := len(k.marks) - 1
	if set := k.sets[last]; set != nil {
		_, twice := set[key]
		set[key] = struct{}{}
		return !twice
	}
	mine := k.keys[k.marks[last]:]
	for _, other := range mine {
		if other == key {
			return false
		}
	}
	if len(mine) == smallObject {
		set := make(map[string]struct{}, 4*smallObject)
		for _, other := range mine {
			set[other] = struct{}{}
		}
		set[key] = struct{}{}
		k.sets[last] = set
		return true
	}
	k.keys = append(k.keys, key)
	return true
}
