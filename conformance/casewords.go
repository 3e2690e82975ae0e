package conformance

import (
	"maps"
	"slices"
	"strconv"

	"github.com/weirsdk/weir/events"
)

// wholeCalls returns which calls came without fragments.
func wholeCalls(all []events.Event) map[int]bool {
	calls := map[int]bool{}
	order := map[int32]int{}
	for _, ev := range all {
		switch ev.Kind {
		case events.ToolCallStarted:
			order[ev.Index] = len(order)
			calls[order[ev.Index]] = true
		case events.ToolArgumentsDelta:
			calls[order[ev.Index]] = false
		default:
		}
	}
	return calls
}

// wantedWords writes the events of a case as words; adjacent pieces are joined.
func wantedWords(evs []caseEvent, whole map[int]bool) []string {
	var w wordList
	for _, ev := range evs {
		call := strconv.Itoa(ev.Call)
		switch ev.T {
		case "text", "reasoning":
			w.join(ev.T+":", ev.D)
		case "tool_delta":
			w.open(call)
			if !whole[ev.Call] {
				w.join("tool_delta "+call+":", ev.D)
			}
		case "tool_start":
			w.start(call, ev.Name)
		case "tool_end":
			w.open(call)
			w.add("tool_end " + call + " " + ev.Args)
		case "tool_abort":
			w.open(call)
			w.add("tool_abort " + call)
		case "done":
			w.add("done " + ev.Stop)
		case "error":
			w.add("error")
		}
	}
	return w.all()
}

// wordsOf writes events as the same words.
func wordsOf(all []events.Event) []string {
	var w wordList
	order := map[int32]int{}
	for _, ev := range all {
		call := strconv.Itoa(order[ev.Index])
		switch ev.Kind {
		case events.TextDelta:
			w.join("text:", ev.Text)
		case events.ThinkingDelta:
			w.join("reasoning:", ev.Text)
		case events.ToolArgumentsDelta:
			w.open(call)
			w.join("tool_delta "+call+":", ev.Text)
		case events.ToolCallStarted:
			order[ev.Index] = len(order)
			c, _ := ev.Call()
			w.start(strconv.Itoa(order[ev.Index]), c.Name)
		case events.ToolCallCompleted:
			w.open(call)
			c, _ := ev.Call()
			w.add("tool_end " + call + " " + c.Arguments)
		case events.ToolCallInvalid:
			// Cases have no word for a call whose arguments are wrong; the terminal
			// says it.
			w.open(call)
			if i, _ := ev.Issue(); i.Kind == events.IssueTruncated {
				w.add("tool_abort " + call)
			}
		case events.Completed:
			c, _ := ev.Completion()
			w.add("done " + string(c.Stop))
		case events.Failed:
			w.add("error")
		default:
		}
	}
	return w.all()
}

// A wordList collects words. The start of a call is written when something of
// the call follows: the grammar lets an adapter wait until the name can no
// longer grow, so where exactly it comes before that is no difference.
type wordList struct {
	words   []string
	last    string
	pending map[string]string
}

func (w *wordList) start(call, name string) {
	if w.pending == nil {
		w.pending = map[string]string{}
	}
	w.pending[call] = "tool_start " + call + " " + name
}

func (w *wordList) open(call string) {
	if word, ok := w.pending[call]; ok {
		delete(w.pending, call)
		w.add(word)
	}
}

// all returns the words, with the starts that nothing followed at the end.
func (w *wordList) all() []string {
	for _, call := range slices.Sorted(maps.Keys(w.pending)) {
		w.open(call)
	}
	return w.words
}

func (w *wordList) add(word string) { w.words, w.last = append(w.words, word), "" }

func (w *wordList) join(prefix, text string) {
	if w.last == prefix {
		w.words[len(w.words)-1] += text
		return
	}
	w.words, w.last = append(w.words, prefix+text), prefix
}
