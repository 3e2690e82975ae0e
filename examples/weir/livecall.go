package main

import (
	"cmp"
	"context"
	"flag"
	"net/http"
	"net/netip"
	"net/url"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/anthropic"
	"github.com/weirsdk/weir/providers/compatible"
	"github.com/weirsdk/weir/providers/ollama"
	"github.com/weirsdk/weir/providers/openai"
	"github.com/weirsdk/weir/providers/openrouter"
	"github.com/weirsdk/weir/request"
)

// parseCall checks what belongs to one call.
func (r *recording) parseCall(fs *flag.FlagSet, files []string, c console) error {
	switch {
	case isSet(fs, "addr"):
		return wrongUsage("record: --addr belongs to --upstream, which is missing")
	case r.target.api == "":
		return wrongUsage("record: --upstream is missing, or --api for one call")
	case len(files) != 1:
		return wrongUsage("record takes one FILE, got %d", len(files))
	}
	r.file = files[0]
	if !isSet(fs, "json") {
		r.json = !c.terminal
	}
	t := &r.target
	if err := checkAPI("record", t.api); err != nil {
		return err
	}
	if t.model == "" {
		return wrongUsage("record: --model is missing")
	}
	t.vendor = cmp.Or(t.vendor, usualVendor(t.api))
	return t.readKey(c)
}

// call makes one live call, prints its events and stores it. The reply is not held
// to the schemas of the request's tools: a stream that is stopped there would be
// recorded in part.
func (r *recording) call(ctx context.Context, c console) error {
	data, err := readInput(r.file, c.in)
	if err != nil {
		return err
	}
	req, err := request.Parse(data)
	if err != nil {
		return badJSON("record: "+r.file, err)
	}
	rt, err := r.transport(c)
	if err != nil {
		return err
	}
	before, err := shelfOf(r.dir)
	if err != nil {
		return err
	}
	base := newUpstream()
	defer base.CloseIdleConnections()
	rt.Base = base
	r.target.client = &http.Client{Transport: rt}
	model, err := openModel(r.target)
	if err != nil {
		return err
	}
	c.tellDefault("record", r.target)
	// Not buffered: the events are shown as they arrive.
	failed, outErr := show(model.Stream(ctx, req), newPrinter(c.out, r.json))
	stored := r.account(rt, before, c)
	switch {
	case outErr != nil:
		return outErr
	case failed:
		return errFailed
	default:
		return stored
	}
}

// readKey takes the key from the environment. Without one only an endpoint of this
// machine is called: elsewhere a refusal would take the place of an earlier recording.
func (t *target) readKey(c console) error {
	address := t.address()
	if address == "" {
		return wrongUsage("record: no address is known for vendor %q; give --base-url", t.vendor)
	}
	name := keyName(t.vendor)
	key, set := c.lookup(name)
	u, err := url.Parse(address)
	if !set && err == nil && !isLoopbackHost(u.Hostname()) {
		return wrongUsage("record: %s is not set; set it to the key, or to nothing for an endpoint that takes none", name)
	}
	t.key = providers.Secret(key)
	return nil
}

// lookup returns a variable of the environment and whether it is set.
func (c console) lookup(name string) (string, bool) {
	if c.env == nil {
		return "", false
	}
	return c.env(name)
}

// usualVendor returns whose an API is, unless told.
func usualVendor(api string) string {
	switch api {
	case "anthropic-messages":
		return anthropic.Provider
	case "ollama-chat":
		return ollama.Provider
	default:
		return openai.Provider
	}
}

// address returns where a call goes, or nothing when nobody said.
func (t *target) address() string {
	switch {
	case t.baseURL != "":
		return t.baseURL
	case t.api == "anthropic-messages":
		return anthropic.DefaultBaseURL
	case t.api == "ollama-chat":
		return ollama.DefaultHost
	case t.vendor == openai.Provider:
		return openai.DefaultBaseURL
	case t.vendor == openrouter.Provider:
		return openrouter.DefaultBaseURL
	}
	config, _ := compatible.Preset(t.vendor)
	return config.BaseURL
}

// isLoopbackHost reports whether a host is this machine by its name.
func isLoopbackHost(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}
