package pgtest_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller/ledger/sqlledger/internal/pgtest"
)

// orphan makes the test binary a process that starts a server and says where.
const orphan = "WEIR_PGTEST_ORPHAN"

func TestMain(m *testing.M) {
	if os.Getenv(orphan) == "" {
		os.Exit(m.Run())
	}
	s, err := pgtest.Start(context.Background(), pgtest.Options{})
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
	fmt.Println(s.Addr, s.Dir())
	select {} // until it is killed
}

// answers reports whether somebody listens.
func answers(addr string) bool {
	conn, err := net.DialTimeout("tcp", addr, time.Second)
	return err == nil && conn.Close() == nil
}

func TestStartAndStop(t *testing.T) {
	t.Parallel()
	s, err := pgtest.Start(t.Context(), pgtest.Options{})
	pgtest.Need(t, err)
	assert.True(t, answers(s.Addr))
	require.NoError(t, s.Stop())
	assert.False(t, answers(s.Addr))
	_, err = os.Stat(s.Dir())
	assert.ErrorIs(t, err, os.ErrNotExist)
}

// TestServersDieWithTheirProcess kills a process that has a server.
func TestServersDieWithTheirProcess(t *testing.T) {
	t.Parallel()
	other := exec.CommandContext(t.Context(), os.Args[0])
	other.Env = append(os.Environ(), orphan+"=1")
	out, err := other.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, other.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	if strings.Contains(line, "not installed") && os.Getenv(pgtest.Required) == "" {
		t.Skip(line)
	}
	addr, dir, _ := strings.Cut(strings.TrimSpace(line), " ")
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	require.True(t, answers(addr), line)
	require.NoError(t, other.Process.Kill())
	require.Error(t, other.Wait())
	assert.Eventually(t, func() bool { return !answers(addr) }, 30*time.Second, 50*time.Millisecond, "the server goes on")
}
