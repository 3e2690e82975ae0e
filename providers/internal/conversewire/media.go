package conversewire

import (
	"encoding/base64"
	"mime"
	"strconv"
	"strings"
	"unicode"

	"github.com/weirsdk/weir/request"
)

// A format is the member of a block and the wire's name of its format.
type format struct{ member, name string }

// formatOf returns how a media type is spelled. The names are the enumerations of
// aws-sdk-go-v2 service/bedrockruntime v1.63.13, read 2026-12-01.
func formatOf(mediaType string) (format, bool) {
	if bare, _, err := mime.ParseMediaType(mediaType); err == nil {
		mediaType = bare
	}
	f, ok := map[string]format{
		"image/png": {"image", "png"}, "image/jpeg": {"image", "jpeg"}, "image/gif": {"image", "gif"}, "image/webp": {"image", "webp"},
		"audio/mpeg": {"audio", "mp3"}, "audio/mp3": {"audio", "mp3"}, "audio/wav": {"audio", "wav"}, "audio/x-wav": {"audio", "wav"},
		"audio/flac": {"audio", "flac"}, "audio/ogg": {"audio", "ogg"}, "audio/opus": {"audio", "opus"}, "audio/aac": {"audio", "aac"},
		"audio/mp4": {"audio", "m4a"}, "audio/webm": {"audio", "webm"},
		"application/pdf": {"document", "pdf"}, "text/csv": {"document", "csv"}, "text/html": {"document", "html"},
		"text/plain": {"document", "txt"}, "text/markdown": {"document", "md"}, "application/msword": {"document", "doc"},
		"application/vnd.openxmlformats-officedocument.wordprocessingml.document": {"document", "docx"},
		"application/vnd.ms-excel": {"document", "xls"},
		"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": {"document", "xlsx"},
		"video/mp4": {"video", "mp4"}, "video/quicktime": {"video", "mov"}, "video/webm": {"video", "webm"},
		"video/x-matroska": {"video", "mkv"}, "video/mpeg": {"video", "mpeg"},
	}[mediaType]
	return f, ok
}

// media appends an image, a clip or a document: inline, or where it lies in S3.
func (e *encoder) media(b *request.Block) error {
	f, ok := formatOf(b.MediaType)
	switch {
	case !ok && b.URL != "" && b.Kind == request.BlockImage && b.MediaType == "":
		return badParameter("an image in S3 needs its media type: other images are taken inline only")
	case !ok:
		return badParameter("media of type " + b.MediaType + " are not taken")
	case b.URL != "" && !strings.HasPrefix(b.URL, "s3://"):
		return badParameter("media by URL are not taken, only inline or in S3")
	}
	e.dst = append(e.dst, `{"`+f.member+`":{"format":"`+f.name+`"`...)
	if f.member == "document" {
		e.dst = append(e.dst, `,"name":`...)
		e.str(e.documentName(b.Name))
		if e.cites {
			// docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CitationsConfig.html,
			// read 2026-12-01
			e.dst = append(e.dst, `,"citations":{"enabled":true}`...)
		}
	}
	if b.URL != "" {
		e.dst = append(e.dst, `,"source":{"s3Location":{"uri":`...)
		e.str(b.URL)
		e.dst = append(e.dst, `}}}}`...)
		return nil
	}
	e.dst = append(e.dst, `,"source":{"bytes":"`...)
	e.dst = base64.StdEncoding.AppendEncode(e.dst, b.Data)
	e.dst = append(e.dst, `"}}}`...)
	return nil
}

// maxDocumentName leaves room for a number in the 200 characters that a name may have
// (metacpan.org, Paws::BedrockRuntime, DocumentBlockNameString, read 2026-12-01).
const maxDocumentName = 190

// documentName returns a name that the wire takes (letters, digits, single spaces,
// "-", "(", ")", "[" and "]") and that no other document of the request has.
func (e *encoder) documentName(name string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)), strings.ContainsRune("-()[]", r):
			return r
		case unicode.IsSpace(r):
			return ' '
		default:
			return '-'
		}
	}, name)
	clean = strings.Join(strings.Fields(clean), " ")
	if clean = strings.TrimSpace(clean[:min(len(clean), maxDocumentName)]); clean == "" {
		clean = "document"
	}
	if e.documents == nil {
		e.documents = map[string]int{}
	}
	unique, n := clean, e.documents[clean]
	for ; e.documents[unique] > 0; n++ {
		unique = clean + " " + strconv.Itoa(n+1)
	}
	e.documents[clean] = max(n, 1)
	e.documents[unique] = max(e.documents[unique], 1)
	return unique
}
