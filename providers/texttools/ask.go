package texttools

import (
	"slices"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// The words of the language.
const (
	wordCall   = "tool_call"
	wordResult = "tool_result"
	wordError  = "tool_error"
)

// An asked is a request put into words.
type asked struct {
	request request.Request
	names   request.Names
	notices []events.NoticeInfo
	// spoken: something was put into words. The reply is the inner model's otherwise.
	spoken bool
	// listen: the text of the reply may hold calls.
	listen bool
	// firstMinted is the n of the first id of the reply.
	firstMinted int
}

// prepare puts the tools of a request into words. The request is not written to.
func prepare(req request.Request) (asked, error) {
	if len(req.Tools) == 0 && !hasCalls(req.Messages) {
		return asked{request: req, firstMinted: 1}, nil
	}
	p, err := check(req)
	if err != nil {
		return asked{}, err
	}
	a := asked{request: req, names: p.Names, spoken: true, firstMinted: p.FirstMinted}
	for _, n := range p.Notices {
		if n.Code == events.NoticeForeignDropped { // the rest the inner model tells
			a.notices = append(a.notices, n)
		}
	}
	a.listen = len(req.Tools) > 0 && req.ToolChoice.Mode != request.ToolNone
	if a.listen && !req.Answer.IsZero() {
		words, err := request.Request{
			System: req.System, Messages: []request.Message{request.UserText("-")}, Answer: req.Answer, Strict: req.Strict,
		}.Prepare(request.Target{Spec: request.Spec{StructuredAnswer: request.No}})
		if err != nil {
			return asked{}, err
		}
		a.request.System, a.request.Answer = words.Request.System, request.Answer{}
		a.notices = append(a.notices, words.Notices...)
	}
	a.request.System = joinText(a.request.System, "\n\n", instruction(req, p.Names))
	a.request.Messages = spell(req.Messages, p.Names)
	a.request.Tools, a.request.ToolChoice, a.request.Parallel = nil, request.ToolChoice{}, nil
	if req.ToolChoice.Mode == request.ToolNone {
		a.request.HostedTools = nil
	}
	// The tools are at the end of the system prompt, and so is a marker after them.
	if a.request.Cache.System == "" {
		a.request.Cache.System = a.request.Cache.Tools
	}
	a.request.Cache.Tools = ""
	return a, nil
}

// check finds what is wrong with a request beside what only the inner model can
// know: its provider's data in turns and its own tools, what it lacks.
func check(req request.Request) (request.Prepared, error) {
	req.HostedTools = nil
	req.Messages = slices.Clone(req.Messages)
	for i, m := range req.Messages {
		req.Messages[i].Data = events.ProviderData{}
		if m.Data.Value != "" && len(m.Blocks) == 0 {
			req.Messages[i].Blocks = []request.Block{request.Text("-")} // its data is its content
		}
	}
	return req.Prepare(request.Target{Cites: true, Spec: request.Spec{Tools: request.Yes, ToolChoice: request.Yes, ParallelTools: request.Yes}})
}

func hasCalls(messages []request.Message) bool {
	return slices.ContainsFunc(messages, func(m request.Message) bool {
		return slices.ContainsFunc(m.Blocks, func(b request.Block) bool {
			return b.Kind == request.BlockToolCall || b.Kind == request.BlockToolResult
		})
	})
}

// joinText returns the texts that are not empty, with sep between them.
func joinText(a, sep, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + sep + b
}

// instruction tells the tools and how to call them.
func instruction(req request.Request, names request.Names) string {
	if len(req.Tools) == 0 || req.ToolChoice.Mode == request.ToolNone {
		return "No tool can be called now: answer without a block of " + wordCall + "."
	}
	var b strings.Builder
	b.WriteString("You have tools. To call one, write a block like this, each fence on a line of its own:\n\n" +
		"```" + wordCall + " NAME_OF_THE_TOOL\n{\"argument\": \"value\"}\n```\n\n" +
		"Inside is one JSON object: the arguments, by the JSON Schema of the tool; {} for none. ")
	if req.Parallel != nil && !*req.Parallel {
		b.WriteString("Write one block at most")
	} else {
		b.WriteString("To call several tools, write several blocks")
	}
	b.WriteString(", then stop: the results come in the next message, in the order of the calls, as blocks of " +
		wordResult + ", or of " + wordError + " where the tool failed. Never write such a block yourself. ")
	switch req.ToolChoice.Mode {
	case request.ToolRequired:
		b.WriteString("You must call a tool now.")
	case request.ToolNamed:
		b.WriteString("You must call the tool " + names.Wire(req.ToolChoice.Name) + " now.")
	default:
		b.WriteString("When you need no tool, answer without a block.")
	}
	b.WriteString("\n\nThe tools:")
	for _, t := range req.Tools {
		b.WriteString("\n\nTool " + names.Wire(t.Name()) + "\n")
		if text := t.Description(); text != "" {
			b.WriteString(text + "\n")
		}
		b.WriteString("JSON Schema of the arguments: " + t.Schema())
	}
	return b.String()
}
