package wirejson

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// A Memo is a frame that did nothing but bring a piece of text, without that
// text: literal bytes with holes where strings stood. A frame that is the same
// but for strings in the holes, each standing for itself (no quote, backslash or
// control character), is the same JSON but for those strings, and need not be
// parsed. Most of a stream is such frames, and parsing is most of the cost of
// reading one.
//
// Whoever keeps a Memo forgets it at every frame that it does not tell the text
// of: so nothing happens between a frame and its repetition, and the same bytes
// mean the same.
//
// The zero Memo remembers nothing and is ready. It is not for concurrent use.
type Memo struct {
	literals [][]byte // one more than holes
	text     int      // the hole of the text
	set      bool
	// fruitless counts what was remembered and never came again. Streams whose
	// frames differ in other places are not tried for ever.
	fruitless int
}

const maxFruitless = 16

// Text returns the text of a frame that is the remembered one but for what its
// holes hold. It is valid as long as the frame is.
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
		n := plainPrefix(frame)
		if n < 0 {
			return nil, false
		}
		if i == m.text {
			text = frame[:n]
		}
		frame = frame[n:]
	}
	// An empty text may mean another thing than a piece of text.
	if len(text) == 0 || !bytes.Equal(frame, m.literals[last]) {
		return nil, false
	}
	m.fruitless = 0
	return text, true
}

// Forget forgets the frame that is remembered, if any.
func (m *Memo) Forget() { m.set = false }

// Remember remembers a frame by the name of the member whose string is its text,
// and by the names of members whose strings mean nothing and may differ: padding,
// times. A frame that has one of the names twice, whose text is empty, or that
// has an escape anywhere (it may spell a name) is not remembered.
//
// The caller vouches for the rest: the frame did nothing but send its text, and
// would do the same with any other text that is not empty.
func (m *Memo) Remember(frame []byte, text string, meaningless ...string) {
	m.set = false
	if m.fruitless >= maxFruitless || bytes.IndexByte(frame, '\\') >= 0 {
		return
	}
	at, n := onlyString(frame, text)
	if n <= 0 {
		return
	}
	holes := []hole{{at, n}}
	for _, name := range meaningless {
		if at, n := onlyString(frame, name); n >= 0 {
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
	m.literals[len(holes)] = append(m.literals[len(holes)][:0], frame[from:]...)
}

// onlyString returns where the string begins that is the value of the frame's only
// member of a name, and its size; -1 when there is none, when there are several,
// or when it does not stand for itself. A name inside a string has its quotes
// escaped and is not taken for one; a name that is spelled with escapes is, by
// being missed, left to the parser.
func onlyString(frame []byte, name string) (at, size int) {
	quoted := append(append(append(make([]byte, 0, 32), '"'), name...), '"')
	at = bytes.Index(frame, quoted)
	if at < 0 || bytes.Contains(frame[at+1:], quoted) {
		return 0, -1
	}
	at += len(quoted)
	rest := frame[at:]
	value := bytes.TrimLeft(rest, ": ")
	at += len(rest) - len(value) + 1
	if len(value) == 0 || value[0] != '"' || rest[0] != ':' {
		return 0, -1
	}
	return at, plainPrefix(value[1:])
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
