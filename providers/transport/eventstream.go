package transport

import (
	"encoding/binary"
	"hash/crc32"
	"strconv"

	"github.com/weirsdk/weir/events"
)

// A message of an AWS event stream is a prelude (length of the whole, length of
// the headers, checksum of the two), headers, the payload, and a checksum of all
// before it; numbers are big endian, checksums CRC-32 as in gzip
// (https://docs.aws.amazon.com/lexv2/latest/dg/event-stream-encoding.html, a
// stored copy read 2026-12-01).
const (
	preludeSize  = 12
	checksumSize = 4
	leastMessage = preludeSize + checksumSize
)

// The types of header values that have a length of their own, and the one for
// text.
const (
	headerBytes = 6
	headerText  = 7
)

// message returns the next message.
func (f *FrameReader) message() (Frame, error) {
	f.start = f.pos
	for {
		rest := f.buf[f.pos:]
		size, err := messageSize(rest, f.max)
		if err == nil && size > 0 && size <= len(rest) {
			f.pos += size
			var fr Frame
			if fr, err = parseMessage(rest[:size:size]); err == nil {
				return fr, nil
			}
		}
		if err != nil {
			f.pos, f.err = len(f.buf), err
			return Frame{}, err
		}
		if err := f.fill(); err != nil {
			f.unterminated = f.unterminated || len(f.buf) > f.pos
			f.pos = len(f.buf)
			return Frame{}, err
		}
	}
}

// messageSize returns the size of the message that b begins with, or 0 while its
// prelude is not there.
func messageSize(b []byte, most int) (int, error) {
	if len(b) < preludeSize {
		return 0, nil
	}
	size, headers := binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])
	switch {
	case crc32.ChecksumIEEE(b[:preludeSize-checksumSize]) != binary.BigEndian.Uint32(b[preludeSize-checksumSize:]):
		return 0, badMessage("the checksum of a message's prelude is wrong")
	case size < leastMessage || headers > size-leastMessage:
		return 0, badMessage("the lengths of a message contradict each other")
	case uint64(size) > uint64(most):
		return 0, events.NewFailure(events.InvalidReply, events.ReasonTooLarge,
			"a message is larger than the limit of "+strconv.Itoa(most)+" bytes")
	}
	return int(size), nil
}

// parseMessage reads a whole message whose prelude is good.
func parseMessage(b []byte) (Frame, error) {
	end := len(b) - checksumSize
	if crc32.ChecksumIEEE(b[:end]) != binary.BigEndian.Uint32(b[end:]) {
		return Frame{}, badMessage("the checksum of a message is wrong")
	}
	payload := preludeSize + int(binary.BigEndian.Uint32(b[4:]))
	var h messageHeaders
	if !h.read(b[preludeSize:payload]) {
		return Frame{}, badMessage("the headers of a message cannot be read")
	}
	data := b[payload:end:end]
	switch string(h.kind) {
	case "exception":
		return Frame{Name: h.exception, Data: data, Exception: true}, nil
	case "error":
		return Frame{Name: h.code, Data: h.text, Exception: true}, nil
	default:
		return Frame{Name: h.event, Data: data}, nil
	}
}

func badMessage(what string) error {
	return events.NewFailure(events.InvalidReply, events.ReasonMalformed, what)
}

// messageHeaders are those that say what a message is.
type messageHeaders struct {
	kind, event, exception, code, text []byte
}

// read reads headers and reports whether they are well formed.
func (h *messageHeaders) read(b []byte) bool {
	for len(b) > 0 {
		name, rest, ok := cutField(b, 1)
		if !ok || len(rest) == 0 {
			return false
		}
		kind := rest[0]
		value, rest, ok := headerValue(kind, rest[1:])
		if !ok || kind == headerText && !h.set(name, value) {
			return false
		}
		b = rest
	}
	return true
}

// set keeps a text header. One that was there already contradicts.
func (h *messageHeaders) set(name, value []byte) bool {
	var field *[]byte
	switch string(name) {
	case ":message-type":
		field = &h.kind
	case ":event-type":
		field = &h.event
	case ":exception-type":
		field = &h.exception
	case ":error-code":
		field = &h.code
	case ":error-message":
		field = &h.text
	default:
		return true
	}
	if *field != nil {
		return false
	}
	*field = value
	return true
}

// headerValue cuts the value of a header from what follows it.
func headerValue(kind byte, b []byte) (value, rest []byte, ok bool) {
	// true, false, byte, short, integer, long; 8 is a timestamp, 9 a UUID.
	sizes := [...]int{0, 0, 1, 2, 4, 8, headerBytes: -1, headerText: -1, 8: 8, 9: 16}
	switch {
	case int(kind) >= len(sizes):
		return nil, nil, false
	case sizes[kind] < 0:
		return cutField(b, 2)
	case sizes[kind] > len(b):
		return nil, nil, false
	}
	return b[:sizes[kind]], b[sizes[kind]:], true
}

// cutField cuts a field that begins with its length, a number of that many bytes.
func cutField(b []byte, width int) (field, rest []byte, ok bool) {
	if len(b) < width {
		return nil, nil, false
	}
	size := 0
	for _, digit := range b[:width] {
		size = size<<8 | int(digit)
	}
	if b = b[width:]; size > len(b) {
		return nil, nil, false
	}
	return b[:size:size], b[size:], true
}

// AppendMessage appends a frame as a message of an AWS event stream, for tests and
// for servers that speak as AWS does: an event, or an exception, with a payload of
// JSON. A name is at most 65,535 bytes long.
func AppendMessage(dst []byte, frame Frame) []byte {
	start := len(dst)
	dst = append(dst, make([]byte, preludeSize)...)
	kind, nameOf := "event", ":event-type"
	if frame.Exception {
		kind, nameOf = "exception", ":exception-type"
	}
	dst = appendHeader(dst, nameOf, string(frame.Name))
	dst = appendHeader(dst, ":content-type", "application/json")
	dst = appendHeader(dst, ":message-type", kind)
	headers := len(dst) - start - preludeSize
	dst = append(dst, frame.Data...)
	message := dst[start:]
	binary.BigEndian.PutUint32(message, uint32(len(message)+checksumSize))
	binary.BigEndian.PutUint32(message[4:], uint32(headers))
	binary.BigEndian.PutUint32(message[8:], crc32.ChecksumIEEE(message[:8]))
	return binary.BigEndian.AppendUint32(dst, crc32.ChecksumIEEE(message))
}

func appendHeader(dst []byte, name, value string) []byte {
	value = value[:min(len(value), 1<<16-1)]
	dst = append(append(dst, byte(len(name))), name...)
	dst = binary.BigEndian.AppendUint16(append(dst, headerText), uint16(len(value)))
	return append(dst, value...)
}
