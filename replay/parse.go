package replay

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// maxFile bounds a recording that is read.
const maxFile = 512 << 20

// A stored recording is the file as encoding/json reads it.
type stored struct {
	Version         *int64            `json:"version"`
	Model           string            `json:"model"`
	Key             string            `json:"key"`
	Complete        bool              `json:"complete"`
	Reason          string            `json:"reason"`
	RequestRedacted bool              `json:"request_redacted"`
	Ungrammatical   bool              `json:"ungrammatical"`
	Request         json.RawMessage   `json:"request"`
	Events          []json.RawMessage `json:"events"`
	Delays          []int64           `json:"delays_ms"`
	Reply           json.RawMessage   `json:"reply"`
	Body            *string           `json:"body"`
	BodyBase64      *string           `json:"body_base64"`
	BodyLeftOut     string            `json:"body_left_out"`
}

// parse reads the file of a recording. The problem says what to do, for people; it
// is empty when there is none. Members that it does not know are passed over.
func parse(text []byte) (rec *recording, problem string) {
	if !utf8.Valid(text) {
		return nil, "is not UTF-8: record it again"
	}
	// The version first: what a later one looks like nobody knows.
	var head struct {
		Version *int64 `json:"version"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, "is not the JSON of a recording (" + err.Error() + "): record it again"
	}
	switch {
	case head.Version == nil:
		return nil, "has no version, so it is no recording: remove it, or record it again"
	case *head.Version != version:
		return nil, fmt.Sprintf("has version %d, and this release reads version %d: update weir, or record it again", *head.Version, version)
	}
	var s stored
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, "is not the JSON of a recording (" + err.Error() + "): record it again"
	}
	return s.recording()
}

func (s *stored) recording() (*recording, string) {
	r := &recording{
		model: s.Model, key: s.Key, complete: s.Complete, reason: s.Reason, redacted: s.RequestRedacted,
		ungrammatical: s.Ungrammatical, request: compacted(s.Request), delays: s.Delays, reply: compacted(s.Reply), bodyLeftOut: s.BodyLeftOut,
	}
	if r.request == nil {
		return nil, "has no request: record it again"
	}
	for _, ev := range s.Events {
		r.events = append(r.events, compacted(ev))
	}
	if r.delays != nil && len(r.delays) != len(r.events) {
		return nil, fmt.Sprintf("has %s and %s: give each event one, or remove delays_ms",
			counted(len(r.events), "event"), counted(len(r.delays), "delay"))
	}
	for _, d := range r.delays {
		if d < 0 {
			return nil, "has a negative delay: give each event one of 0 or more, or remove delays_ms"
		}
	}
	switch {
	case s.BodyBase64 != nil:
		body, err := base64.StdEncoding.DecodeString(*s.BodyBase64)
		if err != nil {
			return nil, "has a body_base64 that is no base64: remove it, or record it again"
		}
		r.body = body
	case s.Body != nil:
		r.body = []byte(*s.Body)
	}
	return r, ""
}

// compacted returns JSON text on one line, its strings as they are written.
func compacted(text json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if len(text) == 0 || json.Compact(&b, text) != nil {
		return nil
	}
	return b.Bytes()
}
