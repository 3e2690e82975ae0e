package wire

import (
	"errors"
	"math"
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
	// Times is how many answers to a request it spoils, identical requests being one;
	// the later ones are whole. 0 or less spoils all. [Faulty] and [Server] count as
	// long as they live.
	Times int
}

var (
	errFaultWord   = errors.New("a fault is cut=N, reset, stall=N, split=N, status=N and times=N, with commas between")
	errFaultSplit  = errors.New("a fault's split=N is from 1")
	errFaultStatus = errors.New("a fault's status=N is from 200 to 999")
	errFaultTwice  = errors.New("a fault says the same thing twice")
	errFaultStop   = errors.New("a fault cannot stall and cut or reset as well")
	errFaultAlone  = errors.New("a fault's times=N says how often, and wants another word that says what")
)

// ParseFault returns the fault of a text, as flags and the header [FaultHeader] hold
// it: words with commas between, in any order.
//
//	cut=N     ends the body cleanly after N bytes
//	reset     with cut, breaks the connection there; alone, in place of the end
//	stall=N   sends nothing more after N bytes
//	split=N   gives at most N bytes a read, N from 1
//	status=N  replaces the status, N from 200 to 999
//	times=N   with others, spoils the first N answers to a request only; 0 is all
//
// The empty text is the zero Fault. Errors are failures of kind invalid_request and
// reason bad_config, and name the word that cannot be read.
func ParseFault(text string) (Fault, error) {
	var f Fault
	seen := map[string]bool{}
	if strings.TrimSpace(text) == "" {
		return f, nil
	}
	for _, part := range strings.Split(text, ",") {
		word, value, valued := strings.Cut(strings.TrimSpace(part), "=")
		n, err := strconv.ParseUint(value, 10, strconv.IntSize-1) // digits only: no sign
		if valued != (word != "reset") || valued && err != nil {
			return Fault{}, badFault(part, errFaultWord)
		}
		if seen[word] {
			return Fault{}, badFault(part, errFaultTwice)
		}
		seen[word] = true
		if err := f.set(word, int(n)); err != nil {
			return Fault{}, badFault(part, err)
		}
	}
	switch {
	case seen["times"] && len(seen) == 1:
		return Fault{}, badFault(text, errFaultAlone)
	case seen["stall"] && (seen["cut"] || seen["reset"]):
		return Fault{}, badFault(text, errFaultStop)
	case seen["reset"]:
		f.Stop = StopReset
		if !seen["cut"] {
			f.After = math.MaxInt
		}
	}
	return f, nil
}

// set applies one word, or says what is wrong with it.
func (f *Fault) set(word string, n int) error {
	switch word {
	case "cut":
		f.Stop, f.After = StopClean, n
	case "reset":
	case "stall":
		f.Stop, f.After = StopStall, n
	case "split":
		if n < 1 {
			return errFaultSplit
		}
		f.Split = n
	case "status":
		if !isFinal(n) {
			return errFaultStatus
		}
		f.Status = n
	case "times":
		f.Times = n
	default:
		return errFaultWord
	}
	return nil
}

// badFault names the words that cannot be read, of which a client may send many.
func badFault(words string, err error) error {
	const shown = 60
	return badRequest(strconv.Quote(events.CutText(strings.TrimSpace(words), shown)) + ": " + err.Error())
}

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
	if f.Times > 0 && len(parts) > 0 {
		add("times", f.Times)
	}
	return strings.Join(parts, ",")
}
