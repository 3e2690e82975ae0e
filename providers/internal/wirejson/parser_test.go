package wirejson_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/valyala/fastjson"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

func requireFailure(t *testing.T, err error, kind events.FailureKind, reason events.Reason) *events.Failure {
	t.Helper()
	f, ok := events.AsFailure(err)
	require.True(t, ok, "error is no failure: %v", err)
	assert.Equal(t, kind, f.Kind)
	assert.Equal(t, reason, f.Reason)
	return f
}

func TestParseRefusesWhatIsNoJSON(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ why, frame string }{
		{"nothing", ""},
		{"white space only", "  "},
		{"cut in a string", `{"a":"b`},
		{"cut after an escape", `{"a":"\`},
		{"cut in an object", `{"a":1,`},
		{"two values", `{} {}`},
		{"bare word", `hello`},
		{"HTML", `<html></html>`},
		{"overlong UTF-8", "{\"a\":\"\xc0\xaf\"}"},
		{"surrogate in UTF-8 form", "{\"a\":\"\xed\xa0\xbd\"}"},
		{"rune cut in the middle", "{\"a\":\"\xf0\x9f\x98\"}"},
		{"nested deeper than the parser goes", strings.Repeat("[", 400) + strings.Repeat("]", 400)},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			var p wirejson.Parser
			v, err := p.Parse([]byte(c.frame))
			assert.Nil(t, v)
			requireFailure(t, err, events.InvalidReply, events.ReasonMalformed)
		})
	}
}

func TestParseNamesTheByteThatIsNotUTF8(t *testing.T) {
	t.Parallel()
	for frame, at := range map[string]string{
		"\xff":                         "byte 0",
		"{\"a\":\"é\xff\"}":            "byte 8",
		"\"\uFFFD is a rune, \x80 not": "byte 16",
	} {
		var p wirejson.Parser
		_, err := p.Parse([]byte(frame))
		f := requireFailure(t, err, events.InvalidReply, events.ReasonMalformed)
		assert.Contains(t, f.Detail, at, "the detail is how a person finds the place in %q", frame)
	}
}

func TestParseLeavesAfterAFailure(t *testing.T) {
	t.Parallel()
	var p wirejson.Parser
	_, err := p.Parse([]byte(`{"a":`))
	require.Error(t, err)
	v, err := p.Parse([]byte(`{"a":"b"}`))
	require.NoError(t, err, "one bad frame does not spoil the parser")
	assert.Equal(t, "b", wirejson.String(v.Get("a")))
}

func TestParseDoesNotWriteToTheFrame(t *testing.T) {
	t.Parallel()
	frame := []byte(`{"a":"\ud83d \u00e9 \n","\u0061b":"\udc00"}`)
	before := string(frame)
	var p wirejson.Parser
	v, err := p.Parse(frame)
	require.NoError(t, err)
	assert.Equal(t, "\uFFFD é \n", wirejson.String(v.Get("a")))
	assert.Equal(t, "\uFFFD", wirejson.String(v.Get("ab")))
	assert.Equal(t, before, string(frame), "the frame is the transport's buffer, and recorders read it")
}

func TestParseSurrogates(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ why, text, want string }{
		{"a pair is one rune", `\ud83d\ude00`, "😀"},
		{"upper-case hex", `\uD83D\uDE00`, "😀"},
		{"mixed case", `\uD83d\uDe00`, "😀"},
		{"the lowest and the highest pair", `\ud800\udc00\udbff\udfff`, "\U00010000\U0010FFFF"},
		{"lone high", `a\ud83db`, "a\uFFFDb"},
		{"lone high in upper case", `a\uD83Db`, "a\uFFFDb"},
		{"lone low", `a\ude00b`, "a\uFFFDb"},
		{"high at the end of the text", `a\ud83d`, "a\uFFFD"},
		{"low at the end of the text", `a\udfff`, "a\uFFFD"},
		{"high before an ordinary escape", `\ud83d\u0041`, "\uFFFDA"},
		{"high before a short escape", `\ud83d\n`, "\uFFFD\n"},
		{"two highs and a low", `\ud83d\ud83d\ude00`, "\uFFFD😀"},
		{"low before high", `\ude00\ud83d`, "\uFFFD\uFFFD"},
		{"escaped backslash is text", `\\ud83d`, `\ud83d`},
		{"escaped backslash, then a lone high", `\\\ud83d`, "\\\uFFFD"},
		{"two escaped backslashes", `\\\\ud83d`, `\\ud83d`},
		{"pair after an escaped backslash", `\\\ud83d\ude00`, `\😀`},
		{"high before an escaped backslash and a low in letters", `\ud83d\\ude00`, "\uFFFD\\ude00"},
		{"an ordinary escape near the range", `\ud7ff\ue000`, "\ud7ff\ue000"},
		{"ordinary escapes whose second digit is that of a surrogate", `\u0915\u3cdf`, "\u0915\u3cdf"},
		{"no escape at all", `d83d`, "d83d"},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			var p wirejson.Parser
			v, err := p.Parse([]byte(`{"a":"` + c.text + `"}`))
			require.NoError(t, err)
			assert.Equal(t, c.want, wirejson.String(v.Get("a")))
		})
	}
}

// readBoth reads the text of a JSON string with wirejson and with encoding/json,
// which is the slow obvious model.
func readBoth(text []byte) (got, want string, gotErr, wantErr error) {
	var p wirejson.Parser
	v, err := p.Parse(text)
	if err != nil {
		gotErr = err
	} else {
		got = wirejson.String(v)
	}
	wantErr = json.Unmarshal(text, &want)
	return got, want, gotErr, wantErr
}

func TestParseReadsStringsAsEncodingJSONDoes(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{
		`\ud83d`, `\ude00`, `\uD83D`, `\uDE00`, `\u0041`, `\ufffd`, `\\`, `\"`, `\/`, `\b`, `\f`, `\n`, `\r`, `\t`,
		`u`, `ud83d`, `d`, `é`, `😀`, `a b`, `\u0000`, `\udbff`, `\udc00`, `\ud7ff`, `\ue000`, `\u0915`, `\u1e9e`, `\u3cdf`,
	})
	rapid.Check(t, func(t *rapid.T) {
		text := `"` + strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "pieces"), "") + `"`
		got, want, gotErr, wantErr := readBoth([]byte(text))
		require.NoError(t, wantErr, "the pieces are JSON")
		require.NoError(t, gotErr)
		require.Equal(t, want, got, "of %s", text)
	})
}

func FuzzParseString(f *testing.F) {
	for _, seed := range []string{`"\ud83d\ude00"`, `"\ud83d"`, `"\\ud83d"`, `"a\u00e9"`, `"\ud\x18ab"`, `"\ud83d\ud83d\ude00"`, `"\\\\\""`, "\"\xff\""} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, want, gotErr, wantErr := readBoth(text)
		if gotErr != nil {
			requireFailure(t, gotErr, events.InvalidReply, events.ReasonMalformed)
			require.True(t, wantErr != nil || !utf8.Valid(text) || len(text) > 0 && text[0] != '"',
				"%q is a JSON string but was refused", text)
			return
		}
		if wantErr != nil {
			return // fastjson is lenient, or the text is no string
		}
		require.Equal(t, want, got, "of %q", text)
	})
}

func TestText(t *testing.T) {
	t.Parallel()
	b, ok := wirejson.Text(nil)
	assert.False(t, ok, "nil is an absent member")
	assert.Empty(t, b)
	v := fastjson.MustParse(`{"s":"x","e":"","n":1,"z":null,"o":{"k":[1.50,"\u00e9"]}}`)
	b, ok = wirejson.Text(v.Get("e"))
	assert.True(t, ok, "an empty string is a string")
	assert.Empty(t, b)
	for _, key := range []string{"n", "z", "o"} {
		_, ok = wirejson.Text(v.Get(key))
		assert.False(t, ok, "%s is no string", key)
		assert.Empty(t, wirejson.String(v.Get(key)))
	}
	assert.Equal(t, "x", wirejson.String(v.Get("s")))
	assert.Empty(t, wirejson.String(nil))
	assert.Equal(t, `{"k":[1.50,"\u00e9"]}`, wirejson.Raw(v.Get("o")), "number literals and escapes as they came")
	assert.Empty(t, wirejson.Raw(nil))
}

func TestStringOutlivesTheNextParse(t *testing.T) {
	t.Parallel()
	var p wirejson.Parser
	v, err := p.Parse([]byte(`"first"`))
	require.NoError(t, err)
	kept := wirejson.String(v)
	_, err = p.Parse([]byte(`"other"`))
	require.NoError(t, err)
	assert.Equal(t, "first", kept)
}

func TestParseBoundsValues(t *testing.T) {
	t.Parallel()
	var p wirejson.Parser
	for _, c := range []struct {
		why, frame string
		ok         bool
	}{
		{"many values", `{"x":[` + strings.Repeat("0,", wirejson.MaxValues) + `0]}`, false},
		{"many objects", `{"x":[` + strings.Repeat("{},", wirejson.MaxValues) + `0]}`, false},
		{"fewer", `{"x":[` + strings.Repeat("0,         ", wirejson.MaxValues/2) + `0]}`, true},
		{"a long text with the same marks", `{"x":"` + strings.Repeat(`,[{\"`, wirejson.MaxValues) + `"}`, true},
	} {
		v, err := p.Parse([]byte(c.frame))
		if c.ok {
			require.NoError(t, err, c.why)
			require.NotNil(t, v.Get("x"), c.why)
			continue
		}
		f, ok := events.AsFailure(err)
		require.True(t, ok, c.why)
		assert.Equal(t, events.ReasonTooLarge, f.Reason, c.why)
	}
	_, err := p.Parse([]byte(`{"a":1}`))
	require.NoError(t, err, "the parser goes on")
}
