package texttools

import "strings"

const (
	// space is the white space around texts, fences and arguments.
	space = " \t\r\n"
	// blanks is that within a line.
	blanks = " \t\r"
	// maxIndent is the most bytes before a fence; more is a block of code.
	maxIndent = 3
	// minFence is the shortest fence.
	minFence = 3
	// closing is the least of a fence that ends a call.
	closing = "```"
	// maxHeld is the most of a line, or of white space, that is held back.
	maxHeld = 1 << 10
)

// A sink is told what a parser finds. Its methods report whether to go on.
type sink interface {
	// text tells a piece of text, never empty.
	text(s string) bool
	// open begins a call; a block without a name gives "".
	open(name string) bool
	// body tells a piece of the arguments, never empty.
	body(s string) bool
	// end ends the call; closed says by its fence.
	end(closed bool) bool
}

// A place is where in the text a parser is.
type place uint8

const (
	lineStart place = iota // what the line is may not be known yet
	inLine                 // in the rest of a line of text
	bodyStart              // at the start of a line of arguments
	inBody                 // in the rest of one
	inFence                // in a closing fence
	behind                 // behind one
)

// A parser finds the blocks of tool_call in a text that comes in pieces. What it
// tells does not depend on the pieces, but for where texts and arguments are cut.
type parser struct {
	to sink
	at place
	// held is what was not told yet, for what follows decides what it is.
	held string
	// blank is the white space before held: no part of the text when a block follows,
	// no part of the arguments when the block ends.
	blank string
	// bare: no text was told since the last block, or no arguments of this one.
	bare bool
	// overlong: the arguments are in a run of blanks and backticks that is longer than
	// maxHeld, of which nothing is held.
	overlong bool
	// fence and mark are those of the block of code that the text is in.
	fence int
	mark  byte
}

// write takes the next piece of the text.
func (p *parser) write(s string) bool {
	p.held += s
	return p.run(false)
}

// boundary ends a piece that is whole, such as a block of text. A call goes on.
func (p *parser) boundary() bool {
	if p.at == bodyStart || p.at == inBody {
		return true
	}
	if !p.run(true) {
		return false
	}
	if p.at == bodyStart || p.at == inBody {
		return true
	}
	p.at = lineStart
	return p.flush()
}

// finish ends the text.
func (p *parser) finish() bool {
	if !p.run(true) {
		return false
	}
	if p.at == bodyStart || p.at == inBody {
		p.at, p.bare, p.blank = behind, true, ""
		return p.to.end(false)
	}
	return p.flush()
}

// flush tells the white space that no block follows.
func (p *parser) flush() bool {
	blank := p.blank
	p.blank = ""
	return blank == "" || p.to.text(blank)
}

// run takes what can be told from held: all of it when its last line is whole.
func (p *parser) run(whole bool) bool {
	for p.held != "" {
		line, complete := p.held, whole
		if i := strings.IndexByte(p.held, '\n'); i >= 0 {
			line, complete = p.held[:i+1], true
		}
		var more, ok bool
		switch p.at {
		case lineStart:
			more, ok = p.start(line, complete)
		case inLine:
			ok = p.tell(line)
			p.take(len(line), ended(line, lineStart, inLine))
		case bodyStart, inBody:
			more, ok = p.inside(line, complete)
		case inFence:
			p.take(len(line)-len(strings.TrimLeft(line, "`")), behind)
			if p.held == "" && !complete {
				p.at = inFence
			}
			ok = true
		case behind:
			more, ok = p.after(line, complete), true
		}
		if more || !ok {
			return ok
		}
	}
	return true
}

// take drops the first n bytes of held and goes on at a place.
func (p *parser) take(n int, at place) { p.held, p.at = p.held[n:], at }

func ended(line string, yes, no place) place {
	if strings.HasSuffix(line, "\n") {
		return yes
	}
	return no
}

// tell tells text, white space at its ends held back.
func (p *parser) tell(s string) bool {
	if p.bare {
		s = strings.TrimLeft(s, space)
	}
	text := p.hold(s)
	return text == "" || p.to.text(text)
}

// hold returns what is to be told of s: all but the white space at its end, of which
// the most that is held stays.
func (p *parser) hold(s string) string {
	text := strings.TrimRight(s, space)
	blank := s[len(text):]
	if text == "" {
		blank = p.blank + blank
	} else {
		text = p.blank + text
	}
	more := max(0, len(blank)-maxHeld)
	text, p.blank = text+blank[:more], blank[more:]
	p.bare = p.bare && text == ""
	return text
}

// start looks at the start of a line of text.
func (p *parser) start(line string, complete bool) (more, ok bool) {
	head := line[:min(len(line), maxHeld)]
	rest := strings.TrimLeft(head, " ")
	indent, run := len(head)-len(rest), fenceLength(rest)
	if indent <= maxIndent {
		known := complete && len(line) <= maxHeld
		if name, at, found := opening(rest, run, known); found && p.fence == 0 {
			return false, p.open(name, indent+at)
		}
		switch {
		case known:
			p.look(rest, run)
		case len(line) <= maxHeld && (run == len(rest) || run >= minFence):
			return true, true
		}
	}
	ok = p.tell(line)
	p.take(len(line), ended(line, lineStart, inLine))
	return false, ok
}

// look looks whether a line of text opens or closes a block of code.
func (p *parser) look(line string, run int) {
	if run < minFence {
		return
	}
	info := strings.Trim(line[run:], space)
	switch {
	case p.fence > 0:
		if info == "" && line[0] == p.mark && run >= p.fence {
			p.fence = 0
		}
	case line[0] != '`' || !strings.Contains(info, "`"):
		p.fence, p.mark = run, line[0]
	}
}

// fenceLength returns how many marks of a fence a text begins with.
func fenceLength(s string) int {
	if s == "" || s[0] != '`' && s[0] != '~' {
		return 0
	}
	return len(s) - len(strings.TrimLeft(s, s[:1]))
}

// opening reads a line that opens a call, behind its indent: its name, and where the
// arguments begin. A line that is not complete opens one when they begin on it.
func opening(line string, run int, complete bool) (name string, at int, found bool) {
	if run < minFence || line[0] != '`' {
		return "", 0, false
	}
	info, is := strings.CutPrefix(strings.TrimLeft(line[run:], blanks), wordCall)
	if !is || info != "" && !strings.Contains(space+"{", info[:1]) {
		return "", 0, false
	}
	if i := strings.IndexByte(info, '{'); i >= 0 {
		at, info = len(line)-len(info)+i, info[:i]
	} else if at = len(line); !complete {
		return "", 0, false
	}
	if strings.Contains(info, "`") {
		return "", 0, false
	}
	if words := strings.Fields(info); len(words) > 0 {
		name = words[0]
	}
	return name, at, true
}

// open begins a call whose arguments begin at a byte of held.
func (p *parser) open(name string, at int) bool {
	p.take(at, bodyStart)
	p.blank, p.bare = "", true
	return p.to.open(name)
}

// inside looks at a line of arguments. The fence that ends them is the first on its
// line, behind blanks, within its first maxHeld bytes; or the last, in a tail of blanks
// and backticks of at most as many. Both are told by a number of bytes, so that what is
// a fence never depends on the pieces.
func (p *parser) inside(line string, complete bool) (more, ok bool) {
	if p.at == bodyStart {
		head := line[:min(len(line), maxHeld)]
		rest := strings.TrimLeft(head, blanks)
		switch {
		case strings.HasPrefix(rest, closing):
			return false, p.close(len(head) - len(rest))
		case !complete && len(line) < maxHeld && strings.Trim(rest, "`") == "":
			return true, true
		}
	}
	body := strings.TrimSuffix(line, "\n")
	text := strings.TrimRight(body, blanks+"`")
	tail := strings.TrimRight(body[len(text):], blanks)
	p.overlong = len(body)-len(text) > maxHeld || p.overlong && text == ""
	switch {
	case p.overlong:
		text = line
	case complete && strings.HasSuffix(tail, closing):
		text += strings.TrimRight(tail, "`")
		return false, p.argue(text) && p.close(len(text))
	case complete:
		text = line
	}
	ok = p.argue(text)
	if p.take(len(text), ended(line, bodyStart, inBody)); complete {
		p.overlong = false
	}
	return p.held != "" && !complete, ok
}

// close ends the call by the fence at a byte of held.
func (p *parser) close(at int) bool {
	p.take(at, inFence)
	p.blank, p.bare = "", true
	return p.to.end(true)
}

// argue tells a piece of the arguments, white space at its ends held back.
func (p *parser) argue(s string) bool {
	if p.bare {
		s = strings.TrimLeft(s, space)
	}
	text := p.hold(s)
	return text == "" || p.to.body(text)
}

// after looks at what is behind a closing fence on its line.
func (p *parser) after(line string, complete bool) (more bool) {
	rest := strings.TrimLeft(line, blanks)
	switch {
	case strings.HasPrefix(rest, wordCall): // the fence opens the next one too
		p.held, p.at = closing+p.held[len(line)-len(rest):], lineStart
	case strings.Trim(rest, space) == "" && complete:
		p.take(len(line), ended(line, lineStart, behind))
	case !complete && strings.HasPrefix(wordCall, rest):
		p.take(len(line)-len(rest), behind)
		return true
	default:
		p.take(len(line)-len(rest), inLine)
	}
	return false
}
