package wire

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/weirsdk/weir/events"
)

// The most that a Transport holds back: exchanges, and bytes of their bodies.
const (
	maxHeld      = 256
	maxHeldBytes = 16 << 20
)

var errHeldTooMuch = errors.New("it got no useful answer, and too many such are held back already")

// A Kept is the error of an exchange that got no useful answer: none at all, or 401,
// 402, 403 or 407. It would have taken the place of better recordings of its request,
// so these stay. It is held in memory, and written in its number when the same request
// gets another answer in the life of its Transport; at most 256 such are held, and
// 16 MiB of their bodies, and what is more is lost. One whose context ended before there
// was an answer says nothing of the provider: it is never written, and the next request
// has its number, unless that had begun by then. It is wrapped in an *events.Failure of
// kind other.
type Kept struct {
	// Method and Path of the request.
	Method, Path string
	// Got is what it got: "status 401", or the text of the network's error, without secrets.
	Got string
	// Recordings is how many earlier ones stay.
	Recordings int
}

// Error returns one line that says what was kept and why.
func (k *Kept) Error() string {
	noun := "recordings of it stay"
	if k.Recordings == 1 {
		noun = "recording of it stays"
	}
	return k.Method + " " + k.Path + " got no useful answer (" + k.Got + "): the " + strconv.Itoa(k.Recordings) + " earlier " + noun +
		", unless another answer comes"
}

// isUseless reports whether an exchange says nothing but that somebody was not reached
// or let in.
func (x *exchange) isUseless() bool {
	if x.Response == nil {
		return true
	}
	switch x.Response.Status {
	case http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusForbidden, http.StatusProxyAuthRequired:
		return true
	default:
		return false
	}
}

// good returns how many recordings a useless one would take the place of: all, when one
// of them is not useless itself, else none. What cannot be read may be good.
func (t *Transport) good(k *take) (int, error) {
	heads, _, err := filesOf(t.Dir, k.exchange.Request.base(k.exchange.Key))
	if err != nil {
		return 0, err
	}
	for _, name := range heads {
		text, err := os.ReadFile(filepath.Join(t.Dir, name))
		var old exchange
		if err != nil || json.Unmarshal(text, &old) != nil || !old.isUseless() {
			return len(heads), nil
		}
	}
	return 0, nil
}

// hold keeps an exchange for a useful one of the same request.
func (t *Transport) hold(k *take, good int) error {
	kept := &Kept{Method: k.exchange.Request.Method, Path: k.exchange.Request.Path, Recordings: good}
	if r := k.exchange.Response; r != nil {
		kept.Got = "status " + strconv.Itoa(r.Status)
	} else {
		kept.Got = k.exchange.Failure.Text
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	size := len(k.body)
	for _, one := range t.held {
		size += len(one.body)
	}
	if len(t.held) >= maxHeld || size > maxHeldBytes {
		return errHeldTooMuch
	}
	k.left = k.left && k.nth == k.sequence.started
	if k.left {
		k.sequence.started--
	}
	k.notice = events.NewFailure(events.Other, "", kept.Error()).WithCause(kept)
	t.held = append(t.held, k)
	k.sequence.held = append(k.sequence.held, k)
	return nil
}

// release returns an exchange and those that waited for it, in the order of their
// numbers, without those that gave theirs back.
func (t *Transport) release(k *take) []*take {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := append(slices.DeleteFunc(k.sequence.held, func(one *take) bool { return one.left }), k)
	k.sequence.held = nil
	t.held = slices.DeleteFunc(t.held, func(one *take) bool { return one.sequence == k.sequence })
	slices.SortFunc(all, func(a, b *take) int { return cmp.Compare(a.nth, b.nth) })
	return all
}
