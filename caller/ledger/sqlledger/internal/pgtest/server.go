package pgtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// Required names the environment variable that forbids to skip.
const Required = "WEIR_REQUIRE_SERVICES"

// errMissing says that PostgreSQL is not installed.
var errMissing = errors.New("pgtest: PostgreSQL is not installed: no initdb and postgres beside pg_config, in /usr/lib/postgresql or in the path")

// IsMissing reports whether a start failed because PostgreSQL is not installed.
func IsMissing(err error) bool { return errors.Is(err, errMissing) }

// Options configure a server. The zero Options are for tests that do not measure.
type Options struct {
	// Sync writes to the disk what a server in use would.
	Sync bool
}

// A Server is a running server. Stop it.
type Server struct {
	// Addr is where it listens: 127.0.0.1 and a port.
	Addr string

	dir     string
	process *exec.Cmd
	ended   chan error
	// watcher ends the server when this process dies without Stop.
	watcher *exec.Cmd
}

// startTimeout bounds each step of starting and stopping.
const startTimeout = time.Minute

// Start makes a database cluster in a new folder and runs a server on it.
func Start(ctx context.Context, o Options) (*Server, error) {
	bin, err := binaries(ctx)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "weir-pg-")
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir, ended: make(chan error, 1)}
	if err := s.start(ctx, bin, o); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

func (s *Server) start(ctx context.Context, bin string, o Options) error {
	data := filepath.Join(s.dir, "data")
	if err := os.Mkdir(data, 0o700); err != nil {
		return err
	}
	who, err := give(s.dir, data)
	if err != nil {
		return err
	}
	steps, stop := context.WithTimeout(ctx, startTimeout)
	defer stop()
	initdb := exec.CommandContext(steps, filepath.Join(bin, "initdb"), "-D", data, "-U", "weir", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C")
	initdb.Dir, initdb.SysProcAttr = data, who
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("pgtest: initdb: %w: %s", err, bytes.TrimSpace(out))
	}
	port, err := freePort(ctx)
	if err != nil {
		return err
	}
	s.Addr = net.JoinHostPort("127.0.0.1", port)
	log, err := os.Create(filepath.Join(s.dir, "log"))
	if err != nil {
		return err
	}
	defer log.Close() //nolint:errcheck // the server has its own
	// It outlives ctx: Stop ends it.
	s.process = exec.CommandContext(context.WithoutCancel(ctx), filepath.Join(bin, "postgres"), append([]string{"-D", data}, settings(port, o)...)...)
	s.process.Dir, s.process.SysProcAttr = data, who
	s.process.Stdout, s.process.Stderr = log, log
	if err := s.process.Start(); err != nil {
		s.process = nil
		return err
	}
	go func() { s.ended <- s.process.Wait() }()
	return errors.Join(s.watch(ctx), s.ready(steps))
}

// watch starts a shell that waits for the end of a pipe, which is also the end of
// this process, and then interrupts the server.
func (s *Server) watch(ctx context.Context) error {
	const script = `read -r _; kill -INT "$1"`
	s.watcher = exec.CommandContext(context.WithoutCancel(ctx), "sh", "-c", script, "sh", strconv.Itoa(s.process.Process.Pid))
	s.watcher.SysProcAttr = s.process.SysProcAttr
	_, err := s.watcher.StdinPipe()
	if err == nil {
		err = s.watcher.Start()
	}
	if err != nil {
		s.watcher = nil
	}
	return err
}

// unwatch ends the watcher before the number of the server may be another's.
func (s *Server) unwatch() error {
	if s.watcher == nil {
		return nil
	}
	if err := s.watcher.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	_ = s.watcher.Wait() // it was killed
	return nil
}

func settings(port string, o Options) []string {
	all := []string{"listen_addresses=127.0.0.1", "port=" + port, "unix_socket_directories=", "max_connections=200", "shared_buffers=64MB", "jit=off"}
	if !o.Sync {
		all = append(all, "fsync=off", "full_page_writes=off")
	}
	var flags []string
	for _, setting := range all {
		flags = append(flags, "-c", setting)
	}
	return flags
}

// ready waits until the server answers.
func (s *Server) ready(ctx context.Context) error {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		conn, err := pgx.Connect(ctx, s.URL())
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-tick.C:
		case err := <-s.ended:
			s.ended <- err
			return fmt.Errorf("pgtest: the server has ended: %w: %s", err, s.log())
		case <-ctx.Done():
			return fmt.Errorf("pgtest: the server does not answer: %w: %s", err, s.log())
		}
	}
}

func (s *Server) log() []byte {
	text, err := os.ReadFile(filepath.Join(s.dir, "log"))
	if err != nil {
		return nil
	}
	return bytes.TrimSpace(text)
}

// URL returns the address of its first database.
func (s *Server) URL() string { return "postgres://weir@" + s.Addr + "/postgres?sslmode=disable" }

// Schema makes a schema and returns the address of the database in which it is the
// one that is used, through another address of the server where one is given.
func (s *Server) Schema(ctx context.Context, name, addr string) (string, error) {
	conn, err := pgx.Connect(ctx, s.URL())
	if err != nil {
		return "", err
	}
	_, err = conn.Exec(ctx, "CREATE SCHEMA "+pgx.Identifier{name}.Sanitize())
	if err := errors.Join(err, conn.Close(ctx)); err != nil {
		return "", err
	}
	if addr == "" {
		addr = s.Addr
	}
	return strings.Replace(s.URL(), s.Addr, addr, 1) + "&search_path=" + name, nil
}

// Stop ends the server and removes its folder.
func (s *Server) Stop() error {
	err := s.unwatch()
	if s.process != nil {
		err = errors.Join(err, s.end())
	}
	return errors.Join(err, os.RemoveAll(s.dir))
}

// end asks the server to end, first nicely.
func (s *Server) end() error {
	for _, signal := range []os.Signal{os.Interrupt, os.Kill} {
		if err := s.process.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
			return err
		}
		timer := time.NewTimer(startTimeout / 4)
		select {
		case <-s.ended:
			timer.Stop()
			return nil // how it ended does not matter
		case <-timer.C:
		}
	}
	return errors.New("pgtest: the server does not end")
}

// binaries returns the folder of initdb and postgres.
func binaries(ctx context.Context) (string, error) {
	var folders []string
	if out, err := exec.CommandContext(ctx, "pg_config", "--bindir").Output(); err == nil {
		folders = append(folders, strings.TrimSpace(string(out)))
	}
	installed, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if err != nil {
		return "", err
	}
	slices.Reverse(installed)
	folders = append(folders, installed...)
	if found, err := exec.LookPath("postgres"); err == nil {
		folders = append(folders, filepath.Dir(found))
	}
	for _, folder := range folders {
		if isProgram(filepath.Join(folder, "initdb")) && isProgram(filepath.Join(folder, "postgres")) {
			return folder, nil
		}
	}
	return "", errMissing
}

func isProgram(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

func freePort(ctx context.Context) (string, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close() //nolint:errcheck // only its number is wanted
	tcp, ok := l.Addr().(*net.TCPAddr)
	if !ok {
		return "", errors.New("pgtest: the listener has no port")
	}
	return strconv.Itoa(tcp.Port), nil
}
