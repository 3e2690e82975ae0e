package wirejson

import (
	"strconv"
	"unicode/utf8"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
)

// A Parser parses the frames of one stream. The zero Parser is ready. It is not
// for concurrent use.
type Parser struct {
	parser *fastjson.Parser
	grown  bool // by a large frame
}

const (
	// MaxValues is the most values of one frame: a parsed value takes 50 times
	// the room of a short literal. A frame of providers has a hundred.
	MaxValues = 200_000
	// largeFrame is the size from which a frame's values are counted, and its
	// parser, which keeps its memory, is not used again.
	largeFrame = 256 << 10
)

// Parse parses one frame. The value, and all that is read from it, is valid until
// the next Parse. Frames that are not UTF-8 or not JSON are failures of kind
// invalid_reply and reason malformed.
//
// Lone surrogate escapes such as \ud83d, which fastjson would leave as six
// characters of text, become U+FFFD. In other points fastjson is lenient: it
// accepts bad numbers and control characters inside strings, and of duplicate
// keys the first wins. That is harmless in a frame; completed tool arguments are
// checked strictly by [events.CheckArguments].
func (p *Parser) Parse(frame []byte) (*fastjson.Value, error) {
	if !utf8.Valid(frame) {
		return nil, events.NewFailure(events.InvalidReply, events.ReasonMalformed,
			"frame is not UTF-8 at byte "+strconv.Itoa(invalidAt(frame)))
	}
	large := len(frame) >= largeFrame
	if large && values(frame) > MaxValues {
		return nil, events.NewFailure(events.InvalidReply, events.ReasonTooLarge,
			"a frame holds more than "+strconv.Itoa(MaxValues)+" values")
	}
	if p.parser == nil || p.grown {
		p.parser = new(fastjson.Parser)
	}
	p.grown = large
	v, err := p.parser.ParseBytes(repairSurrogates(frame))
	if err != nil {
		// The parser's own text quotes the frame, which may hold anything.
		return nil, events.NewFailure(events.InvalidReply, events.ReasonMalformed, "frame is not JSON")
	}
	return v, nil
}

// values returns how many values a frame has at most: one after each comma, colon
// and opening bracket outside strings.
func values(frame []byte) int {
	n, inside := 1, false
	for i := 0; i < len(frame); i++ {
		switch frame[i] {
		case '"':
			inside = !inside
		case '\\':
			i++
		case ',', '[', '{':
			if !inside {
				n++
			}
		}
	}
	return n
}

func invalidAt(b []byte) int {
	at := 0
	for at < len(b) {
		r, size := utf8.DecodeRune(b[at:])
		if r == utf8.RuneError && size <= 1 {
			return at
		}
		at += size
	}
	return at
}
