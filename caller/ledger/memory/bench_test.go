package memory_test

import (
	"fmt"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/caller/ledger/memory"
)

// BenchmarkReserveSettle measures what an attempt pays for its books, all in one
// run with limits.
func BenchmarkReserveSettle(b *testing.B) {
	for _, workers := range []int{1, 8, 64} {
		b.Run(fmt.Sprint("goroutines=", workers), func(b *testing.B) {
			books := memory.New(memory.Options{})
			limits := ledger.Limits{MaxCost: 1 << 60, MaxTotalTokens: 1 << 60, MaxCalls: 1 << 60}
			if _, err := books.OpenRun(b.Context(), ledger.RunSpec{ID: "r", Limits: limits}); err != nil {
				b.Fatal(err)
			}
			var ids atomic.Int64
			pair := func() {
				id := strconv.FormatInt(ids.Add(1), 10)
				if _, err := books.Reserve(b.Context(), asking("r", id)); err != nil {
					b.Error(err)
				}
				if err := books.Settle(b.Context(), saying(id)); err != nil {
					b.Error(err)
				}
			}
			b.ReportAllocs()
			if workers == 1 {
				for b.Loop() {
					pair()
				}
				return
			}
			b.SetParallelism(max(1, workers/runtime.GOMAXPROCS(0)))
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					pair()
				}
			})
		})
	}
}
