package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func textOf(body []byte, v span) string { return string(body[v.from:v.to]) }

func TestValues(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why, body string
		want      []string
	}{
		{"nothing", "", nil},
		{"each kind of scalar", `{"a":"x","b":-1.5e+3,"c":true,"d":null}`, []string{`"x"`, "-1.5e+3", "true", "null"}},
		{"a key is no value", `{"a":{"b":"x"}}`, []string{`"x"`}},
		{"nor is it with a space before its colon", `{"a" : "x"}`, []string{`"x"`}},
		{"in lists", `{"a":[1,"x",[2, 3]]}`, []string{"1", `"x"`, "2", "3"}},
		{"a quote inside a string", `{"a":"x\"y\\","b":2}`, []string{`"x\"y\\"`, "2"}},
		{"a colon inside a string", `{"a":"b:1,2 [3"}`, []string{`"b:1,2 [3"`}},
		{"words of the wire are none", "event: ping\ndata: {\"a\":1}\n\n: 7\nid: 7\n", []string{"1"}},
		{"several lines", "{\"a\":1}\n{\"b\":2}\n", []string{"1", "2"}},
		{"a string that does not end", `{"a":"x`, []string{`"x`}},
		{"nor on its line", "{\"a\":\"x\n{\"b\":2}", []string{"\"x\n", "2"}},
		{"an escape at the very end", `{"a":"x\`, []string{`"x\`}},
	} {
		var got []string
		for _, v := range values([]byte(row.body)) {
			got = append(got, textOf([]byte(row.body), v))
		}
		assert.Equal(t, row.want, got, row.why)
	}
}

// TestValuesOfAny holds values to the obvious way: every scalar of a document that
// is written without blanks, in order.
func TestValuesOfAny(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text, err := json.Marshal(map[string]any{"k": document(3).Draw(t, "document")})
		require.NoError(t, err)
		var got []string
		for _, v := range values(text) {
			got = append(got, textOf(text, v))
		}
		require.Equal(t, scalarsOf(json.NewDecoder(bytes.NewReader(text)), text), got, "%s", text)
	})
}

func document(depth int) *rapid.Generator[any] {
	scalars := []*rapid.Generator[any]{
		rapid.String().AsAny(), rapid.Int64().AsAny(), rapid.Float64Range(-1e9, 1e9).AsAny(), rapid.Bool().AsAny(), rapid.Just[any](nil),
	}
	if depth > 0 {
		scalars = append(scalars, rapid.SliceOfN(rapid.Deferred(func() *rapid.Generator[any] { return document(depth - 1) }), 0, 3).AsAny(),
			rapid.MapOfN(rapid.String(), rapid.Deferred(func() *rapid.Generator[any] { return document(depth - 1) }), 0, 3).AsAny())
	}
	return rapid.OneOf(scalars...)
}

// scalarsOf reads a document token by token.
func scalarsOf(d *json.Decoder, text []byte) []string {
	var all []string
	d.UseNumber()
	inObject, key := []bool{}, false
	for {
		before := d.InputOffset()
		token, err := d.Token()
		if err != nil {
			return all
		}
		object := len(inObject) > 0 && inObject[len(inObject)-1]
		switch token {
		case json.Delim('{'), json.Delim('['):
			inObject, key = append(inObject, token == json.Delim('{')), token == json.Delim('{')
			continue
		case json.Delim('}'), json.Delim(']'):
			inObject = inObject[:len(inObject)-1]
			key = len(inObject) > 0 && inObject[len(inObject)-1]
			continue
		}
		if object && key {
			key = false
			continue
		}
		all = append(all, strings.TrimLeft(string(text[before:d.InputOffset()]), ":,"))
		key = object
	}
}

func TestFramesJoinToTheBody(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why, mediaType, body string
		want                 []string
	}{
		{"nothing", "text/event-stream", "", nil},
		{"events", "text/event-stream", "data: 1\n\ndata: 2\n\n", []string{"data: 1\n\n", "data: 2\n\n"}},
		{"events with CRLF", "text/event-stream", "data: 1\r\n\r\ndata: 2\r\n\r\n", []string{"data: 1\r\n\r\n", "data: 2\r\n\r\n"}},
		{"a last one without its end", "text/event-stream", "data: 1\n\ndata: 2", []string{"data: 1\n\n", "data: 2"}},
		{"lines", "application/x-ndjson", "1\n2\n", []string{"1\n", "2\n"}},
		{"a last line without its end", "application/x-ndjson", "1\n2", []string{"1\n", "2"}},
		{"a document", "application/json", "{\n\"a\":1}", []string{"{\n\"a\":1}"}},
	} {
		r := response{header: http.Header{"Content-Type": {row.mediaType}}, body: []byte(row.body)}
		var got []string
		edge := 0
		edges := r.edges()
		for n, f := range r.frames() {
			got = append(got, string(f))
			edge += len(f)
			assert.Equal(t, edge, edges[n], row.why)
		}
		assert.Equal(t, row.want, got, row.why)
		assert.Equal(t, row.body, strings.Join(got, ""), row.why)
	}
}

func TestObject(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ why, frame, want, with string }{
		{"an event", "data: {\"a\":1}\n\n", `{"a":1}`, "data: {MEMBER,\"a\":1}\n\n"},
		{"without the space", "event: x\ndata:{\"a\":1}\n\n", `{"a":1}`, "event: x\ndata:{MEMBER,\"a\":1}\n\n"},
		{"a line", "{\"a\":{}}\n", `{"a":{}}`, "{MEMBER,\"a\":{}}\n"},
		{"an empty one gets no comma", "data: {}\n\n", `{}`, "data: {MEMBER}\n\n"},
		{"nor one with a space", "data: { }\n\n", `{ }`, "data: {MEMBER }\n\n"},
		{"no object", "data: [DONE]\n\n", "", "data: [DONE]\n\n"},
		{"an object further on is none of ours", "data: [{\"a\":1}]\n\n", "", "data: [{\"a\":1}]\n\n"},
		{"one that does not end", "data: {\"a\":1\n\n", "", "data: {\"a\":1\n\n"},
		{"a comment", ": {\"a\":1}\n\n", "", ": {\"a\":1}\n\n"},
	} {
		from, to, ok := object([]byte(row.frame))
		assert.Equal(t, row.want != "", ok, row.why)
		if ok {
			assert.Equal(t, row.want, row.frame[from:to], row.why)
		}
		want := strings.Replace(row.with, "MEMBER", `"weir_unknown":{"a":[1,null,"x"]}`, 1)
		assert.Equal(t, want, string(withUnknownMember([]byte(row.frame))), row.why)
	}
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	body := func(n int) response {
		return response{header: http.Header{"Content-Type": {"text/event-stream"}}, body: []byte(strings.Repeat("data: 1\n\n", n))}
	}
	assert.Empty(t, response{}.places())
	assert.Empty(t, response{body: []byte("x")}.places(), "there is nothing between")
	small := body(3)
	if !few() {
		all := small.places()
		require.Len(t, all, len(small.body)-1)
		assert.Equal(t, 1, all[0])
		assert.Equal(t, len(small.body)-1, all[len(all)-1])
	}
	large := body(1000)
	require.Greater(t, len(large.body), maxExhaustive)
	places := large.places()
	assert.Equal(t, places, large.places(), "the same in every run")
	assert.True(t, slices.IsSorted(places))
	assert.Len(t, slices.Compact(slices.Clone(places)), len(places))
	edges := large.edges()
	for _, edge := range edges[:len(edges)-1] {
		for _, at := range []int{edge - 1, edge, edge + 1} {
			assert.Contains(t, places, at)
		}
	}
	assert.Greater(t, len(places), 3*(len(edges)-1), "and places at random")
	assert.Less(t, len(places), len(large.body)-1)
	assert.Positive(t, places[0])
	assert.Less(t, places[len(places)-1], len(large.body))
}

func TestExcerpt(t *testing.T) {
	t.Parallel()
	long := []byte(strings.Repeat("a", 100) + "|" + strings.Repeat("b", 100))
	for at, want := range map[int]string{
		0:   fmt.Sprintf(`byte 0 of 201: "" ⟨⟩ %q`, long[:60]),
		100: fmt.Sprintf(`byte 100 of 201: %q ⟨⟩ %q`, long[40:100], long[100:160]),
		201: fmt.Sprintf(`byte 201 of 201: %q ⟨⟩ ""`, long[141:]),
		999: fmt.Sprintf(`byte 201 of 201: %q ⟨⟩ ""`, long[141:]),
	} {
		assert.Equal(t, want, excerpt(long, at))
	}
	assert.Equal(t, `byte 1 of 3: "a" ⟨⟩ "\n\""`, excerpt([]byte("a\n\""), 1))
	assert.Len(t, clip(long[:150]), 150)
	assert.Len(t, clip([]byte(strings.Repeat("x", 3000))), 2000)
}

func TestCarries(t *testing.T) {
	t.Parallel()
	const arguments = `{"id": 9007199254740993, "price": 0.10}`
	quoted, err := json.Marshal(arguments)
	require.NoError(t, err)
	for _, row := range []struct {
		why, body string
		want      bool
	}{
		{"as a text", `{"calls":[{"arguments":` + string(quoted) + `}]}`, true},
		{"as an object", `{"calls":[{"input":{"price":0.10,"id":9007199254740993}}]}`, true},
		{"at the top", `{"price":0.10,"id":9007199254740993}`, true},
		{"rounded", `{"calls":[{"input":{"price":0.10,"id":9007199254740992}}]}`, false},
		{"without the last zero", `{"calls":[{"input":{"price":0.1,"id":9007199254740993}}]}`, false},
		{"as a number of a text", `{"calls":[{"input":{"price":"0.10","id":9007199254740993}}]}`, false},
		{"inside a longer text", `{"text":"so: {\"id\": 9007199254740993, \"price\": 0.10}"}`, false},
		{"on lines of their own inside a longer text", `{"text":"so:\n{\"id\": 9007199254740993, \"price\": 0.10}\n."}`, true},
		{"with more members", `{"input":{"price":0.10,"id":9007199254740993,"x":1}}`, false},
		{"nowhere", `{}`, false},
		{"no JSON", `id=1`, false},
	} {
		assert.Equal(t, row.want, carries([]byte(row.body), arguments), row.why)
	}
}

func TestTells(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why, body string
		want      bool
	}{
		{"a string", `{"a":["x <é>"]}`, true},
		{"inside a string", `{"a":{"b":"say x <é> now"}}`, true},
		{"with other escapes", `{"a":"x \u003c\u00e9\u003e"}`, true},
		{"a key", `{"x <é>":1}`, true},
		{"a body that is no JSON", `say x <é>`, true},
		{"another text", `{"a":"x < é >"}`, false},
		{"over two strings", `{"a":"x <","b":"é>"}`, false},
	} {
		assert.Equal(t, row.want, tells([]byte(row.body), "x <é>"), row.why)
	}
}

func TestFirstDifference(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ want, got, tells string }{
		{"a\nb\n", "a\nc\n", "event 2: c instead of b"},
		{"a\nb", "a\nb\nc", "event 3, which is one too many: c"},
		{"a\nb\nc", "a\nb", "too few events"},
	} {
		assert.Equal(t, row.tells, firstDifference([]byte(row.want), []byte(row.got)))
	}
}
