package ollamawire_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"testing"

	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/ollamawire"
	"github.com/weirsdk/weir/request"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// family is what the tests that all families share need to know of this one.
func family() canned.Family {
	return canned.Family{
		Wire:     func(canned.Case) canned.Wire { return wire(minting()) },
		Sourced:  true,
		Evidence: hasEvidence,
		Final:    true,
		Target:   request.Target{Format: ollamawire.Format, Origin: "ollama"},
		Encode: func(p request.Prepared) ([]byte, error) {
			return ollamawire.Encode("m", p, ollamawire.Profile{Origin: "ollama"})
		},
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

// TestDecodeAtEveryCut ends bodies of every shape that a good reply ends in after
// every byte. The evidence is the done line, with its closing brace.
func TestDecodeAtEveryCut(t *testing.T) {
	t.Parallel()
	family().Cuts(t,
		"captured-tools-one-stream", "case-118-ollama-tool-object-args", "calls-in-done-line", "counts-missing",
		"done-no-line-end", "done-then-more", "done-without-message", "lines-crlf-and-blank", "surrogates")
}

// hasEvidence looks for a whole done line, with nothing but the standard library.
func hasEvidence(body []byte) bool {
	for line := range bytes.Lines(body) {
		var l struct{ Done bool }
		if json.Unmarshal(line, &l) == nil && l.Done {
			return true
		}
	}
	return false
}
