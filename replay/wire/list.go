package wire

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/weirsdk/weir/providers"
)

// FaultHeader is the request header that orders a [Fault] of [Server].
const FaultHeader = "Weir-Fault"

// isKeptInRequest lists the request headers that are stored.
func isKeptInRequest(name string) bool {
	switch name {
	case "Accept", "Anthropic-Beta", "Anthropic-Version", "Content-Type", "Openai-Beta":
		return true
	default:
		return false
	}
}

// isKeptInResponse lists the response headers that are stored: what adapters and
// the transport read. The request ids are those of providers/transport.
func isKeptInResponse(name string) bool {
	switch name {
	case "Content-Type", "Content-Encoding", "Retry-After", "Retry-After-Ms", "X-Should-Retry", "X-Amzn-Errortype",
		"Request-Id", "X-Request-Id", "X-Amzn-Requestid", "Apim-Request-Id", "X-Ms-Request-Id", "X-Generation-Id":
		return true
	default:
		return strings.HasPrefix(name, "X-Ratelimit-") || strings.HasPrefix(name, "Anthropic-Ratelimit-")
	}
}

// isHarmless lists the request headers that are not stored and are no secrets:
// clients differ in them, and their words are ordinary.
func isHarmless(name string) bool {
	switch name {
	case "Accept-Charset", "Accept-Encoding", "Accept-Language", "Cache-Control", "Connection", "Content-Encoding",
		"Content-Length", "Expect", "Host", "Origin", "Pragma", "Te", "Trailer", "Transfer-Encoding", "Upgrade",
		"User-Agent", "X-Amz-Date", "X-Title", FaultHeader:
		return true
	default:
		return strings.HasPrefix(name, "X-Stainless-") || strings.HasPrefix(name, "Sec-Ch-") || strings.HasPrefix(name, "Sec-Fetch-")
	}
}

// isAlwaysSecret lists the headers that are credentials, whatever anybody says.
func isAlwaysSecret(name string) bool {
	switch http.CanonicalHeaderKey(name) {
	case "Authorization", "Cookie", "Proxy-Authorization", "Set-Cookie":
		return true
	default:
		return false
	}
}

// canonical returns a header whose names are spelled as net/http spells them. One that
// was made by hand need not be, and a reader would not find it.
func canonical(header http.Header) http.Header {
	out := make(http.Header, len(header))
	for _, name := range slices.Sorted(maps.Keys(header)) {
		key := http.CanonicalHeaderKey(name)
		out[key] = append(out[key], header[name]...)
	}
	return out
}

// keep returns the listed headers without secrets.
func keep(header http.Header, listed func(name string) bool, scrub *providers.Scrubber) http.Header {
	kept := http.Header{}
	for name, values := range canonical(header) {
		if listed(name) {
			for _, v := range values {
				kept[name] = append(kept[name], scrub.ScrubWhole(v))
			}
		}
	}
	return kept
}

// response returns what is stored of a response's header. The date is kept when another
// header counts from it.
func (k keeping) response(header http.Header, scrub *providers.Scrubber) http.Header {
	kept := keep(header, k.inResponse, scrub)
	if location := k.location(header.Get("Location"), scrub); location != "" {
		kept.Set("Location", location)
	}
	if date := header.Get("Date"); date != "" && hasTime(kept) {
		kept.Set("Date", date)
	}
	return kept
}

// hasTime reports whether a header names a moment, which Retry-After and the resets
// of rate limits may do, instead of a duration.
func hasTime(kept http.Header) bool {
	if _, err := http.ParseTime(kept.Get("Retry-After")); err == nil {
		return true
	}
	for name, values := range kept {
		if strings.Contains(name, "-Reset") && isTime(values[0]) {
			return true
		}
	}
	return false
}

func isTime(value string) bool {
	_, err := time.Parse(time.RFC3339, value)
	unix, notUnix := strconv.ParseFloat(value, 64)
	const year2001 = 1e9
	return err == nil || notUnix == nil && unix >= year2001
}
