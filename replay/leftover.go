package replay

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/weirsdk/weir/events"
)

// A leftover is a recording that a run has no use for.
type leftover struct {
	file   string
	prompt string // the last words of a user in its request, empty when there are none
}

// leftovers are those of a folder.
type leftovers struct {
	own    []leftover // of the model
	others []leftover // of other models
	other  string     // one of these models
	used   bool       // some recording is of use
}

// leftovers returns the recordings that are not used.
func (s shelf) leftovers(model string, isUsed func(place) bool) (found leftovers, f *events.Failure) {
	places, f := s.places()
	if f != nil {
		return found, f
	}
	for _, p := range places {
		if isUsed(p) {
			found.used = true
			continue
		}
		rec, f := s.read(p)
		switch {
		case f != nil:
			return found, f
		case rec == nil:
		case rec.model == model:
			found.own = append(found.own, leftover{p.file(), promptOf(rec.request)})
		default:
			found.other = rec.model
			found.others = append(found.others, leftover{p.file(), promptOf(rec.request)})
		}
	}
	return found, nil
}

// failure says that recordings of a model are left over, and what to do; nil when there
// are none. What says in which way those of the model are.
func (l leftovers) failure(model, what string) error {
	switch {
	case len(l.own) > 0:
		return leftOver(what, l.own)
	case len(l.others) > 0:
		return leftOver("recordings of other models than "+model, l.others)
	default:
		return nil
	}
}

// maxTold is how many leftovers are told.
const maxTold = 5

func leftOver(what string, left []leftover) error {
	var told []string
	for _, one := range left[:min(len(left), maxTold)] {
		told = append(told, one.String())
	}
	if more := len(left) - len(told); more > 0 {
		told = append(told, fmt.Sprintf("and %d more", more))
	}
	return events.NewFailure(events.Other, "", what+": "+strings.Join(told, ", ")+
		": remove them if the test is right, or record into an empty folder")
}

// String returns the file and what it asks.
func (l leftover) String() string {
	if l.prompt == "" {
		return l.file
	}
	return l.file + " (asked " + quoted(l.prompt) + ")"
}

// maxPrompt is how much of a prompt is told, in bytes.
const maxPrompt = 60

// promptOf returns the first words of the last message of a user in a request.
func promptOf(canonical []byte) string {
	var req struct {
		Messages []struct {
			Role    string `json:"role"`
			Content []struct {
				Text string `json:"text"`
			} `json:"content"`
		} `json:"messages"`
	}
	_ = json.Unmarshal(canonical, &req) // what it cannot read has no words
	prompt := ""
	for _, message := range req.Messages {
		var words []string
		for _, part := range message.Content {
			words = append(words, strings.Fields(part.Text)...)
		}
		if message.Role == "user" && len(words) > 0 {
			prompt = strings.Join(words, " ")
		}
	}
	if len(prompt) <= maxPrompt {
		return prompt
	}
	return events.CutText(prompt, maxPrompt) + "…"
}
