package wire

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"

	"github.com/weirsdk/weir/events"
)

// A Stop is the way in which a [Fault] ends a body.
type Stop uint8

const (
	// StopNone leaves the end as it is. It is the zero Stop.
	StopNone Stop = iota
	// StopClean ends the body there as if it were whole. An adapter sees a reply
	// that was cut: invalid_reply/truncated, unless the provider's terminal
	// evidence came before.
	StopClean
	// StopReset breaks the connection there. An adapter sees
	// invalid_reply/lost_connection, unless the terminal evidence came before.
	StopReset
	// StopStall sends nothing more, until the context ends or the body is closed. An
	// adapter sees a clock fire: timed_out/first_token, idle, stall or deadline.
	StopStall
)

// A Fault is what goes wrong with an answer. The zero Fault is none. Its fields are
// independent of each other.
type Fault struct {
	// Stop says how the body ends after the first After bytes; of a shorter body it
	// replaces the end, but for StopClean, which then changes nothing. After is not
	// read for StopNone, and a negative one is 0.
	Stop  Stop
	After int
	// Split is the most bytes of a Read; 0 or less leaves the reads as they come. An
	// adapter sees the same reply.
	Split int
	// Status replaces the status, from 200 to 999; 0 leaves it. The body stays, so an
	// adapter sees what it makes of that status with a body that it may not know.
	Status int
}

var (
	errFaultWord  = errors.New("a fault is cut=N, reset, stall=N, split=N or status=N, with commas between")
	errFaultTwice = errors.New("a fault says the same thing twice")
	errFaultStop  = errors.New("a fault cannot stall and cut or reset as well")
)

// ParseFault returns the fault of a text, as flags and the header [FaultHeader] hold
// it: words with commas between, in any order.
//
//	cut=N     ends the body cleanly after N bytes
//	reset     with cut, breaks the connection there; alone, in place of the end
//	stall=N   sends nothing more after N bytes
//	split=N   gives at most N bytes a read, N from 1
//	status=N  replaces the status, N from 200 to 999
//
// The empty text is the zero Fault. Errors are failures of kind invalid_request and
// reason bad_config.
func ParseFault(text string) (Fault, error) {
	var f Fault
	seen := map[string]bool{}
	if strings.TrimSpace(text) == "" {
		return f, nil
	}
	for _, part := range strings.Split(text, ",") {
		word, value, valued := strings.Cut(strings.TrimSpace(part), "=")
		n, err := strconv.Atoi(value)
		if valued != (word != "reset") || valued && (err != nil || n < 0 || value[0] == '+') {
			return Fault{}, badFault(errFaultWord)
		}
		if seen[word] {
			return Fault{}, badFault(errFaultTwice)
		}
		seen[word] = true
		if !f.set(word, n) {
			return Fault{}, badFault(errFaultWord)
		}
	}
	switch {
	case seen["stall"] && (seen["cut"] || seen["reset"]):
		return Fault{}, badFault(errFaultStop)
	case seen["reset"]:
		f.Stop = StopReset
		if !seen["cut"] {
			f.After = math.MaxInt
		}
	}
	return f, nil
}

// set applies one word and reports whether it is one.
func (f *Fault) set(word string, n int) bool {
	switch word {
	case "cut":
		f.Stop, f.After = StopClean, n
	case "reset":
	case "stall":
		f.Stop, f.After = StopStall, n
	case "split":
		f.Split = n
		return n > 0
	case "status":
		f.Status = n
		return n >= 200 && n <= 999
	default:
		return false
	}
	return true
}

func badFault(err error) error { return badRequest(err.Error()) }

func badRequest(what string) error {
	f := events.NewFailure(events.InvalidRequest, events.ReasonBadConfig, what)
	f.Sent = events.NotSent
	return f
}

// String returns the text that [ParseFault] reads.
func (f Fault) String() string {
	var parts []string
	add := func(word string, n int) { parts = append(parts, word+"="+strconv.Itoa(n)) }
	after := max(f.After, 0)
	switch f.Stop {
	case StopNone:
	case StopClean:
		add("cut", after)
	case StopReset:
		if after != math.MaxInt {
			add("cut", after)
		}
		parts = append(parts, "reset")
	case StopStall:
		add("stall", after)
	}
	if f.Split > 0 {
		add("split", f.Split)
	}
	if f.Status != 0 {
		add("status", f.Status)
	}
	return strings.Join(parts, ",")
}

// Faulty is an http.RoundTripper whose answers go wrong. The zero Faulty sends by
// http.DefaultTransport and spoils nothing. It is safe for concurrent use while its
// fields are left alone; its errors are those of Base.
type Faulty struct {
	// Base sends the requests; nil is http.DefaultTransport.
	Base http.RoundTripper
	// Fault is what goes wrong, with each answer.
	Fault Fault
}

// RoundTrip sends a request by Base and spoils the answer.
func (f *Faulty) RoundTrip(r *http.Request) (*http.Response, error) {
	base := f.Base
	if base == nil {
		base = http.DefaultTransport
	}
	resp, err := base.RoundTrip(r)
	if err != nil {
		return resp, err
	}
	f.Fault.spoil(r.Context(), resp)
	return resp, nil
}

// spoil applies a fault to an answer.
func (f Fault) spoil(ctx context.Context, resp *http.Response) {
	if f.Status != 0 {
		resp.StatusCode = f.Status
		resp.Status = strconv.Itoa(f.Status) + " " + http.StatusText(f.Status)
	}
	if f.Stop != StopNone || f.Split > 0 {
		resp.Body = f.body(ctx, resp.Body)
	}
	if f.Stop != StopNone {
		resp.ContentLength = -1
	}
}
