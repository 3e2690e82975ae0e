package conformance

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// A toySay is the body of the toy's request.
type toySay struct {
	Model  string           `json:"model,omitempty"`
	System string           `json:"system,omitempty"`
	Turns  []toyTurn        `json:"turns"`
	Tools  []toyTool        `json:"tools,omitempty"`
	Answer *json.RawMessage `json:"answer,omitempty"`
	Max    int              `json:"max,omitempty"`
	Stop   []string         `json:"stop,omitempty"`
	Heat   *float64         `json:"heat,omitempty"`
	Effort string           `json:"effort,omitempty"`
	Choice *toyChoice       `json:"choice,omitempty"`
}

// A toyChoice is which tools may be called.
type toyChoice struct {
	Mode string `json:"mode"`
	Name string `json:"name,omitempty"`
}

type toyTurn struct {
	Role    string      `json:"role"`
	Text    string      `json:"text,omitempty"`
	Calls   []toyCall   `json:"calls,omitempty"`
	Results []toyResult `json:"results,omitempty"`
	Seal    string      `json:"seal,omitempty"`
}

type toyCall struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Arguments are the text of the object.
	Arguments string `json:"arguments"`
	Mark      string `json:"mark,omitempty"`
}

type toyResult struct {
	ID     string `json:"id"`
	Text   string `json:"text"`
	Failed bool   `json:"failed,omitempty"`
}

type toyTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"schema"`
}

func (m *toy) encode(p request.Prepared) []byte {
	r := p.Request
	say := toySay{Model: toyModel, System: r.System, Max: r.MaxOutputTokens, Stop: r.Stop, Heat: r.Temperature, Effort: string(r.Effort)}
	if c := r.ToolChoice; c != (request.ToolChoice{}) {
		say.Choice = &toyChoice{string(c.Mode), p.Names.Wire(c.Name)}
	}
	switch m.fault {
	case dropsTheModel:
		say.Model = ""
	case dropsTheSystem:
		say.System = ""
	case dropsTheCap:
		say.Max = 0
	case dropsTheStops:
		say.Stop = nil
	}
	for _, msg := range r.Messages {
		if m.fault == dropsOldTurns && len(say.Turns) > 0 && msg.Role == request.RoleUser {
			continue
		}
		say.Turns = append(say.Turns, m.turn(msg, p.Names))
	}
	for _, t := range r.Tools {
		if t.Name() == "" {
			continue // only the zero tool, which is sent by a fault alone
		}
		tool := toyTool{Name: p.Names.Wire(t.Name()), Description: t.Description(), Schema: json.RawMessage(t.Schema())}
		switch m.fault {
		case dropsTheSchemas:
			tool.Schema = json.RawMessage("{}")
		case roundsTheSchemas:
			tool.Schema = json.RawMessage(rounded(t.Schema()))
		}
		say.Tools = append(say.Tools, tool)
	}
	if p.AnswerSchema != "" && m.fault != dropsTheAnswer {
		schema := json.RawMessage(p.AnswerSchema)
		say.Answer = &schema
	}
	body, err := json.Marshal(say)
	if err != nil {
		panic(err) // a toy of strings and schemas
	}
	return body
}

func (m *toy) turn(msg request.Message, names request.Names) toyTurn {
	t := toyTurn{Role: string(msg.Role), Seal: m.seal(msg.Data)}
	for _, b := range msg.Blocks {
		switch b.Kind {
		case request.BlockText:
			if m.fault == dropsSecondTexts && t.Text != "" {
				continue
			}
			if m.fault != dropsItsOwnText || msg.Role != request.RoleAssistant {
				t.Text += b.Text
			}
		case request.BlockToolCall:
			t.Calls = append(t.Calls, m.call(b.Call, names))
		case request.BlockToolResult:
			t.Results = append(t.Results, m.result(b.Result))
			if m.fault == mixesTheResults {
				t.Results[len(t.Results)-1].ID = t.Results[0].ID
			}
		}
	}
	return t
}

func (m *toy) call(c events.ToolCall, names request.Names) toyCall {
	call := toyCall{ID: c.ID, Name: names.Wire(c.Name), Arguments: c.Arguments, Mark: m.seal(c.Replay)}
	switch m.fault {
	case roundsTheHistory:
		call.Arguments = rounded(c.Arguments)
	case renamesTheCalls:
		call.ID = "call_x" + c.ID[len(c.ID)-1:]
	}
	return call
}

// rounded returns JSON text as it is after a way through float64.
func rounded(text string) string {
	var v any
	_ = json.Unmarshal([]byte(text), &v)
	again, _ := json.Marshal(v)
	return string(again)
}

func (m *toy) result(r request.ToolResult) toyResult {
	res := toyResult{ID: r.CallID, Failed: r.IsError}
	for _, b := range r.Content {
		res.Text += b.Text
	}
	if m.fault == dropsTheResults {
		res.Text = "done"
	}
	if m.fault == renamesTheCalls {
		res.ID = "call_x" + r.CallID[len(r.CallID)-1:]
	}
	return res
}

// seal returns what the provider sealed its turn or its call with.
func (m *toy) seal(d events.ProviderData) string {
	switch m.fault {
	case dropsTheSeal:
		return ""
	case reencodesTheSeal:
		raw, _ := base64.StdEncoding.DecodeString(d.Value)
		return base64.RawURLEncoding.EncodeToString(raw)
	case cutsTheSeal:
		return strings.TrimRight(d.Value, "=")
	default:
		return d.Value
	}
}
