package wirejson_test

import (
	"testing"

	"github.com/weirsdk/weir/providers/internal/wirejson"
)

func BenchmarkParse(b *testing.B) {
	frame := []byte(`{"model":"m","created_at":"2026-11-30T14:18:23.588235926Z","message":{"role":"assistant","content":"Hell"},"done":false}`)
	var p wirejson.Parser
	b.ReportAllocs()
	b.SetBytes(int64(len(frame)))
	for b.Loop() {
		if _, err := p.Parse(frame); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkArena(b *testing.B) {
	var a wirejson.Arena
	text := []byte("token")
	b.ReportAllocs()
	for b.Loop() {
		_ = a.String(text)
	}
}
