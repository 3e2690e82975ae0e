package conformance

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weirsdk/weir/events"
)

// runCase plays the exchanges of a case, each in every split.
func (s *suite) runCase(t *testing.T, c bugCase) {
	t.Helper()
	tr := s.newTrial(Scenario{Name: c.folder, ask: ask}, c.acts[len(c.acts)-1].response)
	for nth, a := range c.acts {
		tr.response = a.response
		for how, size := range map[string]int{"whole": len(a.body) + 1, "byte by byte": 1, "seven bytes a read": 7} {
			if size == 1 && len(a.body) > maxByteByByte {
				continue
			}
			name := how
			if len(c.acts) > 1 {
				name = fmt.Sprintf("exchange %d, %s", nth+1, how)
			}
			a.reads = func(int) int { return size }
			tr.mutate(t, name, func(t *testing.T, g *group) { g.playCase(t, c, a, nth) })
		}
	}
}

// maxByteByByte is the size up to which a case is played byte by byte: 512 KiB.
const maxByteByByte = 512 << 10

// playCase plays one exchange; time is virtual.
func (g *group) playCase(t *testing.T, c bugCase, a act, nth int) {
	t.Helper()
	var p played
	var st *stage
	crash := bubble(t, func(t *testing.T) {
		m, on := g.model(t, a)
		st = on
		p = g.at("", -1).play(t.Context(), m, g.req)
	})
	if !g.check(crash == nil, m11, "no goroutine left", crash) || !g.checkGrammar(p, "", -1) {
		return
	}
	g.checkClosed(st, "", -1)
	if nth == len(c.acts)-1 {
		g.checkOutcome(c.Expected, p)
		return
	}
	f := p.failure()
	g.check(f.Retryable() && !delivered(p.events), m18, "a failure that is worth another attempt", p.tellEnd)
	if r := c.Expected.Retry; r != nil && nth < len(r.WaitMS) {
		ms, _ := r.WaitMS[nth].(float64) // what is no number is no wait that can be read
		g.check(f.RetryAfter == time.Duration(ms)*time.Millisecond, m18, say("a wait of %v ms", ms), f.RetryAfter)
	}
}

// checkOutcome holds the last exchange to the outcome.
func (g *group) checkOutcome(want outcome, p played) {
	said := p.reply.Text()
	if want.Text != nil {
		g.check(said == *want.Text, m17, say("the text %q", *want.Text), say("%q", said))
	}
	if want.TextRef != nil {
		g.check(len(said) == want.TextRef.Len, m17, say("a text of %d bytes", want.TextRef.Len), len(said))
	}
	if want.Thinking != nil {
		g.check(p.reply.Thinking() == *want.Thinking, m17, say("the thinking %q", *want.Thinking), say("%q", p.reply.Thinking()))
	}
	g.checkCaseCalls(want.Tools, p)
	if want.Terminal != nil {
		g.checkTerminal(want, p)
	}
	if want.Events != nil {
		wanted, got := wantedWords(want.Events, wholeCalls(p.events)), wordsOf(p.events)
		g.check(slices.Equal(wanted, got), m17, say("%q", wanted), say("%q", got))
	}
	g.checkCaseUsage(want.Usage, p)
}

func (g *group) checkCaseCalls(want []caseTool, p played) {
	got := p.reply.ToolCalls()
	if !g.check(len(got) == len(want), m08, number(len(want), "executable call"), p.tellEnd) {
		return
	}
	for i, w := range want {
		g.check(got[i].Name == w.Name && got[i].Arguments == w.Args, m08, w.Name+" "+w.Args, got[i].Name+" "+got[i].Arguments)
		if w.ID != nil && !strings.HasPrefix(*w.ID, "<synth") {
			g.check(got[i].ID == *w.ID, m17, "the id "+*w.ID, got[i].ID)
		} else {
			g.check(got[i].Minted, m17, "an id that is told as minted", got[i].ID)
		}
	}
}

func (g *group) checkTerminal(want outcome, p played) {
	w := want.Terminal
	if w.Type == "done" {
		done, ok := p.last().Completion()
		raw := ""
		if w.Raw != nil {
			raw = *w.Raw
		}
		g.check(ok && done.Stop == events.Stop(w.Stop) && done.RawStop == raw, m17, say("Completed: %s (%q)", w.Stop, raw), p.tellEnd)
		return
	}
	f := p.failure()
	kind := string(f.Kind) + "/" + string(f.Reason)
	g.check(slices.Contains(failureKinds(w.Kind), kind), m18, say("Failed: %s", failureKinds(w.Kind)), p.tellEnd)
	g.check(w.Status == 0 || f.Status == w.Status, m18, say("the status %d", w.Status), f.Status)
	wait := time.Duration(w.RetryAfterMS) * time.Millisecond
	g.check(f.RetryAfter == wait, m18, wait, f.RetryAfter)
	g.check(strings.Contains(f.Detail, w.Message), m18, say("the words %q", w.Message), f.Detail)
	g.check(w.ProviderCode == "" || f.ProviderCode == w.ProviderCode, m18, w.ProviderCode, f.ProviderCode)
	// A wait that is too long is given up by a caller, not by the failure.
	if r := want.Retry; r != nil && w.RetryAfterMS == 0 {
		again := f.Retryable() && !delivered(p.events)
		g.check(again == r.Auto, m18, say("retryable: %t", r.Auto), again)
	}
}

func (g *group) checkCaseUsage(want *caseUsage, p played) {
	got, reported := p.last().Usage()
	if want == nil {
		g.check(!reported || !got.Input.IsKnown() && !got.Output.IsKnown(), m09, "no count: nothing was reported, and nothing is not zero", p.tellUsage)
		return
	}
	g.check(got.Inconsistent == (want.Flag == "inconsistent"), m17, say("inconsistent: %t", want.Flag == "inconsistent"), got.Inconsistent)
	if want.Flag == "" {
		g.check(got.Final == (want.Status == "final"), m17, say("usage that is %s", want.Status), p.tellUsage)
	}
	for _, c := range []struct {
		name string
		want *int64
		got  events.Count
	}{
		{"input", want.Input, got.Input},
		{"output", want.Output, got.Output},
		{"thinking", want.Thinking, got.Thinking},
		{"cache read", want.CacheRead, got.CacheRead},
		{"cache write", want.CacheWrite, got.CacheWrite},
		{"long cache write", want.CacheWriteLong, got.CacheWriteLong},
	} {
		if c.want != nil {
			g.check(c.got.Or(0) == *c.want && (*c.want == 0 || c.got.IsKnown()), m09, say("%s %d", c.name, *c.want), c.got)
		}
	}
}
