package transport_test

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/transport"
)

// A header that HTTP does not take is the configuration's fault: nothing is sent, and
// nothing would be better the next time.
func TestHeadersThatAreNone(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		say(w, "a", "stop")
	}))
	defer s.Close()
	for _, c := range []struct {
		why    string
		header http.Header
		bad    bool
	}{
		{"a line end in a value", http.Header{"X-A": {"a\r\nEvil: 1"}}, true},
		{"a control character in the second value", http.Header{"X-A": {"a", "\x7f"}}, true},
		{"a space in a name", http.Header{"X A": {"a"}}, true},
		{"a line end in a name", http.Header{"X\nA": {"a"}}, true},
		{"a name that is not ASCII", http.Header{"\u00fc": {"a"}}, true},
		{"no name", http.Header{"": {"a"}}, true},
		{"every mark that a name may have", http.Header{"X!#$%&'*+-.^_`|~9": {"a"}}, false},
		{"a value beyond ASCII, and with a tab", http.Header{"X-A": {"Zo\u00eb\t\"x\""}}, false},
		{"no value", http.Header{"X-A": nil, "X-B": {""}}, false},
	} {
		before := asked.Load()
		var last events.Event
		client := transport.NewClient(s.Client())
		for ev := range transport.Stream(t.Context(), client, func() (transport.Call, transport.Decoder, error) {
			one := call(s.URL)
			one.Header = c.header
			return one, &toy{}, nil
		}) {
			last = ev
		}
		client.CloseIdleConnections()
		if !c.bad {
			assert.Equal(t, before+1, asked.Load(), "%s: %v", c.why, last)
			continue
		}
		f, ok := last.Failure()
		require.True(t, ok, c.why)
		require.ErrorIs(t, f, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadConfig}, c.why)
		assert.Equal(t, events.NotSent, f.Sent, c.why)
		assert.Equal(t, before, asked.Load(), c.why)
	}
}
