package validator_test

import (
	"strings"
	"unicode/utf8"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/validator"
)

// A model is the grammar said slowly: it keeps every accepted event, and judges
// the next one by going through all of them, rule by rule. It shares nothing
// with the automaton.
type model struct {
	limits validator.Limits
	past   []events.Event
}

// broken returns the rules that ev would break. It may break several at once,
// of which the automaton names one.
func (m *model) broken(ev events.Event) map[validator.Rule]bool {
	rules := map[validator.Rule]func(events.Event) bool{
		validator.G01: m.breaks01, validator.G02: m.breaks02, validator.G03: m.breaks03,
		validator.G05: m.breaks05, validator.G06: m.breaks06, validator.G07: m.breaks07,
		validator.G08: m.breaks08, validator.G09: m.breaks09, validator.G10: m.breaks10,
		validator.G11: m.breaks11, validator.G12: m.breaks12, validator.G13: m.breaks13,
		validator.G14: m.breaks14, validator.G15: m.breaks15, validator.G16: m.breaks16,
		validator.G17: m.breaks17, validator.G18: m.breaks18, validator.G19: m.breaks19,
	}
	found := map[validator.Rule]bool{}
	for rule, breaks := range rules {
		if breaks(ev) {
			found[rule] = true
		}
	}
	return found
}

func (m *model) accept(ev events.Event) { m.past = append(m.past, ev) }

// ended reports whether the stream may end here: G04.
func (m *model) ended() bool {
	return len(m.past) > 0 && m.past[len(m.past)-1].Kind.IsTerminal()
}

// with returns the accepted events of the kinds.
func (m *model) with(kinds ...events.Kind) []events.Event {
	var found []events.Event
	for _, ev := range m.past {
		for _, k := range kinds {
			if ev.Kind == k {
				found = append(found, ev)
			}
		}
	}
	return found
}

// at returns those of the events that have the index.
func at(index int32, evs []events.Event) []events.Event {
	var found []events.Event
	for _, ev := range evs {
		if ev.Index == index {
			found = append(found, ev)
		}
	}
	return found
}

// sortOf is the kind of block that an event belongs to.
func sortOf(k events.Kind) string {
	switch k {
	case events.TextDelta, events.CitationAdded:
		return "text"
	case events.ThinkingDelta:
		return "thinking"
	case events.RefusalDelta:
		return "refusal"
	case events.ToolCallStarted, events.ToolArgumentsDelta, events.ToolCallCompleted, events.ToolCallInvalid:
		return "call"
	case events.HostedToolStarted, events.HostedToolCompleted:
		return "hosted"
	case events.MediaCompleted:
		return "media"
	default:
		return ""
	}
}

// used returns the sort of block of each used index.
func (m *model) used() map[int32]string {
	used := map[int32]string{}
	for _, ev := range m.past {
		if ev.Kind.HasIndex() {
			used[ev.Index] = sortOf(ev.Kind)
		}
	}
	return used
}

// openCall returns the start of the call that is open at the index.
func (m *model) openCall(index int32) (start events.Event, ok bool) {
	starts := at(index, m.with(events.ToolCallStarted))
	ends := at(index, m.with(events.ToolCallCompleted, events.ToolCallInvalid))
	if len(starts) == 1 && len(ends) == 0 {
		return starts[0], true
	}
	return events.Event{}, false
}

// fragments joins the argument fragments at the index.
func (m *model) fragments(index int32) string {
	return joined(at(index, m.with(events.ToolArgumentsDelta)))
}

func joined(evs []events.Event) string {
	var b strings.Builder
	for _, ev := range evs {
		b.WriteString(ev.Text)
	}
	return b.String()
}

func (m *model) breaks01(ev events.Event) bool {
	return len(m.past) == 0 && ev.Kind != events.Started
}

func (m *model) breaks02(ev events.Event) bool {
	return len(m.past) > 0 && ev.Kind == events.Started
}

func (m *model) breaks03(events.Event) bool { return m.ended() }

func (m *model) breaks05(ev events.Event) bool {
	used := m.used()
	before, isUsed := used[ev.Index]
	next := ev.Index >= 0 && int(ev.Index) <= m.limits.Index && int(ev.Index) == len(used)
	switch ev.Kind {
	case events.TextDelta, events.ThinkingDelta, events.RefusalDelta:
		return (!isUsed || before != sortOf(ev.Kind)) && !next
	case events.HostedToolStarted, events.MediaCompleted:
		return !next
	case events.ToolCallStarted:
		return !isUsed && !next
	default:
		return false
	}
}

func (m *model) breaks06(ev events.Event) bool {
	if ev.Kind != events.ToolCallStarted {
		return false
	}
	_, used := m.used()[ev.Index]
	c, _ := ev.Call()
	return used || c.ID == "" || c.Name == ""
}

func (m *model) breaks07(ev events.Event) bool {
	c, ok := ev.Call()
	if !ok || ev.Kind != events.ToolCallStarted {
		return false
	}
	for _, earlier := range m.with(events.ToolCallStarted) {
		if e, _ := earlier.Call(); e.ID == c.ID {
			return true
		}
	}
	return false
}

func (m *model) breaks08(ev events.Event) bool {
	switch ev.Kind {
	case events.ToolArgumentsDelta, events.ToolCallCompleted, events.ToolCallInvalid:
		_, open := m.openCall(ev.Index)
		return !open
	default:
		return false
	}
}

func (m *model) breaks09(ev events.Event) bool {
	start, open := m.openCall(ev.Index)
	if !open || ev.Kind != events.ToolCallCompleted && ev.Kind != events.ToolCallInvalid {
		return false
	}
	was, _ := start.Call()
	is, _ := ev.Call()
	return was.ID != is.ID || was.Name != is.Name
}

func (m *model) breaks10(ev events.Event) bool {
	c, ok := ev.Call()
	if !ok || ev.Kind != events.ToolCallCompleted {
		return false
	}
	fragments := m.fragments(ev.Index)
	return fragments != "" && fragments != c.Arguments
}

func (m *model) breaks11(ev events.Event) bool {
	c, ok := ev.Call()
	return ok && ev.Kind == events.ToolCallCompleted && events.CheckArguments(c.Arguments) != nil
}

func (m *model) breaks12(ev events.Event) bool {
	if ev.Kind != events.Completed {
		return false
	}
	for _, start := range m.with(events.ToolCallStarted) {
		if _, open := m.openCall(start.Index); open {
			return true
		}
	}
	return false
}

func (m *model) breaks13(ev events.Event) bool {
	c, ok := ev.Completion()
	if !ok {
		return false
	}
	calls := len(m.with(events.ToolCallCompleted, events.ToolCallInvalid))
	switch c.Stop {
	case "tool_use":
		return calls == 0
	case "end", "stop_sequence", "unknown", "other":
		return calls != 0
	default:
		return false
	}
}

func (m *model) breaks14(ev events.Event) bool {
	return ev.Kind.IsDelta() && (ev.Text == "" || !utf8.ValidString(ev.Text) || len(ev.Text) > m.limits.DeltaBytes)
}

func (m *model) breaks15(ev events.Event) bool {
	switch ev.Kind {
	case events.CitationAdded:
		return m.used()[ev.Index] != "text"
	case events.HostedToolCompleted:
		return len(at(ev.Index, m.with(events.HostedToolStarted))) != 1 ||
			len(at(ev.Index, m.with(events.HostedToolCompleted))) != 0
	default:
		return false
	}
}

// breaks16 counts everything anew, with ev as if it were accepted.
func (m *model) breaks16(ev events.Event) bool {
	with := &model{limits: m.limits, past: append(append([]events.Event{}, m.past...), ev)}
	l := m.limits
	media, data := 0, 0
	for _, e := range with.past {
		media += e.MediaSize()
		data += dataOf(e)
	}
	usage, _ := ev.Usage()
	issue, _ := ev.Issue()
	return len(with.past) > l.Events ||
		len(joined(with.with(events.TextDelta))) > l.TextBytes ||
		len(joined(with.with(events.ThinkingDelta))) > l.ThinkingBytes ||
		len(joined(with.with(events.RefusalDelta))) > l.TextBytes ||
		len(with.with(events.ToolCallStarted)) > l.Calls ||
		with.argumentsTooLarge() ||
		media > l.MediaBytes || data > l.DataBytes ||
		len(usage.Raw) > l.DataBytes || len(issue.Detail) > l.DataBytes
}

func (m *model) argumentsTooLarge() bool {
	for index := range m.used() {
		if m.argumentsAt(index) > m.limits.CallBytes {
			return true
		}
	}
	return m.argumentsBytes() > m.limits.ArgumentsBytes
}

// argumentsAt is the size of a call's arguments: the fragments, or what its end
// tells if that is more.
func (m *model) argumentsAt(index int32) int {
	size := len(m.fragments(index))
	for _, end := range at(index, m.with(events.ToolCallCompleted, events.ToolCallInvalid)) {
		c, _ := end.Call()
		size = max(size, len(c.Arguments), len(end.Text))
	}
	return size
}

func (m *model) argumentsBytes() int {
	total := 0
	for index := range m.used() {
		total += m.argumentsAt(index)
	}
	return total
}

// dataOf is what an event adds to the data.
func dataOf(ev events.Event) int {
	var texts []string
	provider := func(d events.ProviderData) { texts = append(texts, d.Format, d.Origin, d.Value) }
	if s, ok := ev.Start(); ok {
		texts = append(texts, s.ResponseID, s.Model, s.RequestID)
		for k, v := range s.Metadata {
			texts = append(texts, k, v)
		}
	}
	if c, ok := ev.Call(); ok {
		if ev.Kind == events.ToolCallStarted {
			texts = append(texts, c.ID, c.Name)
		} else {
			provider(c.Replay)
		}
	}
	if h, ok := ev.Hosted(); ok {
		texts = append(texts, h.ID, h.Name, h.Arguments, h.Outcome)
		for _, s := range h.Sources {
			texts = append(texts, s.URL, s.Title, s.Snippet)
		}
		provider(h.Replay)
	}
	if c, ok := ev.Citation(); ok {
		texts = append(texts, c.URL, c.Title, c.Text)
	}
	if n, ok := ev.Notice(); ok {
		texts = append(texts, string(n.Code), n.Detail)
	}
	if c, ok := ev.Completion(); ok {
		texts = append(texts, c.RawStop)
		provider(c.Data)
	}
	return len(strings.Join(texts, ""))
}

func (m *model) breaks17(ev events.Event) bool {
	u, _ := ev.Usage()
	for _, c := range []events.Count{
		u.Input, u.CacheRead, u.CacheWrite, u.CacheWriteLong, u.Output, u.Thinking,
		u.InputAudio, u.InputImage, u.OutputAudio, u.OutputImage,
	} {
		if n := c.Or(0); n < 0 || n > 1<<53-1 {
			return true
		}
	}
	return false
}

func (m *model) breaks18(ev events.Event) bool {
	asFailed := ev
	asFailed.Kind = events.Failed
	f, carries := asFailed.Failure()
	switch ev.Kind {
	case events.Failed:
		return !carries || f.Kind == ""
	case events.Completed:
		return carries
	default:
		return false
	}
}

func (m *model) breaks19(ev events.Event) bool {
	if ev.Kind != events.Completed && ev.Kind != events.Failed && !ev.HasDetail() {
		return true
	}
	if _, ok := ev.Completion(); ev.Kind == events.Completed && !ok {
		return true
	}
	if ev.Text != "" && sortOf(ev.Kind) == "" || ev.Index != 0 && sortOf(ev.Kind) == "" {
		return true
	}
	call, _ := ev.Call()
	hosted, _ := ev.Hosted()
	notice, _ := ev.Notice()
	completion, _ := ev.Completion()
	issue, _ := ev.Issue()
	for _, d := range []events.ProviderData{call.Replay, hosted.Replay, completion.Data} {
		if d.Value != "" && d.Format == "" {
			return true
		}
	}
	switch ev.Kind {
	case events.ToolCallStarted:
		return ev.Text != "" || call.Arguments != "" || call.Replay != events.ProviderData{}
	case events.ToolCallCompleted, events.CitationAdded:
		return ev.Text != ""
	case events.ToolCallInvalid:
		return issue.Kind == ""
	case events.HostedToolStarted, events.HostedToolCompleted:
		return ev.Text != "" || hosted.Name == ""
	case events.MediaCompleted:
		return ev.Text != "" || ev.MediaSize() == 0
	case events.Notice:
		return notice.Code == ""
	case events.Completed:
		return !strings.Contains(" end tool_use length stop_sequence pause refusal content_filter unknown other ",
			" "+string(completion.Stop)+" ") || completion.Stop == ""
	default:
		return false
	}
}
