package events_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
)

// nested returns an object that nests to the given depth, itself included.
func nested(depth int) string {
	return strings.Repeat(`{"a":`, depth-1) + "{}" + strings.Repeat("}", depth-1)
}

// keyed returns an object with n distinct keys and then the key last.
func keyed(n int, last string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"k%d":%d,`, i, i)
	}
	return "{" + b.String() + `"` + last + `":0}`
}

// argumentsCases are shared with the fuzz test as seeds.
func argumentsCases() []argumentsCase {
	const (
		fits      events.IssueKind = ""
		notObject                  = events.IssueNotObject
		bounds                     = events.IssueOutOfBounds
		duplicate                  = events.IssueDuplicateKey
	)
	return []argumentsCase{
		{"the empty object", `{}`, fits},
		{"white space of every kind around", " \t\r\n{ } \n", fits},
		{"every kind of value", `{"a":[1,-0,0.5,1e3,1E+3,-1.5e-3,true,false,null,"x",{},[]]}`, fits},
		{"every escape", `{"a":"\"\\\/\b\f\n\r\t\u00e9\u00E9"}`, fits},
		{"text that is not ASCII", `{"é👍":"日本"}`, fits},
		{"U+2028 raw in a string", "{\"a\":\"\u2028\"}", fits},
		{"DEL raw in a string", "{\"a\":\"\x7f\"}", fits},
		{"a lone high surrogate is JSON by the grammar", `{"a":"\ud83d"}`, fits},
		{"a lone low surrogate too", `{"\udc00":"\udc00x"}`, fits},
		{"an escaped NUL", `{"a\u0000":"\u0000"}`, fits},
		{"the empty key", `{"":1}`, fits},

		{"nothing", ``, notObject},
		{"only space", ` `, notObject},
		{"null is a value and no object", `null`, notObject},
		{"an array", `[]`, notObject},
		{"a string that holds an object", `"{}"`, notObject},
		{"a number", `1`, notObject},
		{"a byte order mark", "\ufeff{}", notObject},
		{"a second object", `{}{}`, notObject},
		{"trailing text", `{} x`, notObject},
		{"a trailing NUL", "{}\x00", notObject},
		{"a NUL for a value", "{\"a\":\x00}", notObject},
		{"a form feed is no space", "{\f}", notObject},
		{"a no-break space is no space", "{\u00a0}", notObject},
		{"cut after the brace", `{`, notObject},
		{"cut in a key", `{"a`, notObject},
		{"cut after a key", `{"a"`, notObject},
		{"cut after the colon", `{"a":`, notObject},
		{"cut after a value", `{"a":1`, notObject},
		{"cut after a comma", `{"a":1,`, notObject},
		{"cut in an escape", `{"a":"\`, notObject},
		{"cut in a \\u escape", `{"a":"\u00`, notObject},
		{"cut in an array", `{"a":[1,`, notObject},
		{"cut in a word", `{"a":tru`, notObject},
		{"a comma at the end", `{"a":1,}`, notObject},
		{"a comma at the end of an array", `{"a":[1,]}`, notObject},
		{"a comma alone", `{,}`, notObject},
		{"no comma", `{"a":1 "b":2}`, notObject},
		{"no colon", `{"a" 1}`, notObject},
		{"no value", `{"a":}`, notObject},
		{"the wrong end", `{"a":[1}}`, notObject},
		{"a key without quotes", `{a:1}`, notObject},
		{"a key that is a number", `{1:1}`, notObject},
		{"single quotes", `{'a':1}`, notObject},
		{"a comment", `{/*x*/}`, notObject},
		{"a word of another language", `{"a":True}`, notObject},
		{"a word and more", `{"a":nullx}`, notObject},
		{"NaN", `{"a":NaN}`, notObject},
		{"Infinity", `{"a":-Infinity}`, notObject},
		{"a bad escape", `{"a":"\x41"}`, notObject},
		{"a capital escape", `{"a":"\N"}`, notObject},
		{"a \\u escape with a bad digit", `{"a":"\u00g0"}`, notObject},
		{"a line end in a string", "{\"a\":\"\n\"}", notObject},
		{"a tab in a string", "{\"a\":\"\t\"}", notObject},
		{"a leading zero", `{"a":01}`, notObject},
		{"a leading zero after the sign", `{"a":-01}`, notObject},
		{"a plus sign", `{"a":+1}`, notObject},
		{"a sign alone", `{"a":-}`, notObject},
		{"no digit before the point", `{"a":.5}`, notObject},
		{"no digit after the point", `{"a":1.}`, notObject},
		{"no digit in the exponent", `{"a":1e}`, notObject},
		{"no digit after the exponent's sign", `{"a":1e+}`, notObject},
		{"hexadecimal", `{"a":0x1}`, notObject},

		{"not UTF-8 in a string", "{\"a\":\"\xff\"}", events.IssueNotUTF8},
		{"a cut character", "{\"a\":\"\xe2\x82\"}", events.IssueNotUTF8},
		{"a surrogate in UTF-8", "{\"a\":\"\xed\xa0\x80\"}", events.IssueNotUTF8},
		{"not UTF-8 outside of strings", "\xff", events.IssueNotUTF8},

		{"a key twice", `{"a":1,"a":1}`, duplicate},
		{"a key twice, further down", `{"x":[{"a":1,"b":2,"a":3}]}`, duplicate},
		{"spelled differently", `{"a":1,"\u0061":2}`, duplicate},
		{"a slash spelled differently", `{"/":1,"\/":2}`, duplicate},
		{"a line end spelled differently", `{"\n":1,"\u000a":2}`, duplicate},
		{"the other short escapes spelled differently", `{"\b\f\r\t":1,"\u0008\u000c\u000d\u0009":2}`, duplicate},
		{"a high surrogate before what is no low one", `{"\ud83d\ue000":1,"\ud83d\udc00":2}`, fits},
		{"a surrogate pair and its character", `{"\ud83d\udc4d":1,"👍":2}`, duplicate},
		{"a lone surrogate in two cases", `{"\ud83d":1,"\uD83D":2}`, duplicate},
		{"two different lone surrogates", `{"\ud83d":1,"\ud83e":2}`, fits},
		{"a lone surrogate and its spelling as text", `{"\ud83d":1,"\\ud83d":2}`, fits},
		{"a lone surrogate and U+FFFD", `{"\ud83d":1,"\ufffd":2}`, fits},
		{"a lone surrogate before a pair", `{"\ud83d\ud83d\udc4d":1,"\ud83d👍":2}`, duplicate},
		{"letters of another case are another key", `{"a":1,"A":2}`, fits},
		{"composed and decomposed are two keys", "{\"\u00e9\":1,\"e\u0301\":2}", fits},
		{"the same key in two objects", `{"a":{"a":1},"b":{"a":1}}`, fits},
		{"the same key after an inner object", `{"a":{"b":1},"b":1}`, fits},
		{"the same key after an inner object, twice", `{"b":{"a":1},"b":1}`, duplicate},
		{"16 keys and the first again", keyed(16, "k0"), duplicate},
		{"17 keys and the first again", keyed(17, "k0"), duplicate},
		{"17 keys and the 17th again", keyed(17, "k16"), duplicate},
		{"18 keys and the 17th again, escaped", keyed(18, `\u006b16`), duplicate},
		{"40 keys, all different", keyed(40, "x"), fits},
		{"many keys, and many in an inner object", `{"in":` + keyed(20, "x") + `,` + keyed(20, "y")[1:], fits},

		{"depth 64", nested(64), fits},
		{"depth 65", nested(65), bounds},
		{"depth 64 with an array", `{"a":` + strings.Repeat("[", 63) + strings.Repeat("]", 63) + `}`, fits},
		{"depth 65 with an array", `{"a":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `}`, bounds},
		{"a hundred thousand open brackets", `{"a":` + strings.Repeat("[", 100_000), bounds},
		{"a number of 1,000 characters", `{"a":` + strings.Repeat("1", 1000) + `}`, fits},
		{"a number of 1,001 characters", `{"a":` + strings.Repeat("1", 1001) + `}`, bounds},
		{"the sign counts", `{"a":-` + strings.Repeat("1", 1000) + `}`, bounds},
		{"a fraction of 1,000 characters", `{"a":0.` + strings.Repeat("1", 998) + `}`, fits},
		{"a fraction of 1,001 characters", `{"a":0.` + strings.Repeat("1", 999) + `}`, bounds},
		{"exponent 10,000", `{"a":1e10000}`, fits},
		{"exponent 10,001", `{"a":1e10001}`, bounds},
		{"exponent -10,000", `{"a":1E-10000}`, fits},
		{"exponent -10,001", `{"a":1e-10001}`, bounds},
		{"an exponent with leading zeros", `{"a":1e+00010000}`, fits},
		{"an exponent that makes a schema library panic", `{"a":1e10000000}`, bounds},
		{"an exponent beyond int64", `{"a":0e99999999999999999999}`, bounds},
		{"an exponent that wraps around to zero", `{"a":1e18446744073709551616}`, bounds},
		{"a hundred of the largest exponents", `{"a":[` + strings.Repeat("1e10000,", 99) + `1e10000]}`, fits},
		{"the largest exponents and one more", `{"a":[` + strings.Repeat("1e10000,", 100) + `1e1]}`, bounds},
		{"negative exponents add up, not cancel out", `{"a":[` + strings.Repeat("1e-5000,1E+5000,", 100) + `1e-1]}`, bounds},
		{"exponents add up over objects and arrays", `{"a":[` + strings.Repeat(`{"b":1e10000},[1e10000],`, 50) + `0],"c":1e1}`, bounds},
		{"1 MiB of numbers as programs write them", `{"a":[` + strings.Repeat("1.5e-05,", 1<<17) + `0]}`, fits},
		{"the first fault is told", `{"a":1,"a":2,"b":1e10001}`, duplicate},
		{"the first fault is told, the other way", `{"b":1e10001,"a":1,"a":2}`, bounds},
	}
}

type argumentsCase struct {
	why, text string
	want      events.IssueKind
}

func TestCheckArguments(t *testing.T) {
	t.Parallel()
	for _, tt := range argumentsCases() {
		require.NotEmpty(t, tt.why)
		issue := events.CheckArguments(tt.text)
		if tt.want == "" {
			assert.Nil(t, issue, tt.why)
			continue
		}
		if assert.NotNil(t, issue, tt.why) {
			assert.Equal(t, tt.want, issue.Kind, tt.why)
			assert.NotEmpty(t, issue.Detail, tt.why)
			assert.Less(t, len(issue.Error()), 400, tt.why)
		}
	}
}

func TestIssueError(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "tool call invalid: schema", (&events.Issue{Kind: events.IssueSchema}).Error())
	assert.Equal(t, "tool call invalid: schema: /a is no number", (&events.Issue{Kind: events.IssueSchema, Detail: "/a is no number"}).Error())
}
