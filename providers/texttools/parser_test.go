package texttools

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A told collects what a parser finds: texts quoted, a call as its name and its
// arguments in parentheses, with a dot where no fence closed it.
type told struct {
	parts []string
	// kind of the last part, while it grows: 't' for text, 'b' for arguments.
	kind   byte
	piece  strings.Builder
	isOpen bool
	bad    string
}

func (s *told) grow(kind byte, text string) bool {
	if text == "" {
		s.bad = "an empty piece"
	}
	if (kind == 'b') != s.isOpen {
		s.bad = "a piece in the wrong place"
	}
	if s.kind != kind {
		s.done()
	}
	s.kind = kind
	s.piece.WriteString(text)
	return true
}

func (s *told) done() {
	switch s.kind {
	case 't':
		s.parts = append(s.parts, fmt.Sprintf("%q", s.piece.String()))
	case 'b':
		s.parts[len(s.parts)-1] += s.piece.String()
	}
	s.kind = 0
	s.piece.Reset()
}

func (s *told) text(piece string) bool { return s.grow('t', piece) }
func (s *told) body(piece string) bool { return s.grow('b', piece) }

func (s *told) open(name string) bool {
	if s.isOpen {
		s.bad = "a call in a call"
	}
	s.done()
	s.isOpen = true
	s.parts = append(s.parts, name+"(")
	return true
}

func (s *told) end(closed bool) bool {
	if !s.isOpen {
		s.bad = "an end without a call"
	}
	s.done()
	s.isOpen = false
	s.parts[len(s.parts)-1] += ")"
	if !closed {
		s.parts[len(s.parts)-1] += "."
	}
	return true
}

// parsed returns what a parser finds in the pieces of a text.
func parsed(t require.TestingT, pieces ...string) []string {
	var s told
	p := parser{to: &s}
	for _, piece := range pieces {
		require.True(t, p.write(piece))
		require.LessOrEqual(t, len(p.held), maxHeld+len(piece))
		require.LessOrEqual(t, len(p.blank), maxHeld)
	}
	require.True(t, p.finish())
	s.done()
	require.Empty(t, s.bad, "%q", pieces)
	require.False(t, s.isOpen)
	return s.parts
}

func TestParser(t *testing.T) {
	t.Parallel()
	const call = "```tool_call a\n{}\n```"
	long, blank, ticks := strings.Repeat("x", 3*maxHeld), strings.Repeat(" ", 3*maxHeld), strings.Repeat("`", 3*maxHeld)
	for _, row := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"Hello.\n", []string{`"Hello.\n"`}},
		{" \n", []string{`" \n"`}},
		{"\n\n  Hello. \n x", []string{`"\n\n  Hello. \n x"`}},
		{"a `b` ``c`` ```d``` e", []string{"\"a `b` ``c`` ```d``` e\""}},
		{"``\n`\n", []string{"\"``\\n`\\n\""}},
		{"no ```tool_call a\n{}\n```", []string{"\"no ```tool_call a\\n{}\\n```\""}},

		{call, []string{"a({})"}},
		{call + "\n", []string{"a({})"}},
		{"\n\n" + call + "\n\n\n", []string{"a({})"}},
		{"Hi. \n\n" + call + "\n\nBye.\n", []string{`"Hi."`, "a({})", `"Bye.\n"`}},
		{call + "\n" + call + "\n\n" + call, []string{"a({})", "a({})", "a({})"}},
		{"````tool_call a\n{}\n````\nx", []string{"a({})", `"x"`}},
		{"```tool_call a\n{}\n`````\nx", []string{"a({})", `"x"`}},
		{"``` tool_call  a  b=c \r\n\r\n {\r\n\"x\": 1\r\n}\r\n ```\r\nx", []string{"a({\r\n\"x\": 1\r\n})", `"x"`}},
		{"   " + call, []string{"a({})"}},
		{"    " + call, []string{"\"    ```tool_call a\\n{}\\n```\""}},
		{"\t" + call, []string{"\"\\t```tool_call a\\n{}\\n```\""}},

		{"```tool_call a {\"x\": 1}\n```\nx", []string{`a({"x": 1})`, `"x"`}},
		{"```tool_call a {\"x\": 1}```\nx", []string{`a({"x": 1})`, `"x"`}},
		{"```tool_call {\"x\": 1}```", []string{`({"x": 1})`}},
		{"```tool_call\n{\"x\": 1}\n```", []string{`({"x": 1})`}},
		{"```tool_call{\"x\": 1}\n```", []string{`({"x": 1})`}},
		{"```tool_call a\n{\"x\": 1}``` \nx", []string{`a({"x": 1})`, `"x"`}},
		{"```tool_call a\n{\"x\": 1}```", []string{`a({"x": 1})`}},
		{"```tool_call a\n{\"x\": 1}````", []string{`a({"x": 1})`}},
		{"```tool_call a\n{\"x\": \"```go\"}\n```", []string{"a({\"x\": \"```go\"})"}},
		{"```tool_call a\n{\"x\": \"``` \t`\"}\n```", []string{"a({\"x\": \"``` \t`\"})"}},
		{"```tool_call a\n``\n`x\n```", []string{"a(``\n`x)"}},
		{"```tool_call a\n```", []string{"a()"}},
		{"```tool_call a\n\n \n```\nx", []string{"a()", `"x"`}},
		{"```tool_call a\n{}\n```tool_call b\n{}\n```", []string{"a({})", "b({})"}},
		{"```tool_call a\n{}\n``` Now wait.\nx", []string{"a({})", `"Now wait.\nx"`}},
		{"```tool_call a\n{}\n```tool", []string{"a({})", `"tool"`}},

		{"```tool_call a\n{\"x\":", []string{`a({"x":).`}},
		{"```tool_call a\n{\"x\": 1}\n", []string{`a({"x": 1}).`}},
		{"```tool_call a\n{\"x\": 1}\n``", []string{"a({\"x\": 1}\n``)."}},
		{"```tool_call a", []string{"a()."}},
		{"```tool_call", []string{"()."}},
		{"```tool_cal", []string{"\"```tool_cal\""}},
		{"x\n``", []string{"\"x\\n``\""}},

		{"```tool_calls a\n{}\n```", []string{"\"```tool_calls a\\n{}\\n```\""}},
		{"```tool_call`a`\n{}", []string{"\"```tool_call`a`\\n{}\""}},
		{"```tool_call a```\n{}", []string{"\"```tool_call a```\\n{}\""}},
		{"~~~tool_call a\n{}\n~~~", []string{"\"~~~tool_call a\\n{}\\n~~~\""}},
		{"```md\n" + call + "\n" + call, []string{"\"```md\\n```tool_call a\\n{}\\n```\"", "a({})"}},
		{"````\n" + call + "\n````\n" + call, []string{"\"````\\n```tool_call a\\n{}\\n```\\n````\"", "a({})"}},
		{"~~~\n```\n" + call + "\n~~~ \n" + call, []string{"\"~~~\\n```\\n```tool_call a\\n{}\\n```\\n~~~\"", "a({})"}},
		{"```a```\n" + call, []string{"\"```a```\"", "a({})"}},

		{"```" + long + "\n" + call, []string{"\"```" + long + `"`, "a({})"}},
		{"```tool_call " + long + "\n{}", []string{"\"```tool_call " + long + `\n{}"`}},
		{"```tool_call a {" + long, []string{"a({" + long + ")."}},
		{"```tool_call a\n" + long + "\n```", []string{"a(" + long + ")"}},
		{"```tool_call a" + blank + "{}\n", []string{"\"```tool_call a" + blank + `{}\n"`}},
		{"```tool_call a\n{\n" + blank + "\n" + blank + "}\n```", []string{"a({\n" + blank + "\n" + blank + "})"}},
		{"```tool_call a\n{\"x\": \"" + blank + "\"}\n```", []string{"a({\"x\": \"" + blank + "\"})"}},
		{"```tool_call a\n{}\n" + blank + "```x\n```", []string{"a({}\n" + blank + "```x)"}},
		{"```tool_call a\n{}" + blank + "```\n```", []string{"a({}" + blank + "```)"}},
		{"```tool_call a\n{}" + blank + "` x```\n", []string{"a({}" + blank + "` x)"}},
		{"```tool_call a\n{}" + blank + "\n`` ```\nx", []string{"a({}" + blank + "\n``)", `"x"`}},
		{"```tool_call a\n{}" + ticks + "\n```", []string{"a({}" + ticks + ")"}},
		{"```tool_call a\n" + ticks + "\nx", []string{"a()", `"x"`}},
		{"```tool_call a\n{}\n```" + blank + "\nx", []string{"a({})", `"x"`}},
		{"```tool_call a\n{}\n```" + blank + "tool_call b\n", []string{"a({})", "b()."}},
		{ticks + "\n" + call, []string{`"` + ticks + `"`, "a({})"}},
	} {
		want := row.want
		require.Equal(t, want, slowParsed(row.text), "%q, slowly", row.text)
		require.Equal(t, want, parsed(t, row.text), "%q", row.text)
		require.Equal(t, want, parsed(t, strings.Split(row.text, "")...), "%q, byte by byte", row.text)
		for at := range min(len(row.text), 200) {
			require.Equal(t, want, parsed(t, row.text[:at], row.text[at:]), "%q %q", row.text[:at], row.text[at:])
		}
	}
}

// More white space than is held is told, the same however it comes.
func TestParserHoldsBoundedSpace(t *testing.T) {
	t.Parallel()
	blank := strings.Repeat(" ", maxHeld)
	text := "x" + blank + "  \n```tool_call a\n{}\n```"
	want := []string{`"x   "`, "a({})"}
	assert.Equal(t, want, parsed(t, text))
	assert.Equal(t, want, parsed(t, strings.Split(text, "")...))
}

// A block of text ends its line; a call goes on in the next one.
func TestParserBoundary(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		pieces []string
		want   []string
	}{
		{[]string{"x", "```tool_call a\n{}\n```"}, []string{`"x"`, "a({})"}},
		{[]string{"x \n``", "`tool_call a\n{}\n```"}, []string{"\"x \\n```tool_call a\\n{}\\n```\""}},
		{[]string{"```tool_call a", "{}\n```"}, []string{"a({})"}},
		{[]string{"```tool_call a\n{", "}\n```"}, []string{"a({})"}},
		{[]string{"```tool_call a\n{}\n```", " ", "x"}, []string{"a({})", `"x"`}},
		{[]string{"```tool_call a\n{}\n``", "`\nx"}, []string{"a({})", `"x"`}},
		{[]string{"```go", "```tool_call a\n{}\n```"}, []string{"\"```go```tool_call a\\n{}\\n```\""}},
	} {
		var s told
		p := parser{to: &s}
		for _, piece := range row.pieces {
			require.True(t, p.boundary())
			require.True(t, p.write(piece))
		}
		require.True(t, p.finish())
		s.done()
		assert.Equal(t, row.want, s.parts, "%q", row.pieces)
	}
}

// What is found does not depend on the pieces, and nothing is lost: all that is left
// out is white space, fences and first lines.
func TestParserRapid(t *testing.T) {
	t.Parallel()
	word := rapid.SampledFrom([]string{
		"```", "``", "`", "~~~", "````", "tool_call", "tool_", "call", " ", "\n", "\r\n", "\t", "{", "}", `{"x": 1}`, "a", "é", "   ", "    ", "\n```tool_call a\n", "\n```\n",
	})
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(word, 0, 30).Draw(t, "pieces")
		text := strings.Join(pieces, "")
		want := slowParsed(text)
		require.Equal(t, want, parsed(t, text))
		require.Equal(t, want, parsed(t, pieces...))
		require.Equal(t, want, parsed(t, strings.Split(text, "")...))
	})
}

// Of lines and runs as long as what is held, and a byte more or less, the same is found
// in one piece, byte by byte, and cut anywhere about the limit.
func TestParserAtTheLimit(t *testing.T) {
	t.Parallel()
	run := rapid.Custom(func(t *rapid.T) string {
		unit := rapid.SampledFrom([]string{" ", "`", "\t", "x", "\n", "~", " `", "``` "}).Draw(t, "unit")
		size := maxHeld + rapid.IntRange(-9, 9).Draw(t, "more")
		return strings.Repeat(unit, size/len(unit)+1)[:size]
	})
	begin := rapid.SampledFrom([]string{"```tool_call a\n", "```tool_call a {", "", "x\n", "```tool_call a\n{}", "```tool_call a\n{\n", "```", "~~~\n", "```tool_call a\n{}\n```", "```tool_call"})
	end := rapid.SampledFrom([]string{"```", "```\n", "``` \n", "```x\n", "``", "\n", "", "{}\n```", " tool_call b\n{}", "x", "\n```tool_call b\n", "`\n", "```\ny\n```\nz"})
	rapid.Check(t, func(t *rapid.T) {
		var pieces []string
		for range rapid.IntRange(1, 3).Draw(t, "times") {
			pieces = append(pieces, begin.Draw(t, "begin"), run.Draw(t, "run"), end.Draw(t, "end"))
		}
		text := strings.Join(pieces, "")
		want := slowParsed(text)
		require.Equal(t, want, parsed(t, text))
		require.Equal(t, want, parsed(t, pieces...))
		require.Equal(t, want, parsed(t, strings.Split(text, "")...))
		at := rapid.IntRange(0, len(text)).Draw(t, "at")
		require.Equal(t, want, parsed(t, text[:at], text[at:]))
	})
}

func FuzzParser(f *testing.F) {
	f.Add("x\n```tool_call a\n{\"x\": 1}\n```\ny", uint8(3))
	f.Add("```tool_call a\n"+strings.Repeat(" ", maxHeld)+"```x\n{}"+strings.Repeat(" `", maxHeld)+"```\n", uint8(200))
	f.Fuzz(func(t *testing.T, text string, size uint8) {
		want := slowParsed(text)
		require.Equal(t, want, parsed(t, text))
		var pieces []string
		for rest := text; rest != ""; {
			n := min(len(rest), int(size)+1)
			pieces, rest = append(pieces, rest[:n]), rest[n:]
		}
		require.Equal(t, want, parsed(t, pieces...))
	})
}

// A consumer that leaves is told nothing more.
func TestParserStops(t *testing.T) {
	t.Parallel()
	text := "x\n```tool_call a\n{\"x\":\n1}\n```\ny\n```tool_call b\n{}"
	all := leaver{left: 1 << 10}
	p := parser{to: &all}
	require.True(t, p.write(text) && p.finish())
	for n := range 1<<10 - all.left {
		l := leaver{left: n}
		p := parser{to: &l}
		assert.False(t, p.write(text) && p.finish(), n)
		assert.Equal(t, -1, l.left, n)
	}
}

type leaver struct{ left int }

func (l *leaver) next() bool       { l.left--; return l.left >= 0 }
func (l *leaver) text(string) bool { return l.next() }
func (l *leaver) open(string) bool { return l.next() }
func (l *leaver) body(string) bool { return l.next() }
func (l *leaver) end(bool) bool    { return l.next() }
