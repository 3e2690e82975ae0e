package transport

import "github.com/weirsdk/weir/events"

// value returns the frame that bare JSON makes here, between two lines, and false
// when the next line is to be read: the object that stands where a block would
// begin, or the block that an object cuts short. Arrays around objects, and the
// commas between them, are passed over, as white space is.
func (f *FrameReader) value() (Frame, bool, error) {
	if f.lines > 0 || f.name != (span{}) {
		if f.lines > 0 && f.objectNext() {
			return f.frame(), true, nil
		}
		return Frame{}, false, nil
	}
	for {
		if f.pos == len(f.buf) {
			f.start = f.pos
			if f.fill() != nil {
				return Frame{}, false, nil // the line comes upon the same end
			}
			continue
		}
		switch b := f.buf[f.pos]; {
		case b == '{':
			f.bare, f.skipLF, f.scanned, f.start = true, false, 0, f.pos
			fr, err := f.object()
			return fr, true, err
		case b == '[' || b == ',' || b == ']':
			f.bare = true
		case b == '\n' || b == '\r' || f.bare && (b == ' ' || b == '\t'):
		default:
			f.bare = false
			return Frame{}, false, nil
		}
		f.skipLF, f.scanned = false, 0
		f.pos++
		f.start = f.pos
	}
}

// object returns the object that begins at pos. One that the body ends in is read
// as far as it goes.
func (f *FrameReader) object() (Frame, error) {
	depth, inside := 0, false
	for at := 0; ; at++ {
		for f.pos+at >= len(f.buf) {
			if err := f.fill(); err != nil {
				return f.cutObject(err)
			}
		}
		switch b := f.buf[f.pos+at]; {
		case b == '\\' && inside:
			at++ // what is escaped ends nothing
		case b == '"':
			inside = !inside
		case inside:
		case b == '{' || b == '[':
			depth++
		case b == '}' || b == ']':
			if depth--; depth == 0 {
				data := f.buf[f.pos : f.pos+at+1 : f.pos+at+1]
				f.pos += at + 1
				return Frame{Data: data}, nil
			}
		}
	}
}

func (f *FrameReader) cutObject(err error) (Frame, error) {
	rest := f.buf[f.pos:]
	f.pos = len(f.buf)
	if _, tooLarge := events.AsFailure(err); tooLarge {
		return Frame{}, err
	}
	f.unterminated = true
	return Frame{Data: rest}, nil
}

// objectNext reports whether an object begins where the next line would.
func (f *FrameReader) objectNext() bool {
	at := f.pos
	if f.skipLF && at < len(f.buf) && f.buf[at] == '\n' {
		at++
	}
	return at < len(f.buf) && f.buf[at] == '{'
}
