package coherewire

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/keptturn"
	"github.com/weirsdk/weir/request"
)

// turnData is what the data of a turn holds, see [Format].
type turnData struct {
	Plan      string            `json:"tool_plan"`
	Content   []keptBlock       `json:"content"`
	Citations []json.RawMessage `json:"citations"`
}

type keptBlock struct {
	Type, Thinking, Slot string
}

// data returns what must go back with this turn: nothing when it is only text and
// calls.
func (d *decoder) data() events.ProviderData {
	plan, content, needed := "", []string(nil), len(d.citations) > 0
	for _, b := range d.blocks {
		switch {
		case b.kind == planBlock:
			plan = string(b.text)
		case b.kind == thinkingBlock && len(b.text) > 0:
			content = append(content, `{"type":"thinking","thinking":`+quoted(string(b.text))+`}`)
			needed = true
		case b.kind == textBlock && b.visible:
			content = append(content, `{"slot":"text"}`)
		}
	}
	if plan == "" && !needed {
		return events.ProviderData{}
	}
	var members []string
	if plan != "" {
		members = append(members, `"tool_plan":`+quoted(plan))
	}
	if len(content) > 0 {
		members = append(members, `"content":`+list(content))
	}
	if len(d.citations) > 0 {
		members = append(members, `"citations":`+list(d.citations))
	}
	return d.providerData("{" + strings.Join(members, ",") + "}")
}

func (d *decoder) providerData(value string) events.ProviderData {
	return events.ProviderData{Format: Format, Origin: d.profile.Origin, Value: value}
}

// read reads data of this family and provider; other data was dropped or refused
// before.
func (e *encoder) read(data events.ProviderData) (turnData, error) {
	var kept turnData
	if err := keptturn.Read(data, Format, e.origin, &kept); err != nil {
		return kept, err
	}
	for _, b := range kept.Content {
		if b.Slot != "text" && b.Type != "thinking" {
			return kept, badHistory("the data of an assistant turn is damaged")
		}
	}
	return kept, nil
}

// assistant appends one assistant turn. The message's own blocks decide what is
// sent of text and calls: a text that is gone leaves its slot empty, one that has
// no slot follows at the end, and a citation of what is gone is left out.
func (e *encoder) assistant(m *request.Message) error {
	kept, err := e.read(m.Data)
	if err != nil {
		return err
	}
	var texts []string
	for i := range m.Blocks {
		switch b := &m.Blocks[i]; b.Kind {
		case request.BlockText:
			texts = append(texts, b.Text)
		case request.BlockToolCall:
		default:
			return badHistory("this wire has no block of kind " + string(b.Kind) + " in an assistant turn")
		}
	}
	start := len(e.dst)
	e.element()
	e.dst = append(e.dst, `{"role":"assistant"`...)
	empty := len(e.dst)
	e.assistantContent(kept.Content, texts)
	if kept.Plan != "" {
		e.member("tool_plan")
		e.str(kept.Plan)
	}
	e.calls(m.Blocks)
	if len(e.dst) == empty {
		e.dst = e.dst[:start]
		return nil
	}
	e.citations(kept.Citations, texts)
	e.dst = append(e.dst, '}')
	return nil
}

func (e *encoder) assistantContent(kept []keptBlock, texts []string) {
	thinks := slices.ContainsFunc(kept, func(b keptBlock) bool { return b.Slot == "" })
	switch {
	case !thinks && len(texts) == 0:
		return
	case !thinks && len(texts) == 1:
		e.member("content")
		e.str(texts[0])
		return
	}
	e.member("content")
	e.dst = append(e.dst, '[')
	for _, b := range kept {
		switch {
		case b.Slot == "":
			e.element()
			e.part("thinking", b.Thinking)
		case len(texts) > 0:
			e.element()
			e.part("text", texts[0])
			texts = texts[1:]
		}
	}
	for _, text := range texts {
		e.element()
		e.part("text", text)
	}
	e.dst = append(e.dst, ']')
}

// maxSearched bounds the search for what the citations of a request cite, in bytes of
// text: a stored turn may have been made to take for ever. The wire does without them.
const maxSearched = 256 << 20

// citations appends the citations whose passage the turn still has.
func (e *encoder) citations(raw []json.RawMessage, texts []string) {
	first := true
	for _, c := range raw {
		var cited struct{ Text, Type string }
		if c[0] != '{' || json.Unmarshal(c, &cited) != nil {
			continue
		}
		stands := func(text string) bool { return e.search(text, cited.Text) }
		if isOfText(cited.Type) && !slices.ContainsFunc(texts, stands) {
			continue
		}
		if first {
			e.member("citations")
			e.dst = append(e.dst, '[')
		}
		first = false
		e.element()
		e.dst = append(e.dst, c...)
	}
	if !first {
		e.dst = append(e.dst, ']')
	}
}

// search reports whether a text holds another one, false once too much was searched.
func (e *encoder) search(text, other string) bool {
	if e.searched > maxSearched {
		return false
	}
	at := strings.Index(text, other)
	if at < 0 {
		e.searched += len(text)
		return false
	}
	e.searched += at
	return true
}
