package geminiwire

import (
	"encoding/json"

	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// codeTool is the name of the tool that runs code, as a request names it.
const codeTool = "code_execution"

// A hostedUse is the use of a tool that the provider runs itself, and that is not
// over.
type hostedUse struct {
	index               int
	id, name, arguments string
}

// use opens the use of a hosted tool.
func (d *decoder) use(id, name, arguments string) {
	if !json.Valid([]byte(arguments)) {
		arguments = ""
	}
	u := &hostedUse{d.take(), id, name, arguments}
	d.hosted = append(d.hosted, u)
	d.send(events.NewHostedToolStarted(u.index, id, name))
}

// used ends the use with the id, or, without one, the one that was opened last. A
// result alone is a use too.
func (d *decoder) used(id, name, outcome string) {
	at := len(d.hosted) - 1
	for at >= 0 && id != "" && d.hosted[at].id != id {
		at--
	}
	if at < 0 {
		d.use(id, name, "")
		at = len(d.hosted) - 1
	}
	u := d.hosted[at]
	d.hosted = append(d.hosted[:at:at], d.hosted[at+1:]...)
	d.send(events.NewHostedToolCompleted(u.index, events.HostedTool{
		ID: u.id, Name: u.name, Arguments: u.arguments, Outcome: outcome,
	}))
}

// runCode takes code that the provider runs.
func (d *decoder) runCode(v *fastjson.Value) error {
	arguments := wirejson.Raw(v)
	d.use(wirejson.String(v.Get("id")), codeTool, arguments)
	return nil
}

func (d *decoder) codeRan(v *fastjson.Value) error {
	outcome := "error"
	if word := wordOf(v.Get("outcome")); word == "OUTCOME_OK" || word == "1" {
		outcome = "ok"
	}
	d.used(wirejson.String(v.Get("id")), codeTool, outcome)
	return nil
}

// serverTool takes the use of any other tool of the provider's.
func (d *decoder) serverTool(v *fastjson.Value) error {
	arguments := wirejson.Raw(v.Get("args"))
	name := wirejson.String(v.Get("toolType"))
	if name == "" {
		return malformed("a hosted tool without a name")
	}
	d.use(wirejson.String(v.Get("id")), name, arguments)
	return nil
}

func (d *decoder) serverToolRan(v *fastjson.Value) error {
	name := wirejson.String(v.Get("toolType"))
	if name == "" {
		name = "tool"
	}
	d.used(wirejson.String(v.Get("id")), name, "")
	return nil
}
