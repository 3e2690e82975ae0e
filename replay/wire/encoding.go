package wire

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
)

// maxDecoded is the most that is decoded of a body to look for secrets: 64 MiB.
const maxDecoded = 64 << 20

var (
	errEncoding = errors.New("its content encoding is not known, so it cannot be searched for credentials")
	errBroken   = errors.New("its content encoding is broken, so it cannot be searched for credentials")
	errBomb     = errors.New("decoded it is larger than 64 MiB, so it cannot be searched for credentials")
)

// encodingOf returns the content encodings of a header as one list (RFC 9110, 5.3).
func encodingOf(header http.Header) string {
	return strings.Join(canonical(header)["Content-Encoding"], ",")
}

// encodings returns those of a list that change the bytes, in the order in which they
// were applied (RFC 9110, 8.4).
func encodings(list string) []string {
	var names []string
	for name := range strings.SplitSeq(strings.ToLower(list), ",") {
		if name = strings.TrimSpace(name); name != "" && name != "identity" {
			names = append(names, name)
		}
	}
	return names
}

// isEncoded reports whether content encodings change the bytes.
func isEncoded(list string) bool { return len(encodings(list)) > 0 }

// decode returns a body without its content encodings. What can be decoded of a body
// that was cut is returned without an error, and one of which nothing can be as it is:
// it hides nothing.
func decode(list string, body []byte) ([]byte, error) {
	plain, _, err := undo(list, body)
	return plain, err
}

// undo is decode, and reports whether the body was whole.
func undo(list string, body []byte) (plain []byte, whole bool, err error) {
	for _, name := range slices.Backward(encodings(list)) {
		if body, whole, err = undoOne(name, body); err != nil || !whole {
			return body, false, err
		}
	}
	return body, true, nil
}

// searchable returns a body for the search: decoded, also when it is compressed without a
// word of it, as files are.
func searchable(header http.Header, body []byte) (plain []byte, whole bool, err error) {
	plain, whole, err = undo(encodingOf(header), body)
	if err == nil && whole && bytes.HasPrefix(plain, []byte("\x1f\x8b\x08")) { // RFC 1952, 2.3.1
		return undoOne("gzip", plain)
	}
	return plain, whole, err
}

// storable returns the body of a request as it is stored: without its content encoding.
// One that cannot be searched for credentials is an error.
func storable(header http.Header, body []byte) ([]byte, error) {
	plain, whole, err := searchable(header, body)
	switch {
	case err != nil:
		return body, err
	case whole || bytes.Equal(plain, body):
		return plain, nil
	default:
		return body, errBroken
	}
}

func undoOne(name string, body []byte) (plain []byte, whole bool, err error) {
	switch name {
	case "gzip", "x-gzip":
		r, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return body, false, nil
		}
		return decoded(r, body)
	case "deflate":
		// Named after zlib's format; some servers send it without the frame.
		if r, err := zlib.NewReader(bytes.NewReader(body)); err == nil {
			return decoded(r, body)
		}
		return decoded(flate.NewReader(bytes.NewReader(body)), body)
	default:
		return nil, false, errEncoding
	}
}

func decoded(r io.Reader, body []byte) (plain []byte, whole bool, err error) {
	plain, failed := io.ReadAll(io.LimitReader(r, maxDecoded+1))
	switch {
	case len(plain) > maxDecoded:
		return nil, false, errBomb
	case failed != nil && len(plain) == 0:
		return body, false, nil
	default:
		return plain, failed == nil, nil
	}
}
