package conformance

import (
	"net/http"
	"testing"
	"time"

	"github.com/weirsdk/weir/events"
)

// retryAfter lets the provider ask for a wait in every form that a head has.
func (g *group) retryAfter(t *testing.T) {
	t.Helper()
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		how    string
		header http.Header
		want   time.Duration
	}{
		{"seconds", http.Header{"Retry-After": {"7"}}, 7 * time.Second},
		{"decimal seconds", http.Header{"Retry-After": {"1.5"}}, 1500 * time.Millisecond},
		{"a date", http.Header{"Retry-After": {now.Add(time.Minute).Format(http.TimeFormat)}, "Date": {now.Format(http.TimeFormat)}}, time.Minute},
		{"milliseconds", http.Header{"Retry-After-Ms": {"250"}, "Retry-After": {"1"}}, 250 * time.Millisecond},
		{"what cannot be read", http.Header{"Retry-After": {"soon"}}, 0},
		{"a negative wait", http.Header{"Retry-After": {"-3"}}, 0},
	} {
		a := g.whole()
		a.header = a.header.Clone()
		a.header.Del("Retry-After")
		a.header.Del("Retry-After-Ms")
		for name, value := range c.header {
			a.header[name] = value
		}
		m, _ := g.model(t, a)
		here := g.at("a wait in the form of "+c.how, -1)
		p := here.play(t.Context(), m, g.req)
		f := p.failure()
		here.check(f.RetryAfter == c.want, m18, c.want.String(), f.RetryAfter.String())
		here.check(f.Kind == events.RateLimited && f.Retryable(), m18, "rate_limited, which may be retried", p.tellEnd)
	}
}
