package coherewire_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/providers/internal/canned"
)

// The range of a citation counts the characters of the text, not its bytes, in the
// recordings as in the case that was written by hand.
func TestCitationsCountCharacters(t *testing.T) {
	t.Parallel()
	paths := []string{"testdata/decode/citation-of-characters/wire.sse"}
	recorded, err := filepath.Glob(filepath.Join("..", "..", "..", "..", "shared", "fixtures", "cohere-chat-v2", "*citations*", "response.sse"))
	require.NoError(t, err)
	if len(recorded) == 0 {
		t.Log("no ../shared/fixtures beside the repository: the recordings are not read")
	}
	for _, path := range append(paths, recorded...) {
		body, err := os.ReadFile(path)
		require.NoError(t, err)
		reply := canned.Reply(play(t, answered(body)))
		require.NoError(t, reply.Err(), path)
		said, cited := []rune(reply.Text()), passages(t, string(body))
		require.NotEmpty(t, reply.Citations(), path)
		for _, c := range reply.Citations() {
			require.LessOrEqual(t, c.End, len(said), path)
			assert.Contains(t, cited, string(said[c.Start:c.End]), path)
		}
	}
}

// passages returns what the citations of a body say that they are of, with nothing but
// the standard library.
func passages(t *testing.T, body string) []string {
	t.Helper()
	var all []string
	for line := range strings.Lines(body) {
		data, ok := strings.CutPrefix(line, "data: ")
		var frame struct {
			Type  string
			Delta struct {
				Message struct{ Citations json.RawMessage }
			}
		}
		var one struct{ Text string }
		if ok && json.Unmarshal([]byte(data), &frame) == nil && frame.Type == "citation-start" {
			require.NoError(t, json.Unmarshal(frame.Delta.Message.Citations, &one))
			all = append(all, one.Text)
		}
	}
	return all
}
