package chatwire

import (
	"cmp"
	"encoding/base64"
	"encoding/json"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// A use is the use of a tool that the provider ran itself.
type use struct {
	wire  int // the provider's index
	index int
	tool  events.HostedTool
	over  bool
}

// What is read of the tools of one reply; more is left out.
const (
	maxUses        = 256
	maxPieces      = 256 // of media
	maxSources     = 256 // of one use
	maxSourceBytes = 1 << 20
)

// readExecuted reads executed_tools: Groq's compound systems, and gpt-oss there, run
// tools themselves. A use is announced with its arguments and without results, and
// told again, whole, when it is over; some come once (recordings of
// github.com/pydantic/pydantic-ai, tests/models/cassettes/test_groq; the members:
// github.com/groq/groq-python, chat_completion_message.py, both read 2026-12-01).
func (d *decoder) readExecuted(list []*fastjson.Value) error {
	for _, v := range list {
		if v.Type() != fastjson.TypeObject {
			return malformed("an executed tool is no JSON object")
		}
		u := d.useOf(v)
		if u == nil || u.over {
			continue
		}
		u.tool.Sources = append(u.tool.Sources, d.sourcesOf(v)...)
		if len(u.tool.Sources) > 0 || len(v.GetStringBytes("output")) > 0 || len(v.GetArray("code_results")) > 0 {
			d.useOver(u)
			d.readCodeResults(v.GetArray("code_results"))
		}
	}
	if d.finished {
		d.endUses()
	}
	return nil
}

// useOf returns the use that an element tells of, a new one when it begins one, or nil
// when there are too many.
func (d *decoder) useOf(v *fastjson.Value) *use {
	wire, name, arguments := v.GetInt("index"), wirejson.String(v.Get("type")), wirejson.String(v.Get("arguments"))
	if name == "" || name == "function" {
		// That a tool may have its name beside the type is not confirmed.
		name = cmp.Or(wirejson.String(v.Get("name")), name, "tool")
	}
	for i := range d.uses {
		// An index that comes again with other arguments is another use.
		if u := &d.uses[i]; u.wire == wire && u.tool.Name == name && u.tool.Arguments == arguments {
			return u
		}
	}
	if len(d.uses) >= maxUses || len(arguments) > maxArguments {
		d.passOver("a tool of the provider's beyond what is read of one reply")
		return nil
	}
	d.uses = append(d.uses, use{wire: wire, index: d.takeIndex(), tool: events.HostedTool{Name: name, Arguments: arguments}})
	u := &d.uses[len(d.uses)-1]
	d.send(events.NewHostedToolStarted(u.index, "", name))
	return u
}

// useOver ends a use. Nothing says whether it went well.
func (d *decoder) useOver(u *use) {
	u.over = true
	if text := u.tool.Arguments; text != "" && !json.Valid([]byte(text)) {
		u.tool.Arguments = quoted(text) // code, for instance: an event has JSON
	}
	d.send(events.NewHostedToolCompleted(u.index, u.tool))
}

// endUses ends those that nothing more was told of.
func (d *decoder) endUses() {
	for i := range d.uses {
		if u := &d.uses[i]; !u.over {
			d.useOver(u)
		}
	}
}

// sourcesOf returns what a search found and which pages were visited.
func (d *decoder) sourcesOf(v *fastjson.Value) []events.Source {
	var found []events.Source
	for _, list := range [][]*fastjson.Value{v.GetArray("search_results", "results"), v.GetArray("browser_results")} {
		for _, r := range list {
			s := events.Source{
				URL: wirejson.String(r.Get("url")), Title: wirejson.String(r.Get("title")),
				Snippet: events.CutText(wirejson.String(r.Get("content")), events.MaxDetail),
			}
			size := len(s.URL) + len(s.Title) + len(s.Snippet)
			if size == 0 || len(found) >= maxSources || d.sourceBytes+size > maxSourceBytes {
				continue
			}
			d.sourceBytes += size
			found = append(found, s)
		}
	}
	return found
}

// readCodeResults sends the pictures that code drew.
func (d *decoder) readCodeResults(list []*fastjson.Value) {
	for _, r := range list {
		if png, ok := wirejson.Text(r.Get("png")); ok && len(png) > 0 {
			d.sendMedia("image/png", png)
		}
	}
}

// sendMedia sends what comes as base64. What cannot be read costs no reply, which was
// paid for: it is told.
func (d *decoder) sendMedia(mediaType string, text []byte) {
	data := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Decode(data, text)
	if err != nil || n == 0 {
		d.passOver("media that is not base64")
		return
	}
	d.media++
	if d.mediaBytes+n > maxMedia || d.media > maxPieces {
		d.passOver("media above 64 MiB, or more than 256 pieces of it")
		return
	}
	d.mediaBytes += n
	d.send(events.NewMediaCompleted(d.takeIndex(), mediaType, data[:n]))
}
