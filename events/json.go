package events

import (
	"encoding/base64"
	"maps"
	"slices"
	"strconv"
	"time"
)

// MarshalJSON returns the canonical JSON of the event: one object on one line,
// keys in a fixed order, absent optional parts left out, of a usage all six main
// counts always there and unknown ones null. Note that encoding/json compacts and
// HTML-escapes what a MarshalJSON returns; use [AppendJSON] for the exact bytes.
func (e Event) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// AppendJSON appends the canonical JSON of e to dst, without a line end. Texts
// are written as they are, with only what JSON requires escaped, and what some
// readers of lines take for the end of one (U+0085, U+2028, U+2029); bytes that
// are not UTF-8 become U+FFFD.
func AppendJSON(dst []byte, e Event) []byte {
	w := objectWriter{dst: append(dst, '{')}
	w.str("kind", e.Kind.String())
	if e.Kind.HasIndex() {
		w.int("index", int64(e.Index))
	}
	if e.Kind.IsDelta() {
		w.str("text", e.Text)
	} else {
		w.detail(e)
	}
	return append(w.dst, '}')
}

// AppendUsageJSON appends the canonical JSON of u to dst.
func AppendUsageJSON(dst []byte, u Usage) []byte {
	w := objectWriter{dst: append(dst, '{')}
	w.count("input", u.Input)
	w.count("cache_read", u.CacheRead)
	w.count("cache_write", u.CacheWrite)
	w.count("cache_write_long", u.CacheWriteLong)
	w.count("output", u.Output)
	w.count("thinking", u.Thinking)
	w.optCount("input_audio", u.InputAudio)
	w.optCount("input_image", u.InputImage)
	w.optCount("output_audio", u.OutputAudio)
	w.optCount("output_image", u.OutputImage)
	w.flag("final", u.Final)
	w.flag("inconsistent", u.Inconsistent)
	w.opt("raw", u.Raw)
	return append(w.dst, '}')
}

// AppendFailureJSON appends the canonical JSON of f to dst.
func AppendFailureJSON(dst []byte, f *Failure) []byte {
	w := objectWriter{dst: append(dst, '{')}
	w.str("kind", string(f.Kind))
	w.opt("reason", string(f.Reason))
	w.opt("detail", f.Detail)
	w.opt("provider", f.Provider)
	if f.Status != 0 {
		w.int("status", int64(f.Status))
	}
	w.opt("provider_code", f.ProviderCode)
	w.opt("request_id", f.RequestID)
	if f.RetryAfter > 0 {
		w.int("retry_after_ms", milliseconds(f.RetryAfter))
	}
	if f.ShouldRetry != nil {
		w.key("should_retry")
		w.dst = strconv.AppendBool(w.dst, *f.ShouldRetry)
	}
	sent := f.Sent
	if sent == "" {
		sent = MaybeSent
	}
	w.str("sent", string(sent))
	w.key("usage")
	if f.Usage.Reported() {
		w.dst = AppendUsageJSON(w.dst, f.Usage)
	} else {
		w.dst = append(w.dst, "null"...)
	}
	w.rateLimits(f.RateLimits)
	w.opt("feature", f.Feature)
	return append(w.dst, '}')
}

// milliseconds rounds a wait up: it must never be shortened.
func milliseconds(d time.Duration) int64 {
	ms := int64(d / time.Millisecond)
	if d%time.Millisecond > 0 {
		ms++
	}
	return ms
}

// MarshalJSON returns the canonical JSON of the usage.
func (u Usage) MarshalJSON() ([]byte, error) { return AppendUsageJSON(nil, u), nil }

// MarshalJSON returns the canonical JSON of the failure.
func (f *Failure) MarshalJSON() ([]byte, error) { return AppendFailureJSON(nil, f), nil }

// MarshalJSON returns the number, or null when it is unknown.
func (c Count) MarshalJSON() ([]byte, error) {
	if !c.known {
		return []byte("null"), nil
	}
	return strconv.AppendInt(nil, c.n, 10), nil
}

// An objectWriter appends the members of one JSON object.
type objectWriter struct {
	dst []byte
}

func (w *objectWriter) key(name string) {
	if last := w.dst[len(w.dst)-1]; last != '{' {
		w.dst = append(w.dst, ',')
	}
	w.dst = append(append(append(w.dst, '"'), name...), '"', ':')
}

func (w *objectWriter) str(name, s string) {
	w.key(name)
	w.dst = AppendQuoted(w.dst, s)
}

func (w *objectWriter) opt(name, s string) {
	if s != "" {
		w.str(name, s)
	}
}

func (w *objectWriter) int(name string, n int64) {
	w.key(name)
	w.dst = strconv.AppendInt(w.dst, n, 10)
}

func (w *objectWriter) flag(name string, set bool) {
	if set {
		w.key(name)
		w.dst = append(w.dst, "true"...)
	}
}

func (w *objectWriter) count(name string, c Count) {
	w.key(name)
	if c.known {
		w.dst = strconv.AppendInt(w.dst, c.n, 10)
	} else {
		w.dst = append(w.dst, "null"...)
	}
}

func (w *objectWriter) optCount(name string, c Count) {
	if c.known {
		w.count(name, c)
	}
}

func (w *objectWriter) detail(e Event) {
	switch e.Kind {
	case Started:
		w.start(e)
	case ToolCallStarted, ToolCallCompleted:
		c, _ := e.Call()
		w.call(e.Kind, c)
		w.data("replay", c.Replay)
	case ToolCallInvalid:
		c, _ := e.Call()
		i, _ := e.Issue()
		w.call(e.Kind, c)
		w.str("text", e.Text)
		w.str("issue", string(i.Kind))
		w.opt("detail", i.Detail)
		w.data("replay", c.Replay)
	case HostedToolStarted, HostedToolCompleted:
		w.hosted(e)
	case CitationAdded:
		w.citation(e)
	case MediaCompleted:
		m, _ := payload[Media](e)
		w.str("media_type", m.Type)
		w.key("data")
		w.dst = append(base64.StdEncoding.AppendEncode(append(w.dst, '"'), m.Data), '"')
	case UsageUpdated:
		u, _ := e.Usage()
		w.key("usage")
		w.dst = AppendUsageJSON(w.dst, u)
	case Notice:
		n, _ := e.Notice()
		w.str("code", string(n.Code))
		w.opt("detail", n.Detail)
	case Completed:
		w.completion(e)
	case Failed:
		if f, ok := e.Failure(); ok {
			w.key("failure")
			w.dst = AppendFailureJSON(w.dst, f)
		}
	default:
	}
}

func (w *objectWriter) start(e Event) {
	s, _ := e.Start()
	w.opt("response_id", s.ResponseID)
	w.opt("model", s.Model)
	w.opt("request_id", s.RequestID)
	w.rateLimits(s.RateLimits)
	w.flag("billing_stops", s.BillingStops)
	if len(s.Metadata) == 0 {
		return
	}
	w.key("metadata")
	m := objectWriter{dst: append(w.dst, '{')}
	for _, k := range slices.Sorted(maps.Keys(s.Metadata)) {
		if last := m.dst[len(m.dst)-1]; last != '{' {
			m.dst = append(m.dst, ',')
		}
		m.dst = append(AppendQuoted(m.dst, k), ':')
		m.dst = AppendQuoted(m.dst, s.Metadata[k])
	}
	w.dst = append(m.dst, '}')
}

func (w *objectWriter) call(kind Kind, c ToolCall) {
	w.str("id", c.ID)
	w.str("name", c.Name)
	w.flag("minted", c.Minted)
	if kind == ToolCallCompleted {
		w.str("arguments", c.Arguments)
	}
}

func (w *objectWriter) hosted(e Event) {
	h, _ := payload[HostedTool](e)
	w.str("id", h.ID)
	w.str("name", h.Name)
	w.opt("arguments", h.Arguments)
	w.opt("outcome", h.Outcome)
	if len(h.Sources) > 0 {
		w.key("sources")
		w.dst = append(w.dst, '[')
		for i, s := range h.Sources {
			if i > 0 {
				w.dst = append(w.dst, ',')
			}
			one := objectWriter{dst: append(w.dst, '{')}
			one.opt("url", s.URL)
			one.opt("title", s.Title)
			one.opt("snippet", s.Snippet)
			w.dst = append(one.dst, '}')
		}
		w.dst = append(w.dst, ']')
	}
	w.data("replay", h.Replay)
}

func (w *objectWriter) citation(e Event) {
	c, _ := e.Citation()
	w.key("citation")
	one := objectWriter{dst: append(w.dst, '{')}
	one.opt("url", c.URL)
	one.opt("title", c.Title)
	one.opt("text", c.Text)
	if c.End > 0 {
		one.int("start", int64(c.Start))
		one.int("end", int64(c.End))
	}
	if c.SourceEnd > 0 {
		one.int("source_start", int64(c.SourceStart))
		one.int("source_end", int64(c.SourceEnd))
	}
	w.dst = append(one.dst, '}')
}

func (w *objectWriter) completion(e Event) {
	c, _ := e.Completion()
	w.str("stop", string(c.Stop))
	w.opt("raw_stop", c.RawStop)
	w.opt("service_tier", c.ServiceTier)
	w.key("usage")
	w.dst = AppendUsageJSON(w.dst, c.Usage)
	if c.Cost != nil {
		w.key("cost")
		one := objectWriter{dst: append(w.dst, '{')}
		one.int("micros", int64(c.Cost.Micros))
		one.opt("text", c.Cost.Text)
		w.dst = append(one.dst, '}')
	}
	w.data("data", c.Data)
}

func (w *objectWriter) data(name string, d ProviderData) {
	if d.IsZero() {
		return
	}
	w.key(name)
	one := objectWriter{dst: append(w.dst, '{')}
	one.str("format", d.Format)
	one.opt("origin", d.Origin)
	one.str("value", d.Value)
	w.dst = append(one.dst, '}')
}

func (w *objectWriter) rateLimits(l *RateLimits) {
	if l == nil || l.IsZero() {
		return
	}
	w.key("rate_limits")
	one := objectWriter{dst: append(w.dst, '{')}
	one.window("requests", l.Requests)
	one.window("tokens", l.Tokens)
	one.window("input_tokens", l.InputTokens)
	one.window("output_tokens", l.OutputTokens)
	w.dst = append(one.dst, '}')
}

func (w *objectWriter) window(name string, r RateWindow) {
	if r == (RateWindow{}) {
		return
	}
	w.key(name)
	one := objectWriter{dst: append(w.dst, '{')}
	one.optCount("limit", r.Limit)
	one.optCount("remaining", r.Remaining)
	if r.Reset > 0 {
		one.int("reset_ms", milliseconds(r.Reset))
	}
	w.dst = append(one.dst, '}')
}
