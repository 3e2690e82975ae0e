package wirejson_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/providers/internal/wirejson"
)

func TestMemo(t *testing.T) {
	t.Parallel()
	const first = `{"id":"1","delta":{"text":"a"},"pad":"x","n":1}`
	for _, c := range []struct {
		why, first, next string
		text             string
		ok               bool
	}{
		{"another text", first, `{"id":"1","delta":{"text":"bc"},"pad":"x","n":1}`, "bc", true},
		{"another padding", first, `{"id":"1","delta":{"text":"b"},"pad":"yyyy","n":1}`, "b", true},
		{"padding before the text", `{"pad":"x","text":"a"}`, `{"pad":"","text":"b"}`, "b", true},
		{"no padding at all", `{"text":"a"}`, `{"text":"b"}`, "b", true},
		{"a space after the colon", `{"text": "a"}`, `{"text": "b"}`, "b", true},
		{"the same frame again", first, first, "a", true},
		{"an empty text is another thing", first, `{"id":"1","delta":{"text":""},"pad":"x","n":1}`, "", false},
		{"beyond ASCII", first, `{"id":"1","delta":{"text":"ö🌊"},"pad":"x","n":1}`, "ö🌊", true},
		{"not UTF-8", first, "{\"id\":\"1\",\"delta\":{\"text\":\"\xff\"},\"pad\":\"x\",\"n\":1}", "", false},
		{"escapes of one letter", first, `{"id":"1","delta":{"text":"\n\"\\\/\t"},"pad":"x","n":1}`, "\n\"\\/\t", true},
		{"an escape of digits", first, `{"id":"1","delta":{"text":"\u0041"},"pad":"x","n":1}`, "", false},
		{"an escape that is none", first, `{"id":"1","delta":{"text":"\x"},"pad":"x","n":1}`, "", false},
		{"an escape of padding", first, `{"id":"1","delta":{"text":"b"},"pad":"\n","n":1}`, "", false},
		{"a quote that an escape hides", first, `{"id":"1","delta":{"text":"b\"},"pad":"x","n":1}`, "", false},
		{"spaces before the last brace", first, `{"id":"1","delta":{"text":"b"},"pad":"x","n":1    }`, "b", true},
		{"fewer spaces before the last brace", `{"text":"a"   }`, `{"text":"b" }`, "b", true},
		{"spaces after the last brace", first, `{"id":"1","delta":{"text":"b"},"pad":"x","n":1} `, "", false},
		{"spaces inside", first, `{"id":"1","delta":{"text":"b" },"pad":"x","n":1}`, "", false},
		{"a control character", first, "{\"id\":\"1\",\"delta\":{\"text\":\"\n\"},\"pad\":\"x\",\"n\":1}", "", false},
		{"another value elsewhere", first, `{"id":"2","delta":{"text":"b"},"pad":"x","n":1}`, "", false},
		{"another number elsewhere", first, `{"id":"1","delta":{"text":"b"},"pad":"x","n":2}`, "", false},
		{"a member more", first, `{"id":"1","delta":{"text":"b","x":1},"pad":"x","n":1}`, "", false},
		{"cut", first, `{"id":"1","delta":{"text":"b"},"pad":"x","n":1`, "", false},
		{"cut inside the text", first, `{"id":"1","delta":{"text":"b`, "", false},
		{"more after it", first, first + "}", "", false},
		{"the name twice", `{"text":"a","x":{"text":"b"}}`, `{"text":"c","x":{"text":"b"}}`, "", false},
		{"the text was no string", `{"text":1}`, `{"text":1}`, "", false},
		{"the text had an escape", `{"text":"\n"}`, `{"text":"b"}`, "", false},
		{"the text was empty", `{"text":""}`, `{"text":"b"}`, "", false},
		{"no such member", `{"x":"a"}`, `{"x":"b"}`, "", false},
		{"an escape elsewhere", `{"x":"\"text\":\"no\"","text":"a"}`, `{"x":"\"text\":\"no\"","text":"b"}`, "", false},
		{"a name spelled with an escape", `{"te\u0078t":"a","x":{"text":"b"}}`, `{"te\u0078t":"a","x":{"text":"c"}}`, "", false},
		{"the name as a value is no member", `{"text":"a","kind":"text"}`, `{"text":"b","kind":"text"}`, "b", true},
		{"the name as a value alone", `{"kind":"text"}`, `{"kind":"text"}`, "", false},
		{"the name twice, the other differs", `{"text":"a","x":{"text":"b"}}`, `{"text":"a","x":{"text":"c"}}`, "", false},
		{"padding twice", `{"text":"a","pad":1,"x":{"pad":2}}`, `{"text":"a","pad":1,"x":{"pad":3}}`, "", false},
		{"the name twice, once with space", "{\"text\":\"a\",\"x\":{\"text\"\n:\"b\"}}", "{\"text\":\"c\",\"x\":{\"text\"\n:\"b\"}}", "", false},
		{"another number as padding", `{"pad":17,"text":"a"}`, `{"pad":9,"text":"b"}`, "b", true},
		{"padding at the end", `{"text":"a","pad":17}`, `{"text":"b","pad":170}`, "b", true},
		{"zero", `{"pad":17,"text":"a"}`, `{"pad":0,"text":"b"}`, "b", true},
		{"no number", `{"pad":17,"text":"a"}`, `{"pad":,"text":"b"}`, "", false},
		{"a bad number", `{"pad":17,"text":"a"}`, `{"pad":01,"text":"b"}`, "", false},
		{"a fraction", `{"pad":17,"text":"a"}`, `{"pad":1.5,"text":"b"}`, "", false},
		{"a string for a number", `{"pad":17,"text":"a"}`, `{"pad":"1","text":"b"}`, "", false},
		{"a number for a string", `{"pad":"x","text":"a"}`, `{"pad":1,"text":"b"}`, "", false},
		{"the text ends the frame", `{"text":`, `{"text":`, "", false},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			var m wirejson.Memo
			m.Remember([]byte(c.first), "text", "pad")
			got, ok := m.Text([]byte(c.next))
			assert.Equal(t, c.ok, ok)
			assert.Equal(t, c.text, string(got))
			m.Forget()
			_, ok = m.Text([]byte(c.first))
			assert.False(t, ok, "forgotten")
		})
	}
}

func TestMemoGivesUp(t *testing.T) {
	t.Parallel()
	var m wirejson.Memo
	remembers := func(n int) bool {
		frame := []byte(`{"n":` + strings.Repeat("1", n%7+1) + `,"text":"a"}`)
		m.Remember(frame, "text")
		_, ok := m.Text(frame)
		return ok
	}
	require.True(t, remembers(1), "what comes again is remembered for ever")
	for n := range 100 {
		require.True(t, remembers(n))
	}
	for n := range 16 {
		m.Remember([]byte(`{"n":`+strings.Repeat("1", n+1)+`,"text":"a"}`), "text")
	}
	assert.False(t, remembers(1), "frames that all differ are not tried for ever")
}

// Whatever is done to a frame: when the memo tells its text, a parser finds the
// same text in it, and nothing else changed.
func TestMemoIsExact(t *testing.T) {
	t.Parallel()
	piece := rapid.StringMatching(`[a-z"\\{}:, ü0-9]{0,6}`)
	number := rapid.IntRange(-1, 200)
	rapid.Check(t, func(t *rapid.T) {
		quote := func(s string) string { b, _ := json.Marshal(s); return string(b) }
		frame := func(text, pad string, n int) string {
			return `{"a":` + quote("t") + `,"d":{"text":` + quote(text) + `},"pad":` + quote(pad) + `,"n":` + strconv.Itoa(n) + `,"z":1}`
		}
		first := frame(piece.Draw(t, "text"), piece.Draw(t, "pad"), number.Draw(t, "n"))
		next := []byte(frame(piece.Draw(t, "next text"), piece.Draw(t, "next pad"), number.Draw(t, "next n")))
		for range rapid.IntRange(0, 2).Draw(t, "edits") {
			next[rapid.IntRange(0, len(next)-1).Draw(t, "at")] = byte(rapid.SampledFrom([]rune(`"\{}:,a1 `)).Draw(t, "byte"))
		}
		var m wirejson.Memo
		m.Remember([]byte(first), "text", "pad", "n")
		text, ok := m.Text(next)
		if !ok {
			return
		}
		var v map[string]any
		require.NoError(t, json.Unmarshal(next, &v))
		require.Equal(t, map[string]any{"a": "t", "d": map[string]any{"text": string(text)}, "pad": v["pad"], "n": v["n"], "z": 1.0}, v)
	})
}

func BenchmarkMemo(b *testing.B) {
	frame := []byte(`{"id":"chatcmpl-9xK2","object":"chat.completion.chunk","created":1764547200,"model":"gpt-5-mini-2026-01-01","choices":[{"index":0,"delta":{"content":" token"},"finish_reason":null}],"obfuscation":"abcd"}`)
	var m wirejson.Memo
	m.Remember(frame, "content", "obfuscation")
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := m.Text(frame); !ok {
			b.Fatal("not told")
		}
	}
}
