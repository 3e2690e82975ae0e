package conformance

import (
	"fmt"

	"github.com/weirsdk/weir/events"
)

// counts are the scenarios of usage. The answer of each is "Hello, world.".
func counts() []Scenario {
	count := func(name, says string, clauses []string, usage func(events.Usage) string) Scenario {
		return Scenario{
			Name: name, Says: `the answer "Hello, world."; ` + says,
			Clauses: clauses, ask: ask, want: want{text: hello, stops: end(), usage: usage},
		}
	}
	return []Scenario{
		count("usage", "12 tokens of prompt and 5 of output", []string{m09, m17}, final),
		count("usage-cached", "12 tokens of prompt, 8 of them read from a cache, and 5 of output", []string{m17}, cached),
		count("usage-thinking", "12 tokens of prompt and 5 of output, 3 of them thinking", []string{m17}, thought),
		count("usage-late", "12 tokens of prompt and 5 of output, told after the terminal evidence in a frame of their own", []string{m17}, whole),
		count("usage-cumulative", "running counts as the answer grows, that end at 12 tokens of prompt and 5 of output", []string{m17}, whole),
		count("usage-absent", "no word of any count", []string{m09}, absent),
		{
			Name: "usage-unusable", Says: `the answer "Hello, world."; 12 tokens of prompt and -5 of output`,
			Clauses: []string{m17}, ask: ask,
			want: want{text: hello, failures: []failed{{events.InvalidReply, []events.Reason{events.ReasonUnusableUsage}}}},
		},
	}
}

// whole is 12 tokens of input and 5 of output.
func whole(u events.Usage) string {
	if u.Input != events.Known(12) || u.Output != events.Known(5) {
		return fmt.Sprintf("want 12 tokens of input and 5 of output; got %s and %s", u.Input, u.Output)
	}
	if written := u.CacheWrite.Or(0) + u.CacheWriteLong.Or(0); written != 0 {
		return fmt.Sprintf("nothing was written to a cache; got %d tokens", written)
	}
	return ""
}

// final is whole, told at the end of the reply: a charge of it is exact.
func final(u events.Usage) string {
	if wrong := whole(u); wrong != "" {
		return wrong
	}
	if !u.Final {
		return "counts of a whole reply are final, so that its charge is exact; these are not marked so"
	}
	return ""
}

func cached(u events.Usage) string {
	if wrong := whole(u); wrong != "" || u.CacheRead == events.Known(8) {
		return wrong
	}
	return fmt.Sprintf("want 8 of the input read from a cache; got %s", u.CacheRead)
}

func thought(u events.Usage) string {
	if wrong := whole(u); wrong != "" || u.Thinking == events.Known(3) {
		return wrong
	}
	return fmt.Sprintf("want 3 of the output thinking; got %s", u.Thinking)
}

func absent(u events.Usage) string {
	if u.Reported() {
		return fmt.Sprintf("nothing was reported, so every count is unknown; got %s of input and %s of output", u.Input, u.Output)
	}
	return ""
}
