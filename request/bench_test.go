package request_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/request"
)

// conversation is a request of 100 exchanges with a call each.
func conversation(tb testing.TB) request.Request {
	req := request.Request{Tools: []request.Tool{mustTool(tb, "get_weather", citySchema)}}
	for range 100 {
		req.Messages = append(req.Messages, request.UserText(strings.Repeat("word ", 50)),
			request.Assistant(call("c", "get_weather", `{"city":"Oslo"}`)), request.Results(request.Result("c", "rain")),
			request.AssistantText(strings.Repeat("word ", 50)))
	}
	_, err := req.Prepare(request.Target{})
	require.NoError(tb, err)
	return req
}

func BenchmarkNewTool(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		_, _ = request.NewTool("get_weather", "", citySchema)
	}
}

func BenchmarkToolCheck(b *testing.B) {
	tool := mustTool(b, "get_weather", citySchema)
	require.Nil(b, tool.Check(`{"city":"Oslo","days":3}`))
	b.ReportAllocs()
	for b.Loop() {
		_ = tool.Check(`{"city":"Oslo","days":3}`)
	}
}

// BenchmarkToolCheckWorst runs what costs most just below MaxCheckSteps.
func BenchmarkToolCheckWorst(b *testing.B) {
	bad := strings.Repeat(`{"op":"any","arg":`, 5) + `{"op":"none","value":1}` + strings.Repeat("}", 5)
	for _, row := range []struct{ name, schema, arguments string }{
		{"deep tree of filters", filterSchema, filter(9)},
		{"many trees of filters", `{"type":"object","properties":{"a":{"items":{"$ref":"#/$defs/node"}}},` + filterSchema[strings.Index(filterSchema, `"$defs"`):], `{"a":[` + numbered(30, bad) + `]}`},
		{"doubling references", `{"type":"object","$ref":"#/$defs/a0","$defs":{` + chainOf(12, 2, `{"required":["x"]}`) + `}}`, `{}`},
		{"numbers", properties(`{"items":{"type":"string"}}`), `{"a":[` + numbered(30_000, "%d") + `]}`},
		{"keys", `{"type":"object","propertyNames":{"pattern":"^[A-Z]+$","maxLength":1}}`, `{` + numbered(28_000, `"k%d":1`) + `}`},
		{"pattern", properties(`{"pattern":"(x+x+){200}y"}`), `{"a":"` + strings.Repeat("x", 16_000) + `"}`},
	} {
		b.Run(row.name, func(b *testing.B) {
			tool := mustTool(b, "a", row.schema)
			steps := request.StepsOf(tool, row.arguments)
			require.LessOrEqual(b, steps, uint64(request.MaxCheckSteps))
			b.ReportAllocs()
			for b.Loop() {
				_ = tool.Check(row.arguments)
			}
			b.ReportMetric(float64(steps), "steps")
		})
	}
}

func BenchmarkPrepare(b *testing.B) {
	req := conversation(b)
	b.ReportAllocs()
	for b.Loop() {
		_, _ = req.Prepare(request.Target{})
	}
}

func BenchmarkCanonical(b *testing.B) {
	req := conversation(b)
	text, err := req.Canonical()
	require.NoError(b, err)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		_, _ = req.Canonical()
	}
}

func BenchmarkParse(b *testing.B) {
	text, err := conversation(b).Canonical()
	require.NoError(b, err)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		_, _ = request.Parse(text)
	}
}
