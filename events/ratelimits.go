package events

import "time"

// RateLimits is what a response head told of the account's limits. Fields that
// were not told are unknown.
type RateLimits struct {
	Requests, Tokens, InputTokens, OutputTokens RateWindow
}

// IsZero reports whether nothing was told.
func (l RateLimits) IsZero() bool { return l == RateLimits{} }

// clone returns a copy, nil when nothing was told.
func (l *RateLimits) clone() *RateLimits {
	if l == nil || l.IsZero() {
		return nil
	}
	c := *l
	return &c
}

// A RateWindow is one limit: how much, how much is left, and when it is full
// again.
type RateWindow struct {
	Limit, Remaining Count
	// Reset is how long until the limit is full again, counted from the
	// response; zero when not told.
	Reset time.Duration
}
