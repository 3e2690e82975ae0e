package sse

import (
	"io"

	"github.com/weirsdk/weir/stream"
)

// ReadLimited is Read with another bound of a message.
func ReadLimited(r io.Reader, most int) stream.Stream { return read(r, most) }
