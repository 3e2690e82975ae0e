package stream

import "github.com/weirsdk/weir/events"

// MarshalJSON returns the canonical JSON of [AppendReplyJSON]. encoding/json
// compacts and HTML-escapes what a MarshalJSON returns.
func (r *Reply) MarshalJSON() ([]byte, error) { return AppendReplyJSON(nil, r), nil }

// AppendReplyJSON appends r to dst as one object on one line, without a line
// end:
//
//	{"kind":"reply","outcome":"final","text":"...","thinking":"","refusal":"","tool_calls":[],"stop":"end","raw_stop":"stop","usage":{...},"executable":false}
//
// The keys come in this order. stop and raw_stop are left out when empty; all
// others are always there. tool_calls has the executable calls only, with id,
// name and arguments; usage is null when nothing was reported.
func AppendReplyJSON(dst []byte, r *Reply) []byte {
	dst = append(dst, `{"kind":"reply"`...)
	dst = appendMember(dst, "outcome", string(r.Outcome()))
	dst = appendMember(dst, "text", r.Text())
	dst = appendMember(dst, "thinking", r.Thinking())
	dst = appendMember(dst, "refusal", r.Refusal())
	calls := r.ToolCalls()
	dst = appendCalls(append(dst, `,"tool_calls":`...), calls)
	if stop := r.Stop(); stop != "" {
		dst = appendMember(dst, "stop", string(stop))
	}
	if raw := r.RawStop(); raw != "" {
		dst = appendMember(dst, "raw_stop", raw)
	}
	dst = append(dst, `,"usage":`...)
	if r.usage.Reported() {
		dst = events.AppendUsageJSON(dst, r.usage)
	} else {
		dst = append(dst, "null"...)
	}
	if len(calls) > 0 {
		return append(dst, `,"executable":true}`...)
	}
	return append(dst, `,"executable":false}`...)
}

func appendMember(dst []byte, name, value string) []byte {
	dst = append(append(append(dst, `,"`...), name...), `":`...)
	return events.AppendQuoted(dst, value)
}

func appendCalls(dst []byte, calls []events.ToolCall) []byte {
	dst = append(dst, '[')
	for i, c := range calls {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = events.AppendQuoted(append(dst, `{"id":`...), c.ID)
		dst = appendMember(dst, "name", c.Name)
		dst = append(appendMember(dst, "arguments", c.Arguments), '}')
	}
	return append(dst, ']')
}
