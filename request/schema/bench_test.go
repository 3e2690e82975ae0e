package schema_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/request/schema"
)

const benchSchema = `{"type":"object","properties":{"city":{"type":"string","description":"where"},"days":{"type":"integer","minimum":1},
	"stops":{"type":"array","items":{"$ref":"#/$defs/stop"}}},"required":["city"],
	"$defs":{"stop":{"type":"object","properties":{"name":{"type":"string"},"kind":{"enum":["a","b"]}},"required":["name"]}}}`

func BenchmarkRewrite(b *testing.B) {
	b.ReportAllocs()
	b.SetBytes(int64(len(benchSchema)))
	for b.Loop() {
		_, err := schema.Rewrite(benchSchema, schema.OpenAIStrict, schema.Options{})
		require.NoError(b, err)
	}
}

func BenchmarkStrip(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		got := schema.Strip(benchSchema, `{"city":"Graz","days":null,"stops":[{"name":"x","kind":null},{"name":"y","kind":"a"}]}`)
		require.NotContains(b, got, "null")
	}
}

func BenchmarkForType(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		_, _ = schema.For[goTags]()
	}
}

func BenchmarkPrepare(b *testing.B) {
	answer, err := request.NewAnswer("", lossyText)
	require.NoError(b, err)
	r := request.Request{Messages: []request.Message{request.UserText("q")}, Answer: answer}
	b.ReportAllocs()
	for b.Loop() {
		_, _ = schema.Prepare(r, request.Target{}, schema.OpenAIStrict)
	}
}
