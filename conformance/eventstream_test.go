package conformance

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"net/http"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/transport"
)

// An event stream may be written as text; what it says is the same text again.
func TestEventStreamFiles(t *testing.T) {
	t.Parallel()
	const text = "event: a\ndata: {\"x\":1}\n\nevent: slowException\ndata: {}\n\nevent: b\ndata: 1\ndata: 2\n\n"
	for _, file := range []struct{ name, content string }{
		{"x.eventstream", text},
		{"x.eventstream", string(framed([]byte(text)))},
		{"x.http", "HTTP/1.1 200 OK\r\nContent-Type: application/vnd.amazon.eventstream\r\n\r\n" + text},
	} {
		r, there, err := load(fstest.MapFS{file.name: &fstest.MapFile{Data: []byte(file.content)}}, Scenario{Name: "x"})
		require.NoError(t, err)
		require.True(t, there)
		assert.True(t, r.isFramed())
		assert.Equal(t, text, string(r.text()))
		frames := r.frames()
		assert.Len(t, frames, 3)
		assert.Equal(t, r.body, bytes.Join(frames, nil))
		assert.Len(t, r.framesOf(r.text()), 3)
		var exceptions int
		r.eachMessage(func(f transport.Frame) {
			if f.Exception {
				exceptions++
			}
		})
		assert.Equal(t, 1, exceptions)
		assert.Equal(t, "event: c\ndata: 3\n\n", string(r.with([]byte("event: c\ndata: 3\n\n")).text()))
		cut := r
		cut.body = r.body[:len(r.body)-1]
		assert.Len(t, cut.frames(), 3, "the rest of a body that is cut is a frame too")
	}
}

// faultsOfEventStreams are faults that only binary messages show.
func faultsOfEventStreams() []broken {
	return []broken{{
		clause: m17, why: "no checksum is checked", on: []string{"text/corrupt"}, want: "Failed, or all that the body says", eventStream: true,
		with: func(m *toy) providers.Model {
			m.client = transport.NewClient(&http.Client{Transport: checksumless{m.rt}})
			return m
		},
	}}
}

// checksumless writes the checksums of a body anew, so that nothing of it looks spoiled.
type checksumless struct{ inner http.RoundTripper }

func (m checksumless) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := m.inner.RoundTrip(req)
	if err != nil || resp.StatusCode != http.StatusOK {
		return resp, err
	}
	body, err := io.ReadAll(resp.Body)
	for rest := body; len(rest) >= 16; {
		size := binary.BigEndian.Uint32(rest)
		if size < 16 || int(size) > len(rest) {
			break
		}
		binary.BigEndian.PutUint32(rest[8:], crc32.ChecksumIEEE(rest[:8]))
		binary.BigEndian.PutUint32(rest[size-4:], crc32.ChecksumIEEE(rest[:size-4]))
		rest = rest[size:]
	}
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(body), endsWith{err}), resp.Body}
	return resp, nil
}

// endsWith fails with what a body ended with; nil is its clean end.
type endsWith struct{ err error }

func (f endsWith) Read([]byte) (int, error) {
	if f.err == nil {
		return 0, io.EOF
	}
	return 0, f.err
}
