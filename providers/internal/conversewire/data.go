package conversewire

import (
	"encoding/base64"

	"github.com/weirsdk/weir/events"
)

func (d *decoder) providerData(value string) events.ProviderData {
	return events.ProviderData{Format: Format, Origin: d.profile.Origin, Value: value}
}

// data returns what must go back with this turn: nothing when it is only text
// and calls, else every block in its place, see [Format].
func (d *decoder) data() events.ProviderData {
	needed := false
	dst := []byte(`{"content":[`)
	for _, b := range d.blocks {
		before := len(dst)
		var exact bool
		if dst, exact = b.appendData(dst); len(dst) > before {
			dst = append(dst, ',')
		}
		needed = needed || exact
	}
	if !needed {
		return events.ProviderData{}
	}
	if dst[len(dst)-1] == ',' {
		dst = dst[:len(dst)-1]
	}
	return d.providerData(string(append(dst, "]}"...)))
}

// appendData appends the block, or its slot, or nothing, and reports whether the
// turn cannot do without.
func (b *block) appendData(dst []byte) (_ []byte, exact bool) {
	switch b.kind {
	case textBlock:
		return b.appendText(dst)
	case thinkingBlock:
		return b.appendReasoning(dst)
	case callBlock:
		dst = events.AppendQuoted(append(dst, `{"slot":"tool_use","id":`...), b.id)
		return append(dst, '}'), false
	case hostedBlock:
		args := b.arguments()
		if args == "" {
			args = "{}"
		}
		if events.CheckArguments(args) != nil {
			return dst, false
		}
		dst = append(append(append(dst, b.head...), `,"input":`...), args...)
		return append(dst, `}}`...), true
	case resultBlock:
		dst = append(append(append(dst, b.head...), `,"content":[`...), b.text...)
		return append(dst, `]}}`...), true
	default:
		return dst, false
	}
}

// appendText holds the place of a text that will be sent: one of white space only is
// dropped from a history. Citations without a text stand for themselves (Amazon Nova).
func (b *block) appendText(dst []byte) (_ []byte, exact bool) {
	cited := len(b.citations) > 0
	switch {
	case b.visible && cited:
		dst = append(b.appendCitations(append(dst, `{"slot":"text",`...)), '}')
	case b.visible:
		dst = append(dst, `{"slot":"text"}`...)
	case cited:
		dst = append(b.appendCitations(append(dst, `{"citationsContent":{`...)), `}}`...)
	}
	return dst, cited
}

func (b *block) appendCitations(dst []byte) []byte {
	dst = append(dst, `"citations":[`...)
	for i, c := range b.citations {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, c...)
	}
	return append(dst, ']')
}

// appendReasoning appends sealed and encrypted reasoning. Without a seal the
// provider has no use for it.
func (b *block) appendReasoning(dst []byte) (_ []byte, exact bool) {
	if len(b.signature) > 0 {
		dst = events.AppendQuoted(append(dst, `{"reasoningContent":{"reasoningText":{"text":`...), string(b.text))
		dst = events.AppendQuoted(append(dst, `,"signature":`...), string(b.signature))
		dst, exact = append(dst, `}}}`...), true
	}
	if len(b.data) > 0 {
		if exact {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"reasoningContent":{"redactedContent":"`...)
		dst, exact = append(base64.StdEncoding.AppendEncode(dst, b.data), `"}}`...), true
	}
	return dst, exact
}
