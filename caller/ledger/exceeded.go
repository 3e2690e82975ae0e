package ledger

import (
	"strconv"
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
)

// Exceeded is the error of an attempt, or a tool call, that a limit of its run
// refuses. It wraps a *events.Failure of kind limit: limit_calls, limit_tokens,
// limit_cost, limit_elapsed (for active too), limit_tools, or unpriced.
type Exceeded struct {
	Run   string `json:"run"`
	Limit Limit  `json:"limit"`
	// Value is what would be reached, Max the limit: numbers of calls, tokens,
	// microdollars, nanoseconds.
	Value int64 `json:"value"`
	Max   int64 `json:"max"`
	// Unknown reports that the value is not known: no output cap, no price, or an
	// earlier attempt of a measured run that was not reported.
	Unknown bool `json:"unknown,omitempty"`
	// Unpriced reports that it is the price that is missing.
	Unpriced bool `json:"unpriced,omitempty"`
	// Closed reports that the run takes nothing more.
	Closed bool `json:"closed,omitempty"`
}

// Error returns one line.
func (e *Exceeded) Error() string {
	text := "run " + strconv.Quote(events.CutText(e.Run, 64)) + ": "
	switch {
	case e.Unpriced:
		return text + "the cost is limited and the model has no price"
	case e.Unknown:
		return text + "the limit of " + string(e.Limit) + " cannot be checked: " + e.unknown()
	default:
		return text + "limit of " + string(e.Limit) + ": " + e.number(e.Value) + " against " + e.number(e.Max)
	}
}

func (e *Exceeded) unknown() string {
	if e.Closed {
		return "what an earlier attempt used is not known"
	}
	return "the request has no cap on its output"
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
	case e.Limit == LimitTokens:
		return events.ReasonLimitTokens
	case e.Limit == LimitCost:
		return events.ReasonLimitCost
	case e.Limit == LimitToolCalls:
		return events.ReasonLimitTools
	default:
		return events.ReasonLimitElapsed
	}
}
