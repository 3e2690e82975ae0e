package conformance

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestFindingGolden: what somebody reads whose adapter fails: of the first row of
// the table that has an excerpt, of one without, and of bytes that are missing.
func TestFindingGolden(t *testing.T) {
	t.Parallel()
	var told []string
	for _, b := range []broken{
		{fault: takesTheEndForTheStop, on: []string{"text/cut"}},
		{fault: roundsTheArguments, on: []string{"exact-arguments/as it is"}},
		{fault: "nothing", on: []string{"citations/as it is"}, wire: map[string]string{"citations.sse": ""}},
	} {
		for _, f := range findingsOf(t, b.adapter(t), b.plays) {
			f.more = min(f.more, 3) // it depends on how many places are tried
			told = append(told, f.String())
		}
	}
	got := strings.Join(told, "\n\n") + "\n"
	const golden = "testdata/finding.golden"
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o600))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}

// TestFindingString: each part has its line, and what is not there has none.
func TestFindingString(t *testing.T) {
	t.Parallel()
	f := finding{clause: m10, scenario: "text", mutation: "split: in two", want: "a", got: "b"}
	assert.Equal(t, []string{
		"clause M10: " + sentence(m10), "    scenario: text", "    mutation: split: in two", "    want:     a", "    got:      b",
	}, strings.Split(f.String(), "\n"))
	f.wire, f.more = "byte 1", 3
	lines := strings.Split(f.String(), "\n")
	require.Len(t, lines, 7)
	assert.Equal(t, "    wire:     byte 1", lines[3])
	assert.Equal(t, "    and 3 more like this", lines[6])
	assert.Equal(t, "scenario text: no bytes", finding{scenario: "text", got: "no bytes"}.String())
}

// TestCheck: a group tells each clause once and counts the rest, and makes no text
// of what holds.
func TestCheck(t *testing.T) {
	t.Parallel()
	never := func() string { t.Error("a text was made of what holds, or of what is not shown"); return "" }
	g := &group{trial: &trial{suite: &suite{}, Scenario: Scenario{Name: "text"}, response: response{body: []byte("abc")}}, mutation: "cut"}
	assert.True(t, g.at("how", 1).check(true, m01, never, never))
	assert.False(t, g.at("how", 1).check(false, m01, say("%d", 1), func() string { return "got" }))
	assert.False(t, g.at("again", -1).check(false, m01, never, never))
	assert.False(t, g.check(false, m02, "want", 7))
	assert.Equal(t, []finding{
		{m01, "text", "cut: how", `byte 1 of 3: "a" ⟨⟩ "bc"`, "1", "got", 1},
		{m02, "text", "cut", "", "want", "7", 0},
	}, g.first)
	assert.Equal(t, int64(4), g.checks.Load())
}

// TestNumber: one is not many.
func TestNumber(t *testing.T) {
	t.Parallel()
	for n, want := range []string{"0 executable calls", "1 executable call", "2 executable calls"} {
		assert.Equal(t, want, number(n, "executable call").String())
	}
}
