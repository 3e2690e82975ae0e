package request

import (
	"encoding/base64"
	"encoding/json"
	"slices"

	"github.com/weirsdk/weir/events"
)

func (r *reader) message(at string) (m Message) {
	r.object(at, func(key, at string) bool {
		switch key {
		case "role":
			return r.value(at, &m.Role)
		case "content":
			m.Blocks = r.content(at)
		case "data":
			m.Data = r.data(at)
		default:
			return false
		}
		return true
	})
	return m
}

// content reads a list of blocks, or one text as a plain string.
func (r *reader) content(at string) (blocks []Block) {
	switch token := r.token().(type) {
	case nil:
		return nil
	case string:
		return []Block{Text(token)}
	case json.Delim:
		if token == '[' {
			r.items(at, func(at string) { blocks = append(blocks, r.block(at)) })
			return blocks
		}
	}
	r.fail(at, "is not a text or a list")
	return nil
}

func (r *reader) data(at string) (d events.ProviderData) {
	r.object(at, func(key, at string) bool {
		switch key {
		case "format":
			return r.value(at, &d.Format)
		case "origin":
			return r.value(at, &d.Origin)
		case "value":
			return r.value(at, &d.Value)
		default:
			return false
		}
	})
	return d
}

// blockFields returns the fields that a type of block may have beside its type,
// and whether the type is known.
func blockFields(kind BlockKind) (fields []string, known bool) {
	switch kind {
	case BlockText:
		return []string{"text", "cache"}, true
	case BlockImage, BlockAudio, BlockFile:
		return []string{"media_type", "data", "url", "name", "cache"}, true
	case BlockToolCall:
		return []string{"id", "name", "arguments", "minted", "replay", "cache"}, true
	case BlockToolResult:
		return []string{"id", "content", "is_error", "cache"}, true
	default:
		return nil, false
	}
}

// A blockRecord holds the fields of every type of block: the type may come last.
type blockRecord struct {
	kind                 BlockKind
	fields               []string
	text, mediaType, url string
	id, name, arguments  string
	encoded              string
	minted, isError      bool
	cache                CacheTTL
	replay               events.ProviderData
	content              []Block
}

func (r *reader) block(at string) Block {
	var b blockRecord
	r.object(at, func(key, at string) bool {
		b.fields = append(b.fields, key)
		return r.blockField(&b, key, at)
	})
	if r.failure != nil {
		return Block{}
	}
	fields, known := blockFields(b.kind)
	if !known {
		r.fail(at+".type", "unknown type of block "+quoteShort(string(b.kind)))
	}
	for _, field := range b.fields {
		if field != "type" && !slices.Contains(fields, field) {
			r.fail(at+"."+field, "unknown field of a block of type "+string(b.kind))
		}
	}
	return r.blockOf(at, &b).Cached(b.cache)
}

func (r *reader) blockField(b *blockRecord, key, at string) bool {
	switch key {
	case "type":
		return r.value(at, &b.kind)
	case "cache":
		return r.value(at, &b.cache)
	case "text":
		return r.value(at, &b.text)
	case "media_type":
		return r.value(at, &b.mediaType)
	case "data":
		return r.value(at, &b.encoded)
	case "url":
		return r.value(at, &b.url)
	case "id":
		return r.value(at, &b.id)
	case "name":
		return r.value(at, &b.name)
	case "arguments":
		return r.value(at, &b.arguments)
	case "minted":
		return r.value(at, &b.minted)
	case "is_error":
		return r.value(at, &b.isError)
	case "replay":
		b.replay = r.data(at)
	case "content":
		b.content = r.content(at)
	default:
		return false
	}
	return true
}

func (r *reader) blockOf(at string, b *blockRecord) Block {
	switch b.kind {
	case BlockText:
		return Text(b.text)
	case BlockToolCall:
		return Call(events.ToolCall{
			ID: b.id, Name: b.name, Arguments: b.arguments, Minted: b.minted, Replay: b.replay,
		})
	case BlockToolResult:
		return Block{Kind: b.kind, Result: ToolResult{CallID: b.id, Content: b.content, IsError: b.isError}}
	default:
		out := Block{Kind: b.kind, MediaType: b.mediaType, URL: b.url, Name: b.name}
		if b.encoded != "" {
			data, err := base64.StdEncoding.Strict().DecodeString(b.encoded)
			if err != nil {
				r.fail(at+".data", "is not base64")
			}
			out.Data = data
		}
		return out
	}
}
