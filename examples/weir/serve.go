package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/replay/wire"
)

// A mock is what serve was asked to do.
type mock struct {
	dir, addr string
	json      bool
	server    wire.Server
}

// serve answers with recordings until it is interrupted.
func serve(ctx context.Context, args []string, c console) error {
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	c = c.shared()
	m := new(mock)
	if err := m.parse(args); err != nil {
		return err
	}
	recordings, err := loadRecordings(m.dir)
	if err != nil {
		return err
	}
	m.server.Recordings = recordings
	at, err := listen(ctx, "serve", m.addr)
	if err != nil {
		return err
	}
	m.warn(at, c)
	if err := m.announce(at, c); err != nil {
		_ = at.listener.Close()
		return err
	}
	if err := at.answer(ctx, c, &m.server); err != nil {
		return err
	}
	for _, name := range m.server.Unused() {
		c.say("serve: never served: " + name)
	}
	return nil
}

// loadRecordings reads the folder that --dir names.
func loadRecordings(dir string) (*wire.Recordings, error) {
	// The errors of os.DirFS do not say which folder it is.
	if info, err := os.Stat(dir); err != nil {
		return nil, wrongUsage("serve: --dir: %s", err)
	} else if !info.IsDir() {
		return nil, wrongUsage("serve: --dir %s is no folder", word(dir))
	}
	recordings, err := wire.Load(os.DirFS(dir))
	if err != nil {
		return nil, wrongUsage("serve: --dir %s: %s", word(dir), detailOf(err))
	}
	if instead := recordings.Instead(); instead != "" {
		return nil, wrongUsage("serve: --dir %s: no recordings: %s", word(dir), instead)
	}
	return recordings, nil
}

// detailOf returns what a failure says, without its kind.
func detailOf(err error) string {
	if f, ok := events.AsFailure(err); ok {
		return f.Detail
	}
	return err.Error()
}

// warn says what is allowed and rarely meant.
func (m *mock) warn(at *address, c console) {
	if !at.isLoopback() {
		c.say("serve: " + at.listener.Addr().String() + " is not loopback: whoever reaches it can read the recordings")
	}
	if len(m.server.Recordings.Names()) == 0 {
		c.say("serve: no recordings in " + word(m.dir) + ": every request is answered with 404")
	}
}

func (m *mock) announce(at *address, c console) error {
	n := len(m.server.Recordings.Names())
	noun := "recordings"
	if n == 1 {
		noun = "recording"
	}
	var object any
	if m.json {
		object = struct {
			URL        string `json:"url"`
			Recordings int    `json:"recordings"`
		}{at.url(), n}
	}
	return at.announce(c.out, fmt.Sprintf("serves %d %s of %s", n, noun, word(m.dir)), object)
}

// parse reads the flags.
func (m *mock) parse(args []string) error {
	fs := newFlags("serve")
	fs.StringVar(&m.dir, "dir", "", "")
	fs.StringVar(&m.addr, "addr", loopback, "")
	fs.BoolVar(&m.json, "json", false, "")
	fs.BoolVar(&m.server.Any, "any", false, "")
	fs.BoolVar(&m.server.Repeat, "repeat", true, "")
	fs.BoolVar(&m.server.Pace, "pace", true, "")
	reset := fs.Bool("reset", false, "")
	for _, name := range []string{"cut", "stall", "split", "status", "times"} {
		fs.Var(new(faultNumber), name, "")
	}
	files, err := parseArgs(fs, args)
	switch {
	case err != nil:
		return err
	case len(files) > 0:
		return wrongUsage("serve takes no FILE, got %s", word(files[0]))
	case m.dir == "":
		return wrongUsage("serve: --dir is missing")
	}
	m.server.Fault, err = wire.ParseFault(faultText(fs, *reset))
	if err != nil {
		return wrongUsage("serve: %s; weir help serve lists the flags", detailOf(err))
	}
	return nil
}

// A faultNumber is a flag that wire.ParseFault reads, as it does the header's.
type faultNumber string

func (n *faultNumber) String() string { return string(*n) }

func (n *faultNumber) Set(text string) error {
	if strings.Contains(text, ",") {
		return errors.New("want one number")
	}
	*n = faultNumber(text)
	return nil
}

// faultText returns the faults that were ordered as the header spells them.
func faultText(fs *flag.FlagSet, reset bool) string {
	var words []string
	fs.Visit(func(f *flag.Flag) {
		switch f.Name {
		case "cut", "stall", "split", "status", "times":
			words = append(words, f.Name+"="+f.Value.String())
		}
	})
	if reset {
		words = append(words, "reset")
	}
	return strings.Join(words, ",")
}
