package transport

import (
	"compress/gzip"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// decoded returns a reader of the body without its content encoding, and the body
// as it is when the encoding is not known. net/http decodes the gzip that it
// asked for itself; a round tripper of the user's may hand over what it got.
func decoded(encoding string, body io.Reader) (r io.Reader, known bool) {
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "", "identity":
		return body, true
	case "gzip", "x-gzip":
		return &gzipReader{body: body}, true
	default:
		return body, false
	}
}

// gzipReader decodes as the bytes come; it reads the gzip header at the first
// Read, under the clocks.
type gzipReader struct {
	body io.Reader
	gzip *gzip.Reader
}

func (g *gzipReader) Read(p []byte) (int, error) {
	if g.gzip == nil {
		z, err := gzip.NewReader(g.body)
		if err != nil {
			return 0, err
		}
		g.gzip = z
	}
	return g.gzip.Read(p)
}

// A content is what a successful body turns out to be.
type content uint8

const (
	contentStream content = iota
	contentJSON
	contentOther
)

// contentOf tells a stream from a JSON document and from anything else (HTML,
// as proxies send it) by the first byte of the body, because labels are wrong in
// both directions: streams come as application/json, and JSON errors as
// text/event-stream. first is 0 for an empty body.
func contentOf(framing Framing, header http.Header, first byte) content {
	switch {
	case first == '<':
		return contentOther
	case first == '{' || first == '[':
		if framing == NDJSON || framing == SSEOrJSON && first == '[' {
			return contentStream
		}
		return contentJSON
	case framing == NDJSON && first != 0, framing == EventStream && first > 1:
		// The length of a message begins with 0, from 16 MiB on with 1.
		return contentOther
	}
	media, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err == nil && (media == "text/html" || strings.HasPrefix(media, "image/")) {
		return contentOther
	}
	return contentStream
}

// strangeBody says what came where a stream was due.
func strangeBody(first byte, header http.Header) string {
	what := "a body that begins with " + strconv.QuoteRune(rune(first))
	if first == '<' {
		what = "a page of HTML or XML"
	}
	if label := header.Get("Content-Type"); label != "" {
		what += ", labelled " + label + ","
	}
	return what + " came where a stream was due"
}
