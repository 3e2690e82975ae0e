package conformance

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// A response is the recorded answer of a scenario.
type response struct {
	status int
	header http.Header
	body   []byte
	file   string
}

// mediaTypes are what a file's extension says of its body.
func mediaTypes() map[string]string {
	return map[string]string{
		".sse":         "text/event-stream",
		".ndjson":      "application/x-ndjson",
		".json":        "application/json",
		".eventstream": "application/vnd.amazon.eventstream",
	}
}

// extensions are those of the files that may say a scenario.
func (s Scenario) extensions() string {
	if s.Status != 0 {
		return ".json (or .http, with its head)"
	}
	return ".sse (or .ndjson, .eventstream, or .http, with its head)"
}

// load returns the response of a scenario, and false when there are no bytes for
// it. A file is <name>.sse, .ndjson, .json or .eventstream, the body alone, or
// <name>.http, a raw HTTP/1.1 response.
func load(wire fs.FS, s Scenario) (response, bool, error) {
	if wire == nil {
		return response{}, false, nil
	}
	files, err := fs.Glob(wire, s.Name+".*")
	if err != nil || len(files) == 0 {
		return response{}, false, err
	}
	if len(files) > 1 {
		return response{}, true, fmt.Errorf("one file says a scenario; there are %s", strings.Join(files, " and "))
	}
	text, err := fs.ReadFile(wire, files[0])
	if err != nil {
		return response{}, true, err
	}
	r := response{status: s.Status, header: http.Header{}, body: text, file: files[0]}
	if r.status == 0 {
		r.status = http.StatusOK
	}
	ext := path.Ext(files[0])
	if ext == ".http" {
		return r.parsed(s)
	}
	mediaType := mediaTypes()[ext]
	if mediaType == "" {
		return r, true, fmt.Errorf("%s: a file ends in .sse, .ndjson, .json, .eventstream or .http", files[0])
	}
	r.header.Set("Content-Type", mediaType)
	return r.binary(), true, nil
}

// parsed reads a raw HTTP response.
func (r response) parsed(s Scenario) (response, bool, error) {
	resp, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(r.body)), nil)
	if err != nil {
		return r, true, fmt.Errorf("%s is no raw HTTP/1.1 response: %w", r.file, err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return r, true, fmt.Errorf("%s: the body: %w", r.file, err)
	}
	resp.Header.Del("Content-Length")
	r.status, r.header, r.body = resp.StatusCode, resp.Header, text
	if s.Status == 0 && r.status != http.StatusOK {
		return r, true, errors.New(r.file + ": this scenario is an answer of status 200")
	}
	return r.binary(), true, nil
}

// isFramed reports whether the body is made of frames, so that the suite can add
// some of its own.
func (r response) isFramed() bool { return r.isSSE() || r.isNDJSON() || r.isEventStream() }

func (r response) isSSE() bool { return r.mediaType() == mediaTypes()[".sse"] }

func (r response) isNDJSON() bool { return r.mediaType() == mediaTypes()[".ndjson"] }

func (r response) mediaType() string {
	media, _, _ := strings.Cut(r.header.Get("Content-Type"), ";")
	return strings.TrimSpace(media)
}

// frames returns the body cut at the edges of its frames: after each blank line,
// each line, or each message. Joined they are the body.
func (r response) frames() [][]byte {
	if r.isEventStream() {
		return r.messages()
	}
	return r.framesOf(r.body)
}

// framesOf returns a text of the body's, see [response.text], cut at the edges of its
// frames.
func (r response) framesOf(text []byte) [][]byte {
	var frames [][]byte
	var frame []byte
	end := []byte("\n")
	if !bytes.Contains(text, end) {
		end = []byte("\r") // which ends a line too
	}
	for line := range bytes.SplitAfterSeq(text, end) {
		if len(line) == 0 {
			break // what follows the last end of a line
		}
		frame = append(frame, line...)
		if r.isNDJSON() || len(bytes.TrimRight(line, "\r\n")) == 0 {
			frames = append(frames, frame)
			frame = nil
		}
	}
	if len(frame) > 0 {
		frames = append(frames, frame)
	}
	return frames
}

// with returns the response with a body that says another text.
func (r response) with(text []byte) response {
	if r.isEventStream() {
		text = framed(text)
	}
	r.body = text
	return r
}

// whole is the response as it is, in one piece.
func (r response) whole() act { return act{response: r, stall: -1} }
