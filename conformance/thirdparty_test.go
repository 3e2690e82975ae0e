package conformance_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// example is the adapter that a third party copies, from this folder.
const example = "../examples/customadapter"

// A fault is a mistake that somebody may make in the copied adapter.
type fault struct {
	why    string
	clause string            // that has to complain; empty: nothing is wrong
	tells  string            // what the complaint says besides
	lines  map[string]string // what stands in the adapter, and what instead
	file   string            // of testdata/thirdparty, that comes with it
}

func faults() []fault {
	return []fault{
		{why: "the adapter as it is, in a module of its own"},
		{
			why: "a clean end of the body is taken for the end of the reply", clause: "M07", tells: "mutation: cut: a clean end",
			lines: map[string]string{
				"&decoder{names: p.Names}": "&decoder{names: p.Names, reply: events.Completion{Stop: events.StopEnd}}",
				"end.Failure == nil":       "end.Failure == nil || end.Kind == transport.EndEOF",
			},
		},
		{
			why: "arguments are read and written anew, so that 9007199254740993 changes", clause: "M08", tells: "9007199254740992",
			lines: map[string]string{
				"Arguments: f.Whole": "Arguments: recoded(f.Whole)",
				// The guard holds the pieces to the whole; without them only the suite sees it.
				"\ttransport.EmitDelta(emit, events.ToolArgumentsDelta, f.At, f.Args)\n": "",
			},
			file: "recoded.go",
		},
		{
			why: "the transport is not told the key, so that a server's echo of it is in the detail of a failure", clause: "M14", tells: "mutation: echo",
			lines: map[string]string{"Secrets: []string{string(c.Key)}": "Secrets: nil"},
		},
	}
}

// TestThirdParty is a stranger: the example adapter, copied out of the repository
// into a module of its own, is held to the contract there by go test. It runs
// without a network, from the modules that this one was built from.
func TestThirdParty(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it builds and runs four test programs, which takes seconds")
	}
	for _, f := range faults() {
		t.Run(f.why, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			moveOut(t, dir)
			plant(t, dir, f)
			out, err := runSuite(t, dir)
			if f.clause == "" {
				require.NoError(t, err, out)
				assert.NotContains(t, out, "no tests to run")
				assert.Regexp(t, `(?m)^ok\s+example\.com/toy\s`, out)
				return
			}
			exit := new(exec.ExitError)
			require.ErrorAs(t, err, &exit, out)
			require.Contains(t, out, "--- FAIL: TestConformance", "it was built, and the suite failed")
			_, complaint, found := strings.Cut(out, "clause "+f.clause+": ")
			assert.True(t, found, "clause %s does not complain:\n%s", f.clause, out)
			assert.Contains(t, complaint, f.tells)
		})
	}
}

// moveOut makes dir a module that holds the example and requires this one.
func moveOut(t *testing.T, dir string) {
	t.Helper()
	require.NoError(t, os.CopyFS(dir, os.DirFS(example)))
	require.NoError(t, fs.WalkDir(os.DirFS(dir), ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".go" {
			return err
		}
		edit(t, filepath.Join(dir, name), func(text string) string {
			return strings.ReplaceAll(text, `"github.com/weirsdk/weir/examples/customadapter"`, `customadapter "example.com/toy"`)
		})
		return nil
	}))
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	sums, err := os.ReadFile("../go.sum")
	require.NoError(t, err)
	mod := "module example.com/toy\n\ngo 1.26\n\nrequire github.com/weirsdk/weir v0.0.0\n\nreplace github.com/weirsdk/weir => " + strconv.Quote(root) + "\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o600))
}

// plant puts a fault into the copy.
func plant(t *testing.T, dir string, f fault) {
	t.Helper()
	edit(t, filepath.Join(dir, "customadapter.go"), func(text string) string {
		for from, to := range f.lines {
			require.Equal(t, 1, strings.Count(text, from), "the example says once: %s", from)
			text = strings.Replace(text, from, to, 1)
		}
		return text
	})
	if f.file != "" {
		text, err := os.ReadFile(filepath.Join("testdata/thirdparty", f.file+".txt"))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, f.file), text, 0o600))
	}
}

func edit(t *testing.T, name string, change func(string) string) {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(name, []byte(change(string(text))), 0o600))
}

// runSuite runs some scenarios of the suite on the copy: all of them are the
// example's own test.
func runSuite(t *testing.T, dir string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "test", "-short", "-count=1", "-run=^TestConformance$/^(text|exact-arguments|error-401)$", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off", "GOTOOLCHAIN=local")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}
