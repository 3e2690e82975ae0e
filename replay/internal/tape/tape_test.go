package tape_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/replay/internal/tape"
)

func decode(tb testing.TB, text string) any {
	tb.Helper()
	v, err := tape.Decode([]byte(text))
	require.NoError(tb, err, text)
	return v
}

func TestDecodeKeepsLiteralsAndRefusesMore(t *testing.T) {
	t.Parallel()
	rows := []struct{ text, canonical, why string }{
		{` {"b":1,"a":2} `, `{"a":2,"b":1}`, "keys sorted, no white space"},
		{`9007199254740993`, `9007199254740993`, "more digits than a float has"},
		{`[1.0,1e2,-0]`, `[1.0,1e2,-0]`, "literals are kept"},
		{`{"a":{"x":1},"a":{"y":2}}`, `{"a":{"y":2}}`, "the last of duplicate keys, not a merge"},
		{`"<&>"`, `"\u003c\u0026\u003e"`, "Go's HTML escapes"},
		{`"\ud83d\ude00 \uD83D\uDE00"`, `"😀 😀"`, "pairs are characters"},
		{`"a\ud800"`, "\"a\ufffdd800\"", "half of a pair keeps its digits"},
		{`"\uDBFF\uDc00"`, "\"\U0010fc00\"", "the last high one with the first low one"},
		{`"\udc00\ud800"`, "\"\ufffddc00\ufffdd800\"", "two halves in the wrong order"},
		{`"\ud83d\ud83d\ude00"`, "\"\ufffdd83d😀\"", "half of a pair before one"},
		{`{"\uDFFF":1}`, "{\"\ufffddfff\":1}", "in a key, in small letters"},
		{`"\\ud800 \\\ud800"`, "\"\\\\ud800 \\\\\ufffdd800\"", "a backslash that is escaped begins no escape"},
		{`"\ud7ff\ue000\u00e9"`, "\"\ud7ff\ue000é\"", "the neighbours of surrogates are characters"},
	}
	for _, r := range rows {
		text, err := json.Marshal(decode(t, r.text))
		require.NoError(t, err)
		assert.Equal(t, r.canonical, string(text), r.why)
	}
	for _, text := range []string{``, `{`, `1 2`, `{} x`, `[1]]`, `nul`, `{"a":1}{"a":1}`} {
		_, err := tape.Decode([]byte(text))
		assert.Error(t, err, "%q is not one value", text)
	}
}

func TestSumIsPinned(t *testing.T) {
	t.Parallel()
	sum, err := tape.Sum(map[string]any{"b": decode(t, `1.0`), "a": "<"})
	require.NoError(t, err)
	// printf '%s' '{"a":"\u003c","b":1.0}' | sha256sum
	assert.Equal(t, "cdc819b2824b87cfa3129fdf2629a64affd0a1b1b0bd9fa299cd208bfb74b5c9", sum)
	_, err = tape.Sum(map[string]any{"a": func() {}})
	assert.Error(t, err, "a function is no JSON")
}

func TestNames(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name string
		key  string
		nth  int
		why  string
	}{
		{"abc.json", "abc", 1, "the first has no number"},
		{"abc.2.json", "abc", 2, "the second has one"},
		{"chat-completions-0123456789ab.10.json", "chat-completions-0123456789ab", 10, "a prefix and two digits"},
		{"abc.1.json", "", 0, "the first is never written so"},
		{"abc.02.json", "", 0, "another spelling"},
		{"abc.+2.json", "", 0, "another spelling"},
		{"abc.0.json", "", 0, "counted from one"},
		{"abc.-2.json", "", 0, "counted from one"},
		{"abc.body.json", "", 0, "a body beside it"},
		{"abc.2.3.json", "", 0, "two numbers"},
		{"Abc.json", "", 0, "some file systems fold case"},
		{"../abc.json", "", 0, "another folder"},
		{".json", "", 0, "no key"},
		{"abc", "", 0, "no extension"},
		{".tape-1.tmp", "", 0, "what a crash left"},
		{strings.Repeat("a", 200) + ".json", strings.Repeat("a", 200), 1, "as long as file systems take"},
		{strings.Repeat("a", 201) + ".json", "", 0, "too long for file systems"},
		{"abc.99999999999999999999.json", "", 0, "no such number"},
	}
	for _, r := range rows {
		key, nth, ok := tape.ParseName(r.name)
		assert.Equal(t, r.nth > 0, ok, "%s: %s", r.name, r.why)
		assert.Equal(t, r.key, key, r.why)
		assert.Equal(t, r.nth, nth, r.why)
		if ok {
			assert.Equal(t, r.name, tape.Name(key, nth), r.why)
		}
	}
}

// TestForms: the keys of the two formats are never taken for each other.
func TestForms(t *testing.T) {
	t.Parallel()
	sum := strings.Repeat("0123456789abcdef", 4)
	for _, row := range []struct {
		why, key string
		sum      bool
		slug     bool
	}{
		{"a sum", sum, true, false},
		{"a sum that is too short", sum[1:], false, false},
		{"a sum that is too long", sum + "0", false, false},
		{"other digits", strings.Repeat("g", 64), false, false},
		{"words and digits", "chat-completions-0123456789ab", false, true},
		{"too few digits", "chat-0123456789a", false, false},
		{"too many", "chat-0123456789abc", false, false},
		{"other letters", "chat-0123456789ag", false, false},
		{"no words", "-0123456789ab", false, false},
		{"digits alone", "0123456789ab", false, false},
		{"no key", "a b-0123456789ab", false, false},
		{"nothing", "", false, false},
	} {
		assert.Equal(t, row.sum, tape.IsSum(row.key), row.why)
		assert.Equal(t, row.slug, tape.IsSlug(row.key), row.why)
	}
}

func TestCompareNamesTheFirstDifference(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 300)
	rows := []struct {
		recorded, asked string
		first           tape.Difference
		differ          int
		why             string
	}{
		{`{"a":1,"b":[1,{}]}`, `{"b":[1,{}],"a":1}`, tape.Difference{}, 0, "order of keys is nothing"},
		{`{"temperature":0}`, `{"temperature":1}`, tape.Difference{Path: "temperature", Recorded: "0", Asked: "1"}, 1, "case 062"},
		{`{"b":1,"a":{"c":1}}`, `{"b":2,"a":{"c":2}}`, tape.Difference{Path: "a.c", Recorded: "1", Asked: "2"}, 2, "sorted keys, all counted"},
		{`{"m":[{"t":"a"},{"t":"b"}]}`, `{"m":[{"t":"a"},{"t":"c"}]}`, tape.Difference{Path: "m[1].t", Recorded: `"b"`, Asked: `"c"`}, 1, "an index"},
		{`{"m":[1]}`, `{"m":[1,{"a":1,"b":[2,3]}]}`, tape.Difference{Path: "m[1]", Recorded: "(absent)", Asked: `{"a":1,"b":[2,3]}`}, 3, "what is new counts with its leaves"},
		{`{"m":["b","c"]}`, `{"m":["a","b","c"]}`, tape.Difference{Path: "m[0]", Recorded: "(absent)", Asked: `"a"`}, 1, "what was put in front"},
		{`{"m":["a","b","c"]}`, `{"m":["a","c"]}`, tape.Difference{Path: "m[1]", Recorded: `"b"`, Asked: "(absent)"}, 1, "what was taken out"},
		{`{"k":"key [redacted]!","t":0}`, `{"k":"key tk-1!","t":1}`, tape.Difference{Path: "t", Recorded: "0", Asked: "1"}, 1, "a credential that was left out is no difference"},
		{`{"k":"[redacted]"}`, `{"k":"tk-1"}`, tape.Difference{}, 0, "nor is one that is all of a text"},
		{`{"k":"[redacted]9"}`, `{"k":123456789}`, tape.Difference{}, 0, "nor is one in a number"},
		{`{"k":"123"}`, `{"k":123}`, tape.Difference{Path: "k", Recorded: `"123"`, Asked: "123"}, 1, "a number is no text"},
		{`{"k":"key [redacted]"}`, `{"k":"a key tk-1"}`, tape.Difference{Path: "k", Recorded: `"key [redacted]"`, Asked: `"a key tk-1"`}, 1, "the rest of the text still counts"},
		{`{"a":{"b":1,"c":2}}`, `{}`, tape.Difference{Path: "a", Recorded: `{"b":1,"c":2}`, Asked: "(absent)"}, 2, "what is gone too"},
		{`{"a":{}}`, `{}`, tape.Difference{Path: "a", Recorded: `{}`, Asked: "(absent)"}, 1, "an empty object is a leaf"},
		{`{}`, `{"a":null}`, tape.Difference{Path: "a", Recorded: "(absent)", Asked: "null"}, 1, "null is not absence"},
		{`{"a":"(absent)"}`, `{}`, tape.Difference{Path: "a", Recorded: `"(absent)"`, Asked: "(absent)"}, 1, "nor is the word"},
		{`{"a":{"b":1}}`, `{"a":[1,2]}`, tape.Difference{Path: "a", Recorded: `{"b":1}`, Asked: "[1,2]"}, 2, "another type, counted by the larger"},
		{`1`, `1.0`, tape.Difference{Recorded: "1", Asked: "1.0"}, 1, "the key differs, so it is a difference"},
		{`{"a.b":{"":1}}`, `{"a.b":{"":2}}`, tape.Difference{Path: `["a.b"][""]`, Recorded: "1", Asked: "2"}, 1, "odd keys are quoted"},
		{`"` + long + `a"`, `"` + long + `b"`, tape.Difference{Recorded: "…" + long[:60] + `a"`, Asked: "…" + long[:60] + `b"`}, 1, "the beginning that is the same is left out"},
	}
	for _, r := range rows {
		first, differ := tape.Compare(decode(t, r.recorded), decode(t, r.asked))
		assert.Equal(t, r.first, first, r.why)
		assert.Equal(t, r.differ, differ, r.why)
	}
}

// values draws JSON values with few keys, so that two are often alike.
func values() *rapid.Generator[any] {
	leaf := rapid.OneOf(rapid.Just[any](nil), rapid.Just[any](true), rapid.Just[any](json.Number("1")),
		rapid.Custom(func(t *rapid.T) any { return rapid.StringMatching(`[aé]{0,3}`).Draw(t, "text") }))
	g := leaf
	for range 3 {
		inner := g
		g = rapid.OneOf(leaf,
			rapid.Custom(func(t *rapid.T) any { return rapid.SliceOfN(inner, 0, 3).Draw(t, "list") }),
			rapid.Custom(func(t *rapid.T) any {
				return rapid.MapOfN(rapid.SampledFrom([]string{"a", "b", "c"}), inner, 0, 3).Draw(t, "object")
			}))
	}
	return g
}

func TestCompareAgreesWithCanonicalJSON(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := values().Draw(t, "a"), values().Draw(t, "b")
		ta, _ := json.Marshal(a)
		tb, _ := json.Marshal(b)
		first, differ := tape.Compare(a, b)
		if string(ta) == string(tb) {
			assert.Zero(t, differ)
			assert.Empty(t, first)
			return
		}
		assert.Positive(t, differ)
		assert.NotEqual(t, first.Recorded, first.Asked)
		back, n := tape.Compare(b, a)
		assert.Equal(t, differ, n, "the same from the other side")
		assert.Equal(t, tape.Difference{Path: first.Path, Recorded: first.Asked, Asked: first.Recorded}, back)
	})
}

func TestExcerptsAreBoundedWholeRunesAndDiffer(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		same := rapid.StringOfN(rapid.SampledFrom([]rune("aé€😀")), 0, 400, -1).Draw(t, "same")
		tail := rapid.StringOfN(rapid.SampledFrom([]rune("aé€😀")), 0, 400, -1)
		a, b := same+"é"+tail.Draw(t, "a"), same+"a"+tail.Draw(t, "b")
		first, differ := tape.Compare(a, b)
		assert.Equal(t, 1, differ)
		assert.NotEqual(t, first.Recorded, first.Asked, "they part inside the excerpt")
		for _, text := range []string{first.Recorded, first.Asked} {
			assert.LessOrEqual(t, len(text), 200)
			assert.True(t, utf8.ValidString(text), text)
		}
	})
}

// TestExcerptsShowThePlace at each edge of what is shown.
func TestExcerptsShowThePlace(t *testing.T) {
	t.Parallel()
	x := strings.Repeat
	rows := []struct{ same, recorded, asked, want, why string }{
		{x("x", 100), "a", "b", `"` + x("x", 100) + `a"`, "short texts are shown whole"},
		{x("x", 30), x("a", 300), x("b", 300), `"` + x("x", 30) + x("a", 166) + "…", "they part near the beginning, which is shown"},
		{x("x", 300), x("a", 300), x("b", 300), "…" + x("x", 60) + x("a", 134) + "…", "it is cut on both sides, and no longer than the others"},
		{x("é", 150), x("a", 300), "b", "…" + x("é", 30) + x("a", 134) + "…", "the lead is of whole runes"},
		{"x" + x("é", 150) + "x", x("a", 300), "b", "…" + x("é", 29) + "x" + x("a", 135) + "…", "also where they begin at an odd byte"},
		{"x", x("é", 150), "b", `"x` + x("é", 97) + "…", "so is the end"},
	}
	for _, r := range rows {
		first, _ := tape.Compare(r.same+r.recorded, r.same+r.asked)
		assert.Equal(t, r.want, first.Recorded, r.why)
		assert.LessOrEqual(t, len(first.Recorded), 200, r.why)
	}
}

func TestDistanceIsLessWhereMoreIsTheSame(t *testing.T) {
	t.Parallel()
	asked := `{"m":"Weather in Oslo, please?"}`
	nearer := []string{
		asked, `{"m":"Weather in Bergen, please?"}`, `{"m":"Weather?"}`, `{"m":"Gardening tips"}`, `{"m":["Weather in Oslo, please?"]}`, `{"m":["a","b"]}`,
	}
	last := -1
	for _, recorded := range nearer {
		far := tape.Distance(decode(t, recorded), decode(t, asked))
		assert.GreaterOrEqual(t, far, last, recorded)
		last = far
	}
	assert.Zero(t, tape.Distance(decode(t, asked), decode(t, asked)))
	assert.Positive(t, tape.Distance(decode(t, `{"m":"a"}`), decode(t, `{"m":"aa"}`)))
}
