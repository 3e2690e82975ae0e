package sqlledger_test

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/caller/ledger/sqlledger"
	"github.com/weirsdk/weir/caller/ledger/sqlledger/internal/pgtest"
)

// BenchmarkSQLite measures what an attempt pays for durable books in a file.
func BenchmarkSQLite(b *testing.B) {
	b.Run("durable", func(b *testing.B) {
		benchmark(b, openAt(b, filepath.Join(b.TempDir(), "ledger.db"), sqlledger.Options{}))
	})
	b.Run("no-sync", func(b *testing.B) {
		benchmark(b, openAt(b, filepath.Join(b.TempDir(), "ledger.db"), sqlledger.Options{NoSync: true}))
	})
}

// BenchmarkPostgreSQL measures it on a server of this machine that writes to the
// disk.
func BenchmarkPostgreSQL(b *testing.B) {
	s, err := pgtest.Start(b.Context(), pgtest.Options{Sync: true})
	pgtest.Need(b, err)
	b.Cleanup(func() { require.NoError(b, s.Stop()) })
	dsn, err := s.Schema(b.Context(), "bench", "")
	require.NoError(b, err)
	benchmark(b, openAt(b, dsn, sqlledger.Options{MaxConns: 16}))
}

// benchmark reserves and settles: all in one run, and each goroutine in a run of its
// own.
func benchmark(b *testing.B, books *sqlledger.Ledger) {
	var ids atomic.Int64
	for _, shared := range []bool{true, false} {
		for _, workers := range []int{1, 8, 64} {
			name := fmt.Sprintf("one-run=%t/goroutines=%d", shared, workers)
			b.Run(name, func(b *testing.B) {
				b.ReportAllocs()
				b.SetParallelism(max(1, workers/runtime.GOMAXPROCS(0)))
				if workers == 1 {
					defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
				}
				run := newRun(b, books, ids.Add(1))
				b.RunParallel(func(pb *testing.PB) {
					own := run
					if !shared {
						own = newRun(b, books, ids.Add(1))
					}
					for pb.Next() {
						if err := pair(b.Context(), books, own, fmt.Sprint(ids.Add(1))); err != nil {
							b.Error(err)
							return
						}
					}
				})
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pairs/s")
			})
		}
	}
}

func newRun(b *testing.B, books *sqlledger.Ledger, n int64) string {
	id := fmt.Sprint("run", n)
	_, err := books.OpenRun(b.Context(), ledger.RunSpec{ID: id, Limits: ledger.Limits{MaxCost: 1 << 60, MaxTotalTokens: 1 << 60}})
	if err != nil {
		b.Error(err)
	}
	return id
}

func pair(ctx context.Context, books *sqlledger.Ledger, run, id string) error {
	if _, err := books.Reserve(ctx, asking(run, id)); err != nil {
		return err
	}
	return books.Settle(ctx, saying(id, 12))
}
