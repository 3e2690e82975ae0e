package sqlledger_test

import (
	"encoding/binary"
	"io"
	"net"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// A direction is one of the two ways through a proxy.
type direction int

const (
	toServer direction = iota
	toClient
)

func (d direction) String() string { return [...]string{"to the server", "to the client"}[d] }

// A proxy stands before a PostgreSQL server and can cut connections after so many
// messages of the protocol.
type proxy struct {
	server   string
	listener net.Listener
	wg       sync.WaitGroup

	mu    sync.Mutex
	conns map[net.Conn]bool
	// way and left say when to cut; left is 0 when nothing is to be cut.
	way  direction
	left int
}

func newProxy(tb testing.TB, server string) *proxy {
	tb.Helper()
	p := &proxy{server: server, conns: map[net.Conn]bool{}}
	p.listen(tb, "127.0.0.1:0")
	tb.Cleanup(func() { p.stop(tb) })
	return p
}

func (p *proxy) listen(tb testing.TB, addr string) {
	l, err := net.Listen("tcp", addr)
	require.NoError(tb, err)
	p.listener = l
	p.wg.Go(func() { p.accept(l) })
}

// stop cuts every connection and takes no new one.
func (p *proxy) stop(tb testing.TB) {
	require.NoError(tb, p.listener.Close())
	p.cut()
	p.wg.Wait()
}

func (p *proxy) addr() string { return p.listener.Addr().String() }

// cutAfter has all connections cut when the n-th message from now on has passed.
func (p *proxy) cutAfter(way direction, n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.way, p.left = way, n
}

// hasCut reports whether it came to that, and takes it back otherwise.
func (p *proxy) hasCut() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	cut := p.left == 0
	p.left = 0
	return cut
}

func (p *proxy) accept(l net.Listener) {
	for {
		client, err := l.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", p.server)
		if err != nil {
			_ = client.Close()
			continue
		}
		p.mu.Lock()
		p.conns[client], p.conns[server] = true, true
		p.mu.Unlock()
		p.wg.Go(func() { p.pass(toServer, client, server) })
		p.wg.Go(func() { p.pass(toClient, server, client) })
	}
}

// pass passes on messages. The first one of a client has no type.
func (p *proxy) pass(way direction, from, to net.Conn) {
	defer p.close(from, to)
	head := 4
	if way == toClient {
		head = 5
	}
	for {
		message := make([]byte, head)
		if _, err := io.ReadFull(from, message); err != nil {
			return
		}
		size := int(binary.BigEndian.Uint32(message[head-4:])) - 4
		message = append(message, make([]byte, size)...)
		if _, err := io.ReadFull(from, message[head:]); err != nil {
			return
		}
		head = 5
		if _, err := to.Write(message); err != nil {
			return
		}
		if p.counted(way) {
			p.cut()
			return
		}
	}
}

// counted counts a message and reports whether it was the last one.
func (p *proxy) counted(way direction) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.left == 0 || way != p.way {
		return false
	}
	p.left--
	return p.left == 0
}

func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		_ = c.Close()
	}
	clear(p.conns)
}

func (p *proxy) close(conns ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		_ = c.Close()
		delete(p.conns, c)
	}
}
