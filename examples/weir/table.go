package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/stream"
)

// maxCell bounds a text in the table, in bytes before quoting.
const maxCell = 100

// A table prints events for people: number, kind, block, and what it says.
// Texts are quoted, so that nothing in them reaches the terminal raw.
type table struct {
	w io.Writer
	n int
}

func (t *table) event(ev events.Event) error {
	if t.n == 0 {
		if err := t.row("#", "event", "block", ""); err != nil {
			return err
		}
	}
	t.n++
	block := ""
	if ev.Kind.HasIndex() {
		block = "#" + strconv.Itoa(int(ev.Index))
	}
	return t.row(strconv.Itoa(t.n), ev.Kind.String(), block, describe(ev))
}

func (t *table) row(n, kind, block, text string) error {
	line := fmt.Sprintf("%4s  %-22s %-5s  %s", n, kind, block, text)
	_, err := fmt.Fprintln(t.w, strings.TrimRight(line, " "))
	return err
}

// describe says in a few words what an event carries.
func describe(ev events.Event) string {
	switch ev.Kind {
	case events.TextDelta, events.ThinkingDelta, events.RefusalDelta, events.ToolArgumentsDelta:
		return quote(ev.Text)
	case events.Started:
		s, _ := ev.Start()
		return words("model", s.Model, "response", s.ResponseID, "request", s.RequestID)
	case events.ToolCallStarted, events.ToolCallCompleted, events.ToolCallInvalid:
		return describeCall(ev)
	case events.HostedToolStarted, events.HostedToolCompleted:
		h, _ := ev.Hosted()
		return words("name", h.Name, "id", h.ID, "outcome", h.Outcome, "sources", count(len(h.Sources)))
	case events.CitationAdded:
		c, _ := ev.Citation()
		return words("url", c.URL, "title", c.Title, "text", c.Text)
	case events.MediaCompleted:
		m, _ := ev.Media()
		return words("type", m.Type, "bytes", count(len(m.Data)))
	case events.UsageUpdated:
		u, _ := ev.Usage()
		return describeUsage(u)
	case events.Notice:
		n, _ := ev.Notice()
		return words("code", string(n.Code)) + "  " + strconv.Quote(n.Detail)
	case events.Completed:
		c, _ := ev.Completion()
		return words("stop", string(c.Stop), "raw", c.RawStop) + "  usage: " + describeUsage(c.Usage)
	case events.Failed:
		f, _ := ev.Failure()
		return describeFailure(f)
	}
	return ""
}

func describeCall(ev events.Event) string {
	c, _ := ev.Call()
	i, invalid := ev.Issue()
	if !invalid {
		return callWords(c)
	}
	c.Arguments = ev.Text
	s := callWords(c) + "  " + words("issue", string(i.Kind))
	if i.Detail != "" {
		s += "  " + strconv.Quote(i.Detail)
	}
	return s
}

func callWords(c events.ToolCall) string {
	s := words("name", c.Name, "id", c.ID)
	if c.Minted {
		s += " (minted)"
	}
	if c.Arguments != "" {
		s += "  " + quote(c.Arguments)
	}
	return s
}

func describeFailure(f *events.Failure) string {
	if f == nil {
		return ""
	}
	s := words("kind", string(f.Kind), "reason", string(f.Reason), "sent", string(f.Sent), "code", f.ProviderCode)
	if f.Status != 0 {
		s += " status=" + strconv.Itoa(f.Status)
	}
	if f.RetryAfter > 0 {
		s += " retry_after=" + f.RetryAfter.String()
	}
	if f.Detail != "" {
		s += "  " + strconv.Quote(f.Detail)
	}
	return s
}

func describeUsage(u events.Usage) string {
	if !u.Reported() {
		return "unknown"
	}
	s := "input " + u.Input.String() + ", output " + u.Output.String()
	for _, part := range []struct {
		name  string
		count events.Count
	}{{"cache read", u.CacheRead}, {"cache write", u.CacheWrite}, {"cache write (1 h)", u.CacheWriteLong}, {"thinking", u.Thinking}} {
		if part.count.IsKnown() {
			s += ", " + part.name + " " + part.count.String()
		}
	}
	return s
}

// reply prints what the events fold into.
func (t *table) reply(r *stream.Reply) error {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%-10s %s\n", "outcome", r.Outcome())
	if err := r.Err(); err != nil {
		fmt.Fprintf(&b, "%-10s %s\n", "failure", err)
	}
	for _, part := range []struct{ name, text string }{{"text", r.Text()}, {"thinking", r.Thinking()}, {"refusal", r.Refusal()}} {
		if part.text != "" {
			fmt.Fprintf(&b, "%-10s %s  (%d bytes)\n", part.name, quote(part.text), len(part.text))
		}
	}
	for _, c := range r.ToolCalls() {
		fmt.Fprintf(&b, "%-10s %s\n", "call", callWords(c))
	}
	fmt.Fprintf(&b, "%-10s %s\n", "usage", describeUsage(r.Usage()))
	if c, ok := r.Cost(); ok {
		fmt.Fprintf(&b, "%-10s %s\n", "cost", c.Micros)
	}
	_, err := io.WriteString(t.w, b.String())
	return err
}

// words joins names and values as name=value, without the empty ones. A value
// that is more than a plain word is quoted.
func words(pairs ...string) string {
	var parts []string
	for i := 0; i+1 < len(pairs); i += 2 {
		if v := pairs[i+1]; v != "" {
			parts = append(parts, pairs[i]+"="+word(v))
		}
	}
	return strings.Join(parts, " ")
}

func word(s string) string {
	if q := quote(s); q != `"`+s+`"` || strings.Contains(s, " ") {
		return q
	}
	return s
}

func count(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// quote returns a text quoted, and cut when it is long. Back quotes spare JSON
// its backslashes, where nothing else needs escaping.
func quote(s string) string {
	rest := ""
	if cut := events.CutText(s, maxCell); cut != s {
		s, rest = cut, "..."
	}
	q := strconv.Quote(s)
	if strings.Contains(s, `"`) && strconv.CanBackquote(s) && strings.ReplaceAll(q, `\"`, `"`) == `"`+s+`"` {
		return "`" + s + "`" + rest
	}
	return q + rest
}
