package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"
)

// loopback is the address to listen on unless told: a free port that nobody
// else's machine reaches.
const loopback = "127.0.0.1:0"

// shutdownGrace is how long answers under way may take after Ctrl-C, and how long
// they may take to end once they are cut off.
const shutdownGrace = 2 * time.Second

// An address is a socket on which a command answers until it is interrupted.
type address struct {
	command  string
	listener net.Listener
	grace    time.Duration
}

// listen opens the socket that --addr names.
func listen(ctx context.Context, command, addr string) (*address, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, wrongUsage("%s: --addr %s: %s", command, word(addr), err)
	}
	return &address{command, listener, shutdownGrace}, nil
}

// isLoopback reports whether only this machine reaches the socket.
func (a *address) isLoopback() bool {
	tcp, ok := a.listener.Addr().(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// url returns the base URL to use. What listens everywhere is found on loopback.
func (a *address) url() string {
	host, port, err := net.SplitHostPort(a.listener.Addr().String())
	if ip := net.ParseIP(host); err == nil && ip.IsUnspecified() {
		return "http://" + net.JoinHostPort("127.0.0.1", port)
	}
	return "http://" + a.listener.Addr().String()
}

// announce prints the one line that scripts wait for: the URL and a space before
// everything else, or one JSON object.
func (a *address) announce(w io.Writer, what string, object any) error {
	if object == nil {
		_, err := fmt.Fprintf(w, "%s %s\n", a.url(), strings.ReplaceAll(what, "\n", " "))
		return err
	}
	return json.NewEncoder(w).Encode(object)
}

// answer serves until ctx ends, lets the answers under way come to their end for a
// moment, and cuts the others off. When it returns no handler runs.
func (a *address) answer(ctx context.Context, c console, handler http.Handler) error {
	base, cutOff := context.WithCancel(context.WithoutCancel(ctx))
	defer cutOff()
	server := &http.Server{
		Handler:           handler,
		BaseContext:       func(net.Listener) context.Context { return base },
		ReadHeaderTimeout: 10 * time.Second,
		ErrorLog:          c.log(a.command),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(a.listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	if a.shutdown(base, server) == nil {
		return nil
	}
	cutOff()
	if a.shutdown(context.WithoutCancel(base), server) != nil {
		_ = server.Close() // a client that reads nothing and does not leave
	}
	return nil
}

func (a *address) shutdown(ctx context.Context, server *http.Server) error {
	ctx, stop := context.WithTimeout(ctx, a.grace)
	defer stop()
	return server.Shutdown(ctx)
}

// untilInterrupted returns a context that Ctrl-C ends, or SIGTERM, which is what kill
// and containers send. A second one ends the program at once.
func untilInterrupted(ctx context.Context) (context.Context, context.CancelFunc) {
	signalled, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	out, end := context.WithCancelCause(context.WithoutCancel(ctx))
	context.AfterFunc(signalled, func() {
		stop() // first, so that whoever sees the end can send the second
		end(context.Cause(signalled))
	})
	return out, stop
}

// shared returns a console to which several goroutines may say something.
func (c console) shared() console {
	c.err = &lockedWriter{w: c.err}
	return c
}

// log returns a logger whose lines look like what the command says.
func (c console) log(command string) *log.Logger {
	return log.New(c.err, "weir: "+command+": ", 0)
}

// A lockedWriter is a writer for several goroutines.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}
