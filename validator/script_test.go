package validator_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/validator"
)

// A script is one line of testdata/script: words, then "--" and why. Each word
// is an event that must be accepted, or with "!G05" at its end rejected by that
// rule, after which the stream goes on as if it had never come. At the end of
// the line the stream ends; "eof!G04" says that it must not.
//
//	start         Started; start*9 with 9 bytes of metadata
//	t0 h0 r0      a piece of text, thinking, refusal at index 0
//	c1            the start of a call at index 1
//	a1={}         a fragment of its arguments
//	d1={}         its completion
//	i1={"a        its end as invalid
//	s2 e2         start and end of a hosted tool at index 2
//	q0            a citation
//	m3            media
//	u=7           usage with that input
//	n             a notice
//	done=tool_use Completed with that stop; done is done=end
//	fail=other    Failed with that kind
//	limit:calls=1 no event: sets a limit, before start
//
// "=text" gives the text, with Go's escapes; "=x*9" repeats x. "@id/name" after
// the index gives a call's id and name, which are else "id<index>" and "tool".
// A damage, "~word" before the "=", makes the event one that no constructor
// makes; see damage.
type script struct {
	where string
	words []string
	why   string
}

// scripts reads testdata/script.
func scripts(tb testing.TB) []script {
	tb.Helper()
	files, err := filepath.Glob("testdata/script/*.txt")
	require.NoError(tb, err)
	var found []script
	for _, name := range files {
		file, err := os.Open(name)
		require.NoError(tb, err)
		lines := bufio.NewScanner(file)
		for n := 1; lines.Scan(); n++ {
			line := strings.TrimSpace(lines.Text())
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			words, why, ok := strings.Cut(line, " -- ")
			where := fmt.Sprintf("%s:%d", filepath.Base(name), n)
			require.True(tb, ok && strings.TrimSpace(why) != "", "%s says no why", where)
			found = append(found, script{where, strings.Fields(words), why})
		}
		require.NoError(tb, lines.Err())
		require.NoError(tb, file.Close())
	}
	require.NotEmpty(tb, found)
	return found
}

func TestScripts(t *testing.T) {
	t.Parallel()
	broken := map[validator.Rule]int{}
	for _, s := range scripts(t) {
		for _, word := range s.words {
			if _, rule, ok := strings.Cut(word, "!"); ok {
				broken[validator.Rule(rule)]++
			}
		}
		t.Run(s.where, func(t *testing.T) {
			t.Parallel()
			play(t, s)
		})
	}
	for _, rule := range validator.Rules() {
		assert.Positive(t, broken[rule.ID], "no script breaks %s", rule.ID)
		delete(broken, rule.ID)
	}
	assert.Empty(t, broken, "scripts break rules that do not exist")
}

// play runs one script through the automaton and the slow model.
func play(t *testing.T, s script) {
	t.Helper()
	p := newPair(t, validator.Limits{})
	for i, word := range s.words {
		word, want, _ := cutWord(word)
		at := fmt.Sprintf("word %d, %s (%s)", i+1, word, s.why)
		if name, n, ok := limitWord(word); ok {
			require.Zero(t, p.count, "a limit after the first event: %s", at)
			setLimit(t, &p.limits, name, n)
			p.reset(p.limits)
			continue
		}
		if word == "eof" {
			p.finish(want, at)
			return
		}
		got := p.observe(parse(t, word), at)
		require.Equal(t, want, string(got), at)
	}
	p.finish("", "the end ("+s.why+")")
}

// cutWord splits a word into event and verdict.
func cutWord(word string) (event, rule string, ok bool) { return strings.Cut(word, "!") }

// limitWord splits a word that sets a limit.
func limitWord(word string) (name, value string, ok bool) {
	setting, ok := strings.CutPrefix(word, "limit:")
	if !ok {
		return "", "", false
	}
	return strings.Cut(setting, "=")
}

// A failer is a testing.TB or a *rapid.T.
type failer interface {
	Helper()
	Errorf(format string, args ...any)
	FailNow()
}

// A pair is the automaton and the slow model, kept together: every method fails
// the test when they disagree or when a rejected event changed the state.
type pair struct {
	tb     failer
	limits validator.Limits
	v      *validator.Validator
	m      *model
	count  int
}

func newPair(tb failer, l validator.Limits) *pair {
	tb.Helper()
	p := &pair{tb: tb}
	p.reset(l)
	return p
}

func (p *pair) reset(l validator.Limits) {
	p.limits, p.v = l, &validator.Validator{Limits: l}
	p.m = &model{limits: validator.OrDefaults(l)}
}

// observe returns the rule that ev breaks, or the empty string.
func (p *pair) observe(ev events.Event, at string) validator.Rule {
	p.tb.Helper()
	before := p.v.Snapshot()
	err := p.v.Observe(ev)
	broken := p.m.broken(ev)
	if err == nil {
		require.Empty(p.tb, broken, "accepted: %s: %v", at, ev)
		p.m.accept(ev)
		p.count++
		return ""
	}
	require.Equal(p.tb, before, p.v.Snapshot(), "state changed: %s", at)
	var bad *validator.Violation
	require.ErrorAs(p.tb, err, &bad)
	require.ErrorIs(p.tb, err, &events.Failure{Kind: events.InvalidReply, Reason: events.ReasonProtocolViolation})
	require.Equal(p.tb, p.count+1, bad.Event, at)
	require.NotEmpty(p.tb, bad.Detail, at)
	require.True(p.tb, broken[bad.Rule], "%s for %s, the model says %v: %v", bad.Rule, at, broken, ev)
	return bad.Rule
}

func (p *pair) finish(want, at string) {
	p.tb.Helper()
	before := p.v.Snapshot()
	sum, err := p.v.Finish()
	require.Equal(p.tb, before, p.v.Snapshot(), at)
	require.Equal(p.tb, p.m.ended(), err == nil, at)
	require.Equal(p.tb, p.count, sum.Events, at)
	p.compare(sum)
	var bad *validator.Violation
	if errors.As(err, &bad) {
		require.Equal(p.tb, want, string(bad.Rule), at)
		require.Equal(p.tb, p.count+1, bad.Event, at)
		return
	}
	require.Empty(p.tb, want, at)
}

// compare holds the summary to what the model counts.
func (p *pair) compare(got validator.Summary) {
	p.tb.Helper()
	want := validator.Summary{
		Events:         len(p.m.past),
		Blocks:         len(p.m.used()),
		CompletedCalls: len(p.m.with(events.ToolCallCompleted)),
		InvalidCalls:   len(p.m.with(events.ToolCallInvalid)),
		HostedTools:    len(p.m.with(events.HostedToolStarted)),
		TextBytes:      len(joined(p.m.with(events.TextDelta))),
		ThinkingBytes:  len(joined(p.m.with(events.ThinkingDelta))),
		RefusalBytes:   len(joined(p.m.with(events.RefusalDelta))),
		ArgumentsBytes: p.m.argumentsBytes(),
	}
	want.OpenCalls = len(p.m.with(events.ToolCallStarted)) - want.CompletedCalls - want.InvalidCalls
	for _, ev := range p.m.past {
		want.MediaBytes += ev.MediaSize()
		want.DataBytes += dataOf(ev)
	}
	if p.m.ended() {
		last := p.m.past[len(p.m.past)-1]
		c, _ := last.Completion()
		want.Terminal, want.Stop = last.Kind, c.Stop
	}
	require.Equal(p.tb, want, got)
}

func setLimit(tb testing.TB, l *validator.Limits, name, value string) {
	tb.Helper()
	n, err := strconv.Atoi(value)
	require.NoError(tb, err)
	field, ok := map[string]*int{
		"events": &l.Events, "index": &l.Index, "delta": &l.DeltaBytes, "text": &l.TextBytes,
		"thinking": &l.ThinkingBytes, "call": &l.CallBytes, "arguments": &l.ArgumentsBytes,
		"calls": &l.Calls, "media": &l.MediaBytes, "data": &l.DataBytes,
	}[name]
	require.True(tb, ok, "no limit %q", name)
	*field = n
}
