package texttools

import (
	"fmt"
	"regexp"
	"strings"
)

// slowParsed is what the language says of a whole text, line by line and without a
// thought for pieces: the parser has to find the same.
func slowParsed(text string) []string {
	s := slow{}
	for line := range strings.SplitAfterSeq(text, "\n") {
		s.line(line)
	}
	if s.open {
		s.end(".")
	}
	s.flush(false)
	return s.parts
}

// slow is the state between two lines.
type slow struct {
	parts []string
	open  bool // in a call
	fence string
	text  string // that was not told yet
	after bool   // a call: white space that begins the text is none of it
	body  string
}

// The patterns look at the beginning of a line, cut after maxHeld bytes.
func (s *slow) line(line string) {
	head, whole := line[:min(len(line), maxHeld)], len(line) <= maxHeld
	if s.open {
		s.inside(line, head)
		return
	}
	opening := regexp.MustCompile("^ {0,3}`{3,}[ \t\r]*" + wordCall + "(|[ \t\r\n][^`{]*)(\\{|$)").FindStringSubmatchIndex(head)
	if s.fence == "" && opening != nil && (whole || opening[4] < opening[5]) {
		s.flush(true)
		name := ""
		if words := strings.Fields(head[opening[2]:opening[3]]); len(words) > 0 {
			name = words[0]
		}
		s.parts, s.open, s.body = append(s.parts, name+"("), true, ""
		if rest := line[opening[4]:]; rest != "" {
			s.inside(rest, rest[:min(len(rest), maxHeld)])
		}
		return
	}
	s.text += line
	fence := regexp.MustCompile("^ {0,3}(`{3,}|~{3,})([^\n]*)").FindStringSubmatch(head)
	switch {
	case fence == nil || !whole:
	case s.fence == "":
		if fence[1][0] == '~' || !strings.Contains(fence[2], "`") {
			s.fence = fence[1]
		}
	case strings.HasPrefix(fence[1], s.fence) && strings.Trim(fence[2], space) == "":
		s.fence = ""
	}
}

func (s *slow) inside(line, head string) {
	if first := regexp.MustCompile("^[ \t\r]*```").FindString(head); first != "" {
		s.end("")
		s.behind(strings.TrimLeft(line[len(first)-3:], "`"))
		return
	}
	parts := regexp.MustCompile("(?s)^(.*?)([ \t\r`]*)(\n?)$").FindStringSubmatch(line)
	tail := strings.TrimRight(parts[2], blanks)
	if len(parts[2]) > maxHeld || !strings.HasSuffix(tail, "```") {
		s.body += line
		return
	}
	s.body += parts[1] + strings.TrimRight(tail, "`")
	s.end("")
}

// behind is what follows a closing fence on its line.
func (s *slow) behind(rest string) {
	rest = strings.TrimLeft(rest, blanks)
	switch {
	case strings.HasPrefix(rest, wordCall):
		s.line("```" + rest)
	case strings.Trim(rest, space) != "":
		s.text += rest
	}
}

func (s *slow) end(dot string) {
	s.parts[len(s.parts)-1] += withoutEnd(strings.TrimLeft(s.body, space)) + ")" + dot
	s.open, s.after = false, true
}

// flush tells the text, without the white space around calls.
func (s *slow) flush(call bool) {
	if s.after {
		s.text = strings.TrimLeft(s.text, space)
	}
	if call {
		s.text = withoutEnd(s.text)
	}
	if s.text != "" {
		s.parts = append(s.parts, fmt.Sprintf("%q", s.text))
	}
	s.text = ""
}

// withoutEnd drops white space at the end of a text, as much as is held.
func withoutEnd(text string) string {
	return text[:max(len(strings.TrimRight(text, space)), len(text)-maxHeld)]
}
