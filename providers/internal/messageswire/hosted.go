package messageswire

import (
	"strings"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// startHosted opens the use of a tool that the provider runs itself
// (server_tool_use, mcp_tool_use).
func (d *decoder) startHosted(b *block, content *fastjson.Value) error {
	b.kind = hostedBlock
	b.input = startInput(content)
	b.raw = head(content)
	d.kept += len(b.input)
	if err := d.checkKept(b.raw + `"input":{}}`); err != nil {
		return err
	}
	b.id, b.name = wirejson.String(content.Get("id")), wirejson.String(content.Get("name"))
	if b.name == "" {
		return malformed("a hosted tool without a name")
	}
	d.take(b)
	d.send(events.NewHostedToolStarted(b.index, b.id, b.name))
	return nil
}

// head returns the members of a hosted tool's block but its input, which may
// come in pieces, without the closing brace.
func head(content *fastjson.Value) string {
	dst := []byte{'{'}
	o, _ := content.Object()
	o.Visit(func(key []byte, v *fastjson.Value) {
		if string(key) == "input" {
			return
		}
		dst = append(events.AppendQuoted(dst, string(key)), ':')
		if string(key) == "type" {
			// It was read before, so that fastjson would write it with Go's escapes.
			dst = events.AppendQuoted(dst, wirejson.String(v))
		} else {
			dst = v.MarshalTo(dst)
		}
		dst = append(dst, ',')
	})
	return string(dst)
}

// hostedResult ends the use that the result names. The use may stand in an
// earlier turn (a paused one, or calls made by the provider's own code): then it
// is opened here.
func (d *decoder) hostedResult(b *block, kind string, content *fastjson.Value) {
	b.kind = opaqueBlock
	id := wirejson.String(content.Get("tool_use_id"))
	use := d.hostedUse(id)
	if use == nil {
		use = b
		use.id, use.name = id, strings.TrimSuffix(kind, "_tool_result")
		d.take(use)
		d.send(events.NewHostedToolStarted(use.index, use.id, use.name))
	}
	use.over = true
	d.send(events.NewHostedToolCompleted(use.index, events.HostedTool{
		ID: use.id, Name: use.name, Arguments: use.arguments(),
		Outcome: outcome(content), Sources: sources(content.Get("content")),
	}))
}

// hostedUse returns the use with the id that has no result yet, or nil.
func (d *decoder) hostedUse(id string) *block {
	for _, b := range d.blocks {
		if b.kind == hostedBlock && b.id == id && !b.over {
			return b
		}
	}
	return nil
}

// outcome is "error" for the error objects of the server tools and for results
// flagged as errors.
func outcome(result *fastjson.Value) string {
	kind, _ := wirejson.Text(result.Get("content", "type"))
	if result.GetBool("is_error") || strings.HasSuffix(string(kind), "_error") {
		return "error"
	}
	return "ok"
}

// sources returns what a search or a fetch found: the parts of a result that
// have a URL.
func sources(content *fastjson.Value) []events.Source {
	if content == nil {
		return nil
	}
	results := []*fastjson.Value{content}
	if content.Type() == fastjson.TypeArray {
		results = content.GetArray()
	}
	var found []events.Source
	for _, r := range results {
		url := wirejson.String(r.Get("url"))
		if url == "" {
			continue
		}
		title := wirejson.String(r.Get("title"))
		if title == "" {
			title = wirejson.String(r.Get("content", "title"))
		}
		found = append(found, events.Source{URL: url, Title: title})
	}
	return found
}
