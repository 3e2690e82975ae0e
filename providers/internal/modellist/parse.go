package modellist

import (
	"encoding/json"
	"math"
	"time"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
)

// A page is one answer.
type page struct {
	models []providers.ModelInfo
	// next is the last model of a page that is not the last page, or what the page
	// calls the next one.
	next string
}

// members is a JSON object, its members unread.
type members map[string]json.RawMessage

// parse reads one answer: a list under "data", "models" or the names of Google and AWS, or a bare
// one. A page that is not the only one may be an object without a list: Google's JSON leaves
// out what is empty (github.com/protocolbuffers/protobuf, issue 6035, read 2026-12-01).
func parse(text []byte, later bool) (page, *events.Failure) {
	if !json.Valid(text) {
		return page{}, malformed("the list of models is not JSON")
	}
	var p page
	var entries []json.RawMessage
	if json.Unmarshal(text, &entries) != nil || entries == nil {
		var whole members
		if json.Unmarshal(text, &whole) != nil || whole == nil || !whole.list(&entries) && !later && whole.text("nextPageToken") == "" {
			return page{}, events.NewFailure(events.InvalidReply, events.ReasonBadContent, "a JSON document came where a list of models was due")
		}
		if more := false; json.Unmarshal(whole["has_more"], &more) == nil && more {
			p.next = whole.text("last_id")
		}
		if p.next == "" {
			p.next = whole.text("nextPageToken", "nextToken")
		}
	}
	for _, entry := range entries {
		if m, ok := modelOf(entry); ok {
			p.models = append(p.models, m)
		}
	}
	return p, nil
}

func (m members) list(entries *[]json.RawMessage) bool {
	for _, name := range []string{"data", "models", "publisherModels", "modelSummaries", "inferenceProfileSummaries"} {
		if json.Unmarshal(m[name], entries) == nil && *entries != nil {
			return true
		}
	}
	return false
}

// modelOf reads one entry. One without an id is nobody's model.
func modelOf(entry json.RawMessage) (providers.ModelInfo, bool) {
	var m members
	if json.Unmarshal(entry, &m) != nil {
		return providers.ModelInfo{}, false
	}
	info := providers.ModelInfo{
		ID:            m.text("id", "model", "name", "modelId", "inferenceProfileId"),
		Name:          m.text("display_name", "displayName", "name", "modelName", "inferenceProfileName"),
		Created:       m.time(),
		ContextWindow: m.number("context_length", "context_window", "max_context_length", "max_model_len", "max_input_tokens", "inputTokenLimit"),
		MaxOutput:     m.number("max_completion_tokens", "max_output_tokens", "max_tokens", "outputTokenLimit"),
		Raw:           string(entry),
	}
	if info.MaxOutput == 0 {
		var top members
		if json.Unmarshal(m["top_provider"], &top) == nil {
			info.MaxOutput = top.number("max_completion_tokens")
		}
	}
	if info.Name == info.ID {
		info.Name = ""
	}
	return info, info.ID != ""
}

// text returns the first of some members that is a text, or nothing.
func (m members) text(names ...string) string {
	for _, name := range names {
		var s string
		if json.Unmarshal(m[name], &s) == nil && s != "" {
			return s
		}
	}
	return ""
}

// number returns the first of some members that is a count, or 0.
func (m members) number(names ...string) int {
	for _, name := range names {
		var n int
		if json.Unmarshal(m[name], &n) == nil && n > 0 {
			return n
		}
	}
	return 0
}

// time returns when a model was made: a Unix time in seconds, or in RFC 3339.
func (m members) time() time.Time {
	var seconds float64
	if json.Unmarshal(m["created"], &seconds) == nil && seconds > 0 && seconds < math.MaxInt32*100 {
		return time.Unix(int64(seconds), 0).UTC()
	}
	for _, name := range []string{"created_at", "modified_at", "createdAt"} {
		if at, err := time.Parse(time.RFC3339, m.text(name)); err == nil {
			return at.UTC()
		}
	}
	return time.Time{}
}
