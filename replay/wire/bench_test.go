package wire_test

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/weirsdk/weir/replay/wire"
)

// BenchmarkReplay is one request of a thousand chunks, played.
func BenchmarkReplay(b *testing.B) {
	dir := b.TempDir()
	drain(b, recorder(dir, &script{reads: slices.Repeat([]string{"data: " + strings.Repeat("x", 60) + "\n\n"}, 1000)}), post("{}"))
	server := &wire.Transport{Dir: dir}
	_ = server.Unused() // reads the folder
	b.ReportAllocs()
	for b.Loop() {
		rt := &wire.Transport{Dir: dir}
		resp, err := rt.RoundTrip(post("{}"))
		if err != nil {
			b.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
	}
}

// BenchmarkRecord is the same, recorded, two files and their fsyncs included.
func BenchmarkRecord(b *testing.B) {
	dir := b.TempDir()
	reads := slices.Repeat([]string{"data: " + strings.Repeat("x", 60) + "\n\n"}, 1000)
	b.ReportAllocs()
	for b.Loop() {
		r := post("{}")
		r.Header.Set("Authorization", "Bearer "+testKey)
		drain(b, recorder(dir, &script{reads: reads}), r)
	}
}
