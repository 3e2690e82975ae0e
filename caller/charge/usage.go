package charge

import (
	"time"

	"github.com/weirsdk/weir/events"
)

// bytesPerToken is how many bytes a token of unreported output has: few, so that
// the estimate is high.
const bytesPerToken = 3

const (
	// tokenTime is how long a token takes at least: a thousand a second are assumed,
	// so that the estimate is high.
	tokenTime = time.Millisecond
	// flightTime is how long a hang-up takes to reach the model, by way of a gateway,
	// and what was generated before it takes to reach the client.
	flightTime = time.Second
)

func bounded(n int64) int64 { return max(0, min(n, events.MaxCount)) }

// arrivedTokens returns what so many bytes of output count for.
func arrivedTokens(bytes int64) events.Count {
	tokens := bytes / bytesPerToken
	if bytes%bytesPerToken > 0 {
		tokens++
	}
	return events.Known(bounded(tokens))
}

// unreadTokens returns how many tokens may have been generated in so much time, and
// while a hang-up was on its way.
func unreadTokens(unread time.Duration) int64 {
	return int64(max(unread, 0)/tokenTime) + int64(flightTime/tokenTime)
}

// larger returns the larger count, or the one that is known.
func larger(a, b events.Count) events.Count {
	m, known := b.Get()
	if !known || a.IsKnown() && a.Or(0) >= m {
		return a
	}
	return b
}

// counts returns the counts of u without what was said of them.
func counts(u events.Usage) events.Usage {
	u.Final, u.Inconsistent, u.Raw = false, false, ""
	return u
}

// believed returns u without the counts that cannot be one.
func believed(u events.Usage) events.Usage {
	for _, c := range []*events.Count{
		&u.Input, &u.CacheRead, &u.CacheWrite, &u.CacheWriteLong, &u.Output, &u.Thinking,
		&u.InputAudio, &u.InputImage, &u.OutputAudio, &u.OutputImage,
	} {
		if n := c.Or(0); n < 0 || n > events.MaxCount {
			*c = events.Count{}
		}
	}
	return u
}

// least returns the least that prompt and output are by their parts. Cached parts
// are disjoint from each other, and so are media, but cached media is both.
func least(u events.Usage) (input, output int64) {
	cached := sum(u.CacheRead, u.CacheWrite, u.CacheWriteLong)
	media := sum(u.InputAudio, u.InputImage)
	return max(cached, media), sum(u.Thinking, u.OutputAudio, u.OutputImage)
}

// sum adds what is known of the counts. They are sane, so that it cannot overflow.
func sum(parts ...events.Count) int64 {
	var n int64
	for _, c := range parts {
		n += c.Or(0)
	}
	return bounded(n)
}

// isConsistent reports whether no part is known to be larger than its whole. The
// counts are sane.
func isConsistent(u events.Usage) bool {
	input, output := least(u)
	return !u.Inconsistent && input <= u.Input.Or(input) && output <= u.Output.Or(output)
}

// widened returns u with prompt and output, which are known, at least as large as
// their parts.
func widened(u events.Usage) events.Usage {
	input, output := least(u)
	u.Input, u.Output = larger(u.Input, events.Known(input)), larger(u.Output, events.Known(output))
	return u
}
