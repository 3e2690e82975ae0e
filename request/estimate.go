package request

import (
	"cmp"
	"math"
)

// What media count for in an estimate, in tokens.
const (
	// EstimatedImage is for one image of any size. The dearest documented fixed
	// rate of an image is 6,404 tokens (docs.together.ai/docs/vision-overview, read
	// 2026-11-30); most providers scale an image down to less than 1,600.
	EstimatedImage = 6500
	// EstimatedRemote is for one audio clip or file of which only the URL is known.
	EstimatedRemote = 20_000
	// EstimatedSearch is for each search that a hosted web search may make, of which there
	// are EstimatedSearches where MaxUses sets no bound, and for each other hosted tool:
	// what they find is input too. It is a guess, not a bound: nobody documents one.
	EstimatedSearch   = 10_000
	EstimatedSearches = 5
	// audioBytesPerToken: speech is counted at up to 32 tokens a second (Gemini API,
	// "Understand and count tokens", read 2026-11-30), and its leanest usual coding
	// is 6 kbit/s, 750 bytes.
	audioBytesPerToken = 16
	bytesPerToken      = 3
)

// EstimateInputTokens returns a deliberately high estimate of the input tokens of
// the request: the bytes of its canonical JSON without the data of media, divided
// by 3, plus 1; plus [EstimatedImage] for each image, a token for each 3 bytes of
// an inline file and for each 16 of an inline audio clip, [EstimatedRemote] for
// each file or clip by URL; plus [EstimatedSearch] for what each use of a hosted tool may
// find. It saturates instead of overflowing, is never below 1,
// and does not depend on Correlation, Foreign or Options.
func (r Request) EstimateInputTokens() int64 {
	w := writer{canonical: true, omitMedia: true}
	w.request(r)
	total := addSaturated(int64(len(w.dst))/bytesPerToken, 1)
	for _, h := range r.HostedTools {
		uses := int64(1)
		if s := h.WebSearch; s != nil {
			uses = int64(cmp.Or(max(s.MaxUses, 0), EstimatedSearches))
		}
		total = addSaturated(total, min(uses, math.MaxInt32)*EstimatedSearch)
	}
	for _, m := range r.Messages {
		for _, b := range m.Blocks {
			total = addSaturated(total, estimateMedia(b))
			for _, c := range b.Result.Content {
				total = addSaturated(total, estimateMedia(c))
			}
		}
	}
	return total
}

func estimateMedia(b Block) int64 {
	size := int64(len(b.Data))
	switch {
	case b.Kind == BlockImage:
		return EstimatedImage
	case !b.isMedia():
		return 0
	case size == 0:
		return EstimatedRemote
	case b.Kind == BlockAudio:
		return size/audioBytesPerToken + 1
	default:
		return size/bytesPerToken + 1
	}
}

func addSaturated(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
