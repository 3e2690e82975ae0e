//go:build !race

package chatwire_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// longDetails is thinking as OpenRouter sends it, longParts as Mistral does: both are kept
// to go back.
func longDetails() []byte {
	return longStream(func(int) string {
		return `{"reasoning_details":[{"type":"reasoning.text","format":"anthropic-claude-v1","index":0,"text":" word"}]}`
	})
}

func longParts() []byte {
	return longStream(func(int) string {
		return `{"content":[{"type":"thinking","thinking":[{"type":"text","text":" word"}]}]}`
	})
}

// TestKeptAllocations: thinking that is kept to go back costs no allocation a piece
// either, but for what it grows by. (With the race detector a sync.Pool drops what it is
// given, and encoding/json has its scanners in one.)
func TestKeptAllocations(t *testing.T) {
	for name, wire := range map[string][]byte{"details": longDetails(), "parts": longParts()} {
		require.Greater(t, decode(wire), deltas)
		per := testing.AllocsPerRun(20, func() { decode(wire) }) / deltas
		require.LessOrEqual(t, per, 0.2, name)
	}
}
