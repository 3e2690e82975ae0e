package request

import (
	"slices"
	"strconv"
	"strings"

	"github.com/weirsdk/weir/events"
)

// MaxCacheKey is the longest [Cache.Key], in bytes: OpenAI takes 64 characters
// (github.com/charmbracelet/crush and others on its answer to more, read 2026-12-01).
const MaxCacheKey = 64

// A CacheTTL is how long a provider is asked to keep the prompt up to a marker. The
// zero CacheTTL is no marker.
type CacheTTL string

// The times. Providers without such words keep a prompt as long as they like.
const (
	// CacheShort is five minutes from the last use.
	CacheShort CacheTTL = "5m"
	// CacheLong is an hour, which is dearer to write.
	CacheLong CacheTTL = "1h"
)

// A Cache says what of the prompt a provider is asked to keep, so that the next
// request that begins with the same bytes costs less. The prompt is the tools, then
// the system prompt, then the messages; a marker keeps everything before it. Markers
// on blocks are in [Block.Cache]. The zero Cache asks for nothing; many providers keep
// prompts all the same.
//
// A marker of an hour may not follow one of five minutes: providers refuse that. What
// was kept is told by the usage of the reply.
type Cache struct {
	// Automatic has the end of the prompt kept, wherever it is: each request of a
	// conversation reads what the one before wrote. It is a marker on the last block
	// where the wire has markers, and nothing where the provider keeps prompts unasked.
	Automatic CacheTTL
	// Tools is a marker after the tools, hosted ones too, System one after the system prompt.
	Tools, System CacheTTL
	// Key is the same for requests that share a long beginning, for providers that
	// send requests of one key to one place. It is no secret and not shown to the model.
	// At most MaxCacheKey bytes.
	Key string
}

// IsZero reports whether nothing is asked for.
func (c Cache) IsZero() bool { return c == Cache{} }

// Cached returns the block with a marker after it, for the beginning of a prompt that
// later requests repeat.
func (b Block) Cached(ttl CacheTTL) Block {
	b.Cache = ttl
	return b
}

func (t CacheTTL) isKnown() bool { return t == "" || t == CacheShort || t == CacheLong }

// A CachePlace is a part of the prompt that markers may be on.
type CachePlace string

// The places: the tools, the system prompt, and blocks by the role of their turn.
const (
	CacheTools     CachePlace = "tools"
	CacheSystem    CachePlace = "system"
	CacheUser      CachePlace = "user"
	CacheAssistant CachePlace = "assistant"
	CacheResults   CachePlace = "tool"
)

// A cacheMark is a place of the prompt that is marked.
type cacheMark struct {
	field string
	place CachePlace
	ttl   *CacheTTL
}

// unmarkable reports whether the wire has no markers there.
func (p *preparer) unmarkable(place CachePlace) bool {
	return p.target != nil && slices.Contains(p.target.Unmarkable, place)
}

// cache checks the markers and leaves out what the model does not take. It runs last:
// what is not sent cannot be marked.
func (p *preparer) cache(r *Request) {
	marks := p.cacheMarks(r)
	p.checkCache(r, marks)
	if r.without(FeatureCache) {
		if len(marks) > 0 || !r.Cache.IsZero() {
			p.dropped("cache")
		}
		unmark(marks)
		r.Cache = Cache{}
		return
	}
	if p.spec.CacheMarkers == No {
		p.withoutMarkers(r, marks)
	} else {
		p.limitMarkers(r, p.placeAutomatic(r, p.markable(marks)))
	}
	if r.Cache.Key != "" && p.spec.CacheKey == No {
		p.dropped("cache.key")
		r.Cache.Key = ""
	}
}

// cacheMarks returns the marks in the order of the prompt, without those on tools or a
// system prompt that are not there.
func (p *preparer) cacheMarks(r *Request) []cacheMark {
	var marks []cacheMark
	add := func(place CachePlace, ttl *CacheTTL, there bool) {
		field := "cache." + string(place)
		switch {
		case *ttl == "":
		case !there:
			p.change(field, events.NoticeParameterDropped, "there is nothing to mark", "")
			*ttl = ""
		default:
			marks = append(marks, cacheMark{field, place, ttl})
		}
	}
	add(CacheTools, &r.Cache.Tools, len(r.Tools)+len(r.HostedTools) > 0)
	add(CacheSystem, &r.Cache.System, r.System != "")
	at := 0
	for i := range r.Messages {
		for j := range r.Messages[i].Blocks {
			if b := &r.Messages[i].Blocks[j]; b.Cache != "" {
				marks = append(marks, cacheMark{p.marked[at], CachePlace(r.Messages[i].Role), &b.Cache})
				at++
			}
		}
	}
	return marks
}

func (p *preparer) checkCache(r *Request, marks []cacheMark) {
	if r.Cache.Automatic != "" {
		marks = append(marks[:len(marks):len(marks)], cacheMark{"cache.automatic", "", &r.Cache.Automatic})
	}
	short := false
	for _, m := range marks {
		p.badParameter(m.field, !m.ttl.isKnown(), "unknown time "+quoteShort(string(*m.ttl))+`: "5m" or "1h"`)
		p.badParameter(m.field, short && *m.ttl == CacheLong, "an hour may not come after a marker of five minutes")
		short = short || *m.ttl == CacheShort
	}
	p.badParameter("cache.key", len(r.Cache.Key) > MaxCacheKey, "must be at most "+strconv.Itoa(MaxCacheKey)+" bytes")
	p.badParameter("cache.key", strings.ContainsFunc(r.Cache.Key, isNotPrinted), "must be of printed characters alone")
}

// withoutMarkers leaves out all markers. Automatic stays where the provider may keep
// prompts unasked.
func (p *preparer) withoutMarkers(r *Request, marks []cacheMark) {
	for _, m := range marks {
		p.change(m.field, events.NoticeParameterDropped, "the model takes no cache markers", "")
	}
	unmark(marks)
	if r.Cache.Automatic != "" && p.spec.CacheAutomatic == No {
		p.dropped("cache.automatic")
		r.Cache.Automatic = ""
	}
	p.shorten([]cacheMark{{"cache.automatic", "", &r.Cache.Automatic}})
}

// markable leaves out the markers in places where the wire has none.
func (p *preparer) markable(marks []cacheMark) []cacheMark {
	kept := make([]cacheMark, 0, len(marks)+1)
	for _, m := range marks {
		if p.unmarkable(m.place) {
			p.change(m.field, events.NoticeParameterDropped, "the provider takes no cache markers there", "")
			*m.ttl = ""
			continue
		}
		kept = append(kept, m)
	}
	return kept
}

// placeAutomatic turns Automatic into a marker on the last block that takes one, for a
// model that has no word for it.
func (p *preparer) placeAutomatic(r *Request, marks []cacheMark) []cacheMark {
	ttl := r.Cache.Automatic
	if ttl == "" || p.spec.CacheAutomatic == Yes {
		return marks
	}
	r.Cache.Automatic = ""
	for i := len(r.Messages) - 1; i >= 0; i-- {
		// A turn may be provider data alone, which nobody changes.
		blocks, place := r.Messages[i].Blocks, CachePlace(r.Messages[i].Role)
		if len(blocks) == 0 || p.unmarkable(place) {
			continue
		}
		if last := &blocks[len(blocks)-1]; last.Cache == "" {
			last.Cache = ttl
			marks = append(marks, cacheMark{"cache.automatic", place, &last.Cache})
		}
		return marks
	}
	p.change("cache.automatic", events.NoticeParameterDropped, "there is nothing to mark", "")
	return marks
}

// limitMarkers keeps as many markers as the model takes, those that keep the most, and
// none for longer than it keeps them.
func (p *preparer) limitMarkers(r *Request, marks []cacheMark) {
	if r.Cache.Automatic != "" {
		marks = append(marks, cacheMark{"cache.automatic", "", &r.Cache.Automatic})
	}
	if most := p.spec.MaxCacheMarkers; most > 0 && len(marks) > most {
		for _, m := range marks[:len(marks)-most] {
			p.change(m.field, events.NoticeParameterDropped,
				"the model takes at most "+strconv.Itoa(most)+" cache markers", "; the last ones are kept")
		}
		unmark(marks[:len(marks)-most])
		marks = marks[len(marks)-most:]
	}
	p.shorten(marks)
}

func (p *preparer) shorten(marks []cacheMark) {
	for _, m := range marks {
		if *m.ttl == CacheLong && p.spec.CacheLong == No {
			p.change(m.field, events.NoticeParameterDropped, "the model keeps nothing for an hour", "; five minutes take its place")
			*m.ttl = CacheShort
		}
	}
}

func unmark(marks []cacheMark) {
	for _, m := range marks {
		*m.ttl = ""
	}
}
