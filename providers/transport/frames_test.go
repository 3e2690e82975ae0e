package transport_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmaxmax/go-sse"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/transport"
)

type frame struct {
	name, data   string
	unterminated bool
}

// readFrames reads all frames of r, copied, and the error at the end.
func readFrames(r io.Reader, framing transport.Framing, most int) ([]frame, error) {
	fr := transport.NewFrameReader(r, framing, most)
	var all []frame
	for {
		f, err := fr.Next()
		if err != nil {
			return all, err
		}
		all = append(all, frame{string(f.Name), string(f.Data), fr.Unterminated()})
	}
}

func TestFrameReader(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why  string
		body string
		want []frame
	}{
		{"one data line", "data: a\n\n", []frame{{data: "a"}}},
		{"only one leading space is dropped", "data:  a\n\n", []frame{{data: " a"}}},
		{"no space is needed", "data:a\n\n", []frame{{data: "a"}}},
		{"data lines join with a line feed", "data: a\ndata: b\ndata\n\n", []frame{{data: "a\nb\n"}}},
		{"the last event name wins", "event: x\nevent: y\ndata: a\n\n", []frame{{name: "y", data: "a"}}},
		{"the name does not outlive its block", "event: x\ndata: a\n\ndata: b\n\n", []frame{{name: "x", data: "a"}, {data: "b"}}},
		{"a block without data is no event", "event: x\n\nid: 1\n\nretry: 3\n\n: c\n\ndata: a\n\n", []frame{{data: "a"}}},
		{"empty data is an event by the standard", "data:\n\ndata: \n\ndata\n\n", []frame{{}, {}, {}}},
		{"comments are passed over, inside a block too", ": c\ndata: a\n: d\n\n: e\n", []frame{{data: "a"}}},
		{"unknown fields are passed over", "foo: bar\n data: no\ndata: a\nDATA: no\n\n", []frame{{data: "a"}}},
		{"CRLF", "data: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n", []frame{{data: "a\nb"}, {data: "c"}}},
		{"CR alone", "data: a\rdata: b\r\rdata: c\r\r", []frame{{data: "a\nb"}, {data: "c"}}},
		{"all mixed", "data: a\rdata: b\n\r\ndata: c\r\n\n", []frame{{data: "a\nb"}, {data: "c"}}},
		{"a byte order mark is dropped, once", "\xef\xbb\xbfdata: a\n\n\xef\xbb\xbfdata: b\n\n", []frame{{data: "a"}}},
		{"half a byte order mark is text", "\xef\xbbdata: a\n\ndata: b\n\n", []frame{{data: "b"}}},
		{"a last block without its blank line is read", "data: a\n\ndata: b\n", []frame{{data: "a"}, {data: "b", unterminated: true}}},
		{"a last line without its end is read", "event: x\ndata: b", []frame{{name: "x", data: "b", unterminated: true}}},
		{"two data lines, the last without its end", "data: a\ndata: b", []frame{{data: "a\nb", unterminated: true}}},
		{"a last block without data is nothing", "data: a\n\nevent: x\n: c", []frame{{data: "a"}}},
		{"a colon starts no field name", ":data: a\n\n", nil},
		{"a NUL is text", "data: \x00\n\n", []frame{{data: "\x00"}}},
		{"nothing", "", nil},
		{"blank lines only", "\n\r\n\r\r\n\n", nil},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			for how, r := range map[string]io.Reader{
				"whole":      strings.NewReader(c.body),
				"one byte":   iotest.OneByteReader(strings.NewReader(c.body)),
				"halves":     iotest.HalfReader(strings.NewReader(c.body)),
				"with error": iotest.DataErrReader(strings.NewReader(c.body)),
			} {
				got, err := readFrames(r, transport.SSE, 0)
				assert.Equal(t, c.want, got, how)
				assert.Equal(t, io.EOF, err, how)
			}
		})
	}
}

func TestFrameReaderNDJSON(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why  string
		body string
		want []frame
	}{
		{"one object a line", "{}\n{\"a\":1}\n", []frame{{data: "{}"}, {data: `{"a":1}`}}},
		{"CRLF", "{}\r\n{}\r\n", []frame{{data: "{}"}, {data: "{}"}}},
		{"empty lines are nothing", "\n\n{}\n \n", []frame{{data: "{}"}}},
		{"the last line needs no end", "{}\n{\"a\"", []frame{{data: "{}"}, {data: `{"a"`, unterminated: true}}},
		{"a CR is no line end", "{\"a\":\r1}\n", []frame{{data: "{\"a\":\r1}"}}},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			for _, r := range []io.Reader{strings.NewReader(c.body), iotest.OneByteReader(strings.NewReader(c.body))} {
				got, err := readFrames(r, transport.NDJSON, 0)
				assert.Equal(t, c.want, got)
				assert.Equal(t, io.EOF, err)
			}
		})
	}
}

func TestFrameReaderLimit(t *testing.T) {
	t.Parallel()
	const most = 10_000
	for _, c := range []struct {
		why  string
		body string
		ok   bool
	}{
		{"a frame at the limit is read", "data: " + strings.Repeat("x", most-10) + "\n\n", true},
		{"small frames may be many", strings.Repeat("data: "+strings.Repeat("x", 1000)+"\n\n", 50), true},
		{"comments for ever need no room", strings.Repeat(": "+strings.Repeat("x", 1000)+"\n", 50) + "data: a\n\n", true},
		{"one line too long", "data: " + strings.Repeat("x", 3*most) + "\n\n", false},
		{"many lines too long together", strings.Repeat("data: "+strings.Repeat("x", 100)+"\n", 3*most/100) + "\n", false},
		{"a line that never ends", strings.Repeat("x", 3*most), false},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			got, err := readFrames(strings.NewReader(c.body), transport.SSE, most)
			if c.ok {
				require.Equal(t, io.EOF, err)
				require.NotEmpty(t, got)
				return
			}
			f, ok := events.AsFailure(err)
			require.True(t, ok)
			assert.Equal(t, events.InvalidReply, f.Kind)
			assert.Equal(t, events.ReasonTooLarge, f.Reason)
			assert.Empty(t, got)
		})
	}
}

func TestFrameReaderKeepsTheReadersError(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	fr := transport.NewFrameReader(io.MultiReader(strings.NewReader("data: a\n\ndata: b\n"), iotest.ErrReader(broken)), transport.SSE, 0)
	for _, want := range []string{"a", "b"} {
		f, err := fr.Next()
		require.NoError(t, err)
		assert.Equal(t, want, string(f.Data))
	}
	assert.True(t, fr.Unterminated())
	for range 3 {
		_, err := fr.Next()
		assert.Equal(t, broken, err)
	}
	_, err := readFrames(emptyReads{}, transport.SSE, 0)
	assert.Equal(t, io.ErrNoProgress, err, "a reader that never reads must not spin")
}

type emptyReads struct{}

func (emptyReads) Read([]byte) (int, error) { return 0, nil }

// goSSE reads a body with go-sse, the oracle.
func goSSE(body []byte) ([]frame, bool) {
	var all []frame
	for ev, err := range sse.Read(bytes.NewReader(body), &sse.ReadConfig{MaxEventSize: 1 << 20}) {
		if err != nil {
			return all, false
		}
		all = append(all, frame{name: ev.Type, data: ev.Data})
	}
	return all, true
}

// comparable leaves out where the two differ by design:
//   - go-sse yields blocks that have an event name or id and no data, with empty
//     data; the standard dispatches none. Frames of empty data are not compared;
//   - go-sse drops a block that the body ends in; we read it.
func comparableFrames(frames []frame) []frame {
	var out []frame
	for _, f := range frames {
		if f.data != "" && !f.unterminated {
			out = append(out, f)
		}
	}
	return out
}

func TestDifferencesToGoSSE(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why          string
		body         string
		ours, theirs []frame
	}{
		{"a block without data", "event: x\n\n", nil, []frame{{name: "x"}}},
		{"a block that the body ends in", "data: a\n", []frame{{data: "a", unterminated: true}}, nil},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			ours, _ := readFrames(strings.NewReader(c.body), transport.SSE, 0)
			theirs, _ := goSSE([]byte(c.body))
			assert.Equal(t, c.ours, ours)
			assert.Equal(t, c.theirs, theirs)
		})
	}
}

func FuzzFrameReader(f *testing.F) {
	for _, seed := range []string{
		"data: a\n\n", "event: x\r\ndata: a\r\ndata:b\r\n\r\n", "\xef\xbb\xbfdata\rdata:\r\r", ": c\nid: 1\nretry: 5\ndata:  x\n\ndata: y",
		"data: \x00\n\n\n\ndata", "data:a\r", "id: \x00\ndata: q\n\n",
	} {
		f.Add([]byte(seed), uint8(1))
	}
	f.Fuzz(func(t *testing.T, body []byte, piece uint8) {
		whole, err := readFrames(bytes.NewReader(body), transport.SSE, 0)
		require.Equal(t, io.EOF, err)
		split, err := readFrames(&pieces{body: body, size: int(piece%7) + 1}, transport.SSE, 0)
		require.Equal(t, io.EOF, err)
		require.Equal(t, whole, split, "the same bytes, split, give the same frames")
		if theirs, ok := goSSE(body); ok {
			require.Equal(t, comparableFrames(theirs), comparableFrames(whole), "go-sse reads it otherwise")
		}
		lines, err := readFrames(bytes.NewReader(body), transport.NDJSON, 0)
		require.Equal(t, io.EOF, err)
		for _, l := range lines {
			require.NotEmpty(t, l.data)
			require.NotContains(t, l.data, "\n")
		}
	})
}

type pieces struct {
	body []byte
	size int
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.body) == 0 {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), p.size)], p.body)
	p.body = p.body[n:]
	return n, nil
}

// TestStandardCases runs the web platform's and others' cases of framing, where
// they lie beside the repository.
func TestStandardCases(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "..", "shared", "fixtures")
	if _, err := os.Stat(root); err != nil {
		t.Skip("the recorded fixtures are not beside the repository")
	}
	cases, err := filepath.Glob(filepath.Join(root, "sse-*", "*", "expect.json"))
	require.NoError(t, err)
	require.NotEmpty(t, cases)
	for _, path := range cases {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			var want struct {
				Kind   string
				Events []struct{ Event, Data string }
			}
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(text, &want))
			body, err := os.ReadFile(filepath.Join(filepath.Dir(path), "response.sse"))
			require.NoError(t, err)
			for _, r := range []io.Reader{bytes.NewReader(body), iotest.OneByteReader(bytes.NewReader(body))} {
				got, err := readFrames(r, transport.SSE, 0)
				require.Equal(t, io.EOF, err)
				var terminated []frame
				for _, f := range got {
					// The standard discards a block that the body ends in.
					if !f.unterminated {
						terminated = append(terminated, f)
					}
				}
				require.Len(t, terminated, len(want.Events))
				for i, w := range want.Events {
					name := terminated[i].name
					if name == "" {
						name = "message"
					}
					assert.Equal(t, w.Event, name)
					assert.Equal(t, w.Data, terminated[i].data)
				}
			}
		})
	}
}

func BenchmarkFrameReader(b *testing.B) {
	body := bytes.Repeat([]byte(`data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"std-1","choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":null}]}`+"\n\n"), 1000)
	b.ReportAllocs()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		fr := transport.NewFrameReader(bytes.NewReader(body), transport.SSE, 0)
		for {
			if _, err := fr.Next(); err != nil {
				break
			}
		}
	}
}
