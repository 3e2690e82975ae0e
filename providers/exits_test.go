package providers_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/validator"
)

// small is one small recording of each family with text, a tool call and usage,
// written for these tests, and what the provider's terminal evidence is in it.
func small(tb testing.TB) []struct {
	api, evidence string
	body          []byte
} {
	tb.Helper()
	all := []struct {
		api, evidence string
		body          []byte
	}{
		{api: apiChat, evidence: `"finish_reason":"tool_calls"`},
		{api: apiMessages, evidence: `"stop_reason":"tool_use"`},
		{api: apiOllama, evidence: `"done":true`},
	}
	for i := range all {
		var err error
		all[i].body, err = os.ReadFile(filepath.Join("testdata", "small", all[i].api))
		require.NoError(tb, err)
		require.Equal(tb, 1, strings.Count(string(all[i].body), all[i].evidence))
	}
	return all
}

// TestCuts cuts a body at every byte, by a clean end and by a break: it never
// completes before the frame with the provider's terminal evidence is whole, and
// no tool call is executable then.
func TestCuts(t *testing.T) {
	t.Parallel()
	for _, s := range small(t) {
		evidence := strings.Index(string(s.body), s.evidence)
		frameEnd := evidence + strings.Index(string(s.body[evidence:]), "\n")
		for at := range len(s.body) {
			for _, end := range []error{nil, errors.New("broken")} {
				rt := whole(s.api, s.body[:at])
				rt.End = end
				all := play(t, s.api, "", rt)
				reply := fold(all)
				if at < frameEnd {
					require.Error(t, reply.Err(), "%s cut at %d", s.api, at)
					require.Empty(t, reply.ToolCalls(), "%s cut at %d", s.api, at)
				} else {
					require.NoError(t, reply.Err(), "%s cut at %d", s.api, at)
					require.Len(t, reply.ToolCalls(), 1, "%s cut at %d", s.api, at)
				}
				require.Equal(t, []int{1}, rt.Closes())
				checkGrammar(t, all)
			}
		}
	}
}

func checkGrammar(t *testing.T, all []events.Event) {
	t.Helper()
	var v validator.Validator
	for _, ev := range all {
		require.NoError(t, v.Observe(ev))
	}
	_, err := v.Finish()
	require.NoError(t, err)
}

// TestExits leaves the loop at every event, in every way: the body is closed
// once and, by TestMain and the bubble, no goroutine is left.
func TestExits(t *testing.T) {
	t.Parallel()
	for _, s := range small(t) {
		n := len(play(t, s.api, "", whole(s.api, s.body)))
		for at := range n {
			for how, leave := range exits() {
				rt := whole(s.api, s.body)
				rt.Hang = true
				synctest.Test(t, func(t *testing.T) {
					last, panicked := ranged(t, s.api, rt, at, leave)
					assert.Equal(t, how == "panic", panicked, "the consumer's panic is the consumer's")
					checkEnd(t, how, last)
				})
				assert.Equal(t, []int{1}, rt.Closes(), "%s: %s at event %d", s.api, how, at)
				assert.Len(t, rt.Requests(), 1)
			}
		}
	}
}

// checkEnd checks how a loop that went on ended. The whole body is there at once,
// so a cancel may come when the evidence has been read already.
func checkEnd(t *testing.T, how string, last events.Event) {
	t.Helper()
	f, failed := last.Failure()
	switch {
	case !failed:
	case how == "cancel":
		assert.Equal(t, events.Cancelled, f.Kind)
		assert.ErrorIs(t, f, cancel.User)
	case how == "deadline":
		assert.Equal(t, events.TimedOut, f.Kind)
		assert.ErrorIs(t, f, context.DeadlineExceeded)
		assert.False(t, f.Retryable())
	default:
		t.Errorf("%s: %v", how, last)
	}
	if how == "cancel" || how == "deadline" {
		assert.True(t, last.Kind.IsTerminal(), "the loop ends with a terminal")
	}
}

// An exit does something at an event and reports whether the loop goes on.
type exit func(scope *cancel.Scope) bool

func exits() map[string]exit {
	return map[string]exit{
		"break":    func(*cancel.Scope) bool { return false },
		"panic":    func(*cancel.Scope) bool { panic("consumer") },
		"goexit":   func(*cancel.Scope) bool { runtime.Goexit(); return true },
		"cancel":   func(s *cancel.Scope) bool { s.Cancel(cancel.User); return true },
		"deadline": func(*cancel.Scope) bool { time.Sleep(time.Hour); return true }, // virtual time
	}
}

// ranged ranges a stream on a goroutine of its own and leaves at the nth event. It
// returns the last event and whether the consumer's own panic came out.
func ranged(t *testing.T, api string, rt *canned.Transport, nth int, leave exit) (last events.Event, panicked bool) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	scope := cancel.New(ctx)
	m := model(t, api, "", rt)
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			r := recover()
			panicked = r == "consumer"
			if r != nil && !panicked {
				t.Errorf("a panic that is not the consumer's: %v", r)
			}
		}()
		n := 0
		for ev := range m.Stream(scope.Context(), hello()) {
			last = ev
			if n == nth && !leave(scope) {
				break
			}
			n++
		}
	}()
	<-done
	return last, panicked
}

func TestNothingIsSentBeforeAStreamIsRanged(t *testing.T) {
	t.Parallel()
	for _, s := range small(t) {
		rt := whole(s.api, s.body)
		stream := model(t, s.api, "", rt).Stream(t.Context(), hello())
		require.Empty(t, rt.Requests())
		for range stream {
		}
		require.Len(t, rt.Requests(), 1)
		for ev := range stream {
			if f, ok := ev.Failure(); ok {
				assert.Equal(t, events.ReasonStreamUsed, f.Reason)
			}
		}
		require.Len(t, rt.Requests(), 1)
	}
}
