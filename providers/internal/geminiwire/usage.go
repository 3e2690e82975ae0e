package geminiwire

import (
	"github.com/valyala/fastjson"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// counts are the provider's counters by its own names.
type counts struct {
	prompt, cached, toolUse     events.Count
	candidates, thoughts, total events.Count
}

// usageOf reads a usageMetadata object. The error is the first counter that is not
// a count; the others are read all the same.
func usageOf(u *fastjson.Value) (events.Usage, error) {
	var r reader
	c := counts{
		prompt:     r.count(u, "promptTokenCount"),
		cached:     r.count(u, "cachedContentTokenCount"),
		toolUse:    r.count(u, "toolUsePromptTokenCount"),
		candidates: r.count(u, "candidatesTokenCount"),
		thoughts:   r.count(u, "thoughtsTokenCount"),
		total:      r.count(u, "totalTokenCount"),
	}
	usage := c.usage()
	usage.InputAudio, usage.InputImage = r.media(u, "promptTokensDetails", c.prompt)
	usage.OutputAudio, usage.OutputImage = r.media(u, "candidatesTokensDetails", c.candidates)
	for _, part := range []events.Count{usage.InputAudio, usage.InputImage} {
		if larger(part, usage.Input) {
			usage.Input, usage.Inconsistent = part, true
		}
	}
	for _, part := range []events.Count{usage.OutputAudio, usage.OutputImage} {
		if larger(part, usage.Output) {
			usage.Output, usage.Inconsistent = part, true
		}
	}
	return usage, r.err
}

// reader reads counts and keeps the first error.
type reader struct{ err error }

func (r *reader) count(in *fastjson.Value, field string) events.Count {
	n, err := wirejson.Count(field, in.Get(field))
	if err != nil && r.err == nil {
		r.err = err
	}
	return n
}

// media returns what the details by modality say of audio and images. Where they
// make up the whole, what is left out is none.
func (r *reader) media(in *fastjson.Value, field string, whole events.Count) (audio, image events.Count) {
	sum, heard, seen := events.Known(0), events.Known(0), events.Known(0)
	for _, d := range in.GetArray(field) {
		n := r.count(d, "tokenCount")
		sum = sum.Plus(n)
		switch string(d.GetStringBytes("modality")) {
		case "AUDIO":
			heard = heard.Plus(n)
			audio = heard
		case "IMAGE":
			seen = seen.Plus(n)
			image = seen
		}
	}
	if sum.Or(0) > 0 && sum == whole {
		audio, image = events.Known(audio.Or(0)), events.Known(image.Or(0))
	}
	return audio, image
}

// usage returns the counts in weir's terms: what tools brought in inside the
// input, the thoughts inside the output.
//
// The prompt includes what was read from a cache. What tools brought in is prompt
// too, though it is counted beside it (recordings of code execution: the total is
// the sum of all four). The total says whether the candidates include the thoughts,
// which some models' do, and that a count which is left out is none: the API
// leaves out zeros. So it does of cached tokens, of which there are none then
// (firebase.google.com/docs/reference/js/ai.usagemetadata, a stored copy read
// 2026-12-01).
func (c counts) usage() events.Usage {
	if c.prompt.IsKnown() && c.total.IsKnown() && (c.total == c.sum() || c.inclusive() && !larger(c.thoughts, c.candidates)) {
		c.toolUse, c.cached = events.Known(c.toolUse.Or(0)), events.Known(c.cached.Or(0))
		c.candidates, c.thoughts = events.Known(c.candidates.Or(0)), events.Known(c.thoughts.Or(0))
	}
	u := events.Usage{Input: c.prompt, CacheRead: c.cached, Output: c.candidates, Thinking: c.thoughts}
	if c.prompt.IsKnown() {
		u.Input = c.prompt.Plus(events.Known(c.toolUse.Or(0)))
	}
	if c.candidates.IsKnown() && !c.inclusive() {
		u.Output = c.candidates.Plus(events.Known(c.thoughts.Or(0)))
	}
	if larger(u.CacheRead, u.Input) {
		u.Input, u.Inconsistent = u.CacheRead, true
	}
	if larger(u.Thinking, u.Output) {
		u.Output, u.Inconsistent = u.Thinking, true
	}
	return u
}

// sum is what is known of the parts of the total.
func (c counts) sum() events.Count {
	sum := c.withoutThoughts()
	return sum.Plus(events.Known(c.thoughts.Or(0)))
}

func (c counts) withoutThoughts() events.Count {
	sum := c.prompt.Plus(events.Known(c.toolUse.Or(0)))
	return sum.Plus(events.Known(c.candidates.Or(0)))
}

// inclusive reports whether the total proves that the candidates include the
// thoughts.
func (c counts) inclusive() bool {
	return c.thoughts.Or(0) > 0 && c.total.IsKnown() && c.total == c.withoutThoughts()
}

func larger(part, whole events.Count) bool {
	n, known := part.Get()
	return known && whole.IsKnown() && n > whole.Or(0)
}
