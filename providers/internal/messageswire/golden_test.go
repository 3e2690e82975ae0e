package messageswire_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"testing"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/messageswire"
	"github.com/weirsdk/weir/request"
)

var update = flag.Bool("update", false, "rewrite the expected files from what the code does")

// family is what the tests that all families share need to know of this one.
func family() canned.Family {
	return canned.Family{
		Wire:     func(c canned.Case) canned.Wire { return wire(asked(c.Extra)) },
		Evidence: hasEvidence,
		Target:   request.Target{Format: messageswire.Format, Origin: "anthropic"},
		Encode:   func(p request.Prepared) ([]byte, error) { return messageswire.Encode("m", p, anthropic()) },
	}
}

// asked is the request of a case.
func asked(extra string) request.Prepared {
	p := minting()
	if extra != "" {
		p.Request.Extra = map[string]string{messageswire.ExtraKey: extra}
	}
	return p
}

func TestDecodeGolden(t *testing.T) {
	t.Parallel()
	family().Golden(t, *update)
}

func TestDecodeByteByByte(t *testing.T) {
	t.Parallel()
	family().Splits(t)
}

// The evidence is the stop reason, or message_stop.
func TestDecodeEveryCut(t *testing.T) {
	t.Parallel()
	family().Cuts(t, "thinking-then-tool", "web-search", "content-in-message-start")
}

func FuzzDecode(f *testing.F) { family().Fuzz(f) }

// goesBack wants a turn that completed to be one that can be sent back.
func goesBack(t *testing.T, evs []events.Event) {
	t.Helper()
	family().GoesBack(t, evs)
}

// hasEvidence looks for a whole frame that says that the reply has ended, with
// nothing but the standard library.
func hasEvidence(body []byte) bool {
	for _, line := range bytes.Split(body, []byte("\n")) {
		data, ok := bytes.CutPrefix(line, []byte("data: "))
		var frame struct {
			Type  string `json:"type"`
			Delta struct {
				StopReason *string `json:"stop_reason"`
			} `json:"delta"`
		}
		if !ok || json.Unmarshal(data, &frame) != nil {
			continue
		}
		if frame.Type == "message_stop" || frame.Type == "message_delta" && frame.Delta.StopReason != nil {
			return true
		}
	}
	return false
}
