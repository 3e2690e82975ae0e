package conversewire

import (
	"encoding/base64"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/providers/transport"
)

// NewChunkDecoder returns a decoder of an answer of InvokeModelWithResponseStream:
// each message of it is a chunk that holds one frame of the model's own language,
// which inner decodes. Exceptions are Bedrock's.
func NewChunkDecoder(inner transport.Decoder) transport.Decoder {
	return &chunkDecoder{inner: inner}
}

type chunkDecoder struct {
	inner  transport.Decoder
	parser wirejson.Parser
	frame  []byte
	state  transport.State
}

// Frame unwraps one chunk. Messages of other names are passed over.
func (d *chunkDecoder) Frame(frame transport.Frame, emit func(events.Event) bool) (transport.State, error) {
	switch {
	case frame.Exception:
		return d.state, failureOfException(frame)
	case string(frame.Name) != "chunk":
		return d.state, nil
	}
	v, err := d.parser.Parse(frame.Data)
	if err != nil {
		return d.state, err
	}
	text, ok := wirejson.Text(v.Get("bytes"))
	if !ok {
		return d.state, malformed("a chunk without bytes")
	}
	if d.frame, err = base64.StdEncoding.AppendDecode(d.frame[:0], text); err != nil {
		return d.state, malformed("a chunk whose bytes are not base64")
	}
	d.state, err = d.inner.Frame(transport.Frame{Data: d.frame}, emit)
	return d.state, err
}

// End returns the inner decoder's terminal event.
func (d *chunkDecoder) End(end transport.End) events.Event { return d.inner.End(end) }
