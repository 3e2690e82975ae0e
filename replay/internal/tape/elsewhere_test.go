package tape_test

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/replay/internal/tape"
)

// TestElsewhere: what is counted in a folder, and what is found below it.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	const head = "chat-0123456789ab.json"
	for _, row := range []struct {
		why   string
		files []string
		count int
		below string
	}{
		{"nothing", nil, 0, ""},
		{"here, which is not below", []string{head, "chat-0123456789ab.2.json"}, 2, ""},
		{"below", []string{"a/b/" + head}, 0, "a/b"},
		{"of two the first", []string{"b/" + head, "a/" + head}, 0, "a"},
		{"other names", []string{"package.json", "a/chat-0123456789ab.body-01234567.sse"}, 0, ""},
	} {
		source := fstest.MapFS{}
		for _, name := range row.files {
			source[name] = &fstest.MapFile{}
		}
		entries, err := fs.ReadDir(source, ".")
		require.NoError(t, err)
		assert.Equal(t, row.count, tape.Count(entries, tape.IsSlug), row.why)
		assert.Equal(t, row.below, tape.Below(source, tape.IsSlug), row.why)
		assert.Zero(t, tape.Count(entries, tape.IsSum), row.why)
	}
}
