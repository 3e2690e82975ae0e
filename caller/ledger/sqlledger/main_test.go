package sqlledger_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/weirsdk/weir/caller/ledger/sqlledger/internal/pgtest"
)

// server is the server of all tests, started when the first one asks.
var server = sync.OnceValues(func() (*pgtest.Server, error) {
	started.Store(true)
	return pgtest.Start(context.Background(), pgtest.Options{})
})

var (
	started atomic.Bool
	schemas atomic.Int64
)

// TestMain is also what the tests with several processes run as a worker.
func TestMain(m *testing.M) {
	if job := os.Getenv(workerJob); job != "" {
		os.Exit(runWorker(job))
	}
	code := m.Run()
	if started.Load() {
		if s, err := server(); err == nil {
			if err := s.Stop(); err != nil {
				fmt.Fprintln(os.Stderr, err)
				code = 1
			}
		}
	}
	if code == 0 {
		if err := goleak.Find(goleak.IgnoreAnyFunction("modernc.org/libc.init")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// postgreSQL returns the address of an empty database, with a password that nobody
// may see.
func postgreSQL(tb testing.TB) string { return postgreSQLThrough(tb, "") }

// postgreSQLThrough is postgreSQL through another address of the server.
func postgreSQLThrough(tb testing.TB, addr string) string {
	tb.Helper()
	s, err := server()
	pgtest.Need(tb, err)
	url, err := s.Schema(tb.Context(), "test"+strconv.FormatInt(schemas.Add(1), 10), addr)
	require.NoError(tb, err)
	return url
}
