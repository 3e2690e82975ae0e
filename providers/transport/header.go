package transport

import (
	"cmp"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/weirsdk/weir/events"
)

// RetryAfter returns the least time to wait that a response head asks for:
// retry-after-ms (OpenAI's and Anthropic's Go SDKs, read August to October 2026),
// else Retry-After in seconds, decimals too, or as an HTTP date (RFC 9110,
// 10.2.3). A date is counted from the Date header
// when there is one, else from now. What is unreadable or negative is absent;
// ok is false then.
func RetryAfter(header http.Header, now time.Time) (wait time.Duration, ok bool) {
	if d, ok := decimal(header.Get("Retry-After-Ms"), time.Millisecond); ok {
		return d, true
	}
	value := strings.TrimSpace(header.Get("Retry-After"))
	if value == "" && header.Get("Retry-After-Ms") == "" {
		return 0, false
	}
	if d, ok := decimal(value, time.Second); ok {
		return d, true
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	if date, err := http.ParseTime(header.Get("Date")); err == nil {
		now = date
	}
	return max(at.Sub(now), 0), true
}

// decimal reads a non-negative decimal number of units, rounded up and saturated.
func decimal(s string, unit time.Duration) (time.Duration, bool) {
	s = strings.TrimSpace(s)
	if s == "" || strings.Trim(s, "0123456789.") != "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil && n != math.Inf(1) {
		return 0, false
	}
	d := math.Ceil(n * float64(unit))
	if d >= math.MaxInt64 {
		return math.MaxInt64, true
	}
	return time.Duration(d), true
}

// shouldRetry reads the provider's own advice, header x-should-retry (OpenAI's and
// Anthropic's Go SDKs, read August to October 2026).
func shouldRetry(header http.Header) *bool {
	switch strings.ToLower(header.Get("X-Should-Retry")) {
	case "true":
		return new(true)
	case "false":
		return new(false)
	default:
		return nil
	}
}

// requestID returns the provider's id of the exchange: Anthropic's, OpenAI's,
// Bedrock's, two of Azure (the second is not confirmed), OpenRouter's. Source:
// recordings, and the vendors' SDKs read August to October 2026.
func requestID(header http.Header) string {
	for _, name := range []string{
		"Request-Id", "X-Request-Id", "X-Amzn-Requestid", "Apim-Request-Id", "X-Ms-Request-Id", "X-Generation-Id",
	} {
		if id := header.Get(name); id != "" {
			return id
		}
	}
	return ""
}

// RateLimits returns what a response head tells of the account's limits, or nil.
// It reads x-ratelimit-{limit,remaining,reset}-{requests,tokens} (OpenAI and
// those who follow it), the same without the last word (OpenRouter: requests),
// and anthropic-ratelimit-{requests,tokens,input-tokens,output-tokens}-
// {limit,remaining,reset}. Resets are durations (6m0s, 59.5), RFC 3339 times or
// Unix times; times are counted from the Date header, else from now. Negative
// numbers, which Azure sends, are unknown.
//
// Source: the vendors' SDKs, docs and issues, read August to October 2026; Unix
// times and OpenRouter's names are not confirmed.
func RateLimits(header http.Header, now time.Time) *events.RateLimits {
	if text := header.Get("Date"); text != "" {
		if date, err := http.ParseTime(text); err == nil {
			now = date
		}
	}
	read := func(limit, remaining, reset string) events.RateWindow {
		return events.RateWindow{
			Limit:     headerCount(header.Get(limit)),
			Remaining: headerCount(header.Get(remaining)),
			Reset:     resetAfter(header.Get(reset), now),
		}
	}
	openai := func(what string) events.RateWindow {
		return read("X-Ratelimit-Limit"+what, "X-Ratelimit-Remaining"+what, "X-Ratelimit-Reset"+what)
	}
	anthropic := func(what string) events.RateWindow {
		p := "Anthropic-Ratelimit-" + what
		return read(p+"-Limit", p+"-Remaining", p+"-Reset")
	}
	limits := events.RateLimits{
		Requests:     firstWindow(openai("-Requests"), anthropic("Requests"), openai("")),
		Tokens:       firstWindow(openai("-Tokens"), anthropic("Tokens")),
		InputTokens:  anthropic("Input-Tokens"),
		OutputTokens: anthropic("Output-Tokens"),
	}
	if limits.IsZero() {
		return nil
	}
	return &limits
}

func firstWindow(windows ...events.RateWindow) events.RateWindow {
	for _, w := range windows {
		if w != (events.RateWindow{}) {
			return w
		}
	}
	return events.RateWindow{}
}

func headerCount(s string) events.Count {
	if s == "" {
		return events.Count{} // most heads have none; an error costs more
	}
	n, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64)
	if err != nil || n < 0 || n > events.MaxCount {
		return events.Count{}
	}
	return events.Known(n)
}

func resetAfter(s string, now time.Time) time.Duration {
	s = strings.TrimSpace(s)
	if s == "" {
		return 0
	}
	if d, err := time.ParseDuration(s); err == nil {
		return max(d, 0)
	}
	if at, err := time.Parse(time.RFC3339, s); err == nil {
		return max(at.Sub(now), 0)
	}
	d, ok := decimal(s, time.Second)
	switch {
	case !ok:
		return 0
	case d > 10*365*24*time.Hour: // no window is that long: a Unix time
		return untilUnix(s, now)
	default:
		return d
	}
}

// untilUnix reads a Unix time in seconds or, from 10^11 on, in milliseconds.
func untilUnix(s string, now time.Time) time.Duration {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0
	}
	at := time.Unix(n, 0)
	if n >= 100_000_000_000 {
		at = time.UnixMilli(n)
	}
	return max(at.Sub(now), 0)
}

// badHeader returns the name of a field that is no field (RFC 9110, 5.1 and 5.5: a name
// is a token, a value has no control characters), or nothing. A client refuses it like a
// server that is not there, which would be tried again.
func badHeader(header http.Header) string {
	const marks = "!#$%&'*+-.^_`|~"
	isOther := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune(marks, r)
	}
	isControl := func(r rune) bool { return r < ' ' && r != '\t' || r == '\x7f' }
	for _, name := range slices.Sorted(maps.Keys(header)) {
		if name == "" || strings.ContainsFunc(name, isOther) {
			return cmp.Or(name, "(empty)")
		}
		for _, value := range header[name] {
			if strings.ContainsFunc(value, isControl) {
				return name
			}
		}
	}
	return ""
}
