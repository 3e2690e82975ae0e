package responseswire_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"testing"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/responseswire"
	"github.com/weirsdk/weir/request"
)

var update = flag.Bool("update", false, "rewrite the expected files from what the code does")

// family is what the tests that all families share need to know of this one.
func family() canned.Family {
	return canned.Family{
		Wire: func(c canned.Case) canned.Wire {
			return wire(responseswire.ProfileFor(cmp.Or(c.Vendor, "openai")), minting())
		},
		Evidence: hasEvidence,
		Target:   request.Target{Format: responseswire.Format, Origin: "openai"},
		Encode:   func(p request.Prepared) ([]byte, error) { return responseswire.Encode("m", p, openai()) },
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

// The evidence is the terminal frame.
func TestDecodeEveryCut(t *testing.T) {
	t.Parallel()
	family().Cuts(t, "reasoning-then-calls", "web-search", "text-only-in-done")
}

func FuzzDecode(f *testing.F) { family().Fuzz(f) }

// goesBack wants a turn that completed to be one that can be sent back.
func goesBack(t *testing.T, evs []events.Event) {
	t.Helper()
	family().GoesBack(t, evs)
}

// hasEvidence looks for a whole frame that says that the response has ended, with
// nothing but the standard library.
func hasEvidence(body []byte) bool {
	for _, line := range bytes.Split(body, []byte("\n")) {
		data, ok := bytes.CutPrefix(line, []byte("data: "))
		var frame struct{ Type string }
		if ok && json.Unmarshal(data, &frame) == nil && (frame.Type == "response.completed" || frame.Type == "response.incomplete") {
			return true
		}
	}
	return false
}
