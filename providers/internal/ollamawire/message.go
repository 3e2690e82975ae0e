package ollamawire

import (
	"encoding/base64"
	"encoding/json"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// A messageWriter writes the conversation. It keeps the wire name of each call,
// because a result must name its tool.
type messageWriter struct {
	names     request.Names
	wireNames map[string]string // by call id; a later call of the same id wins
}

func (w *messageWriter) append(dst []byte, r request.Request) ([]byte, error) {
	dst = append(dst, '[')
	start := len(dst)
	if r.System != "" {
		dst = append(events.AppendQuoted(append(dst, `{"role":"system","content":`...), r.System), '}')
	}
	for _, m := range r.Messages {
		var err error
		if dst, err = w.message(dst, start, m); err != nil {
			return nil, err
		}
	}
	return append(dst, ']'), nil
}

// message appends a turn; list is where the list of messages starts in dst.
func (w *messageWriter) message(dst []byte, list int, m request.Message) ([]byte, error) {
	if m.Role == request.RoleTool {
		return w.results(dst, list, m)
	}
	dst = comma(dst, list)
	if m.Role == request.RoleAssistant {
		return w.assistant(dst, m)
	}
	dst, err := appendContent(append(dst, `{"role":"user"`...), m.Blocks, "")
	return append(dst, '}'), err
}

func comma(dst []byte, list int) []byte {
	if len(dst) > list {
		return append(dst, ',')
	}
	return dst
}

// results appends one message for each result, which is how the protocol wants
// parallel ones.
func (w *messageWriter) results(dst []byte, list int, m request.Message) ([]byte, error) {
	for _, b := range m.Blocks {
		if b.Kind != request.BlockToolResult {
			return nil, unspellable(events.ReasonBadHistory, "a turn of tool results holds a block of kind "+string(b.Kind))
		}
		before := ""
		if b.Result.IsError {
			before = "Error: "
		}
		var err error
		dst, err = appendContent(append(comma(dst, list), `{"role":"tool"`...), b.Result.Content, before)
		if err != nil {
			return nil, err
		}
		if name := w.wireNames[b.Result.CallID]; name != "" {
			dst = events.AppendQuoted(append(dst, `,"tool_name":`...), name)
		}
		dst = events.AppendQuoted(append(dst, `,"tool_call_id":`...), b.Result.CallID)
		dst = append(dst, '}')
	}
	return dst, nil
}

func (w *messageWriter) assistant(dst []byte, m request.Message) ([]byte, error) {
	var content []request.Block
	var calls []events.ToolCall
	for _, b := range m.Blocks {
		if b.Kind == request.BlockToolCall {
			calls = append(calls, b.Call)
		} else {
			content = append(content, b)
		}
	}
	dst, err := appendContent(append(dst, `{"role":"assistant"`...), content, "")
	if err != nil {
		return nil, err
	}
	thinking, err := thinkingOf(m.Data)
	if err != nil {
		return nil, err
	}
	if thinking != "" {
		dst = events.AppendQuoted(append(dst, `,"thinking":`...), thinking)
	}
	if dst, err = w.calls(dst, calls); err != nil {
		return nil, err
	}
	return append(dst, '}'), nil
}

func (w *messageWriter) calls(dst []byte, calls []events.ToolCall) ([]byte, error) {
	if len(calls) == 0 {
		return dst, nil
	}
	dst = append(dst, `,"tool_calls":`...)
	separator := byte('[')
	for _, c := range calls {
		arguments := c.Arguments
		if arguments == "" {
			arguments = "{}"
		}
		// They become part of the body as they are, so they must be JSON.
		if issue := events.CheckArguments(arguments); issue != nil {
			return nil, unspellable(events.ReasonBadHistory, "arguments of call "+c.ID+": "+issue.Detail)
		}
		name := w.names.Wire(c.Name)
		w.wireNames[c.ID] = name
		dst = append(dst, separator)
		dst = events.AppendQuoted(append(dst, `{"id":`...), c.ID)
		dst = events.AppendQuoted(append(dst, `,"function":{"name":`...), name)
		dst = append(append(append(dst, `,"arguments":`...), arguments...), `}}`...)
		separator = ','
	}
	return append(dst, ']'), nil
}

// appendContent appends the members content and, if there are any, images. Texts
// are joined by line ends, for content is one string.
func appendContent(dst []byte, blocks []request.Block, before string) ([]byte, error) {
	text := []byte(before)
	var images []request.Block
	for _, b := range blocks {
		switch {
		case b.Kind == request.BlockText:
			if len(text) > len(before) {
				text = append(text, '\n')
			}
			text = append(text, b.Text...)
		case b.Kind == request.BlockImage && b.URL == "":
			images = append(images, b)
		case b.Kind == request.BlockImage:
			return nil, unspellable(events.ReasonBadParameter, "images by URL are not taken, only inline ones")
		default:
			return nil, unspellable(events.ReasonBadParameter, "blocks of kind "+string(b.Kind)+" are not taken here")
		}
	}
	dst = events.AppendQuoted(append(dst, `,"content":`...), string(text))
	if len(images) == 0 {
		return dst, nil
	}
	dst = append(dst, `,"images":`...)
	mark := byte('[')
	for _, b := range images {
		dst = append(dst, mark, '"')
		dst = append(base64.StdEncoding.AppendEncode(dst, b.Data), '"')
		mark = ','
	}
	return append(dst, ']'), nil
}

// turnData is what provider data of this family holds.
type turnData struct {
	Thinking string `json:"thinking"`
}

func thinkingOf(data events.ProviderData) (string, error) {
	if data.IsZero() {
		return "", nil
	}
	if data.Format != Format {
		return "", unspellable(events.ReasonForeignData, "provider data of format "+data.Format)
	}
	var turn turnData
	if err := json.Unmarshal([]byte(data.Value), &turn); err != nil {
		return "", unspellable(events.ReasonForeignData, "provider data cannot be read")
	}
	return turn.Thinking, nil
}

// dataOf returns the provider data of a turn that thought: of more than fits, as it is
// spelled, the beginning.
func dataOf(origin string, thinking []byte) events.ProviderData {
	if len(thinking) == 0 {
		return events.ProviderData{}
	}
	text := string(thinking)
	value := events.AppendQuoted([]byte(`{"thinking":`), text)
	for len(value) >= maxData {
		text = events.CutText(text, len(text)/2)
		value = events.AppendQuoted([]byte(`{"thinking":`), text)
	}
	return events.ProviderData{Format: Format, Origin: origin, Value: string(append(value, '}'))}
}

// maxData bounds the provider data of a turn, in bytes. All the data of a reply, ids and
// names too, may be 4 MiB (validator.Limits.DataBytes).
const maxData = 3 << 20
