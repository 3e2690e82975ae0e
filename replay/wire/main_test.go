package wire_test

import (
	"net"
	"testing"

	"go.uber.org/goleak"
)

// TestMain looks for goroutines that a body, a server or a recorder left.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// pipe is a connection that only has an address.
type pipe struct{ net.Conn }

func (pipe) RemoteAddr() net.Addr { return pipeAddr{} }

type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return "pipe" }
