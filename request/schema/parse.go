package schema

import (
	"strconv"
	"strings"

	"github.com/weirsdk/weir/events"
)

// parse reads one JSON object within the bounds of [events.CheckArguments].
func parse(text string) (*value, *events.Issue) {
	if issue := events.CheckArguments(text); issue != nil {
		return nil, issue
	}
	p := parser{text: text}
	return p.value(nil, ""), nil
}

// A parser reads JSON that is known to be well-formed.
type parser struct {
	text string
	pos  int
}

func (p *parser) value(parent *value, step string) *value {
	p.space()
	v := &value{parent: parent, step: step}
	switch p.text[p.pos] {
	case '{':
		v.kind = kindObject
		p.list('}', func() {
			key := (&value{kind: kindString, text: p.literal()}).str()
			p.space()
			p.pos++ // the colon
			v.members = append(v.members, member{key: key, value: p.value(v, key)})
		})
	case '[':
		v.kind = kindArray
		p.list(']', func() {
			v.items = append(v.items, p.value(v, strconv.Itoa(len(v.items))))
		})
	default:
		v.text = p.literal()
		v.kind = literalKind(v.text[0])
	}
	return v
}

// list reads what stands between brackets, element by element.
func (p *parser) list(end byte, element func()) {
	p.pos++
	for p.space(); p.text[p.pos] != end; p.space() {
		if p.text[p.pos] == ',' {
			p.pos++
			p.space()
		}
		element()
	}
	p.pos++
}

func (p *parser) space() {
	for p.pos < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.pos]) >= 0 {
		p.pos++
	}
}

// literal reads a scalar as it is written.
func (p *parser) literal() string {
	start := p.pos
	if p.text[p.pos] == '"' {
		for p.pos++; p.text[p.pos] != '"'; p.pos++ {
			if p.text[p.pos] == '\\' {
				p.pos++
			}
		}
		p.pos++
		return p.text[start:p.pos]
	}
	for p.pos < len(p.text) && strings.IndexByte(",]} \t\r\n", p.text[p.pos]) < 0 {
		p.pos++
	}
	return p.text[start:p.pos]
}

func literalKind(first byte) kind {
	switch first {
	case '"':
		return kindString
	case 't', 'f':
		return kindBool
	case 'n':
		return kindNull
	default:
		return kindNumber
	}
}
