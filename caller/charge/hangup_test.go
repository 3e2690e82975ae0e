package charge_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/events"
)

// hungUp is an attempt that its consumer left after 300 bytes, of a provider that stops
// then, with a cap of 9000.
func hungUp(change func(*charge.Attempt)) charge.Attempt {
	a := charge.Attempt{
		Estimate: charge.Estimate{Input: 100, Output: n(9000)}, AllShown: true, BillingStops: true, Exit: charge.Abandoned, Arrived: 300,
	}
	change(&a)
	return a
}

func cancelled(sent events.Sent) events.Event {
	return failed(events.Failure{Kind: events.Cancelled, Reason: events.ReasonUser, Sent: sent})
}

// TestHangUp: the output of a stream that was cut is what came and what was on its way,
// where everything says so, else the cap.
func TestHangUp(t *testing.T) {
	t.Parallel()
	none := events.Usage{}
	for _, tt := range []struct {
		why    string
		change func(*charge.Attempt)
		row    string
		usage  events.Usage
		known  events.Usage
	}{
		{"what came, and a second's tokens that were on their way", func(*charge.Attempt) {}, rowCutOff, inOut(100, 100+1000), none},
		{"... cancelled", func(a *charge.Attempt) { a.Exit, a.Terminal = charge.Ended, cancelled(events.Answered) }, rowCutOff, inOut(100, 1100), none},
		{"... left by a panic, which hangs up too", func(a *charge.Attempt) { a.Exit = charge.Panicked }, rowCutOff, inOut(100, 1100), none},
		{"nothing came but the start", func(a *charge.Attempt) { a.Arrived = 0 }, rowCutOff, inOut(100, 1000), none},
		{"what nobody read while the consumer worked", func(a *charge.Attempt) { a.Unread = 2 * time.Second }, rowCutOff, inOut(100, 3100), none},
		{"... never above the cap", func(a *charge.Attempt) { a.Unread = time.Minute }, rowCutOff, inOut(100, 9000), none},
		{"... nor does it overflow", func(a *charge.Attempt) { a.Unread, a.Arrived = math.MaxInt64, math.MaxInt64 }, rowCutOff, inOut(100, 9000), none},
		{"a clock that ran backwards", func(a *charge.Attempt) { a.Unread = -time.Hour }, rowCutOff, inOut(100, 1100), none},
		{"a small cap", func(a *charge.Attempt) { a.Estimate.Output = n(50) }, rowCutOff, inOut(100, 50), none},
		{"counts that say more", func(a *charge.Attempt) { a.Seen = inOut(200, 2000) }, rowCutOff, inOut(200, 2000), inOut(200, 2000)},
		{"counts that say less", func(a *charge.Attempt) { a.Seen = inOut(10, 1) }, rowCutOff, inOut(100, 1100), inOut(10, 1)},
		{
			"counts above the cap", func(a *charge.Attempt) { a.Estimate.Output, a.Seen = n(50), inOut(10, 70) },
			rowCutOff, inOut(100, 70), inOut(10, 70),
		},
		{"nobody knows whether billing stops: the cap", func(a *charge.Attempt) { a.BillingStops = false }, rowLeft, inOut(100, 9000), none},
		{"nobody knows what it hides", func(a *charge.Attempt) { a.AllShown = false }, rowLeft, inOut(100, 9000), none},
		{"it made a picture", func(a *charge.Attempt) { a.HiddenOutput = true }, rowLeft, inOut(100, 9000), none},
		{
			"... and hidden thinking was counted", func(a *charge.Attempt) { a.AllShown, a.Seen = false, inOut(10, 9500) },
			rowLeft, inOut(100, 9500), inOut(10, 9500),
		},
		{"without a cap it is what arrived, as everywhere", func(a *charge.Attempt) { a.Estimate.Output = events.Count{} }, rowLeft, inOut(100, 100), none},
		{"cancelled without an answer", func(a *charge.Attempt) { a.Terminal = cancelled(events.MaybeSent) }, rowLeft, inOut(100, 9000), none},
		{
			"it broke: the hang-up may not arrive",
			func(a *charge.Attempt) {
				a.Terminal = failed(events.Failure{Kind: events.InvalidReply, Reason: events.ReasonLostConnection, Sent: events.Answered})
			},
			rowBegan, inOut(100, 9000), none,
		},
		{
			"a clock ran out: it may have been broken before",
			func(a *charge.Attempt) {
				a.Terminal = failed(events.Failure{Kind: events.TimedOut, Reason: events.ReasonIdle, Sent: events.Answered})
			},
			rowBegan, inOut(100, 9000), none,
		},
		{"a stream that just ends", func(a *charge.Attempt) { a.Exit = charge.Ended }, rowBegan, inOut(100, 9000), none},
	} {
		c := check(t, settled{tt.why, hungUp(tt.change), tt.row, charge.Ambiguous, tt.usage, tt.known, charge.Estimated})
		assert.Nil(t, c.Replace, tt.why)
	}
}
