package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/weirsdk/weir/events"
)

// strange are values that nobody expects where another one stands.
func strange() []string {
	return []string{
		"null", "true", "-1", "1024", "2147483648", "4294967296", "99999999999999999999", "1e400", "0.5", `""`, `"weir"`, "[]", "[null]", "{}", `[{"a":1}]`,
	}
}

// confuse replaces one value of the body at a time by one that nobody expects:
// whatever comes of it, the stream keeps to the grammar.
func (g *group) confuse(t *testing.T) {
	t.Helper()
	m, st := g.model(t, g.whole())
	text := g.text()
	for n, v := range some(values(text)) {
		for i, instead := range strange() {
			if few() && (n+i)%5 != 0 {
				continue
			}
			st.open(g.with(bytes.Join([][]byte{text[:v.from], []byte(instead), text[v.to:]}, nil)).whole())
			how := fmt.Sprintf("%s where %s is", instead, clip(text[v.from:v.to]))
			p := g.at(how, v.from).play(t.Context(), m, g.req)
			g.checkGrammar(p, how, v.from)
			g.checkClosed(st, how, v.from)
		}
	}
	g.longerArguments(t)
}

// longerArguments puts more behind the arguments of every call, where the body
// holds their end as a text: what is no object then is executed by nobody.
func (g *group) longerArguments(t *testing.T) {
	t.Helper()
	var longer []byte
	at, all := 0, g.text()
	for _, v := range values(all) {
		var text string
		if json.Unmarshal(all[v.from:v.to], &text) == nil && g.endsArguments(text) {
			longer = append(append(longer, all[at:v.from]...), events.AppendQuoted(nil, text+"{}")...)
			at = v.to
		}
	}
	if at == 0 {
		return
	}
	m, st := g.model(t, g.whole())
	st.open(g.with(append(longer, all[at:]...)).whole())
	const how = "{} behind the arguments"
	p := g.at(how, at).play(t.Context(), m, g.req)
	if g.checkGrammar(p, how, at) {
		g.at(how, at).check(len(p.reply.ToolCalls()) == 0, m08, "no executable call", p.tellEnd)
	}
}

func (g *group) endsArguments(text string) bool {
	return strings.HasSuffix(text, "}") && slices.ContainsFunc(g.base.reply.ToolCalls(), func(c events.ToolCall) bool {
		return strings.HasSuffix(c.Arguments, text)
	})
}

// A span is a part of a body.
type span struct{ from, to int }

// values returns the scalar values of the JSON in a body: strings, numbers and
// words after a colon, a comma or a bracket.
func values(body []byte) []span {
	var all []span
	for at := 0; at < len(body); {
		switch c := body[at]; {
		case c == '"':
			end := endOfString(body, at)
			if next := bytes.TrimLeft(body[end:], " "); len(next) == 0 || next[0] != ':' {
				all = append(all, span{at, end})
			}
			at = end
		case at > 0 && bytes.IndexByte([]byte(":,[ "), body[at-1]) >= 0 && isScalar(c) && inObject(body, at):
			end := at
			for end < len(body) && isScalar(body[end]) {
				end++
			}
			all = append(all, span{at, end})
			at = end
		default:
			at++
		}
	}
	return all
}

func isScalar(c byte) bool {
	return c == '-' || c == '+' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c == 'E'
}

// inObject reports whether a place is inside an object on its line.
func inObject(body []byte, at int) bool {
	line := body[bytes.LastIndexByte(body[:at], '\n')+1 : at]
	return bytes.IndexByte(line, '{') >= 0
}

// endOfString returns where the string that begins at a quote ends.
func endOfString(body []byte, at int) int {
	for at++; at < len(body); at++ {
		switch body[at] {
		case '\\':
			at++
		case '"', '\n':
			return at + 1
		}
	}
	return len(body)
}
