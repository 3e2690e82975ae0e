package ledger

import (
	"time"

	"github.com/weirsdk/weir/events"
)

// Mode says when a limit on tokens or cost refuses.
type Mode string

const (
	// Reserved, the default, is hard: an attempt is admitted only when its estimate
	// fits beside what is spent and what is reserved. It needs an output cap, and
	// under MaxCost a price.
	Reserved Mode = ""
	// Measured compares what is spent with the limit and reserves nothing: calls in
	// flight can exceed it. Where tokens or cost of an earlier attempt are not known,
	// the next one is refused.
	Measured Mode = "measured"
)

// Limits bound a run. Of each limit zero means none: where a user types a budget, a
// budget of nothing is for you to refuse.
type Limits struct {
	// MaxCalls is the most attempts, retries and ambiguous ones included.
	MaxCalls int64 `json:"max_calls,omitempty"`
	// MaxOutputTokensPerCall caps the output of each attempt: a higher cap of a
	// request, or none, is lowered to it, and with it a higher ThinkingBudget. A Notice
	// tells what of the request was lowered; a Strict request keeps its budget, and is
	// refused as invalid_request/bad_parameter.
	MaxOutputTokensPerCall int `json:"max_output_tokens_per_call,omitempty"`
	// MaxTotalTokens is the most tokens of prompts and output together, as charged. In
	// a Reserved run it refuses attempts without an output cap: set one here or in the
	// request. What hosted tools find is input that only a guess is reserved for
	// ([request.EstimatedSearch]): a call that uses them can exceed it.
	MaxTotalTokens int64 `json:"max_total_tokens,omitempty"`
	// MaxCost is the most that the run may cost, in microdollars, as charged. In a
	// Reserved run it refuses attempts without an output cap, as MaxTotalTokens does,
	// and without AllowUnpriced models without a price. The fees of hosted tools are in
	// no price: where the provider does not tell the cost itself they are not in it.
	MaxCost events.Micros `json:"max_cost_micros,omitempty"`
	// MaxElapsed is how long after its opening the run admits calls, by the clock of
	// the store. A call in flight is cut then.
	MaxElapsed time.Duration `json:"max_elapsed_ns,omitempty"`
	// MaxActive is how long the run's calls may wait for their providers together, those
	// at the same time each counted. It is compared before each attempt; attempts in
	// flight can exceed it.
	MaxActive time.Duration `json:"max_active_ns,omitempty"`
	// MaxToolCalls is the most handlers that [Ledger.BeginTool] lets start.
	MaxToolCalls int64 `json:"max_tool_calls,omitempty"`

	// Mode is Reserved or Measured.
	Mode Mode `json:"mode,omitempty"`
	// AllowUnpriced lets models without a price run under MaxCost, at a cost of 0
	// that is known to be unknown. Without it they are refused. Where the model that
	// answers such a call has a price, it is charged, and may exceed MaxCost.
	AllowUnpriced bool `json:"allow_unpriced,omitempty"`
	// AllowSmaller keeps the run open after a refusal for tokens or cost, so that a
	// smaller call may still fit: for a budget that many share. Without it the first
	// such refusal closes the run, until it is opened with other limits. One for want of
	// a cap or a price, or owed to what others have reserved, never does.
	AllowSmaller bool `json:"allow_smaller,omitempty"`
}

// IsZero reports whether nothing is limited.
func (l Limits) IsZero() bool { return l == Limits{} }

// needsCap reports whether an attempt without an output cap cannot be admitted.
func (l Limits) needsCap() bool {
	return l.Mode != Measured && (l.MaxTotalTokens > 0 || l.MaxCost > 0)
}
