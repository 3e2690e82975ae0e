package ollamawire

import (
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// images emits the images of a message, each whole and in base64, of a type that nobody
// tells (docs.ollama.com/openapi.yaml, ChatStreamEvent, a stored copy read 2026-12-01).
// What is no image is passed over with a Notice.
func (d *decoder) images(from *fastjson.Value, emit func(events.Event) bool) (more bool, err error) {
	if from == nil {
		return true, nil
	}
	for _, v := range from.GetArray() {
		text, _ := wirejson.Text(v)
		data, err := base64.StdEncoding.DecodeString(string(text))
		kind := http.DetectContentType(data)
		if err != nil || !strings.HasPrefix(kind, "image/") {
			if !d.unknown(emit) {
				return false, nil
			}
			continue
		}
		if d.next == maxBlocks {
			return false, events.NewFailure(events.InvalidReply, events.ReasonTooLarge, "more than 1,024 blocks")
		}
		if !emit(events.NewMediaCompleted(d.take(), kind, data)) {
			return false, nil
		}
	}
	return true, nil
}

// maxBlocks is how many indexes the grammar has.
const maxBlocks = 1024
