package replay

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/weirsdk/weir/events"
)

// version is that of the files. A file of a later one is refused; new members and
// new kinds of events do not make one.
const version = 1

// A recording is one exchange as it is stored.
type recording struct {
	model, key string
	// complete reports that the provider had its say: a Completed, or a failure
	// that it told. Else reason is "<kind>/<reason>" of what ended the stream.
	complete bool
	reason   string
	// redacted reports that the request had a credential in it, so that the key no
	// longer fits it.
	redacted bool
	// ungrammatical reports that the events of the model broke the grammar, so that a
	// replay may too.
	ungrammatical bool
	request       json.RawMessage
	events        []json.RawMessage // what is played
	// delays are in milliseconds, one an event; nil when they were not kept.
	delays []int64
	reply  json.RawMessage // the fold, for people
	// body is what the provider sent, for people; nil when nothing did or it was left
	// out, and then bodyLeftOut says why.
	body        []byte
	bodyLeftOut string
}

// print returns the file of a recording. It is the same for the same recording.
func (r *recording) print() ([]byte, error) {
	w := fileWriter{}
	w.member("version", strconv.AppendInt(nil, version, 10))
	w.text("model", r.model)
	w.text("key", r.key)
	w.member("complete", strconv.AppendBool(nil, r.complete))
	if r.reason != "" {
		w.text("reason", r.reason)
	}
	if r.redacted {
		w.member("request_redacted", []byte("true"))
	}
	if r.ungrammatical {
		w.member("ungrammatical", []byte("true"))
	}
	request, err := indented(r.request)
	if err != nil {
		return nil, err
	}
	w.member("request", request)
	w.lines("events", r.events)
	if r.delays != nil {
		w.member("delays_ms", appendList(nil, r.delays))
	}
	if len(r.reply) > 0 {
		w.member("reply", r.reply)
	}
	switch {
	case r.bodyLeftOut != "":
		w.text("body_left_out", r.bodyLeftOut)
	case r.body == nil:
	case utf8.Valid(r.body):
		w.text("body", string(r.body))
	default:
		w.text("body_base64", base64.StdEncoding.EncodeToString(r.body))
	}
	w.WriteString("\n}\n")
	return w.Bytes(), nil
}

// A fileWriter writes the members of one object, one a line.
type fileWriter struct{ bytes.Buffer }

func (w *fileWriter) member(name string, value []byte) {
	if w.Len() == 0 {
		w.WriteString("{\n  ")
	} else {
		w.WriteString(",\n  ")
	}
	w.WriteString(strconv.Quote(name) + ": ")
	w.Write(value)
}

func (w *fileWriter) text(name, value string) { w.member(name, events.AppendQuoted(nil, value)) }

func (w *fileWriter) lines(name string, values []json.RawMessage) {
	if len(values) == 0 {
		w.member(name, []byte("[]"))
		return
	}
	text := []byte("[")
	for i, value := range values {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(append(text, "\n    "...), value...)
	}
	w.member(name, append(text, "\n  ]"...))
}

func appendList(dst []byte, numbers []int64) []byte {
	dst = append(dst, '[')
	for i, n := range numbers {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(dst, n, 10)
	}
	return append(dst, ']')
}

// indented returns JSON text for people, with its strings as they are written.
func indented(text []byte) ([]byte, error) {
	var compact, wide bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		return nil, err
	}
	if err := json.Indent(&wide, compact.Bytes(), "  ", "  "); err != nil {
		return nil, err
	}
	return wide.Bytes(), nil
}
