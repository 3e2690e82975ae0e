package transport

import (
	"compress/gzip"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/weirsdk/weir/events"
)

// decoded returns a reader of the body without its content encoding. net/http
// decodes the gzip that it asked for itself; a round tripper of the user's may
// hand over what it got.
func decoded(encoding string, body io.Reader) (io.Reader, error) {
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "", "identity":
		return body, nil
	case "gzip", "x-gzip":
		return &gzipReader{body: body}, nil
	default:
		return nil, events.NewFailure(events.InvalidReply, events.ReasonBadContent,
			"the body is encoded as "+encoding+", which was not asked for")
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
		if framing == NDJSON {
			return contentStream
		}
		return contentJSON
	case framing == NDJSON && first != 0:
		return contentOther
	}
	media, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err == nil && (media == "text/html" || strings.HasPrefix(media, "image/")) {
		return contentOther
	}
	return contentStream
}
