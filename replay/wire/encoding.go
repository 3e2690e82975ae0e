package wire

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"strings"
)

// maxDecoded is the most that is decoded of a body to look for secrets: 64 MiB.
const maxDecoded = 64 << 20

var (
	errEncoding = errors.New("its content encoding is not known, so it cannot be searched for credentials")
	errBomb     = errors.New("decoded it is larger than 64 MiB, so it cannot be searched for credentials")
)

// isEncoded reports whether a content encoding changes the bytes.
func isEncoded(encoding string) bool {
	encoding = strings.ToLower(strings.TrimSpace(encoding))
	return encoding != "" && encoding != "identity"
}

// decode returns a body without its content encoding. What can be decoded of a body
// that was cut is returned without an error.
func decode(encoding string, body []byte) ([]byte, error) {
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "", "identity":
		return body, nil
	case "gzip", "x-gzip":
		r, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return nil, nil //nolint:nilnil // nothing of it can be read, so it hides nothing
		}
		return decoded(r)
	case "deflate":
		// Named after zlib's format; some servers send it without the frame.
		if r, err := zlib.NewReader(bytes.NewReader(body)); err == nil {
			return decoded(r)
		}
		return decoded(flate.NewReader(bytes.NewReader(body)))
	default:
		return nil, errEncoding
	}
}

func decoded(r io.Reader) ([]byte, error) {
	text, _ := io.ReadAll(io.LimitReader(r, maxDecoded+1))
	if len(text) > maxDecoded {
		return nil, errBomb
	}
	return text, nil
}
