package request_test

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

func FuzzParse(f *testing.F) {
	if text, err := full(f).MarshalJSON(); err == nil {
		f.Add(string(text))
	}
	f.Add(`{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_call","id":"a","name":"f","arguments":"{\"a\":\"\\ud83d\"}"}]}]}`)
	f.Add(`{"messages":[{"role":"user","content":"q"}],"answer":{"name":"a","schema":{"type":"object","title":"\u003c"},"strict":true}}`)
	f.Add(`{"messages":null,"tool_choice":"auto","extra":{"a":{}}}`)
	f.Add(`{"tools":[{"name":"a","schema":{"type":"object","properties":{"a":{"$ref":"file:///etc/hosts"}}}}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		req, err := request.Parse([]byte(text))
		if err != nil {
			fail, ok := events.AsFailure(err)
			require.True(t, ok)
			require.Equal(t, events.InvalidRequest, fail.Kind)
			return
		}
		first, err := req.Canonical()
		require.NoError(t, err)
		require.True(t, utf8.Valid(first))
		back, err := request.Parse(first)
		require.NoError(t, err)
		second, err := back.Canonical()
		require.NoError(t, err)
		require.Equal(t, string(first), string(second))
		prepared, err := req.Prepare(request.Target{})
		if err != nil {
			return
		}
		_, err = prepared.Request.Prepare(request.Target{})
		require.NoError(t, err, "what is prepared stays legal")
	})
}

func FuzzToolCheck(f *testing.F) {
	f.Add(citySchema, `{"city":"Oslo"}`)
	f.Add(`{"type":"object","properties":{"a":{"type":"integer","multipleOf":0.01}}}`, `{"a":1e10000000}`)
	f.Add(`{"type":"object","additionalProperties":{"uniqueItems":true}}`, `{"a":[1,1.0,{"b":null}]}`)
	f.Add(`{"type":"object","$defs":{"a":{"$dynamicAnchor":"x"}},"properties":{"a":{"$dynamicRef":"#x"}}}`, `{"a":{}}`)
	f.Add(`{"type":"object","if":{"required":["a"]},"then":{"not":{}},"unevaluatedProperties":false}`, `{"b":1}`)
	f.Add(`{"type":"object","$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/a"}}}`, `{}`)
	f.Add(filterSchema, filter(12))
	f.Add(`{"$schema":"http://json-schema.org/draft-04/schema#","id":"x","type":"object","dependencies":{"a":["b"]}}`, `{"a":1}`)
	f.Fuzz(func(t *testing.T, schema, arguments string) {
		tool, err := request.NewTool("f", "", schema)
		if err != nil {
			fail, ok := events.AsFailure(err)
			require.True(t, ok)
			require.Equal(t, events.InvalidRequest, fail.Kind)
			return
		}
		issue := tool.Check(arguments)
		if outer := events.CheckArguments(arguments); outer != nil {
			require.Equal(t, outer, issue)
			return
		}
		if issue != nil {
			require.Contains(t, []events.IssueKind{events.IssueSchema, events.IssueOutOfBounds}, issue.Kind)
			require.LessOrEqual(t, len(issue.Detail), events.MaxDetail)
			require.True(t, utf8.ValidString(issue.Detail))
		}
		require.Equal(t, issue, tool.Check(arguments))
	})
}
