package main

import (
	"cmp"
	"context"
	"flag"
	"net/http"
	"net/url"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/examples/models"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/anthropic"
	"github.com/weirsdk/weir/providers/bedrock"
	"github.com/weirsdk/weir/providers/cohere"
	"github.com/weirsdk/weir/providers/compatible"
	"github.com/weirsdk/weir/providers/gemini"
	"github.com/weirsdk/weir/providers/ollama"
	"github.com/weirsdk/weir/providers/openai"
	"github.com/weirsdk/weir/providers/openrouter"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
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
	rt, err := r.recorder(c)
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
	var failure *events.Failure
	failed, outErr := show(watch(model.Stream(ctx, req), &failure), newPrinter(c.out, r.json))
	if hint := r.target.missingPath(failure); hint != "" {
		c.say("record: " + hint)
	}
	stored := rt.account(c)
	switch {
	case outErr != nil:
		return outErr
	case failed:
		return errFailed
	default:
		return stored
	}
}

// watch returns a stream that leaves its failure behind.
func watch(s stream.Stream, failure **events.Failure) stream.Stream {
	return func(yield func(events.Event) bool) {
		for ev := range s {
			if f, ok := ev.Failure(); ok {
				*failure = f
			}
			if !yield(ev) {
				return
			}
		}
	}
}

// missingPath says of an address that was given without a path, and where nothing was
// found, which path the usual address has.
func (t *target) missingPath(failure *events.Failure) string {
	if failure == nil || failure.Status != http.StatusNotFound {
		return ""
	}
	given, err := url.Parse(t.baseURL)
	usual, usualErr := url.Parse((&target{api: t.api, vendor: t.vendor}).address())
	if err != nil || usualErr != nil || given.Host == "" || strings.Trim(given.Path, "/") != "" || strings.Trim(usual.Path, "/") == "" {
		return ""
	}
	try := url.URL{Scheme: given.Scheme, Host: given.Host, Path: usual.Path}
	return "--base-url has no path, and the usual address has " + usual.Path + ": try --base-url " + try.String()
}

// readKey takes the key from the environment. Without one only an endpoint of this
// machine is called: elsewhere the answer would be a refusal.
func (t *target) readKey(c console) error {
	if err := t.readAccount(c); err != nil {
		return err
	}
	address := t.address()
	if address == "" {
		return wrongUsage("record: no address of %s is known for vendor %q; give --base-url", t.api, t.vendor)
	}
	name := models.KeyName(t.vendor)
	key, set := c.lookup(name)
	u, err := url.Parse(address)
	if !set && err == nil && !models.IsLoopback(u.Hostname()) {
		return wrongUsage("record: %s is not set; set it to the key, or to nothing for an endpoint that takes none", name)
	}
	t.key = providers.Secret(key)
	return nil
}

// readAccount takes what an address of a vendor holds of the user's own from the
// environment, where that address is to be called.
func (t *target) readAccount(c console) error {
	config, _ := compatible.Preset(t.vendor)
	what := compatible.NeedsAccount(config.Provider)
	if what == "" || t.baseURL != "" || t.hasOneDialect() {
		return nil
	}
	name := models.AccountName(config.Provider)
	if t.account, _ = c.lookup(name); t.account == "" {
		return wrongUsage("record: %s is not set; set it to %s, or give --base-url", name, what)
	}
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
	case "gemini-generate":
		return gemini.Provider
	case "ollama-chat":
		return ollama.Provider
	case "cohere-chat":
		return cohere.Provider
	case "bedrock-converse", "bedrock-invoke":
		return bedrock.Provider
	default:
		return openai.Provider
	}
}

// address returns where a call goes, or nothing when nobody said.
func (t *target) address() string {
	switch {
	case t.baseURL != "":
		return t.baseURL
	case t.onVertex() && t.api == "gemini-generate":
		return vertexExpress
	case t.onVertex():
		return "" // the project in it is the user's own
	case t.hasOneDialect() && t.vendor != usualVendor(t.api):
		return "" // somebody's key goes to nobody else's address
	case t.api == "anthropic-messages":
		return anthropic.DefaultBaseURL
	case t.api == "gemini-generate":
		return gemini.DefaultBaseURL
	case t.api == "ollama-chat":
		return ollama.DefaultHost
	case t.api == "cohere-chat":
		return cohere.DefaultBaseURL
	case t.api == "bedrock-converse", t.api == "bedrock-invoke":
		return "https://bedrock-runtime." + bedrockRegion + ".amazonaws.com"
	case t.vendor == openai.Provider:
		return openai.DefaultBaseURL
	case t.vendor == openrouter.Provider:
		return openrouter.DefaultBaseURL
	}
	config, _ := compatible.Preset(t.vendor)
	if compatible.NeedsAccount(t.vendor) == "" {
		return config.BaseURL
	}
	if t.account == "" {
		return "" // the account in it is the user's own
	}
	return strings.ReplaceAll(config.BaseURL, "{account}", t.account)
}
