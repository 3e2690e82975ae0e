package sqlledger

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"strconv"
	"time"
)

// The kinds of entries of a log.
const (
	kindOpened    = "opened"
	kindLimits    = "limits"
	kindLeased    = "leased"
	kindRenewed   = "renewed"
	kindReleased  = "released"
	kindReserved  = "reserved"
	kindSettled   = "settled"
	kindRecovered = "recovered"
	kindCorrected = "corrected"
	kindTool      = "tool"
	kindClosed    = "closed"
)

// An entry is one entry of a run's log.
type entry struct {
	run     string
	seq     int64
	kind    string
	attempt string
	// operation is that of the call that wrote the entry.
	operation string
	at        time.Time
	// body is what happened, as JSON: of an attempt its whole record.
	body string
	// state is the hash of the run as it is after the call.
	state    string
	previous string
}

// hash returns the hash of the entry: SHA-256 over the hash of the one before and
// all of its content, each part with its length before it, so that no two entries
// are the same bytes.
func (e entry) hash() string {
	h := sha256.New()
	for _, part := range []string{
		e.previous, e.run, strconv.FormatInt(e.seq, 10), e.kind, e.attempt, e.operation,
		strconv.FormatInt(e.at.UnixMicro(), 10), e.body, e.state,
	} {
		writePart(h, part)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func writePart(h hash.Hash, part string) {
	h.Write([]byte(strconv.Itoa(len(part)) + ":" + part))
}

// hashOf returns the hash of a text.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
