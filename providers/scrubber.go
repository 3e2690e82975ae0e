package providers

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
)

// The fewest bytes of a secret that a Scrubber takes, shorter ones would tear
// ordinary words, and of the beginning of one that a text ends in.
const (
	shortestSecret = 4
	shortestCut    = 8
)

// A Scrubber keeps the credentials of a call out of what is stored of it. Whoever
// stores (a recorder) does not know them; the transport does, and tells the
// Scrubber of [WithScrubber] before anything is sent.
//
// The zero Scrubber knows no secret and is ready; it must not be copied once used.
// It is safe for concurrent use. Secrets cannot be read back, and no printer prints
// them.
type Scrubber struct {
	mu sync.RWMutex
	// A function, because fmt prints the fields of what it is given.
	secrets func() []string
}

// Add makes the scrubber replace these secrets from now on, in every spelling in
// which they may be echoed: plain, in base64, and either of these with any of its
// characters escaped for JSON (RFC 8259, section 7) or for URLs (RFC 3986, section
// 2.1), up to twice over. Those shorter than four bytes are left alone: they would
// tear ordinary words.
func (s *Scrubber) Add(secrets ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := slices.Clone(s.known())
	for _, secret := range secrets {
		if len(secret) < shortestSecret || slices.Contains(all, secret) {
			continue
		}
		for _, spelling := range spellings(secret) {
			if len(spelling) >= shortestSecret && !slices.Contains(all, spelling) {
				all = append(all, spelling)
			}
		}
	}
	s.secrets = func() []string { return all }
}

func (s *Scrubber) known() []string {
	if s.secrets == nil {
		return nil
	}
	return s.secrets()
}

// Scrub returns text with each secret replaced by "[redacted]", and so the
// beginning of one, of at least eight bytes, that the text ends in: it may have
// been cut there. Without a secret in it the text is returned as it is.
func (s *Scrubber) Scrub(text string) string { return s.ScrubPieces([]string{text})[0] }

// ScrubWhole returns text with each secret replaced by "[redacted]". It is for a text
// that was not cut: one that ends in the beginning of a secret keeps it, so that two
// texts which differ without a secret in them stay different.
func (s *Scrubber) ScrubWhole(text string) string { return s.scrub([]string{text}, false)[0] }

// ScrubPieces scrubs pieces that belong together, like the deltas of one block: it
// finds a secret that is split over several, too. Such a one is replaced in the
// piece in which it begins and left out of the others, which may become empty. The
// joined result is what Scrub returns for the joined pieces. The slice is a new one.
func (s *Scrubber) ScrubPieces(pieces []string) []string { return s.scrub(pieces, true) }

func (s *Scrubber) scrub(pieces []string, cut bool) []string {
	s.mu.RLock()
	secrets := s.known()
	s.mu.RUnlock()
	out := slices.Clone(pieces)
	if len(secrets) == 0 || len(pieces) == 0 {
		return out
	}
	found := spans(strings.Join(pieces, ""), secrets, cut)
	begin := 0
	for i, piece := range pieces {
		end := begin + len(piece)
		for len(found) > 0 && found[0].end <= begin {
			found = found[1:]
		}
		if len(found) == 0 {
			break
		}
		out[i] = without(piece, begin, found)
		begin = end
	}
	return out
}

// A span is where secrets are in a text.
type span struct{ begin, end int }

// spans returns where the secrets are, in order; those that overlap are one span.
func spans(text string, secrets []string, cut bool) []span {
	var all []span
	for _, v := range views(text) {
		for _, secret := range secrets {
			all = v.find(all, v.spelled(secret), cut)
		}
	}
	slices.SortFunc(all, func(a, b span) int { return cmp.Compare(a.begin, b.begin) })
	var joined []span
	for _, one := range all {
		if last := len(joined) - 1; last >= 0 && one.begin < joined[last].end {
			joined[last].end = max(joined[last].end, one.end)
			continue
		}
		joined = append(joined, one)
	}
	return joined
}

// without returns a piece that begins at begin of the whole text without the spans,
// of which the first does not end before it.
func without(piece string, begin int, found []span) string {
	end := begin + len(piece)
	var b strings.Builder
	at := begin
	for _, one := range found {
		if one.begin >= end {
			break
		}
		b.WriteString(piece[at-begin : max(one.begin, at)-begin])
		if one.begin >= begin {
			b.WriteString(redacted)
		}
		at = min(one.end, end)
	}
	if at == begin {
		return piece
	}
	b.WriteString(piece[at-begin:])
	return b.String()
}

type scrubberKey struct{}

// WithScrubber returns a context under which the transport of any adapter tells s
// the credentials of a call before anything is sent. Scrubbers of an outer context are told too.
func WithScrubber(ctx context.Context, s *Scrubber) context.Context {
	tell := s.Add
	if outer, ok := ctx.Value(scrubberKey{}).(func(...string)); ok {
		inner := tell
		tell = func(secrets ...string) {
			outer(secrets...)
			inner(secrets...)
		}
	}
	return context.WithValue(ctx, scrubberKey{}, tell)
}

// TellSecrets tells the scrubbers of a context, if there are any, the credentials
// of a call. It is for transports.
func TellSecrets(ctx context.Context, secrets ...string) {
	if tell, ok := ctx.Value(scrubberKey{}).(func(...string)); ok {
		tell(secrets...)
	}
}
