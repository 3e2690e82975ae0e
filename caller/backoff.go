package caller

import (
	"context"
	cryptorand "crypto/rand"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/stream"
)

// jitter draws waits. It is safe for concurrent use.
type jitter struct {
	mu     sync.Mutex
	source *rand.Rand
}

func newJitter(seed uint64) *jitter {
	if seed == 0 {
		var b [8]byte
		_, _ = cryptorand.Read(b[:]) // never fails: it ends the process instead
		seed = binary.LittleEndian.Uint64(b[:])
	}
	return &jitter{source: rand.New(rand.NewPCG(seed, seed))}
}

// upTo returns a duration of 0 to most.
func (j *jitter) upTo(most time.Duration) time.Duration {
	if most <= 0 {
		return 0
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return time.Duration(j.source.Int64N(int64(min(most, math.MaxInt64-1)) + 1))
}

// backoff returns the longest wait before the nth retry, from 1.
func (c Config) backoff(n int) time.Duration {
	wait := c.Backoff
	for range n - 1 {
		if wait >= c.MaxBackoff/2 {
			return c.MaxBackoff
		}
		wait *= 2
	}
	return min(wait, c.MaxBackoff)
}

// waitBefore returns how long to wait before the nth retry, and whether to retry at
// all: not when the provider asks for more than MaxRetryAfter, and not when the wait
// would outlast the time that is left to the call.
func (s *session) waitBefore(n int, f *events.Failure, runEnds time.Time) (time.Duration, bool) {
	if f.RetryAfter > s.caller.config.MaxRetryAfter {
		return 0, false
	}
	wait := max(s.caller.jitter.upTo(s.caller.config.backoff(n)), f.RetryAfter)
	until := time.Now().Add(wait)
	if deadline, ok := s.ctx.Deadline(); ok && !until.Before(deadline) {
		return 0, false
	}
	return wait, runEnds.IsZero() || until.Before(runEnds)
}

// sleep waits, or returns what ended the call meanwhile.
func sleep(ctx context.Context, wait time.Duration) *events.Failure {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return stream.Interrupted(ctx)
	}
}
