package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"go.uber.org/goleak"
)

// asTool is the variable that makes the test program be the tool, for tests of
// signals.
const asTool = "WEIR_TEST_AS_TOOL"

func TestMain(m *testing.M) {
	if os.Getenv(asTool) != "" {
		main()
		return
	}
	goleak.VerifyTestMain(m)
}

// A running is a command that goes on until it is stopped.
type running struct {
	url   string // the first word that it printed
	line  string // the first line
	stop  context.CancelFunc
	left  outcome // once it has ended
	ended chan struct{}
}

// start runs a command until it has printed its first line.
func start(t *testing.T, args ...string) *running {
	t.Helper()
	return startOn(t, console{}, args...)
}

func startOn(t *testing.T, c console, args ...string) *running {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	r := &running{stop: stop, ended: make(chan struct{})}
	read, write := io.Pipe()
	go func() {
		var errs bytes.Buffer
		c.in, c.out, c.err = strings.NewReader(""), write, &errs
		status := run(ctx, args, c)
		_ = write.Close()
		r.left = outcome{status: status, err: errs.String()}
		close(r.ended)
	}()
	lines := bufio.NewReader(read)
	r.line, _ = lines.ReadString('\n')
	r.url, _, _ = strings.Cut(r.line, " ")
	if r.line == "" {
		t.Fatalf("%v: %+v", args, r.end())
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	t.Cleanup(func() { r.end() })
	return r
}

// end stops the command as Ctrl-C does and returns what it left behind.
func (r *running) end() outcome {
	r.stop()
	<-r.ended
	return r.left
}

// process starts the tool as a process of its own and returns it with the URL that
// it printed. What it says goes to errs.
func process(t *testing.T, errs io.Writer, args ...string) (*exec.Cmd, string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), asTool+"=1")
	cmd.Stderr = errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	url, _, _ := strings.Cut(line, " ")
	if !strings.HasPrefix(url, "http://127.0.0.1:") {
		t.Errorf("printed %q", line)
	}
	return cmd, url
}

// interrupt sends what Ctrl-C or kill sends.
func interrupt(t *testing.T, cmd *exec.Cmd, s os.Signal) {
	t.Helper()
	if err := cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// TestInterrupted sends real signals to a real process.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	dir := recorded(t, "openai-chat")
	rows := []struct {
		why    string
		signal os.Signal
		args   []string
		says   string
	}{
		{"serve", os.Interrupt, []string{"serve", "--dir", dir}, "weir: serve: never served: chat-completions-"},
		{"serve, by kill", syscall.SIGTERM, []string{"serve", "--dir", dir}, "weir: serve: never served: chat-completions-"},
		{"record", os.Interrupt, []string{"record", "--dir", t.TempDir(), "--upstream", "http://127.0.0.1:1"}, "weir: record: nothing was sent"},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			var errs bytes.Buffer
			cmd, _ := process(t, &errs, row.args...)
			interrupt(t, cmd, row.signal)
			if err := cmd.Wait(); err != nil || strings.Count(errs.String(), "\n") != 1 || !strings.HasPrefix(errs.String(), row.says) {
				t.Errorf("ended with %v, said %q", err, errs.String())
			}
		})
	}
}

// TestInterruptedTwice does not wait for an answer that does not end.
func TestInterruptedTwice(t *testing.T) {
	t.Parallel()
	cmd, url := process(t, io.Discard, "serve", "--dir", recorded(t, "openai-chat"), "--any", "--stall", "0")
	r := mustGet(t, url+"/v1/chat/completions")
	r.Method = http.MethodPost
	resp, err := plain().RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	interrupt(t, cmd, os.Interrupt)
	for refused := false; !refused; {
		conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
		if refused = err != nil; !refused {
			_ = conn.Close()
		}
	}
	interrupt(t, cmd, os.Interrupt)
	_ = cmd.Wait()
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGINT {
		t.Errorf("ended with %s", cmd.ProcessState)
	}
}
