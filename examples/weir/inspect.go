package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
	"github.com/weirsdk/weir/validator"
)

// An inspection is what inspect was asked to do.
type inspection struct {
	api, vendor string
	tape        tape
	tools       []request.Tool
	json        bool
}

// inspect plays a recorded response through the real adapter and prints the
// events, and last the reply.
func inspect(ctx context.Context, args []string, c console) error {
	in, err := parseInspect(args, c)
	if err != nil {
		return err
	}
	t := target{api: in.api, vendor: in.vendor, model: "recorded", client: &http.Client{Transport: in.tape}}
	model, err := openModel(t)
	if err != nil {
		return err
	}
	c.tellDefault("inspect", t)
	req := request.Request{Messages: []request.Message{request.UserText("inspect")}, Tools: in.tools}
	s := model.Stream(ctx, req)
	if len(in.tools) > 0 {
		s = validator.Guard(s, validator.ForRequest(req))
	}
	out := bufio.NewWriter(c.out)
	failed, err := show(s, newPrinter(out, in.json))
	if err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if failed {
		return errFailed
	}
	return nil
}

// A printer prints the events of a stream and the reply they fold into.
type printer interface {
	event(events.Event) error
	reply(*stream.Reply) error
}

func newPrinter(w io.Writer, asJSON bool) printer {
	if asJSON {
		return jsonLines{w}
	}
	return &table{w: w}
}

// show prints a stream and reports whether it failed.
func show(s stream.Stream, p printer) (failed bool, err error) {
	var reply stream.Reply
	for ev := range s {
		reply.Add(ev)
		if err := p.event(ev); err != nil {
			return false, err
		}
	}
	return reply.Err() != nil, p.reply(&reply)
}

// jsonLines prints the canonical JSON, one object a line.
type jsonLines struct{ w io.Writer }

func (j jsonLines) event(ev events.Event) error {
	_, err := j.w.Write(append(events.AppendJSON(nil, ev), '\n'))
	return err
}

func (j jsonLines) reply(r *stream.Reply) error {
	_, err := j.w.Write(append(stream.AppendReplyJSON(nil, r), '\n'))
	return err
}

// parseInspect reads the flags and the files that they name.
func parseInspect(args []string, c console) (inspection, error) {
	fs := newFlags("inspect")
	in := inspection{tape: tape{header: http.Header{}}}
	fs.StringVar(&in.api, "api", "", "")
	fs.StringVar(&in.vendor, "vendor", "", "")
	fs.IntVar(&in.tape.status, "status", http.StatusOK, "")
	fs.Var(headerFlag{in.tape.header}, "header", "")
	fs.BoolVar(&in.tape.raw, "http", false, "")
	fs.IntVar(&in.tape.split, "split", 0, "")
	fs.IntVar(&in.tape.cut, "cut", -1, "")
	fs.BoolVar(&in.tape.reset, "reset", false, "")
	fs.BoolVar(&in.json, "json", !c.terminal, "")
	tools := fs.String("tools", "", "")
	file, err := parseFlags(fs, args)
	if err != nil {
		return in, err
	}
	if err := checkInspect(fs, in); err != nil {
		return in, err
	}
	if *tools != "" {
		if in.tools, err = readTools(*tools, c.in); err != nil {
			return in, err
		}
	}
	if in.tape.body, err = readInput(file, c.in); err != nil {
		return in, err
	}
	err = in.prepareTape(file)
	return in, err
}

// checkInspect checks what the flags say together.
func checkInspect(fs *flag.FlagSet, in inspection) error {
	if err := checkAPI("inspect", in.api); err != nil {
		return err
	}
	t := in.tape
	switch {
	case t.raw && (isSet(fs, "status") || isSet(fs, "header")):
		return wrongUsage("inspect: --http takes status and headers from FILE; leave --status and --header out")
	case t.status < 100 || t.status > 999:
		return wrongUsage("inspect: --status %d is no HTTP status", t.status)
	case isSet(fs, "split") && t.split < 1:
		return wrongUsage("inspect: --split needs at least one byte a read")
	case isSet(fs, "cut") && t.cut < 0:
		return wrongUsage("inspect: --cut needs a number of bytes, 0 or more")
	}
	return nil
}

// prepareTape adds the usual Content-Type, frames what is written as text, and checks a
// raw response.
func (in *inspection) prepareTape(file string) error {
	if in.tape.raw {
		resp, err := in.tape.response(nil)
		if err != nil {
			return wrongUsage("inspect: %s is no raw HTTP/1.1 response: %s", file, err)
		}
		_ = resp.Body.Close() // it drains the body, whose end may be the fault to play
		return nil
	}
	if in.tape.header.Get("Content-Type") == "" {
		in.tape.header.Set("Content-Type", contentType(in.api, in.tape.status))
	}
	if in.tape.header.Get("Content-Type") == eventStream {
		in.tape.body = framed(in.tape.body)
	}
	return nil
}

// A headerFlag adds each --header 'Name: value' to a header.
type headerFlag struct{ header http.Header }

func (h headerFlag) String() string { return "" }

func (h headerFlag) Set(line string) error {
	name, value, ok := strings.Cut(line, ":")
	if name = strings.TrimSpace(name); !ok || name == "" {
		return fmt.Errorf("want 'Name: value'")
	}
	h.header.Add(name, strings.TrimSpace(value))
	return nil
}
