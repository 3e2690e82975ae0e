package coherewire_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"testing"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/coherewire"
	"github.com/weirsdk/weir/request"
)

var update = flag.Bool("update", false, "rewrite the expected files from what the code does")

// family is what the tests that all families share need to know of this one.
func family() canned.Family {
	return canned.Family{
		Wire:     func(canned.Case) canned.Wire { return wire() },
		Sourced:  true,
		Evidence: hasEvidence,
		Target:   request.Target{Format: coherewire.Format, Origin: "cohere"},
		Encode:   func(p request.Prepared) ([]byte, error) { return coherewire.Encode("m", p, profile()) },
	}
}

func TestDecodeGolden(t *testing.T) {
	t.Parallel()
	family().Golden(t, *update)
}

func TestDecodeAtAnySplit(t *testing.T) {
	t.Parallel()
	family().Splits(t)
}

// The evidence is message-end.
func TestDecodeEveryCut(t *testing.T) {
	t.Parallel()
	family().Cuts(t, "plan-then-calls", "citations", "null-arguments", "done-missing")
}

func FuzzDecode(f *testing.F) { family().Fuzz(f) }

// goesBack wants a turn that completed to be one that can be sent back.
func goesBack(t *testing.T, evs []events.Event) {
	t.Helper()
	family().GoesBack(t, evs)
}

// hasEvidence looks for a whole message-end that tells no error, with nothing but
// the standard library.
func hasEvidence(body []byte) bool {
	for line := range bytes.SplitSeq(body, []byte("\n")) {
		data, ok := bytes.CutPrefix(line, []byte("data: "))
		var frame struct {
			Type string
		}
		if ok && json.Unmarshal(data, &frame) == nil && frame.Type == "message-end" {
			return true
		}
	}
	return false
}
