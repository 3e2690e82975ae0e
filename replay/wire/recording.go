package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"
)

// formatVersion is the version of the files. A reader refuses a later one.
const formatVersion = 1

// An exchange is the JSON of one recording. Exactly one of Response and Failure is
// there.
type exchange struct {
	Version  int       `json:"version"`
	Key      string    `json:"key"`
	Request  question  `json:"request"`
	Response *answer   `json:"response,omitempty"`
	Failure  *breakage `json:"failure,omitempty"`
}

// How the reading of a body ended.
const (
	endEOF    = "eof"    // to its end
	endClosed = "closed" // by the reader, before its end
	endBroken = "broken" // by an error
)

var errNotFinal = errors.New("its status is none of a final answer, from 200 to 999")

// isFinal reports whether a status is one of a final answer, which has a body.
func isFinal(status int) bool { return status >= 200 && status <= 999 }

// An answer is the head of a response and how its body came.
type answer struct {
	Status   int         `json:"status"`
	Protocol string      `json:"protocol,omitempty"`
	Header   http.Header `json:"header,omitempty"`
	// BodyFile is empty when the body is.
	BodyFile string `json:"body_file,omitempty"`
	// Chunks are the sizes of the reads, which are chance: stored with Delays only, and
	// once were stored always. Without them the body comes at the edges of its frames.
	Chunks []int `json:"chunks,omitempty"`
	// Delays are the milliseconds before the head, each chunk and the end.
	Delays   []int64   `json:"delays_ms,omitempty"`
	End      string    `json:"end"`
	Complete bool      `json:"complete"`
	Reason   string    `json:"reason,omitempty"` // why it was closed
	Broken   *breakage `json:"broken,omitempty"` // what broke it
}

// A recording is one recorded exchange, ready to be played. It is not changed
// once made.
type recording struct {
	name string // of its file
	base string // what the names of its sequence have in common
	nth  int    // of its key
	exchange
	body []byte
}

// encode returns the text of an exchange: indented, keys in one order, lists of
// numbers on one line.
func (x *exchange) encode() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(x); err != nil {
		return nil, err
	}
	// A line end is never inside a JSON string, so this finds arrays only.
	return numberList().ReplaceAllFunc(b.Bytes(), func(list []byte) []byte {
		return []byte(strings.ReplaceAll(strings.Join(strings.Fields(string(list)), ""), ",", ", "))
	}), nil
}

var numberList = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\[\n\s*-?[0-9][0-9.eE+-]*(?:,\n\s*-?[0-9][0-9.eE+-]*)*\n\s*\]`)
})

// milliseconds rounds a delay for the file.
func milliseconds(d time.Duration) int64 { return d.Round(time.Millisecond).Milliseconds() }
