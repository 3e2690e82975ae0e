package geminiwire_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"testing"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/geminiwire"
	"github.com/weirsdk/weir/request"
)

var update = flag.Bool("update", false, "rewrite the expected files from what the code does")

// family is what the tests that all families share need to know of this one.
func family() canned.Family {
	return canned.Family{
		Wire:     func(canned.Case) canned.Wire { return wire(minting()) },
		Sourced:  true,
		Evidence: hasEvidence,
		Target:   request.Target{Format: geminiwire.Format, Origin: "gemini"},
		Encode:   func(p request.Prepared) ([]byte, error) { return geminiwire.Encode(p, gemini()) },
		Guarded:  "G16",
	}
}

func TestDecodeGolden(t *testing.T) {
	t.Parallel()
	family().Golden(t, *update)
}

func TestDecodeByteByByte(t *testing.T) {
	t.Parallel()
	family().Splits(t)
}

// The evidence is the finish reason, or why the prompt was blocked.
func TestDecodeEveryCut(t *testing.T) {
	t.Parallel()
	family().Cuts(t, "thinking-then-calls", "array", "partial-arguments", "code-execution", "prompt-blocked")
}

func FuzzDecode(f *testing.F) { family().Fuzz(f) }

// goesBack wants a turn that completed to be one that can be sent back.
func goesBack(t *testing.T, evs []events.Event) {
	t.Helper()
	family().GoesBack(t, evs)
}

// hasEvidence looks for a whole object that says that the reply has ended, with
// nothing but the standard library.
func hasEvidence(body []byte) bool {
	for at := range body {
		if body[at] != '{' || at > 0 && body[at-1] != '\n' && body[at-1] != ' ' && body[at-1] != '[' {
			continue
		}
		var frame struct {
			Candidates []struct {
				FinishReason string `json:"finishReason"`
			} `json:"candidates"`
			PromptFeedback struct {
				BlockReason string `json:"blockReason"`
			} `json:"promptFeedback"`
		}
		if json.NewDecoder(bytes.NewReader(body[at:])).Decode(&frame) != nil {
			continue
		}
		if frame.PromptFeedback.BlockReason != "" || len(frame.Candidates) > 0 && frame.Candidates[0].FinishReason != "" {
			return true
		}
	}
	return false
}
