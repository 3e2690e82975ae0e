package schema_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/request/schema"
)

// Each folder of testdata/cases is a public bug report with the outcome that is
// right; its case.json names the reports.
func TestCases(t *testing.T) {
	t.Parallel()
	dirs, err := filepath.Glob("testdata/cases/*")
	require.NoError(t, err)
	require.Len(t, dirs, 4)
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			var c struct {
				Target   schema.Profile
				Expected struct{ Lossy []string }
			}
			require.NoError(t, json.Unmarshal([]byte(read(t, dir, "case.json")), &c))
			got, err := schema.Rewrite(read(t, dir, "schema.in.json"), c.Target, schema.Options{})
			require.NoError(t, err)
			var want bytes.Buffer
			require.NoError(t, json.Compact(&want, []byte(read(t, dir, "schema.want.json"))))
			assert.Equal(t, want.String(), got.Schema, "the order of the members included")
			for _, lost := range c.Expected.Lossy {
				assert.True(t, tells(got.Losses, lost), "%q is not among %v", lost, got.Losses)
			}
			again, err := schema.Rewrite(read(t, dir, "schema.in.json"), c.Target, schema.Options{})
			require.NoError(t, err)
			assert.Equal(t, got, again)
		})
	}
}

// tells reports whether a loss speaks of what a case lists as lost: a property,
// a definition or a keyword, before a colon or alone.
func tells(losses []schema.Loss, lost string) bool {
	place, _, _ := strings.Cut(lost, ":")
	place, _, _ = strings.Cut(place, " ")
	for _, l := range losses {
		if l.Keyword == place || strings.HasSuffix(l.Pointer, "/"+place) || strings.HasPrefix(l.Detail, lost) {
			return true
		}
	}
	return false
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	return string(text)
}
