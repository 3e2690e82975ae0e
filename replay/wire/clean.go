package wire

import (
	"bytes"
	"slices"
	"strings"
)

// clean returns a body without secrets, and fits what is stored of the answer to it.
func (k *take) clean(body []byte) ([]byte, error) {
	a := k.exchange.Response
	if a == nil || len(body) == 0 {
		return body, nil
	}
	plain, _, err := searchable(a.Header, body)
	if err != nil {
		return nil, err
	}
	k.learn(plain)
	clean := k.scrub.Scrub(string(plain))
	if clean == string(plain) || bytes.Equal(plain, body) && !isEncoded(encodingOf(a.Header)) {
		return k.cleanChunks(body), nil // what is not encoded as it says hides nothing
	}
	// A secret hides in it: stored is what it says, in the last chunk.
	a.Header.Del("Content-Encoding")
	if n := len(a.Chunks); n > 0 {
		sizes := make([]int, n)
		sizes[n-1] = len(clean)
		a.resize(sizes)
	}
	return []byte(clean), nil
}

// learn adds the credentials that an answer hands out. Its words are read as if the
// request had said them, but are no part of what was asked.
func (k *take) learn(body []byte) {
	s := &secrets{sure: k.scrub, all: k.scrub}
	s.addBody(k.exchange.Response.Header.Get("Content-Type"), body)
}

// cleanChunks scrubs a body, also where a secret is split over several chunks.
func (k *take) cleanChunks(body []byte) []byte {
	a := k.exchange.Response
	if len(a.Chunks) == 0 {
		return []byte(k.scrub.Scrub(string(body)))
	}
	pieces := make([]string, 0, len(a.Chunks))
	rest := string(body)
	for _, n := range a.Chunks {
		pieces = append(pieces, rest[:n])
		rest = rest[n:]
	}
	clean := k.scrub.ScrubPieces(pieces)
	if slices.Equal(clean, pieces) {
		return body
	}
	sizes := make([]int, len(clean))
	for i, piece := range clean {
		sizes[i] = len(piece)
	}
	a.resize(sizes)
	return []byte(strings.Join(clean, ""))
}

// resize gives the chunks other sizes. A chunk of none is left out, and its delay
// goes to what follows.
func (a *answer) resize(sizes []int) {
	before := func(i int) int64 {
		if a.Delays == nil {
			return 0
		}
		return a.Delays[i]
	}
	var chunks []int
	delays, pending := []int64{before(0)}, int64(0)
	for i, n := range sizes {
		pending += before(i + 1)
		if n > 0 {
			chunks, delays, pending = append(chunks, n), append(delays, pending), 0
		}
	}
	delays = append(delays, pending+before(len(sizes)+1))
	a.Chunks = chunks
	if a.Delays != nil {
		a.Delays = delays
	}
}
