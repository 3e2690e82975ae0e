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
	parser fastjson.Parser
}

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
	v, err := p.parser.ParseBytes(repairSurrogates(frame))
	if err != nil {
		// The parser's own text quotes the frame, which may hold anything.
		return nil, events.NewFailure(events.InvalidReply, events.ReasonMalformed, "frame is not JSON")
	}
	return v, nil
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
