package transport

import (
	"bytes"
	"io"
	"strconv"

	"github.com/weirsdk/weir/events"
)

// firstBuffer is the size of a reader's first buffer. Live streams bring one
// event a read; more gains nothing.
const firstBuffer = 4 << 10

// maxEmptyReads is how many reads in a row may return nothing.
const maxEmptyReads = 100

// A FrameReader cuts a body into frames. It follows the WHATWG rules for event
// streams (HTML standard, section 9.2.6), with one addition: a block
// that the body ends in is read too and told by [FrameReader.Unterminated]. With
// SSEOrJSON an object that stands bare where a block would begin is a frame. Of an
// AWS event stream it checks lengths and checksums, and reads whole messages only.
// Frames are slices of one buffer, without copy. It is not for concurrent use.
type FrameReader struct {
	r       io.Reader
	framing Framing
	max     int

	buf []byte
	// start <= pos <= len(buf): the block begins at start, lines up to pos have
	// been read.
	start, pos int
	// scanned is how far from pos there is surely no line end.
	scanned int
	err     error // of the reader, kept until the buffer is used up

	skipLF       bool // the last line ended with CR, a LF belongs to it
	bare         bool // the last thing was bare JSON
	pastBOM      bool
	unterminated bool
	name, data   span
	lines        int // data lines of the block
	joined       []byte
}

// span is a slice of the buffer, relative to the start of the block.
type span struct{ from, to int }

// NewFrameReader returns a reader of the frames of r. Frames larger than
// maxFrame bytes are refused; 0 means [DefaultMaxFrame].
func NewFrameReader(r io.Reader, framing Framing, maxFrame int) *FrameReader {
	if maxFrame <= 0 {
		maxFrame = DefaultMaxFrame
	}
	return &FrameReader{r: r, framing: framing, max: maxFrame, pastBOM: framing == EventStream}
}

// Next returns the next frame. Its slices are valid until the next call. Data may
// be empty for SSE, as the standard has it, and for a message. At the end it
// returns the error of the reader, io.EOF for a clean one; a frame that is too
// large is a failure of kind invalid_reply and reason too_large, and a message
// whose lengths, checksums or headers are wrong one of reason malformed. After an
// error it returns the same error.
func (f *FrameReader) Next() (Frame, error) {
	if f.framing == EventStream {
		return f.message()
	}
	f.begin()
	for {
		if f.framing == SSEOrJSON {
			if fr, ok, err := f.value(); ok {
				return fr, err
			}
		}
		line, ok := f.line()
		if !ok {
			if err := f.fill(); err != nil {
				return f.last(err)
			}
			continue
		}
		if f.framing == NDJSON {
			if line = bytes.TrimSpace(line); len(line) > 0 {
				return Frame{Data: line}, nil
			}
			f.begin()
			continue
		}
		if len(line) > 0 {
			f.field(line)
			continue
		}
		if f.lines > 0 {
			return f.frame(), nil
		}
		f.begin()
	}
}

// Unterminated reports whether the last frame was not closed as its framing
// requires, because the body ended in it. A message that the body ended in is not
// read at all.
func (f *FrameReader) Unterminated() bool { return f.unterminated }

// begin starts a block after the last line that was read.
func (f *FrameReader) begin() {
	f.start = f.pos
	f.name, f.data, f.lines = span{}, span{}, 0
	f.joined = f.joined[:0]
}

// line returns the next whole line of the buffer, without its end.
func (f *FrameReader) line() ([]byte, bool) {
	if f.skipLF && f.pos < len(f.buf) {
		f.skipLF = false
		if f.buf[f.pos] == '\n' {
			if f.pos == f.start {
				f.start++
			}
			f.pos++
		}
	}
	rest := f.buf[f.pos:]
	end := lineEnd(rest, f.scanned, f.framing)
	if end < 0 {
		f.scanned = len(rest)
		return nil, false
	}
	f.scanned = 0
	f.skipLF = rest[end] == '\r'
	f.pos += end + 1
	return rest[:end], true
}

// lineEnd returns where the first line end of b is, at or after from, or -1.
func lineEnd(b []byte, from int, framing Framing) int {
	end := bytes.IndexByte(b[from:], '\n')
	if framing == NDJSON {
		if end < 0 {
			return -1
		}
		return from + end
	}
	until := len(b)
	if end >= 0 {
		until = from + end
	}
	if cr := bytes.IndexByte(b[from:until], '\r'); cr >= 0 {
		return from + cr
	}
	if end < 0 {
		return -1
	}
	return until
}

// field reads one line of an event-stream block.
func (f *FrameReader) field(line []byte) {
	at := f.pos - f.start - len(line) - 1
	name, value, from := line, line[len(line):], at+len(line)
	if colon := bytes.IndexByte(line, ':'); colon >= 0 {
		name, value, from = line[:colon], line[colon+1:], at+colon+1
		if len(value) > 0 && value[0] == ' ' {
			value, from = value[1:], from+1
		}
	}
	switch string(name) {
	case "data":
		f.addData(span{from, from + len(value)})
	case "event":
		f.name = span{from, from + len(value)}
	default:
		if f.lines == 0 && f.name == (span{}) {
			// Nothing of the block is kept yet: comments for ever need no room.
			f.start = f.pos
		}
	}
}

func (f *FrameReader) addData(s span) {
	f.lines++
	switch f.lines {
	case 1:
		f.data = s
		return
	case 2:
		f.joined = append(f.joined, f.slice(f.data)...)
	}
	f.joined = append(append(f.joined, '\n'), f.slice(s)...)
}

func (f *FrameReader) slice(s span) []byte {
	return f.buf[f.start+s.from : f.start+s.to : f.start+s.to]
}

func (f *FrameReader) frame() Frame {
	fr := Frame{Name: f.slice(f.name), Data: f.slice(f.data)}
	if f.lines > 1 {
		fr.Data = f.joined
	}
	return fr
}

// last returns what is left when the reader ends with err: an unfinished block,
// once, then err.
func (f *FrameReader) last(err error) (Frame, error) {
	rest := f.buf[f.pos:]
	f.pos, f.scanned = len(f.buf), 0
	if _, tooLarge := events.AsFailure(err); tooLarge {
		return Frame{}, err
	}
	if f.framing == NDJSON {
		if rest = bytes.TrimSpace(rest); len(rest) > 0 {
			f.unterminated = true
			return Frame{Data: rest}, nil
		}
		return Frame{}, err
	}
	if len(rest) > 0 {
		// field counts the line's end, which is missing here.
		f.pos++
		f.field(rest)
		f.pos--
	}
	if f.lines == 0 {
		return Frame{}, err
	}
	f.unterminated = true
	fr := f.frame()
	f.start = f.pos
	return fr, nil
}

// fill reads more into the buffer, or returns why there is no more.
func (f *FrameReader) fill() error {
	if f.err != nil {
		return f.err
	}
	if err := f.room(); err != nil {
		f.err = err
		return err
	}
	for range maxEmptyReads {
		n, err := f.r.Read(f.buf[len(f.buf):cap(f.buf)])
		f.buf = f.buf[:len(f.buf)+n]
		f.err = err
		if n > 0 && !f.pastBOM {
			f.dropBOM()
		}
		if n > 0 {
			return nil
		}
		if err != nil {
			return err
		}
	}
	f.err = io.ErrNoProgress
	return f.err
}

// room makes room for another read: it moves the block to the front, and grows
// the buffer when the block fills it.
func (f *FrameReader) room() error {
	if len(f.buf) < cap(f.buf) {
		return nil
	}
	if f.start > 0 {
		n := copy(f.buf, f.buf[f.start:])
		f.buf = f.buf[:n]
		f.pos -= f.start
		f.start = 0
	}
	if len(f.buf) <= cap(f.buf)/2 && cap(f.buf) > 0 {
		return nil
	}
	if len(f.buf) > f.max {
		return events.NewFailure(events.InvalidReply, events.ReasonTooLarge,
			"a frame is larger than the limit of "+strconv.Itoa(f.max)+" bytes")
	}
	size := max(2*cap(f.buf), firstBuffer)
	f.buf = append(make([]byte, 0, min(size, f.max+firstBuffer)), f.buf...)
	return nil
}

const bom = "\xef\xbb\xbf"

// dropBOM drops a byte order mark from the start of the body.
func (f *FrameReader) dropBOM() {
	n := min(len(f.buf), len(bom))
	if string(f.buf[:n]) != bom[:n] {
		f.pastBOM = true
		return
	}
	if n == len(bom) {
		f.pastBOM = true
		f.start, f.pos, f.scanned = n, n, 0
	}
}

// peek returns the first byte that is not white space, without using it up; false
// when the body ends before it.
func (f *FrameReader) peek() (byte, bool) {
	for !f.pastBOM && len(f.buf) < len(bom) {
		if f.fill() != nil {
			break
		}
	}
	for blank := 0; ; {
		rest := f.buf[f.pos+blank:]
		if text := bytes.TrimLeft(rest, " \t\r\n"); len(text) > 0 {
			return text[0], true
		}
		blank += len(rest) // looked at once
		if f.fill() != nil {
			return 0, false
		}
	}
}

// rest returns a reader of all that was not handed out as frames.
func (f *FrameReader) rest() io.Reader {
	left := f.buf[f.pos:]
	if f.err != nil {
		return io.MultiReader(bytes.NewReader(left), failing{f.err})
	}
	return io.MultiReader(bytes.NewReader(left), f.r)
}

// failing is a reader that only fails.
type failing struct{ err error }

func (r failing) Read([]byte) (int, error) { return 0, r.err }
