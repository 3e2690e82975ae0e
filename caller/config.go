package caller

import (
	"time"

	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/price"
	"github.com/weirsdk/weir/validator"
)

// The defaults of [Config].
const (
	DefaultBackoff        = time.Second
	DefaultMaxBackoff     = 30 * time.Second
	DefaultMaxRetryAfter  = time.Minute
	DefaultAnswerAttempts = 2
)

// Config configures a caller. The zero Config meters in memory, without prices and
// without retries.
type Config struct {
	// Ledger keeps the books; nil is one in memory that the caller has for itself.
	Ledger ledger.Ledger
	// Prices of the models, by name. Without a price the cost is unknown, and under a
	// limit on cost the model is refused.
	Prices price.Table
	// Fallback are asked in turn when the model and its retries have failed. One that
	// cannot take the request (its failure is invalid_request, nothing was sent) is
	// passed over with a Notice attempt_failed; when none can, the call fails of what it
	// failed of before them.
	//
	// A fallback is asked with request.ForeignDrop, whatever the request says: what
	// another provider sealed in the history does not reach it (its thinking, its
	// records of hosted tools and citations, raw tools of another family), and a Notice
	// foreign_dropped tells each loss. Under Strict that is a refusal, so that a history
	// with such data has no fallback at another provider. A later request whose history
	// holds the turn of another provider's fallback needs request.ForeignDrop too: the
	// first model else refuses that turn's data as invalid_request/foreign_data.
	Fallback []providers.Model
	// FallbackOn widens which failures go on to the next model: those that are
	// retryable always do. Cancelled calls and limits never do.
	FallbackOn func(*events.Failure) bool

	// MaxRetries is how often an attempt is repeated, of each model; 0 or less never.
	MaxRetries int
	// Backoff is the longest first wait, doubled for each retry up to MaxBackoff; the
	// wait is drawn between 0 and that, and is never shorter than the provider's
	// Retry-After. Zero means the default, a negative one no wait.
	Backoff, MaxBackoff time.Duration
	// MaxRetryAfter is the longest Retry-After that is waited for; a longer one ends
	// the call at once. Zero means the default.
	MaxRetryAfter time.Duration
	// Seed makes the waits repeatable; zero draws from the system.
	Seed uint64

	// Clocks bound the waiting of a call; what is zero is as cancel.WithClocks says.
	Clocks cancel.Clocks
	// ToolPolicy says what becomes of a reply with a call that does not fit the
	// request's tools.
	ToolPolicy validator.Policy
	// Grammar bounds what a stream may hold; zero means the defaults.
	Grammar validator.Limits
	// OnInconsistent says what becomes of a reply whose usage contradicts itself.
	OnInconsistent charge.OnInconsistent
	// AnswerAttempts is how often Generate asks for a structured answer that fits;
	// zero means the default, 2: once, and once more with what was wrong.
	AnswerAttempts int

	// Dialect remembers which features a provider has refused; nil is one that the
	// caller has for itself.
	Dialect *Dialect
	// Observer is told of each step; nil for nobody.
	Observer Observer
}

// withDefaults returns the configuration that is meant.
func (c Config) withDefaults() Config {
	c.Backoff = orDefault(c.Backoff, DefaultBackoff)
	c.MaxBackoff = orDefault(c.MaxBackoff, DefaultMaxBackoff)
	c.MaxRetryAfter = orDefault(c.MaxRetryAfter, DefaultMaxRetryAfter)
	if c.AnswerAttempts <= 0 {
		c.AnswerAttempts = DefaultAnswerAttempts
	}
	if c.Dialect == nil {
		c.Dialect = new(Dialect)
	}
	return c
}

// orDefault returns d, the default for zero and nothing for less.
func orDefault(d, normal time.Duration) time.Duration {
	if d == 0 {
		return normal
	}
	return max(d, 0)
}
