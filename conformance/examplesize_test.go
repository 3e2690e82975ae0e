package conformance_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// maxLines is what the example takes, of an easy wire: lines of Go in every file of
// the folder but tests. Blank lines and lines that are only a comment are not counted,
// so that the limit asks nobody to leave out a word of documentation.
const maxLines = 150

// TestExampleSize holds the example to what its guide promises. It is here and not in
// the example: whoever copies that promises nothing.
func TestExampleSize(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(example, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	code, all := 0, 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			all++
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
				code++
			}
		}
	}
	t.Logf("%d lines of code in %d lines", code, all)
	if code == 0 || code >= maxLines {
		t.Errorf("the example has %d lines of code; it has to have some, and fewer than %d", code, maxLines)
	}
}
