package request

import (
	"strconv"

	"github.com/weirsdk/weir/events"
)

// Bounds of a conversation.
const (
	// MaxMessages is the most messages of a request.
	MaxMessages = 4096
	// MaxBlocks is the most blocks of a message, and of a tool result.
	MaxBlocks = 1024
)

const emptyText, notSent = "empty text", " is not sent"

// history checks and copies the conversation. Calls are paired with results by
// position: a result answers the first call of its id in the turn before that has
// none yet. The same id in a later turn is another call.
func (p *preparer) history(messages []Message) []Message {
	if len(messages) > MaxMessages {
		p.badHistory("messages", "more than "+strconv.Itoa(MaxMessages)+" messages")
	}
	kept := make([]Message, 0, len(messages))
	var open openCalls
	for i, m := range messages {
		at := "messages[" + strconv.Itoa(i) + "]"
		if !p.role(at, m.Role) {
			continue
		}
		m, whole := p.message(at, m)
		if len(m.Blocks) == 0 && m.Data.IsZero() {
			p.emptyMessage(at, m.Role, whole && i == len(messages)-1)
			continue
		}
		if m.Role == RoleTool {
			p.answer(at, &m, open)
		} else {
			p.unanswered(open)
			open = p.open(at, &m)
		}
		kept = append(kept, m)
	}
	p.unanswered(open)
	if len(kept) == 0 && len(p.problems) == 0 {
		p.badHistory("messages", "there is no message")
	}
	return kept
}

func (p *preparer) badHistory(field, detail string) {
	p.problem(field, events.ReasonBadHistory, detail)
}

func (p *preparer) role(at string, role Role) bool {
	switch role {
	case RoleUser, RoleAssistant, RoleTool:
		return true
	case "system", "developer":
		p.badHistory(at+".role", "a system prompt goes in system, not in a message")
	default:
		p.badHistory(at+".role", "unknown role "+quoteShort(string(role)))
	}
	return false
}

// emptyMessage drops an empty turn of a user or of the assistant, such as one
// that was stopped before its first word: sent, it would be refused for ever. An
// empty last turn of a user asks for nothing.
func (p *preparer) emptyMessage(at string, role Role, last bool) {
	switch {
	case role == RoleTool:
		p.badHistory(at, "tool message without a result")
	case role == RoleUser && last:
		p.badHistory(at, "the last message is empty")
	default:
		p.change(at, events.NoticeEmptyBlockDropped, "empty message", notSent)
	}
}

// An openCall is a call of the turn before.
type openCall struct {
	at string
	// id is how the history names the call, sent how the copy does.
	id, sent string
	answered bool
}

type openCalls []*openCall

// open notes the calls of a turn, and gives a call that repeats an id of its turn
// another one, so that results cannot be mixed up.
func (p *preparer) open(at string, m *Message) openCalls {
	var open openCalls
	used := map[string]bool{}
	for _, b := range m.Blocks {
		if b.Kind == BlockToolCall {
			used[b.Call.ID] = true
		}
	}
	seen := map[string]bool{}
	for i := range m.Blocks {
		b := &m.Blocks[i]
		if b.Kind != BlockToolCall {
			continue
		}
		call := &openCall{at: at, id: b.Call.ID, sent: b.Call.ID}
		for n := 2; seen[call.sent]; n++ {
			if id := call.id + "_" + strconv.Itoa(n); !used[id] {
				call.sent = id
			}
		}
		seen[call.sent] = true
		b.Call.ID = call.sent
		open = append(open, call)
	}
	return open
}

// answer pairs the results of a tool message with the open calls.
func (p *preparer) answer(at string, m *Message, open openCalls) {
	for i := range m.Blocks {
		result := &m.Blocks[i].Result
		call, known := open.find(result.CallID)
		switch {
		case call != nil:
			call.answered = true
			result.CallID = call.sent
		case known:
			p.badHistory(at, "call "+quoteShort(result.CallID)+" is answered twice")
		default:
			p.badHistory(at, "result of call "+quoteShort(result.CallID)+", which the turn before does not make")
		}
	}
}

// find returns the first unanswered call of that id, and whether there is any.
func (o openCalls) find(id string) (call *openCall, known bool) {
	for _, c := range o {
		if c.id != id {
			continue
		}
		if !c.answered {
			return c, true
		}
		known = true
	}
	return nil, known
}

func (p *preparer) unanswered(open openCalls) {
	for _, c := range open {
		if !c.answered {
			p.badHistory(c.at, "no result of call "+quoteShort(c.id)+" follows")
		}
	}
}
