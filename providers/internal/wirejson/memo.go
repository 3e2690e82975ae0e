package wirejson

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// A Memo is a frame that did nothing but bring a piece of text, without that
// text: literal bytes with holes where strings and whole numbers stood. A frame
// that is the same but for what is in the holes is the same JSON but for those
// values, and need not be parsed: a text, with no escapes but those of one letter;
// other strings, with none; digits. Spaces before the last brace may differ too,
// Anthropic pads its frames with them. Most of a stream is such frames, and parsing
// is most of the cost of reading one.
//
// Whoever keeps a Memo forgets it at every frame that it does not tell the text
// of: so nothing happens between a frame and its repetition, and the same bytes
// mean the same.
//
// The zero Memo remembers nothing and is ready. It is not for concurrent use.
type Memo struct {
	// literals are one more than holes. After one that ends in a quote comes a
	// string, after another a number.
	literals [][]byte
	text     int // the hole of the text
	set      bool
	braced   bool   // the frame ends in a brace, which the last literal leaves out
	scratch  []byte // a text without its escapes
	// fruitless counts what was remembered and never came again. Streams whose
	// frames differ in other places are not tried for ever.
	fruitless int
}

const maxFruitless = 16

// Text returns the text of a frame that is the remembered one but for what its
// holes hold. It is valid as long as the frame is, and until the next Text.
func (m *Memo) Text(frame []byte) (text []byte, ok bool) {
	if !m.set {
		return nil, false
	}
	last := len(m.literals) - 1
	for i, literal := range m.literals[:last] {
		if !bytes.HasPrefix(frame, literal) {
			return nil, false
		}
		frame = frame[len(literal):]
		var n int
		if i == m.text {
			text, n = m.unescaped(frame)
		} else {
			n = valuePrefix(frame, literal[len(literal)-1])
		}
		if n < 0 {
			return nil, false
		}
		frame = frame[n:]
	}
	// An empty text may mean another thing than a piece of text.
	if len(text) == 0 || !m.endsWith(frame) {
		return nil, false
	}
	m.fruitless = 0
	return text, true
}

// unescaped returns the text at the start of frame, which its closing quote ends,
// without escapes, and its size in the frame; -1 when there is no such text.
func (m *Memo) unescaped(frame []byte) (text []byte, size int) {
	if n := plainPrefix(frame); n >= 0 {
		return frame[:n], n
	}
	m.scratch = m.scratch[:0]
	for i := 0; i < len(frame); i++ {
		switch c := frame[i]; {
		case c == '"':
			if !utf8.Valid(m.scratch) {
				return nil, -1
			}
			return m.scratch, i
		case c < ' ':
			return nil, -1
		case c == '\\' && i+1 < len(frame):
			i++
			letter := bytes.IndexByte([]byte(`"\/bfnrt`), frame[i])
			if letter < 0 {
				return nil, -1 // four hexadecimal digits are the parser's
			}
			m.scratch = append(m.scratch, "\"\\/\b\f\n\r\t"[letter])
		default:
			m.scratch = append(m.scratch, c)
		}
	}
	return nil, -1
}

// endsWith reports whether what is left of a frame is the last literal.
func (m *Memo) endsWith(rest []byte) bool {
	last := m.literals[len(m.literals)-1]
	if !m.braced {
		return bytes.Equal(rest, last)
	}
	inner, ok := bytes.CutSuffix(rest, []byte{'}'})
	return ok && bytes.Equal(bytes.TrimRight(inner, " "), last)
}

// Forget forgets the frame that is remembered, if any.
func (m *Memo) Forget() { m.set = false }

// Remember remembers a frame by the name of the member whose string is its text,
// and by the names of others whose strings or whole numbers mean nothing and may
// differ: padding, times. A frame that has the name of the text twice, whose text
// is empty, or that has an escape anywhere (it may spell a name) is not remembered.
//
// The caller vouches for the rest: the frame did nothing but send its text, and
// would do the same with any other text that is not empty.
func (m *Memo) Remember(frame []byte, text string, meaningless ...string) {
	m.set = false
	if m.fruitless >= maxFruitless || bytes.IndexByte(frame, '\\') >= 0 {
		return
	}
	at, n := onlyValue(frame, text)
	if n <= 0 || frame[at-1] != '"' {
		return
	}
	holes := []hole{{at, n}}
	for _, name := range meaningless {
		if at, n := onlyValue(frame, name); n >= 0 && name != text {
			holes = append(holes, hole{at, n})
		}
	}
	m.cut(frame, holes)
	m.fruitless++
}

type hole struct{ at, size int }

// cut keeps what is around the holes, the first of which is the text's.
func (m *Memo) cut(frame []byte, holes []hole) {
	text := holes[0]
	slices.SortFunc(holes, func(a, b hole) int { return a.at - b.at })
	m.text, m.set = slices.Index(holes, text), true
	m.literals = slices.Grow(m.literals[:0], len(holes)+1)[:len(holes)+1]
	from := 0
	for i, h := range holes {
		m.literals[i] = append(m.literals[i][:0], frame[from:h.at]...)
		from = h.at + h.size
	}
	rest := frame[from:]
	// Before the brace that ends the frame spaces are outside every string.
	if rest, m.braced = bytes.CutSuffix(rest, []byte{'}'}); m.braced {
		rest = bytes.TrimRight(rest, " ")
	}
	m.literals[len(holes)] = append(m.literals[len(holes)][:0], rest...)
}

// onlyValue returns where the value begins that the frame's only member of a name
// has, inside the quotes if it is a string, and its size; -1 when there is no such
// member, when there are several, and when the value is neither a whole number nor
// a string that stands for itself. A string that spells the name is no member. The
// frame has no escapes.
func onlyValue(frame []byte, name string) (at, size int) {
	const space = " \t\r\n"
	quoted := append(append(append(make([]byte, 0, 32), '"'), name...), '"')
	for from := 0; ; {
		n := bytes.Index(frame[from:], quoted)
		if n < 0 {
			break
		}
		from += n + len(quoted)
		value, isKey := bytes.CutPrefix(bytes.TrimLeft(frame[from:], space), []byte(":"))
		switch {
		case !isKey:
		case at > 0:
			return 0, -1
		default:
			at = len(frame) - len(bytes.TrimLeft(value, space))
		}
	}
	switch {
	case at == 0 || at == len(frame):
		return 0, -1
	case frame[at] == '"':
		at++
	}
	return at, valuePrefix(frame[at:], frame[at-1])
}

// valuePrefix returns the size of the value at the start of b, of a string after a
// quote, of a number after anything else; -1 when there is none.
func valuePrefix(b []byte, before byte) int {
	if before == '"' {
		return plainPrefix(b)
	}
	n := 0
	for n < len(b) && b[n] >= '0' && b[n] <= '9' && (n != 1 || b[0] != '0') {
		n++
	}
	if n == 0 {
		return -1
	}
	return n
}

// plainPrefix returns how many bytes stand before the first quote, or -1 when
// there is none or they do not stand for themselves inside a JSON string.
func plainPrefix(b []byte) int {
	ascii := true
	for i, c := range b {
		switch {
		case c == '"':
			if !ascii && !utf8.Valid(b[:i]) {
				return -1
			}
			return i
		case c < ' ' || c == '\\':
			return -1
		}
		ascii = ascii && c < utf8.RuneSelf
	}
	return -1
}
