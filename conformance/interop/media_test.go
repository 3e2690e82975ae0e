package interop_test

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

const (
	medium    = "some bytes of a medium"
	mediumURL = "https://media.example/x"
)

// A sample is a block of media, and what any body that holds it has to hold.
type sample struct {
	name  string
	block request.Block
	holds []string
}

func samples() []sample {
	encoded := base64.StdEncoding.EncodeToString([]byte(medium))
	return []sample{
		{"image bytes", request.ImageBytes("image/png", []byte(medium)), []string{encoded}},
		{"image url", request.ImageURL(mediumURL), []string{mediumURL}},
		{"audio bytes", request.AudioBytes("audio/wav", []byte(medium)), []string{encoded}},
		{"audio url", request.Block{Kind: request.BlockAudio, MediaType: "audio/mpeg", URL: mediumURL}, []string{mediumURL}},
		{"file bytes", request.FileBytes("x.pdf", "application/pdf", []byte(medium)), []string{encoded}},
		{"text bytes", request.FileBytes("x.txt", "text/plain", []byte(medium)), []string{encoded, medium}},
		{"file url", request.FileURL("x.pdf", "application/pdf", mediumURL), []string{mediumURL}},
	}
}

// shapes returns where a family has a sample of a user's turn. What is not here is
// refused by all of its adapters, or is where only some have it.
func (a adapter) shapes() map[string][]leaf {
	encoded := base64.StdEncoding.EncodeToString([]byte(medium))
	switch a.family {
	case chat:
		const at = "messages.0.content.1"
		if a.name == "compatible mistral chat" {
			return map[string][]leaf{
				"image bytes": {{at + ".image_url.url", "data:image/png;base64," + encoded}},
				"image url":   {{at + ".image_url.url", mediumURL}},
				"audio bytes": {{at + ".type", "input_audio"}, {at + ".input_audio", encoded}},
				"file bytes":  {{at + ".type", "document_url"}, {at + ".document_url", "data:application/pdf;base64," + encoded}},
			}
		}
		return map[string][]leaf{
			"image bytes": {{at + ".type", "image_url"}, {at + ".image_url.url", "data:image/png;base64," + encoded}},
			"image url":   {{at + ".type", "image_url"}, {at + ".image_url.url", mediumURL}},
			"audio bytes": {{at + ".type", "input_audio"}, {at + ".input_audio.data", encoded}, {at + ".input_audio.format", "wav"}},
			"file bytes":  {{at + ".type", "file"}, {at + ".file.filename", "x.pdf"}, {at + ".file.file_data", "data:application/pdf;base64," + encoded}},
		}
	case responses:
		const at = "input.0.content.1"
		return map[string][]leaf{
			"image bytes": {{at + ".type", "input_image"}, {at + ".image_url", "data:image/png;base64," + encoded}},
			"image url":   {{at + ".type", "input_image"}, {at + ".image_url", mediumURL}},
			"file bytes":  {{at + ".type", "input_file"}, {at + ".filename", "x.pdf"}, {at + ".file_data", "data:application/pdf;base64," + encoded}},
			"file url":    {{at + ".type", "input_file"}, {at + ".file_url", mediumURL}},
		}
	case messages:
		const at = "messages.0.content.1"
		return map[string][]leaf{
			"image bytes": {{at + ".type", "image"}, {at + ".source.type", "base64"}, {at + ".source.media_type", "image/png"}, {at + ".source.data", encoded}},
			"image url":   {{at + ".type", "image"}, {at + ".source.type", "url"}, {at + ".source.url", mediumURL}},
			"file bytes":  {{at + ".type", "document"}, {at + ".source.type", "base64"}, {at + ".source.media_type", "application/pdf"}, {at + ".source.data", encoded}},
			"text bytes":  {{at + ".type", "document"}, {at + ".source.type", "text"}, {at + ".source.data", medium}},
			"file url":    {{at + ".type", "document"}, {at + ".source.type", "url"}, {at + ".source.url", mediumURL}},
		}
	case converse:
		const at = "messages.0.content.1"
		return map[string][]leaf{
			"image bytes": {{at + ".image.format", "png"}, {at + ".image.source.bytes", encoded}},
			"file bytes":  {{at + ".document.format", "pdf"}, {at + ".document.source.bytes", encoded}},
			"text bytes":  {{at + ".document.format", "txt"}, {at + ".document.source.bytes", encoded}},
		}
	case google:
		const at = "contents.0.parts.1"
		return map[string][]leaf{
			"image bytes": {{at + ".inlineData.mimeType", "image/png"}, {at + ".inlineData.data", encoded}},
			"image url":   {{at + ".fileData.fileUri", mediumURL}},
			"audio bytes": {{at + ".inlineData.mimeType", "audio/wav"}, {at + ".inlineData.data", encoded}},
			"audio url":   {{at + ".fileData.mimeType", "audio/mpeg"}, {at + ".fileData.fileUri", mediumURL}},
			"file bytes":  {{at + ".inlineData.mimeType", "application/pdf"}, {at + ".inlineData.data", encoded}},
			"text bytes":  {{at + ".inlineData.mimeType", "text/plain"}, {at + ".inlineData.data", encoded}},
			"file url":    {{at + ".fileData.mimeType", "application/pdf"}, {at + ".fileData.fileUri", mediumURL}},
		}
	case cohereV2:
		const at = "messages.0.content.1"
		return map[string][]leaf{
			"image bytes": {{at + ".type", "image_url"}, {at + ".image_url.url", "data:image/png;base64," + encoded}},
			"image url":   {{at + ".type", "image_url"}, {at + ".image_url.url", mediumURL}},
			"text bytes":  {{"documents.0.data.text", medium}},
		}
	default:
		return map[string][]leaf{"image bytes": {{"messages.0.images.0", encoded}}}
	}
}

// Media are sent in the family's shape, or refused with nothing sent; none is left out.
func TestMediaAreSentOrRefused(t *testing.T) {
	t.Parallel()
	every(t, func(t *testing.T, a adapter) {
		for _, id := range a.some(mostModels) {
			s := a.saying(t, "ok")
			m := a.model(t, id, s)
			for _, sample := range samples() {
				req := request.Request{Messages: []request.Message{request.User(request.Text("q"), sample.block)}}
				got := ask(t, m, s, req)
				shape := a.shapes()[sample.name]
				if got.failure != nil {
					assert.True(t, got.refused(), "%s, %s: %v", id, sample.name, got.failure)
					may := len(req.CheckFor(m.Spec())) > 0 || sample.block.URL != "" // of one family some hosts fetch, others do not
					assert.True(t, shape == nil || may, "%s, %s: %v", id, sample.name, got.failure)
					continue
				}
				all := got.leaves
				held := slices.ContainsFunc(sample.holds, func(text string) bool { return contains(all, text) })
				assert.True(t, held, "%s, %s is not sent: %s", id, sample.name, got.body)
				for _, l := range shape {
					assert.True(t, slices.Contains(all, l), "%s, %s: no %v in %s", id, sample.name, l, got.body)
				}
			}
		}
	})
}

// An image in a result goes where the result is, or with it, or is refused.
func TestMediaOfResults(t *testing.T) {
	t.Parallel()
	every(t, func(t *testing.T, a adapter) {
		for _, sample := range samples()[:2] {
			req := a.called(t, "tool-call")
			block := &req.Messages[2].Blocks[0]
			*block = request.ResultBlocks(block.Result.CallID, request.Text("as seen"), sample.block)
			for _, id := range a.some(mostModels) {
				s := a.saying(t, "ok")
				m := a.model(t, id, s)
				if m.Spec().Tools == request.No {
					continue
				}
				got := ask(t, m, s, req)
				if got.failure != nil {
					assert.True(t, got.refused(), "%s, %s: %v", id, sample.name, got.failure)
					continue
				}
				all := got.leaves
				at := func(text string) int {
					return slices.IndexFunc(all, func(l leaf) bool { return strings.Contains(l.value, text) })
				}
				require.Positive(t, at("as seen"), id)
				assert.Greater(t, at(sample.holds[0]), at("as seen"), "%s, %s: %s", id, sample.name, got.body)
			}
		}
	})
}

// What the Spec says No to is a problem that CheckFor tells, and is never sent.
func TestMediaThatAModelDoesNotTake(t *testing.T) {
	t.Parallel()
	every(t, func(t *testing.T, a adapter) {
		s := a.saying(t, "ok")
		spec := request.Spec{Images: request.No, Audio: request.No, Files: request.No}
		m, err := a.make(a.models[0], &spec, &http.Client{Transport: s})
		require.NoError(t, err)
		for _, sample := range samples() {
			req := request.Request{Messages: []request.Message{request.User(request.Text("q"), sample.block)}}
			require.Len(t, req.CheckFor(m.Spec()), 1, sample.name)
			assert.Equal(t, "messages[0].content[1]", req.CheckFor(m.Spec())[0].Field, sample.name)
			got := ask(t, m, s, req)
			require.NotNil(t, got.failure, sample.name)
			assert.ErrorIs(t, got.failure, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadParameter}, sample.name)
		}
		assert.Empty(t, s.bodies())
	})
}
