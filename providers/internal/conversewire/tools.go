package conversewire

import (
	"slices"

	"github.com/weirsdk/weir/request"
)

// goneTool describes a tool of the history that may not be called any more.
const goneTool = "This tool is not available any more. Do not call it."

// toolConfig appends the tools and the choice among them.
//
// The wire has no word for a choice of none, and refuses a history with calls in a
// request without tools (vercel/ai pull request 7537, onyx-dot-app/onyx issue 7842,
// read 2026-12-01). So where no tool may be called, those of the history are
// declared as gone, and no others.
func (e *encoder) toolConfig(r *request.Request, system []string) {
	tools := r.Tools
	var gone []string
	if len(tools) == 0 || r.ToolChoice.Mode == request.ToolNone {
		tools, system, gone = nil, systemTools(r, system), called(r.Messages)
	}
	if len(tools)+len(system)+len(gone)+len(r.HostedTools) == 0 {
		return
	}
	e.dst = append(e.dst, `,"toolConfig":{"tools":[`...)
	for _, t := range tools {
		e.tool(t.Name(), t.Description(), t.Schema())
	}
	for _, name := range gone {
		e.tool(name, goneTool, `{"type":"object","properties":{}}`)
	}
	for _, name := range system {
		e.element()
		e.dst = append(e.dst, `{"systemTool":{"name":`...)
		e.str(name)
		e.dst = append(e.dst, `}}`...)
	}
	for _, h := range r.HostedTools {
		e.element()
		e.dst = append(e.dst, h.Raw...)
	}
	e.dst = append(append(e.dst, cachePoint(r.Cache.Tools)...), ']')
	switch {
	case len(tools) == 0:
	case r.ToolChoice.Mode == request.ToolRequired:
		e.dst = append(e.dst, `,"toolChoice":{"any":{}}`...)
	case r.ToolChoice.Mode == request.ToolNamed:
		e.dst = append(e.dst, `,"toolChoice":{"tool":{"name":`...)
		e.str(e.names.Wire(r.ToolChoice.Name))
		e.dst = append(e.dst, `}}`...)
	}
	e.dst = append(e.dst, '}')
}

// systemTools returns the provider's own tools, none where none may be called.
func systemTools(r *request.Request, system []string) []string {
	if r.ToolChoice.Mode == request.ToolNone {
		return nil
	}
	return system
}

func (e *encoder) tool(name, description, schema string) {
	e.element()
	e.dst = append(e.dst, `{"toolSpec":{"name":`...)
	e.str(e.names.Wire(name))
	if description != "" {
		e.dst = append(e.dst, `,"description":`...)
		e.str(description)
	}
	e.dst = append(append(append(e.dst, `,"inputSchema":{"json":`...), schema...), `}}}`...)
}

// called returns the names of the tools that a history calls, each once.
func called(messages []request.Message) []string {
	var names []string
	for _, m := range messages {
		for _, b := range m.Blocks {
			if b.Kind == request.BlockToolCall && !slices.Contains(names, b.Call.Name) {
				names = append(names, b.Call.Name)
			}
		}
	}
	return names
}
