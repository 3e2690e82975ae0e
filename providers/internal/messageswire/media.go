package messageswire

import (
	"encoding/base64"
	"mime"
	"strings"

	"github.com/weirsdk/weir/request"
)

// media appends an image or a document.
func (e *encoder) media(b *request.Block) error {
	if b.URL != "" && e.noURLs {
		return badParameter("media by URL are not taken by this host, only inline")
	}
	kind := "document"
	if b.Kind == request.BlockImage {
		kind = "image"
	}
	e.dst = append(e.dst, `{"type":"`+kind+`","source":`...)
	e.source(b)
	if kind == "document" {
		if b.Name != "" {
			e.dst = append(e.dst, `,"title":`...)
			e.str(b.Name)
		}
		if e.cites {
			e.dst = append(e.dst, `,"citations":{"enabled":true}`...)
		}
	}
	e.mark(b.Cache)
	e.dst = append(e.dst, '}')
	return nil
}

// source appends where the bytes of an image or a file are. A text of any kind is a
// plain one: the wire has no other (anthropic-sdk-go v1.60, PlainTextSource, read
// August to October 2026).
func (e *encoder) source(b *request.Block) {
	switch {
	case b.URL != "":
		e.dst = append(e.dst, `{"type":"url","url":`...)
		e.str(b.URL)
	case b.Kind == request.BlockFile && isText(b.MediaType):
		e.dst = append(e.dst, `{"type":"text","media_type":"text/plain","data":`...)
		e.str(string(b.Data))
	default:
		e.dst = append(e.dst, `{"type":"base64","media_type":`...)
		e.str(b.MediaType)
		e.dst = append(e.dst, `,"data":"`...)
		e.dst = base64.StdEncoding.AppendEncode(e.dst, b.Data)
		e.dst = append(e.dst, '"')
	}
	e.dst = append(e.dst, '}')
}

func isText(mediaType string) bool {
	bare, _, err := mime.ParseMediaType(mediaType)
	return err == nil && strings.HasPrefix(bare, "text/")
}
