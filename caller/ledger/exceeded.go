package ledger

import (
	"strconv"
	"strings"
	"time"

	"github.com/weirsdk/weir/events"
)

// Limit names a limit of a run.
type Limit string

// The limits.
const (
	LimitCalls     Limit = "calls"
	LimitTokens    Limit = "tokens"
	LimitCost      Limit = "cost"
	LimitElapsed   Limit = "elapsed"
	LimitActive    Limit = "active"
	LimitToolCalls Limit = "tool_calls"
	// LimitOutput is MaxOutputTokensPerCall: the cap of one attempt.
	LimitOutput Limit = "output_tokens_per_call"
)

// Exceeded is the error of an attempt, or a tool call, that a limit of its run
// refuses. It wraps a *events.Failure of kind limit: limit_calls, limit_tokens,
// limit_cost, limit_elapsed (for active too), limit_tools, or unpriced.
type Exceeded struct {
	Run   string `json:"run"`
	Limit Limit  `json:"limit"`
	// Value is what is used up, or for tokens and cost would be with the attempt that
	// was refused; Max is the limit: numbers of calls, tokens, microdollars,
	// nanoseconds.
	Value int64 `json:"value"`
	Max   int64 `json:"max"`
	// Unknown reports that the value is not known: no output cap, no price, or an
	// earlier attempt of a measured run that was not reported.
	Unknown bool `json:"unknown,omitempty"`
	// Unpriced reports that it is the price of Model that is missing.
	Unpriced bool   `json:"unpriced,omitempty"`
	Model    string `json:"model,omitempty"`
	// Reserved is how much of Value attempts in flight have reserved and may not use.
	Reserved int64 `json:"reserved,omitempty"`
	// Closed reports that the run takes nothing more.
	Closed bool `json:"closed,omitempty"`
}

// MayPass reports whether the refusal is owed to what others have reserved: when they
// are done, the same attempt may fit.
func (e *Exceeded) MayPass() bool { return e.Reserved > 0 && e.Value-e.Reserved <= e.Max }

// Error returns one line.
func (e *Exceeded) Error() string {
	text := "run " + strconv.Quote(events.CutText(e.Run, 64)) + ": "
	switch {
	case e.Unpriced:
		return text + "the cost is limited and " + events.CutText(e.Model, 64) + " has no price"
	case e.Unknown:
		return text + "the limit of " + string(e.Limit) + " cannot be checked: " + e.unknown()
	case e.Limit == LimitOutput:
		return text + "an output of " + e.number(e.Value) + " tokens is asked for, and the limit of a call is " + e.number(e.Max)
	case e.Limit != LimitTokens && e.Limit != LimitCost || e.Value == e.Max:
		return text + "the limit of " + strings.ReplaceAll(string(e.Limit), "_", " ") + " is reached: " + e.number(e.Max)
	case e.Reserved > 0:
		return text + string(e.Limit) + " could come to " + e.number(e.Value) + ", of which " + e.number(e.Reserved) +
			" is reserved by calls in flight, and the limit is " + e.number(e.Max)
	default:
		return text + string(e.Limit) + " could come to " + e.number(e.Value) + ", and the limit is " + e.number(e.Max)
	}
}

func (e *Exceeded) unknown() string {
	if e.Closed {
		return "what an earlier attempt used is not known"
	}
	return "the request has no cap on its output (MaxOutputTokens, or MaxOutputTokensPerCall of the run)"
}

func (e *Exceeded) number(n int64) string {
	switch e.Limit {
	case LimitCost:
		return events.Micros(n).String()
	case LimitElapsed, LimitActive:
		return time.Duration(n).String()
	default:
		return strconv.FormatInt(n, 10)
	}
}

// Unwrap returns the refusal as a failure, not sent.
func (e *Exceeded) Unwrap() error {
	f := events.NewFailure(events.LimitReached, e.reason(), e.Error())
	f.Sent = events.NotSent
	return f
}

func (e *Exceeded) reason() events.Reason {
	switch {
	case e.Unpriced:
		return events.ReasonUnpriced
	case e.Limit == LimitCalls:
		return events.ReasonLimitCalls
	case e.Limit == LimitTokens || e.Limit == LimitOutput:
		return events.ReasonLimitTokens
	case e.Limit == LimitCost:
		return events.ReasonLimitCost
	case e.Limit == LimitToolCalls:
		return events.ReasonLimitTools
	default:
		return events.ReasonLimitElapsed
	}
}
