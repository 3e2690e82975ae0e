package chatwire

import (
	"github.com/weirsdk/weir/providers/internal/wirejson"
	"github.com/weirsdk/weir/request"
)

// MarkerSpelling is how a vendor spells a cache marker on a part of the content.
type MarkerSpelling uint8

const (
	// MarkerNone: it has none.
	MarkerNone MarkerSpelling = iota
	// MarkerControl: "cache_control": {"type": "ephemeral"}, with "ttl" for an hour.
	MarkerControl
	// MarkerBreakpoint: "prompt_cache_breakpoint": {"mode": "explicit"}, of OpenAI's
	// models from GPT-5.6 on, which others refuse: only where the Spec says Yes.
	MarkerBreakpoint
)

// maxCacheMarkers is as many as are kept: openrouter.ai/docs/guides/best-practices/
// prompt-caching (of Anthropic), help.aliyun.com/model-studio/context-cache, and OpenAI's
// API reference of prompt_cache_options, stored copies read 2026-12-01.
const maxCacheMarkers = 4

// target returns the target of preparing, its Spec narrowed to what the vendor has
// words for: of markers, and of a search. Assistant and tool messages hold one text, and tools none.
func (p Profile) target(s request.Spec) request.Target {
	if p.Markers == MarkerNone || p.Markers == MarkerBreakpoint && s.CacheMarkers != request.Yes {
		s.CacheMarkers = request.No
	}
	switch {
	case p.CacheAutomatic || p.Markers == MarkerBreakpoint:
		s.CacheAutomatic = request.Yes
	case p.Markers == MarkerControl:
		s.CacheAutomatic = request.No
	}
	if retains := p.CacheRetention && s.CacheLong == request.Yes; p.Markers != MarkerControl && !retains {
		s.CacheLong = request.No
	}
	if p.CacheKey == "" {
		s.CacheKey = request.No
	}
	s.MaxCacheMarkers = maxCacheMarkers
	s = p.searchSpec(s)
	return request.Target{
		Spec: s, Format: Format, Origin: p.Origin, OneWish: p.Effort == EffortObject,
		Unmarkable: []request.CachePlace{request.CacheTools, request.CacheAssistant, request.CacheResults},
	}
}

// cache spells what is asked of the whole prompt.
func cache(o *wirejson.Object, c request.Cache, profile Profile) {
	if c.Key != "" {
		o.Set(profile.CacheKey, quoted(c.Key))
	}
	switch {
	case c.Automatic == "":
	case profile.CacheAutomatic:
		o.Set("cache_control", control(c.Automatic))
	case profile.CacheRetention && c.Automatic == request.CacheLong:
		o.Set("prompt_cache_retention", `"24h"`)
	}
}

// control is five minutes when it does not say how long.
func control(ttl request.CacheTTL) string {
	if ttl == request.CacheLong {
		return `{"type":"ephemeral","ttl":"1h"}`
	}
	return `{"type":"ephemeral"}`
}

// mark adds a marker to a part that is not closed yet.
func (e *encoder) mark(ttl request.CacheTTL) {
	switch {
	case ttl == "":
	case e.profile.Markers == MarkerControl:
		e.raw(`,"cache_control":` + control(ttl))
	case e.profile.Markers == MarkerBreakpoint:
		e.raw(`,"prompt_cache_breakpoint":{"mode":"explicit"}`)
	}
}
