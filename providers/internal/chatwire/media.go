package chatwire

import (
	"bytes"
	"encoding/base64"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// maxMedia bounds the pictures and the speech of one reply, in bytes: the grammar's.
const maxMedia = 64 << 20

// readImages reads the pictures that a model made, as OpenRouter and the gateway of
// Vercel send them: parts of type image_url whose address holds the bytes
// (openrouter.ai/docs/features/multimodal/image-generation and vercel.com/docs/
// ai-gateway/openai-compat/image-generation, read 2026-12-01).
func (d *decoder) readImages(list []*fastjson.Value) {
	for _, v := range list {
		address := v.Get("image_url")
		if inner := address.Get("url"); inner != nil {
			address = inner
		}
		url, _ := wirejson.Text(address)
		head, data, isData := bytes.Cut(bytes.TrimPrefix(url, []byte("data:")), []byte(";base64,"))
		switch {
		case len(url) == 0:
		case isData && bytes.HasPrefix(url, []byte("data:")):
			d.sendMedia(string(head), data)
		default:
			d.passOver("a picture that is not in the reply: " + string(url))
		}
	}
}

// An audio is the speech of a reply as it is put together.
type audio struct {
	id    string
	data  []byte
	carry []byte // base64 of less than three bytes
}

// readAudio reads the speech of OpenAI's models, which a request asks for by the
// members modalities and audio of Extra: its bytes, its words, and the id by which the
// next request names it (developers.openai.com/api/docs/guides/audio and
// openai-client-base 0.16.0, docs.rs, ChatCompletionStreamResponseDeltaAudio, read
// 2026-12-01). The words are the reply's text: content is null beside them.
func (d *decoder) readAudio(o *fastjson.Object) error {
	if o == nil {
		return nil
	}
	if id, ok := wirejson.Text(o.Get("id")); ok && len(id) > 0 && len(id) <= maxArguments {
		d.audio.id = string(id)
	}
	if text, ok := wirejson.Text(o.Get("transcript")); ok {
		d.say(&d.text, events.TextDelta, text)
	}
	data, _ := wirejson.Text(o.Get("data"))
	if d.finished && len(data) > 0 {
		d.passOver("audio after the finish_reason")
		return nil
	}
	if !d.audio.add(data) {
		return malformed("a piece of audio is not base64")
	}
	if d.mediaBytes+len(d.audio.data) > maxMedia {
		return tooLarge("audio above 64 MiB")
	}
	return nil
}

// add takes a piece, and reports whether it is base64. Pieces are whole, or one text
// that is cut anywhere.
func (a *audio) add(text []byte) bool {
	a.carry = append(a.carry, text...)
	rest := a.carry
	for len(rest) >= 4 {
		n := len(rest) / 4 * 4
		if end := bytes.IndexByte(rest[:n], '='); end >= 0 {
			n = end/4*4 + 4 // what follows padding is another text
		}
		at := len(a.data)
		a.data = append(a.data, make([]byte, base64.StdEncoding.DecodedLen(n))...)
		got, err := base64.StdEncoding.Decode(a.data[at:], rest[:n])
		a.data = a.data[:at+got]
		if err != nil {
			return false
		}
		rest = rest[n:]
	}
	a.carry = append(a.carry[:0], rest...)
	return true
}

// endAudio sends the speech, which is whole.
func (d *decoder) endAudio() {
	if len(d.audio.carry) > 0 {
		d.passOver("the end of the audio, which is not base64")
	}
	if n := len(d.audio.data); n > 0 {
		d.mediaBytes += n
		d.send(events.NewMediaCompleted(d.takeIndex(), audioType(d.extra, d.profile.ExtraBody), d.audio.data))
	}
}

// audioType returns the media type of the speech that the first of the extras asks for
// which says it. A stream has the samples alone unless it asks for another format: 24,000
// a second, of 16 bits (OpenAI's API reference, audio.format, and its guide to audio, read
// 2026-12-01).
func audioType(extras ...string) string {
	for _, extra := range extras {
		v, err := fastjson.Parse(extra)
		if err != nil {
			continue
		}
		switch format := wirejson.String(v.Get("audio", "format")); format {
		case "":
			continue
		case "pcm16":
			return "audio/pcm"
		case "mp3":
			return "audio/mpeg"
		default:
			return "audio/" + strings.ToLower(format)
		}
	}
	return "audio/pcm"
}
