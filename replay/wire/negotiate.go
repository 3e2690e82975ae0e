package wire

import (
	"net/http"
	"strings"
)

// acceptable returns a recording as a client can read it: one whose body is encoded
// in a way that the request does not accept is decoded, and its chunks and delays are
// lost.
func acceptable(one *recording, r *http.Request) *recording {
	encoding := one.Response.Header.Get("Content-Encoding")
	if !isEncoded(encoding) || accepts(r, encoding) {
		return one
	}
	body, err := decode(encoding, one.body)
	if err != nil {
		return one // a Transport records no such body; who wrote it by hand may mean it
	}
	plain := *one.Response
	plain.Header = plain.Header.Clone()
	plain.Header.Del("Content-Encoding")
	plain.Header.Del("Content-Length")
	plain.Chunks, plain.Delays = nil, nil
	decoded := *one
	decoded.Response, decoded.body = &plain, body
	return &decoded
}

// accepts reports whether a request accepts a content encoding (RFC 9110, 12.5.3:
// one with the weight 0 is not).
func accepts(r *http.Request, encoding string) bool {
	for _, line := range r.Header.Values("Accept-Encoding") {
		for word := range strings.SplitSeq(line, ",") {
			name, weight, _ := strings.Cut(word, ";")
			name = strings.TrimSpace(name)
			if !strings.EqualFold(name, strings.TrimSpace(encoding)) && name != "*" {
				continue
			}
			weight = strings.ReplaceAll(strings.ToLower(weight), " ", "")
			return strings.Trim(strings.TrimPrefix(weight, "q="), "0.") != "" || weight == ""
		}
	}
	return false
}
