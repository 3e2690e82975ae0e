package wirejson

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzRepairSurrogates holds the repair to what makes it safe on any bytes: it
// is inside the package because callers see only what is JSON too.
func FuzzRepairSurrogates(f *testing.F) {
	for _, seed := range []string{`"\ud83d"`, `\\ud83d`, `\ud83d\ude00`, `\ud83d\`, `\ud83`, `\u`, `\`, "\\ud\x18ab", `\uDFFF\uD800`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		before := bytes.Clone(text)
		once := repairSurrogates(text)
		require.Equal(t, before, text, "the text itself is not changed")
		require.Len(t, once, len(text), "an escape is replaced by one of the same length")
		require.Equal(t, once, repairSurrogates(once), "repairing twice changes nothing more")
		if !bytes.Contains(bytes.ToLower(text), []byte(`\ud`)) {
			require.Equal(t, before, once, "without a surrogate nothing changes")
		}
	})
}
