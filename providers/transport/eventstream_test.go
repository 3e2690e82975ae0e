package transport_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/transport"
)

// rawMessage frames headers and a payload by the book, apart from the code under
// test.
func rawMessage(headers, payload string) string {
	prelude := binary.BigEndian.AppendUint32(nil, uint32(16+len(headers)+len(payload)))
	prelude = binary.BigEndian.AppendUint32(prelude, uint32(len(headers)))
	prelude = binary.BigEndian.AppendUint32(prelude, crc32.ChecksumIEEE(prelude))
	whole := slices.Concat(prelude, []byte(headers+payload))
	return string(binary.BigEndian.AppendUint32(whole, crc32.ChecksumIEEE(whole)))
}

// textHeader is a header of type text.
func textHeader(name, value string) string {
	length := binary.BigEndian.AppendUint16(nil, uint16(len(value)))
	return string([]byte{byte(len(name))}) + name + "\x07" + string(length) + value
}

// event is a message of type event.
func event(name, payload string) string {
	return rawMessage(textHeader(":event-type", name)+textHeader(":content-type", "application/json")+textHeader(":message-type", "event"), payload)
}

func TestEventStream(t *testing.T) {
	t.Parallel()
	type want struct {
		name, data string
		exception  bool
	}
	long := strings.Repeat("é", 40_000)
	for _, c := range []struct {
		why, body string
		want      []want
	}{
		{"an event", event("messageStart", `{"a":1}`), []want{{"messageStart", `{"a":1}`, false}}},
		{"two events", event("a", "1") + event("b", "2"), []want{{"a", "1", false}, {"b", "2", false}}},
		{"larger than the first buffer", event("a", long) + event("b", "2"), []want{{"a", long, false}, {"b", "2", false}}},
		{
			"an exception", rawMessage(textHeader(":message-type", "exception")+textHeader(":exception-type", "throttlingException"), `{"message":"slow"}`),
			[]want{{"throttlingException", `{"message":"slow"}`, true}},
		},
		{
			"an error, which has no payload",
			rawMessage(textHeader(":error-code", "InternalFailure")+textHeader(":error-message", "no")+textHeader(":message-type", "error"), ""),
			[]want{{"InternalFailure", "no", true}},
		},
		{
			"headers of every type are passed over",
			rawMessage("\x01a\x00\x01b\x01\x01c\x02\x07\x01d\x03\x00\x01\x01e\x04\x00\x00\x00\x01\x01f\x05\x00\x00\x00\x00\x00\x00\x00\x01"+
				"\x01g\x06\x00\x02xy\x01h\x08\x00\x00\x00\x00\x00\x00\x00\x01\x01i\x09"+strings.Repeat("u", 16)+textHeader(":event-type", "k"), "z"),
			[]want{{"k", "z", false}},
		},
		{"no headers, no payload", rawMessage("", ""), []want{{}}},
		{"a header of no length", rawMessage("\x00\x07\x00\x00", ""), []want{{}}},
		{"a byte order mark is no text here", event("a", "\xef\xbb\xbf"), []want{{"a", "\xef\xbb\xbf", false}}},
		{"a name that is no text header does not count", rawMessage("\x0b:event-type\x06\x00\x01x", ""), []want{{}}},
		{"nothing", "", nil},
	} {
		for how, r := range map[string]io.Reader{
			"whole": strings.NewReader(c.body), "one byte": iotest.OneByteReader(strings.NewReader(c.body)),
			"halves": iotest.HalfReader(strings.NewReader(c.body)), "with the end": iotest.DataErrReader(strings.NewReader(c.body)),
		} {
			fr := transport.NewFrameReader(r, transport.EventStream, 0)
			var got []want
			f, err := fr.Next()
			for ; err == nil; f, err = fr.Next() {
				got = append(got, want{string(f.Name), string(f.Data), f.Exception})
			}
			assert.Equal(t, io.EOF, err, "%s, %s", c.why, how)
			assert.Equal(t, c.want, got, "%s, %s", c.why, how)
			assert.False(t, fr.Unterminated(), "%s, %s", c.why, how)
		}
	}
}

// with returns a body with one byte changed.
func with(body string, at int, mask byte) string {
	b := []byte(body)
	b[at] ^= mask
	return string(b)
}

func TestEventStreamRefuses(t *testing.T) {
	t.Parallel()
	// lengths is a prelude whose checksum is right.
	lengths := func(size, headers uint32) string {
		b := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, size), headers)
		return string(binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))) + strings.Repeat("\x00", 64)
	}
	for _, c := range []struct {
		why, body string
		reason    events.Reason
	}{
		{"text", "data: a message that is none\n\n", events.ReasonMalformed},
		{"a message smaller than its own frame", lengths(15, 0), events.ReasonMalformed},
		{"headers longer than their message", lengths(32, 17), events.ReasonMalformed},
		{"headers that reach into the checksum, which is right and one itself", overlapping(t, lengths(32, 18)[:12]), events.ReasonMalformed},
		{"headers so long that a sum would overflow", lengths(32, 0xfffffff8), events.ReasonMalformed},
		{"a message above the limit, before it is read", lengths(1<<31, 0), events.ReasonTooLarge},
		{"a header cut in its name", rawMessage("\x09a", ""), events.ReasonMalformed},
		{"a header without a type", rawMessage("\x01a", ""), events.ReasonMalformed},
		{"a header of an unknown type", rawMessage("\x01a\x0a", ""), events.ReasonMalformed},
		{"a header cut in its value", rawMessage("\x01a\x05\x00", ""), events.ReasonMalformed},
		{"a text cut in its length", rawMessage("\x01a\x07\x00", ""), events.ReasonMalformed},
		{"a text longer than the headers", rawMessage("\x01a\x07\x00\x03xy", "z"), events.ReasonMalformed},
		{"two types of event", rawMessage(textHeader(":event-type", "a")+textHeader(":event-type", "b"), ""), events.ReasonMalformed},
	} {
		fr := transport.NewFrameReader(iotest.OneByteReader(strings.NewReader(event("a", "1")+c.body)), transport.EventStream, 0)
		f, err := fr.Next()
		require.NoError(t, err, c.why)
		require.Equal(t, "1", string(f.Data), c.why)
		_, err = fr.Next()
		told, ok := events.AsFailure(err)
		require.True(t, ok, "%s: %v", c.why, err)
		assert.Equal(t, events.InvalidReply, told.Kind, c.why)
		assert.Equal(t, c.reason, told.Reason, c.why)
		_, again := fr.Next()
		assert.Equal(t, err, again, "%s: the same error again", c.why)
	}
}

// overlapping returns a message whose checksum begins as a header: one without a
// name, of type true.
func overlapping(t *testing.T, prelude string) string {
	t.Helper()
	for n := range uint32(1 << 22) {
		filler := binary.BigEndian.AppendUint32([]byte("1234567"), n)
		message := []byte(prelude + "\x01a\x07\x00\x0b" + string(filler))
		if sum := crc32.ChecksumIEEE(message); sum>>16 == 0 {
			return string(binary.BigEndian.AppendUint32(message, sum))
		}
	}
	t.Fatal("no filler has such a checksum")
	return ""
}

// A bit that flips is never read as anything.
func TestEventStreamEveryBit(t *testing.T) {
	t.Parallel()
	body := event("a", `{"b":1}`)
	for at := range len(body) {
		for bit := range 8 {
			fr := transport.NewFrameReader(strings.NewReader(with(body, at, 1<<bit)), transport.EventStream, 0)
			f, err := fr.Next()
			require.Error(t, err, "byte %d, bit %d: %s", at, bit, f.Data)
		}
	}
}

// A message that the body ends in is not read, and told.
func TestEventStreamCut(t *testing.T) {
	t.Parallel()
	first := event("a", "1")
	body := first + event("b", "2")
	for at := range len(body) {
		fr := transport.NewFrameReader(strings.NewReader(body[:at]), transport.EventStream, 0)
		n := 0
		for _, err := fr.Next(); err == nil; _, err = fr.Next() {
			n++
		}
		whole := 0
		if at >= len(first) {
			whole = 1
		}
		assert.Equal(t, whole, n, "cut at %d", at)
		assert.Equal(t, at != 0 && at != len(first), fr.Unterminated(), "cut at %d", at)
	}
}

func TestAppendMessage(t *testing.T) {
	t.Parallel()
	got := transport.AppendMessage([]byte("before"), transport.Frame{Name: []byte("chunk"), Data: []byte("{}")})
	assert.Equal(t, "before"+event("chunk", "{}"), string(got))
	fr := transport.NewFrameReader(bytes.NewReader(transport.AppendMessage(nil, transport.Frame{Name: []byte("e"), Data: []byte("{}"), Exception: true})), transport.EventStream, 0)
	f, err := fr.Next()
	require.NoError(t, err)
	assert.True(t, f.Exception)
	assert.Equal(t, "e", string(f.Name))
	huge := transport.AppendMessage(nil, transport.Frame{Name: bytes.Repeat([]byte("n"), 70_000)})
	f, err = transport.NewFrameReader(bytes.NewReader(huge), transport.EventStream, 0).Next()
	require.NoError(t, err, "a name that is too long is cut, not the message spoiled")
	assert.Len(t, f.Name, 1<<16-1)
}

// An event stream as an exchange: what its end and its errors come to.
func TestEventStreamExchange(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ why, body, want string }{
		{"whole", event("", "a") + event("", "done"), "started text:a completed"},
		{"empty messages are passed over", rawMessage("", "") + event("", "a") + event("x", "") + event("", "done"), "started text:a completed"},
		{
			"an empty exception reaches the decoder, which takes it for an empty text",
			rawMessage(textHeader(":message-type", "exception"), "") + event("", "done"), "started failed:invalid_reply/protocol_violation",
		},
		{"cut between messages", event("", "a"), "started text:a failed:invalid_reply/truncated"},
		{"cut in a message", event("", "a") + event("", "done")[:20], "started text:a failed:invalid_reply/truncated"},
		{"cut in a message after the evidence", event("", "end") + event("", "usage x")[:20], "started completed"},
		{"spoiled", event("", "a") + with(event("", "done"), 30, 1), "started text:a failed:invalid_reply/malformed"},
		{"spoiled after the evidence", event("", "end") + with(event("", "usage x"), 30, 1), "started completed"},
		{"a page", "<html>", "started failed:invalid_reply/bad_content"},
		{"a document", `{"message":"no"}`, "started failed:invalid_reply/bad_content"},
		{"server-sent events", "data: a\n\n", "started failed:invalid_reply/bad_content"},
		{"nothing", "", "started failed:invalid_reply/truncated"},
	} {
		rt := &canned.Transport{Header: http.Header{"Content-Type": {"application/vnd.amazon.eventstream"}}, Body: []byte(c.body)}
		all := play(open(t.Context(), rt, func(call *transport.Call) { call.Framing = transport.EventStream }))
		got := kinds(all)
		if f, failed := all[len(all)-1].Failure(); failed {
			got = strings.TrimSuffix(got, "failed") + "failed:" + string(f.Kind) + "/" + string(f.Reason)
		}
		assert.Equal(t, c.want, got, c.why)
		assert.Equal(t, "application/vnd.amazon.eventstream", rt.Requests()[0].Header.Get("Accept"), c.why)
	}
}

func FuzzEventStream(f *testing.F) {
	for _, seed := range []string{event("a", "{}") + event("b", "1"), rawMessage("\x01a\x09"+strings.Repeat("u", 16), ""), "data: a\n\n", rawMessage("", "")[:9]} {
		f.Add([]byte(seed), uint8(1), true)
	}
	f.Fuzz(func(t *testing.T, body []byte, piece uint8, framed bool) {
		if framed {
			// The checksums right, so that the headers are reached.
			headers := min(int(piece), len(body))
			body = []byte(rawMessage(string(body[:headers]), string(body[headers:])))
		}
		whole, err := readFrames(bytes.NewReader(body), transport.EventStream, 1<<16)
		split, again := readFrames(&pieces{body: body, size: int(piece%7) + 1}, transport.EventStream, 1<<16)
		require.Equal(t, whole, split, "the same bytes, split, give the same frames")
		require.Equal(t, err, again)
		if err != io.EOF {
			told, ok := events.AsFailure(err)
			require.True(t, ok)
			require.Equal(t, events.InvalidReply, told.Kind)
		}
	})
}

// TestEventStreamVectors runs the vectors of another implementation, where they lie
// beside the repository.
func TestEventStreamVectors(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "..", "shared", "fixtures")
	if _, err := os.Stat(root); err != nil {
		t.Skip("the recorded fixtures are not beside the repository")
	}
	cases, err := filepath.Glob(filepath.Join(root, "eventstream-vectors", "*", "expect.json"))
	require.NoError(t, err)
	require.Greater(t, len(cases), 12)
	for _, path := range cases {
		name := filepath.Base(filepath.Dir(path))
		var want struct {
			Error  string
			Frames []struct {
				Headers map[string]any
				Payload string `json:"payload_base64"`
			}
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, &want))
		body, err := os.ReadFile(filepath.Join(filepath.Dir(path), "response.bin"))
		require.NoError(t, err)
		for _, size := range []int{1, 5, len(body)} {
			fr := transport.NewFrameReader(&pieces{body: body, size: size}, transport.EventStream, 0)
			for _, w := range want.Frames {
				f, err := fr.Next()
				require.NoError(t, err, name)
				header := func(name string) string { text, _ := w.Headers[name].(string); return text }
				payload, err := base64.StdEncoding.DecodeString(w.Payload)
				require.NoError(t, err)
				if header(":message-type") == "error" {
					assert.True(t, f.Exception, name)
					assert.Equal(t, header(":error-code"), string(f.Name), name)
					assert.Equal(t, header(":error-message"), string(f.Data), name)
					continue
				}
				assert.Equal(t, header(":event-type"), string(f.Name), name)
				assert.Equal(t, string(payload), string(f.Data), name)
			}
			_, err := fr.Next()
			if want.Error == "" {
				assert.Equal(t, io.EOF, err, name)
				continue
			}
			told, ok := events.AsFailure(err)
			require.True(t, ok, name)
			assert.Equal(t, events.ReasonMalformed, told.Reason, name)
		}
	}
}

func BenchmarkEventStream(b *testing.B) {
	body := []byte(strings.Repeat(event("contentBlockDelta", `{"contentBlockIndex":0,"delta":{"text":"piece"},"p":"abcdefghijkl"}`), 1000))
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		fr := transport.NewFrameReader(bytes.NewReader(body), transport.EventStream, 0)
		for _, err := fr.Next(); err == nil; _, err = fr.Next() {
		}
	}
}
