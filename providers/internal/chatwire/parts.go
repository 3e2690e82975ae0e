package chatwire

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// parts is what a reply's content holds besides text, where it stands: Mistral asks
// for a turn to come back whole, and its model thinks worse without its thinking
// (github.com/mistralai/client-python, examples/mistral/chat/reasoning_multi_turn.py;
// github.com/vercel/ai, issue 17930: read 2026-12-01). Texts are blocks of the turn: in
// their place is kept how many bytes stand there.
type parts struct {
	list []part
	size int
	// of is used for what it knows of members.
	of details
}

type part struct {
	at       int // bytes of text before it
	members  detail
	thinking *details // of a part that is thinking: what it is made of
	closed   bool
}

// add keeps a part. The pieces of a stream that are thinking are put together.
func (l *parts) add(v *fastjson.Value, at int) error {
	o := v.GetObject()
	if o == nil {
		return malformed("a part of content is no JSON object")
	}
	if o.Len() > maxMembers {
		return tooLarge("a part of content of more than 64 members")
	}
	thinking := v.Get("thinking")
	isList := thinking != nil && thinking.Type() == fastjson.TypeArray
	if n := len(l.list); n == 0 || !isList || l.list[n-1].thinking == nil || l.list[n-1].closed || l.list[n-1].at != at {
		l.list = append(l.list, part{at: at})
		l.size += elementSize
	}
	last := &l.list[len(l.list)-1]
	before := l.of.size
	o.Visit(func(key []byte, member *fastjson.Value) {
		if isList && string(key) == "thinking" {
			l.of.place(&last.members, key)
			return
		}
		l.of.put(&last.members, key, member)
	})
	l.size += l.of.size - before
	if isList {
		return l.addThinking(last, v)
	}
	return l.check()
}

func (l *parts) addThinking(last *part, v *fastjson.Value) error {
	if last.thinking == nil {
		last.thinking = new(details)
	}
	before := last.thinking.size
	for _, piece := range v.GetArray("thinking") {
		if err := last.thinking.add(piece); err != nil {
			return err
		}
	}
	l.size += last.thinking.size - before
	last.closed = v.GetBool("closed")
	return l.check()
}

func (l *parts) check() error {
	switch last := l.list[len(l.list)-1]; {
	case l.of.bad:
		return malformed("a part of content, which must go back, is not JSON")
	case len(last.members.keys) > maxMembers:
		return tooLarge("a part of content of more than 64 members")
	case l.size > maxData:
		return tooLarge("parts of content above 4 MiB")
	default:
		return nil
	}
}

// appendTo appends the content as JSON, with the numbers of bytes where text of the
// whole size stands.
func (l *parts) appendTo(dst []byte, size int) []byte {
	dst = append(dst, '[')
	at := 0
	texts := func(to int) {
		if to > at {
			dst = append(strconv.AppendInt(dst, int64(to-at), 10), ',')
			at = to
		}
	}
	for _, p := range l.list {
		texts(p.at)
		if p.thinking != nil {
			p.members.values[p.members.find("thinking")] = string(p.thinking.appendTo(nil))
		}
		dst = append(p.members.appendTo(dst), ',')
	}
	texts(size)
	dst[len(dst)-1] = ']'
	return dst
}

// content writes the content of an earlier answer: kept parts with the text between
// them, or the text alone.
func (e *encoder) content(parts, text string) {
	var list []json.RawMessage
	if json.Unmarshal([]byte(parts), &list) != nil || len(list) == 0 {
		e.fail(events.ReasonForeignData, "provider data that this family did not write")
		return
	}
	sizes := make([]int, len(list))
	whole := 0
	for i, p := range list {
		if p[0] == '{' {
			continue
		}
		n, err := strconv.Atoi(string(p))
		if err != nil || n <= 0 {
			e.fail(events.ReasonForeignData, "provider data that this family did not write")
			return
		}
		// A size may be forged: none is larger than it need be to be wrong.
		sizes[i] = min(n, len(text)+1)
		whole = min(whole+sizes[i], len(text)+1)
	}
	if whole != len(text) || !cutsRunes(text, sizes) {
		// Somebody has changed the text: it stands whole where it began.
		first := slices.IndexFunc(sizes, func(n int) bool { return n > 0 })
		if first < 0 {
			list, sizes = append(list, nil), append(sizes, 0)
			first = len(sizes) - 1
		}
		sizes = make([]int, len(list))
		sizes[first] = len(text)
	}
	e.raw("[")
	for i, p := range list {
		switch {
		case len(p) > 0 && p[0] == '{':
			e.comma()
			e.raw(string(p))
		case sizes[i] > 0:
			e.comma()
			e.raw(`{"type":"text","text":`)
			e.quote(text[:sizes[i]])
			e.raw("}")
			text = text[sizes[i]:]
		}
	}
	e.raw("]")
}

// cutsRunes reports whether text can be cut into pieces of these sizes.
func cutsRunes(text string, sizes []int) bool {
	at := 0
	for _, n := range sizes {
		if at += n; at < len(text) && !utf8.RuneStart(text[at]) {
			return false
		}
	}
	return true
}

// A kept is what the provider gave for a message: its content, the id of its speech,
// and the other members, which go back as they are.
type kept struct {
	content string
	spoken  bool
	members wirejson.Object
}

func (e *encoder) kept(data events.ProviderData) kept {
	var k kept
	if data.IsZero() {
		return k
	}
	value, isOurs := data.Value, data.Format == Format
	if e.profile.ReplayParts {
		var all wirejson.Object
		isOurs = isOurs && all.Merge(value) == nil
		k.content, _ = all.Get("content")
		value = string(wirejson.Without([]byte(value), "content"))
	}
	if !isOurs || k.members.Merge(value, "role", "content", "tool_calls") != nil {
		e.fail(events.ReasonForeignData, "provider data that this family did not write")
	}
	audio, _ := k.members.Get("audio")
	k.spoken = strings.HasPrefix(audio, "{")
	return k
}
