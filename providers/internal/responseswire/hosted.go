package responseswire

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// hostedAdded opens the use of a tool that the provider runs itself.
func (d *decoder) hostedAdded(it *item, v *fastjson.Value) {
	if it.index < 0 {
		it.index, it.name = d.takeIndex(), d.profile.hostedName(v)
		d.send(events.NewHostedToolStarted(it.index, it.id, it.name))
	}
}

// hostedName is the name of the tool: that of an MCP server's tool, else the type of
// the item without "_call" and without what marks the host's own.
func (p Profile) hostedName(v *fastjson.Value) string {
	kind := wirejson.String(v.Get("type"))
	if name := wirejson.String(v.Get("name")); kind == "mcp_call" && name != "" {
		return name
	}
	name := strings.TrimSuffix(kind, "_call")
	if p.isOwn(kind) {
		name = strings.TrimSuffix(strings.TrimPrefix(kind, p.HostedPrefix), p.HostedResults)
	}
	return cmp.Or(name, kind)
}

// hostedDone ends the use of a hosted tool, whose item says all of it: what was
// asked and how it went. raw is the item as it came.
func (d *decoder) hostedDone(it *item, v *fastjson.Value, raw string) {
	d.hostedAdded(it, v)
	h := events.HostedTool{ID: it.id, Name: it.name, Outcome: outcome(v), Sources: sources(v)}
	if kind := wirejson.String(v.Get("type")); h.Outcome == "" && d.profile.HostedResults != "" && d.profile.isOwn(kind) {
		h.Outcome = "ok" // results are what came of it
	}
	// Read from the raw text: what was looked into is no longer written as it came.
	h.Arguments = hostedArguments(raw)
	d.send(events.NewHostedToolCompleted(it.index, h))
	if it.name == "image_generation" {
		d.image(v)
	}
}

// hostedArguments returns what the tool was asked, as JSON: its arguments, or the
// member that stands for them.
func hostedArguments(raw string) string {
	var o wirejson.Object
	if o.Merge(raw) != nil {
		return ""
	}
	for _, name := range []string{"arguments", "action", "operation"} {
		value, ok := o.Get(name)
		var text string
		isText := json.Unmarshal([]byte(value), &text) == nil && value != "null"
		switch {
		case !ok || value == "null":
		case isText && json.Valid([]byte(text)):
			return text // else it is the JSON of a text
		default:
			return value
		}
	}
	for _, name := range []string{"actions", "queries", "code", "revised_prompt"} {
		if value, ok := o.Get(name); ok && value != "null" {
			return `{"` + name + `":` + value + `}`
		}
	}
	return ""
}

// outcome is "error" for a use that failed, "ok" for one that the provider says it
// has run, and empty otherwise: a local shell, a patch, a question for approval or a
// search for tools whose execution is "client" is the client's to answer.
func outcome(v *fastjson.Value) string {
	if isSet(v.Get("error")) {
		return "error"
	}
	if wirejson.String(v.Get("execution")) == "client" {
		return ""
	}
	switch status, _ := wirejson.Text(v.Get("status")); string(status) {
	case "completed":
		switch kind, _ := wirejson.Text(v.Get("type")); string(kind) {
		case "local_shell_call", "shell_call", "apply_patch_call", "computer_call":
			return ""
		default:
			return "ok"
		}
	case "failed", "incomplete":
		return "error"
	default:
		return ""
	}
}

// sources returns what a search found: the sources and the page of a web search's
// action, and the results of a file search, where they were asked for, or of a search
// that tells them all.
func sources(v *fastjson.Value) []events.Source {
	var found []events.Source
	add := func(s events.Source) {
		if s != (events.Source{}) {
			found = append(found, s)
		}
	}
	for _, s := range v.GetArray("action", "sources") {
		add(events.Source{URL: wirejson.String(s.Get("url")), Title: wirejson.String(s.Get("title"))})
	}
	if len(found) == 0 {
		add(events.Source{URL: wirejson.String(v.Get("action", "url"))})
	}
	for _, r := range slices.Concat(v.GetArray("results"), v.GetArray("contents")) {
		add(events.Source{
			URL:     wirejson.String(r.Get("url")),
			Title:   cmp.Or(wirejson.String(r.Get("filename")), wirejson.String(r.Get("title"))),
			Snippet: cmp.Or(wirejson.String(r.Get("text")), wirejson.String(r.Get("snippet"))),
		})
	}
	return found
}

// image emits a generated image. One that cannot be read costs no reply, which was
// paid for: it is told.
func (d *decoder) image(v *fastjson.Value) {
	text, _ := wirejson.Text(v.Get("result"))
	if len(text) == 0 {
		return
	}
	data := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Decode(data, text)
	if err != nil {
		d.passOver("an image that is not base64")
		return
	}
	format := wirejson.String(v.Get("output_format"))
	if format == "" {
		format = "png" // what the tool makes unless told
	}
	d.send(events.NewMediaCompleted(d.takeIndex(), "image/"+format, data[:n]))
}
