package wirejson_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

func TestObjectMerge(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ why, extra, want string }{
		{"an empty extra is nothing", ``, `{"a":1,"o":{"x":1,"y":{"z":2}}}`},
		{"an empty object is nothing", `{}`, `{"a":1,"o":{"x":1,"y":{"z":2}}}`},
		{"new members come last, in their order", `{"c":2,"b":[3]}`, `{"a":1,"o":{"x":1,"y":{"z":2}},"c":2,"b":[3]}`},
		{"a value is replaced in its place", `{"a":"s"}`, `{"a":"s","o":{"x":1,"y":{"z":2}}}`},
		{"objects are merged at every depth", `{"o":{"y":{"w":3},"x":9}}`, `{"a":1,"o":{"x":9,"y":{"z":2,"w":3}}}`},
		{"an object gives way to a value", `{"o":null}`, `{"a":1,"o":null}`},
		{"a value gives way to an object", `{"a":{"b":1}}`, `{"a":{"b":1},"o":{"x":1,"y":{"z":2}}}`},
		{"literals are kept", "{\"b\": [1.0, 1e2,\n12345678901234567890, \"\\u00e9\"] }", "{\"a\":1,\"o\":{\"x\":1,\"y\":{\"z\":2}},\"b\":[1.0, 1e2,\n12345678901234567890, \"\\u00e9\"]}"},
		{"an escaped key is the same key", `{"\u0061":2}`, `{"a":2,"o":{"x":1,"y":{"z":2}}}`},
		{"a key that needs escapes", `{"q\"":2}`, `{"a":1,"o":{"x":1,"y":{"z":2}},"q\"":2}`},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			var o wirejson.Object
			o.Set("a", `1`)
			o.Set("o", `{"x":1,"y":{"z":2}}`)
			require.NoError(t, o.Merge(c.extra, "model"))
			got := o.Append(nil)
			assert.Equal(t, c.want, string(got))
			assert.True(t, json.Valid(got))
		})
	}
}

func TestObjectMergeRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ why, extra string }{
		{"no JSON", `{`},
		{"no object", `[1]`},
		{"more after the object", `{} x`},
		{"a key twice", `{"a":1,"a":2}`},
		{"a fixed key", `{"b":1,"model":"x"}`},
		{"a fixed key with escapes", `{"\u006dodel":"x"}`},
		{"a fixed key in other letter case", `{"MODEL":"x"}`},
		{"a fixed key that folds beyond ASCII", "{\"\u212aeep\":1}"},
		{"a key twice but for its letter case", `{"b":1,"c":2,"B":3}`},
		{"not UTF-8", "{\"a\":\"\xff\"}"},
		{"nested deeper than arguments may be", strings.Repeat(`{"a":`, 80) + `1` + strings.Repeat(`}`, 80)},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			var o wirejson.Object
			o.Set("a", `1`)
			requireFailure(t, o.Merge(c.extra, "model", "keep"), events.InvalidRequest, events.ReasonBadParameter)
			assert.Equal(t, `{"a":1}`, string(o.Append(nil)), "a refused extra changes nothing")
		})
	}
}

func TestObjectAppend(t *testing.T) {
	t.Parallel()
	var o wirejson.Object
	assert.Equal(t, `{}`, string(o.Append(nil)))
	assert.Equal(t, `{"m":1`, string(o.AppendMembers([]byte(`{"m":1`))))
	assert.Zero(t, o.Len())
	o.Set("a", `1`)
	o.Set("b", `2`)
	o.Set("a", `3`)
	assert.Equal(t, `{"a":3,"b":2}`, string(o.Append(nil)), "a member that is set again keeps its place")
	assert.Equal(t, `{"m":1,"a":3,"b":2`, string(o.AppendMembers([]byte(`{"m":1`))))
	assert.Equal(t, 2, o.Len())
}

func TestObjectGet(t *testing.T) {
	t.Parallel()
	var o wirejson.Object
	require.NoError(t, o.Merge(`{"a": [1, 2.50],"b":null}`))
	value, ok := o.Get("a")
	assert.True(t, ok)
	assert.Equal(t, "[1, 2.50]", value, "as it came")
	value, ok = o.Get("b")
	assert.True(t, ok, "null is there")
	assert.Equal(t, "null", value)
	_, ok = o.Get("c")
	assert.False(t, ok)
}
