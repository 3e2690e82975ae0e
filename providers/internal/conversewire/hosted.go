package conversewire

import (
	"encoding/json"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// startHosted opens the use of a tool that the provider runs itself.
func (d *decoder) startHosted(key int, use *fastjson.Value, kind string) error {
	b, err := d.begin(key, hostedBlock)
	if err != nil {
		return err
	}
	b.id, b.name = wirejson.String(use.Get("toolUseId")), wirejson.String(use.Get("name"))
	if b.name == "" {
		return malformed("a hosted tool without a name")
	}
	dst := events.AppendQuoted([]byte(`{"toolUse":{"toolUseId":`), b.id)
	dst = events.AppendQuoted(append(dst, `,"name":`...), b.name)
	b.head = string(events.AppendQuoted(append(dst, `,"type":`...), kind))
	d.kept += len(b.head)
	d.take(b)
	d.send(events.NewHostedToolStarted(b.index, b.id, b.name))
	return nil
}

// startResult ends the use that the result names. The use may stand in an earlier
// turn: then it is opened here.
func (d *decoder) startResult(key int, result *fastjson.Value) error {
	b, err := d.begin(key, resultBlock)
	if err != nil {
		return err
	}
	id, status, kind := wirejson.String(result.Get("toolUseId")), wirejson.String(result.Get("status")), wirejson.String(result.Get("type"))
	dst := events.AppendQuoted([]byte(`{"toolResult":{"toolUseId":`), id)
	if status != "" {
		dst = events.AppendQuoted(append(dst, `,"status":`...), status)
	}
	if kind != "" {
		dst = events.AppendQuoted(append(dst, `,"type":`...), kind)
	}
	b.head = string(dst)
	d.kept += len(b.head)
	use := d.hostedUse(id)
	if use == nil {
		use = b
		if use.id, use.name = id, kind; kind == "" {
			use.name = "tool"
		}
		d.take(use)
		d.send(events.NewHostedToolStarted(use.index, use.id, use.name))
	}
	use.over = true
	outcome := "ok"
	if status == "error" {
		outcome = status
	}
	d.send(events.NewHostedToolCompleted(use.index, events.HostedTool{
		ID: use.id, Name: use.name, Arguments: use.arguments(), Outcome: outcome,
	}))
	return nil
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

// resultDelta keeps the elements of a result as they come.
func (d *decoder) resultDelta(key int, elements *fastjson.Value) error {
	b := d.find(key)
	if b == nil || b.kind != resultBlock {
		return malformed("a piece of a result that was not begun")
	}
	for _, element := range elements.GetArray() {
		raw := wirejson.Raw(element)
		if !json.Valid([]byte(raw)) {
			return malformed("a block that must go back is not JSON")
		}
		if len(b.text) > 0 {
			b.text = append(b.text, ',')
		}
		b.text = append(b.text, raw...)
		d.kept += len(raw) + 1
	}
	return nil
}
