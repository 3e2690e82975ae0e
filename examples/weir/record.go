package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/weirsdk/weir/examples/models"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/replay/wire"
)

// A recording is what record was asked to do.
type recording struct {
	dir  string
	keep names
	// secrets are values that stand where nothing says what they are.
	secrets []providers.Secret
	timing  bool
	// json: the lines are JSON.
	json bool
	// addr and upstream are for the proxy; upstream is nil for one call.
	addr     string
	upstream *url.URL
	// target and file are for one call.
	target target
	file   string
}

// record records one call, or whatever other programs call through it.
func record(ctx context.Context, args []string, c console) error {
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	c = c.shared()
	r, err := parseRecord(args, c)
	if err != nil {
		return err
	}
	if r.upstream == nil {
		return r.call(ctx, c)
	}
	return r.proxy(ctx, c)
}

// A recorder is what records, and how much it has stored.
type recorder struct {
	*wire.Transport
	stored atomic.Int64
}

// recorder returns what records and tells of each file, and opens the folder, so that
// a call that cannot be stored is not made.
func (r *recording) recorder(c console) (*recorder, error) {
	if err := os.MkdirAll(r.dir, 0o700); err != nil {
		return nil, wrongUsage("record: --dir: %s", err)
	}
	rec := new(recorder)
	rec.Transport = &wire.Transport{
		Mode: wire.Record, Dir: r.dir, Keep: r.keep, Timing: r.timing, Secrets: r.secrets,
		OnError: func(err error) { c.say("record: " + detailOf(err)) },
		OnStored: func(name string) {
			rec.stored.Add(1)
			file := filepath.Join(r.dir, name)
			c.say("record: stored: " + file + instead(file))
		},
	}
	return rec, nil
}

// proxy records what other programs call, until it is interrupted.
func (r *recording) proxy(ctx context.Context, c console) error {
	rt, err := r.recorder(c)
	if err != nil {
		return err
	}
	base := newUpstream()
	defer base.CloseIdleConnections()
	rt.Base = base
	at, err := listen(ctx, "record", r.addr)
	if err != nil {
		return err
	}
	r.warn(at, c)
	if err := r.announce(at, c); err != nil {
		_ = at.listener.Close()
		return err
	}
	if err := at.answer(ctx, c, proxy{r.upstream, rt, c}.handler()); err != nil {
		return err
	}
	return rt.account(c)
}

// account says when nothing was stored, and fails when something should have been.
func (rec *recorder) account(c console) error {
	switch {
	case rec.Err() != nil:
		return errFailed
	case rec.stored.Load() == 0:
		c.say("record: nothing was sent, so nothing was stored")
	}
	return nil
}

// warn says what is allowed and rarely meant.
func (r *recording) warn(at *address, c console) {
	if !at.isLoopback() {
		c.say("record: " + at.listener.Addr().String() + " is not loopback: whoever reaches it calls " + r.upstream.Host + " through it, and is recorded")
	}
	if r.upstream.Scheme == "http" && !models.IsLoopback(r.upstream.Hostname()) {
		c.say("record: " + r.upstream.Host + " is called over plain http: credentials can be read on the way")
	}
}

func (r *recording) announce(at *address, c console) error {
	var object any
	if r.json {
		object = struct {
			URL      string `json:"url"`
			Upstream string `json:"upstream"`
			Dir      string `json:"dir"`
		}{at.url(), r.upstream.String(), r.dir}
	}
	return at.announce(c.out, fmt.Sprintf("records %s in %s", r.upstream, word(r.dir)), object)
}

// names are those of a flag that is given for each.
type names []string

func (n *names) String() string { return strings.Join(*n, ",") }

func (n *names) Set(name string) error {
	if name == "" {
		return errors.New("want a name")
	}
	*n = append(*n, name)
	return nil
}

// parseRecord reads the flags, and finds out which of the two is meant.
func parseRecord(args []string, c console) (*recording, error) {
	fs := newFlags("record")
	r := new(recording)
	fs.StringVar(&r.dir, "dir", "", "")
	fs.Var(&r.keep, "keep", "")
	var variables names
	fs.Var(&variables, "secret", "")
	fs.BoolVar(&r.timing, "timing", false, "")
	fs.BoolVar(&r.json, "json", false, "")
	fs.StringVar(&r.addr, "addr", loopback, "")
	upstream := fs.String("upstream", "", "")
	fs.StringVar(&r.target.api, "api", "", "")
	fs.StringVar(&r.target.vendor, "vendor", "", "")
	fs.StringVar(&r.target.model, "model", "", "")
	fs.StringVar(&r.target.baseURL, "base-url", "", "")
	files, err := parseArgs(fs, args)
	if err != nil {
		return nil, err
	}
	if r.secrets, err = secretsOf(variables, c); err != nil {
		return nil, err
	}
	switch {
	case r.dir == "":
		return nil, wrongUsage("record: --dir is missing")
	case isSet(fs, "upstream"):
		return r, r.parseProxy(fs, *upstream, files)
	default:
		return r, r.parseCall(fs, files, c)
	}
}

// shortestSecret is the fewest bytes that a recorder looks for: those of
// wire.Transport.Secrets.
const shortestSecret = 4

// secretsOf returns the values of variables of the environment. What cannot be used is
// not repeated: it may be the secret itself.
func secretsOf(variables names, c console) ([]providers.Secret, error) {
	var secrets []providers.Secret
	for _, name := range variables {
		value := ""
		if c.env != nil {
			value, _ = c.env(name)
		}
		if len(value) < shortestSecret {
			return nil, wrongUsage("record: --secret takes the name of a variable of the environment, and what was given "+
				"names none of at least %d bytes", shortestSecret)
		}
		secrets = append(secrets, providers.Secret(value))
	}
	return secrets, nil
}

// parseProxy checks what belongs to the proxy.
func (r *recording) parseProxy(fs *flag.FlagSet, upstream string, files []string) error {
	for _, name := range []string{"api", "vendor", "model", "base-url"} {
		if isSet(fs, name) {
			return wrongUsage("record: --%s is for one call, --upstream for the calls of other programs; leave one out", name)
		}
	}
	if len(files) > 0 {
		return wrongUsage("record: --upstream records the calls of other programs and takes no FILE, got %s", word(files[0]))
	}
	var err error
	r.upstream, err = parseUpstream(upstream)
	return err
}

// parseUpstream reads the address. What may hold a credential is refused, and is
// not repeated.
func parseUpstream(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return nil, wrongUsage("record: --upstream cannot be read; it is like https://api.example.com")
	case u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, wrongUsage("record: --upstream holds more than scheme, host and path; credentials come with the requests")
	}
	return u, nil
}
