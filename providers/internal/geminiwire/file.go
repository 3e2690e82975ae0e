package geminiwire

import (
	"net/url"
	"path"
	"strings"

	"github.com/weirsdk/weir/request"
)

// file appends what the host fetches itself.
func (e *encoder) file(b *request.Block) error {
	mediaType := b.MediaType
	if mediaType == "" && e.profile.TypedFiles {
		if mediaType = typeOf(b.URL); mediaType == "" {
			return badHistory("the provider wants the media type of " + string(b.Kind) + " by its address, which does not tell it: set MediaType")
		}
	}
	e.dst = append(e.dst, `{"fileData":{`...)
	if mediaType != "" {
		e.dst = append(e.dst, `"mimeType":`...)
		e.str(mediaType)
		e.dst = append(e.dst, ',')
	}
	e.dst = append(e.dst, `"fileUri":`...)
	e.str(b.URL)
	e.dst = append(e.dst, "}}"...)
	return nil
}

// typeOf returns the media type that the end of an address tells, of those that Gemini
// takes (documentation.s3ns.fr/gemini-enterprise-agent-platform/models/gemini/
// 2-5-flash-lite, a stored copy read 2026-12-01), or nothing. The system's own table is
// not asked: it differs from machine to machine.
func typeOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	switch strings.ToLower(path.Ext(u.Path)) {
	case ".png":
		return "image/png"
	case ".jpg", ".jpeg":
		return "image/jpeg"
	case ".webp":
		return "image/webp"
	case ".heic":
		return "image/heic"
	case ".heif":
		return "image/heif"
	case ".pdf":
		return "application/pdf"
	case ".txt":
		return "text/plain"
	case ".mp4":
		return "video/mp4"
	case ".webm":
		return "video/webm"
	case ".mov":
		return "video/quicktime"
	case ".mp3":
		return "audio/mp3"
	case ".wav":
		return "audio/wav"
	case ".flac":
		return "audio/flac"
	case ".ogg":
		return "audio/ogg"
	default:
		return ""
	}
}
