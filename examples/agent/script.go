package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A recorded reply, and what the request for it must hold: for the id of each call of
// the turn before, a part of its result.
type recorded struct {
	file    string
	results map[string]string
}

// limitedReply is the one that comes only when it is asked for a second time.
const limitedReply = "turn-2.sse"

// script is the recording of the main model, turn by turn.
func script() []recorded {
	return []recorded{
		{file: "turn-1.sse"},
		{file: "turn-2.sse", results: map[string]string{
			"call_Xn2kettle": `"price_cents":3490`,
			"call_Xn2lamp":   `"weight_grams":1400`,
		}},
		{file: "turn-3.sse", results: map[string]string{
			"call_Qd5parcel": `country`, // what is wrong with it
			"call_Qd5lamp":   `adapter`,
		}},
		{file: "turn-4.sse", results: map[string]string{"call_Vw8parcel": `"price_cents":3300`}},
	}
}

// asked is what the demo reads of a request.
type asked struct {
	Model    string    `json:"model"`
	Messages []message `json:"messages"`
	Tools    []any     `json:"tools"`
}

type message struct {
	Role       string          `json:"role"`
	ToolCallID string          `json:"tool_call_id"`
	Content    json.RawMessage `json:"content"`
}

// reply returns the file to play, or what the request lacks.
func (a asked) reply() (string, error) {
	if a.Model == demoCheap {
		return "summary.sse", nil
	}
	turn, results := 0, map[string]string{}
	for _, m := range a.Messages {
		switch m.Role {
		case "assistant":
			turn++
			clear(results)
		case "tool":
			results[m.ToolCallID] = m.text()
		}
	}
	turns := script()
	if turn >= len(turns) {
		return "", fmt.Errorf("the recording has %d turns and no turn %d", len(turns), turn+1)
	}
	if len(a.Tools) == 0 {
		return "", fmt.Errorf("turn %d declares no tools", turn+1)
	}
	for id, part := range turns[turn].results {
		if !strings.Contains(results[id], part) {
			return "", fmt.Errorf("turn %d has no result of call %s with %s in it", turn+1, id, part)
		}
	}
	return turns[turn].file, nil
}

// text returns a content that is one text; other forms as they are.
func (m message) text() string {
	var text string
	if json.Unmarshal(m.Content, &text) != nil {
		return string(m.Content)
	}
	return text
}
