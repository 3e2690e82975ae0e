package chatwire

import (
	"encoding/json"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

const (
	// maxData bounds what is kept to be sent back, in bytes.
	maxData = 4 << 20
	// What an element and a member of it count for besides their bytes.
	elementSize, memberSize = 64, 32
	// maxMembers bounds the members of one element, which are looked for one by one.
	maxMembers = 64
)

// details is the reply's reasoning_details, put together from their pieces: a
// piece of text or of a summary continues the one before it when type and index
// are the same; everything else stands alone. They are sent back as they came,
// in order (OpenRouter's docs, read August to October 2026).
type details struct {
	list    []detail
	size    int
	scratch []byte
	bad     bool // a member is not JSON: the parser lets some through
}

// A detail is one element: its members as raw JSON, in the order they first came.
// The member that grows has its text apart.
type detail struct {
	keys, values []string
	grows        string // "text", "summary" or empty
	text         []byte
}

// detailText returns the visible text of an element.
func detailText(v *fastjson.Value) []byte {
	if text, ok := wirejson.Text(v.Get("text")); ok {
		return text
	}
	text, _ := wirejson.Text(v.Get("summary"))
	return text
}

// add takes one element of a delta.
func (l *details) add(v *fastjson.Value) error {
	o := v.GetObject()
	if o == nil {
		return nil
	}
	if o.Len() > maxMembers {
		return tooLarge("a reasoning detail of more than 64 members")
	}
	if n := len(l.list); n == 0 || !l.continues(&l.list[n-1], v) {
		l.list = append(l.list, detail{grows: growing(v)})
		l.size += elementSize
	}
	last := &l.list[len(l.list)-1]
	o.Visit(func(key []byte, member *fastjson.Value) { l.put(last, key, member) })
	switch {
	case l.bad:
		return malformed("a reasoning detail, which must go back, is not JSON")
	case len(last.keys) > maxMembers:
		return tooLarge("a reasoning detail of more than 64 members")
	case l.size > maxData:
		return tooLarge("reasoning details above 4 MiB")
	default:
		return nil
	}
}

// growing returns which member of an element comes in pieces.
func growing(v *fastjson.Value) string {
	kind, _ := wirejson.Text(v.Get("type"))
	switch string(kind) {
	case "reasoning.text", "text":
		return "text"
	case "reasoning.summary":
		return "summary"
	default:
		return ""
	}
}

func (l *details) continues(last *detail, v *fastjson.Value) bool {
	return last.grows != "" && last.grows == growing(v) && l.same(last, "index", v)
}

// same reports whether a member is in both as the same JSON, or in neither.
func (l *details) same(last *detail, key string, v *fastjson.Value) bool {
	at := last.find(key)
	member := v.Get(key)
	if at < 0 || member == nil {
		return at < 0 && member == nil
	}
	l.scratch = appendValue(l.scratch[:0], member)
	return last.values[at] == string(l.scratch)
}

func (d *detail) find(key string) int {
	for i, k := range d.keys {
		if k == key {
			return i
		}
	}
	return -1
}

// put adds a member: text is appended, another value replaces an older one
// unless it is null (a signature comes with the last piece).
func (l *details) put(d *detail, key []byte, v *fastjson.Value) {
	at := l.place(d, key)
	if string(key) == d.grows {
		if text, ok := wirejson.Text(v); ok {
			d.text = append(d.text, text...)
			l.size += len(text)
			return
		}
	}
	l.scratch = appendValue(l.scratch[:0], v)
	l.bad = l.bad || !json.Valid(l.scratch)
	if raw := l.scratch; string(raw) != "null" && string(raw) != d.values[at] {
		d.values[at] = string(raw)
		l.size += len(raw)
	}
}

// place returns where a member is, which has no value yet when it is new.
func (l *details) place(d *detail, key []byte) int {
	at := d.find(string(key))
	if at < 0 {
		at = len(d.keys)
		d.keys, d.values = append(d.keys, string(key)), append(d.values, "null")
		l.size += len(key) + memberSize
	}
	return at
}

// appendValue appends a member's JSON. A string that somebody has looked at would
// be written with Go's escapes, which are not JSON's.
func appendValue(dst []byte, v *fastjson.Value) []byte {
	if text, ok := wirejson.Text(v); ok {
		return events.AppendQuoted(dst, string(text))
	}
	return v.MarshalTo(dst)
}

// appendTo appends the list as JSON.
func (l *details) appendTo(dst []byte) []byte {
	dst = append(dst, '[')
	for i, d := range l.list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = d.appendTo(dst)
	}
	return append(dst, ']')
}

func (d *detail) appendTo(dst []byte) []byte {
	dst = append(dst, '{')
	for j, key := range d.keys {
		if j > 0 {
			dst = append(dst, ',')
		}
		dst = append(events.AppendQuoted(dst, key), ':')
		if key == d.grows && d.text != nil {
			dst = events.AppendQuoted(dst, string(d.text))
		} else {
			dst = append(dst, d.values[j]...)
		}
	}
	return append(dst, '}')
}

// data returns what the assistant message must have when it is sent back.
func (d *decoder) data() events.ProviderData {
	var o wirejson.Object
	if len(d.parts.list) > 0 {
		o.Set("content", string(d.parts.appendTo(nil, d.text.size)))
	}
	if len(d.reasoning) > 0 {
		o.Set("reasoning_content", quoted(string(d.reasoning)))
	}
	if len(d.details.list) > 0 {
		o.Set("reasoning_details", string(d.details.appendTo(nil)))
	}
	if d.audio.id != "" {
		o.Set("audio", `{"id":`+quoted(d.audio.id)+`}`)
	}
	if o.Len() == 0 {
		return events.ProviderData{}
	}
	return events.ProviderData{Format: Format, Origin: d.profile.Origin, Value: string(o.Append(nil))}
}
