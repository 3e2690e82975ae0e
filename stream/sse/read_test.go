package sse_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/stream/sse"
)

func TestReadAtAnySplit(t *testing.T) {
	t.Parallel()
	want := everyKind()
	body := spell(want...)
	for name, wrap := range map[string]func(io.Reader) io.Reader{
		"whole":          func(r io.Reader) io.Reader { return r },
		"byte by byte":   iotest.OneByteReader,
		"halves":         iotest.HalfReader,
		"data and error": iotest.DataErrReader,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requireEqual(t, want, slices.Collect(sse.Read(wrap(strings.NewReader(body)))))
		})
	}
}

// TestReadCutAnywhere: a body that ends early is never a whole reply.
func TestReadCutAnywhere(t *testing.T) {
	t.Parallel()
	all := everyKind()
	body := spell(all[0], all[2], all[6], all[len(all)-1])
	for n := range len(body) {
		got := slices.Collect(sse.Read(strings.NewReader(body[:n])))
		f := lastFailure(t, got)
		require.Equal(t, events.InvalidReply, f.Kind, "cut at %d", n)
		require.Equal(t, events.ReasonTruncated, f.Reason, "cut at %d", n)
		require.Equal(t, events.Answered, f.Sent)
		require.Equal(t, events.Started, got[0].Kind)
	}
}

func TestReadFailures(t *testing.T) {
	t.Parallel()
	begun := spell(events.NewStarted(events.Start{}), events.NewTextDelta(0, "a"))
	broken := errors.New("reset by peer")
	for _, row := range []struct {
		name, why string
		body      io.Reader
		kinds     []events.Kind
		kind      events.FailureKind
		reason    events.Reason
		cause     error
	}{
		{"empty", "Started comes first", strings.NewReader(""), []events.Kind{events.Started, events.Failed}, events.InvalidReply, events.ReasonTruncated, nil},
		{"not JSON", "what cannot be read is told", strings.NewReader(begun + "data: <html>\n\n"), []events.Kind{events.Started, events.TextDelta, events.Failed}, events.InvalidReply, events.ReasonMalformed, nil},
		{"known kind, bad member", "no notice hides it", strings.NewReader(begun + "data: {\"kind\":\"failed\"}\n\n"), []events.Kind{events.Started, events.TextDelta, events.Failed}, events.InvalidReply, events.ReasonMalformed, nil},
		{"no kind", "it is no event", strings.NewReader(begun + "data: {}\n\n"), []events.Kind{events.Started, events.TextDelta, events.Failed}, events.InvalidReply, events.ReasonMalformed, nil},
		{"connection lost", "not a clean end", io.MultiReader(strings.NewReader(begun), iotest.ErrReader(broken)), []events.Kind{events.Started, events.TextDelta, events.Failed}, events.InvalidReply, events.ReasonLostConnection, broken},
		{"cancelled", "the reader's own doing", io.MultiReader(strings.NewReader(begun), iotest.ErrReader(context.Canceled)), []events.Kind{events.Started, events.TextDelta, events.Failed}, events.Cancelled, events.ReasonUser, context.Canceled},
		{"deadline", "the reader's own doing", io.MultiReader(strings.NewReader(begun), iotest.ErrReader(context.DeadlineExceeded)), []events.Kind{events.Started, events.TextDelta, events.Failed}, events.TimedOut, events.ReasonDeadline, context.DeadlineExceeded},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got := slices.Collect(sse.Read(row.body))
			require.Equal(t, row.kinds, kindsOf(got), row.why)
			f := lastFailure(t, got)
			assert.Equal(t, row.kind, f.Kind, row.why)
			assert.Equal(t, row.reason, f.Reason, row.why)
			assert.Equal(t, events.Answered, f.Sent)
			if row.cause != nil {
				assert.ErrorIs(t, f, row.cause)
			}
		})
	}
}

func TestReadBoundsAMessage(t *testing.T) {
	t.Parallel()
	body := io.MultiReader(strings.NewReader(spell(events.NewStarted(events.Start{}))+"data: "), endless{})
	got := slices.Collect(sse.ReadLimited(body, 1<<16))
	require.Equal(t, []events.Kind{events.Started, events.Failed}, kindsOf(got))
	f := lastFailure(t, got)
	assert.Equal(t, events.InvalidReply, f.Kind)
	assert.Equal(t, events.ReasonTooLarge, f.Reason)

	// go-sse's own bound is 64 KiB; a message of more must pass.
	long := strings.Repeat("x", 300<<10)
	want := []events.Event{events.NewStarted(events.Start{}), events.NewTextDelta(0, long), events.NewCompleted(events.Completion{Stop: events.StopEnd})}
	requireEqual(t, want, slices.Collect(sse.Read(strings.NewReader(spell(want...)))))
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestReadPassesOver(t *testing.T) {
	t.Parallel()
	end := events.NewCompleted(events.Completion{Stop: events.StopEnd})
	body := "id: 0\n\n: heartbeat\n\nevent: text_delta\n\n" +
		"data: {\"kind\":\"too_early\"}\n\n" + spell(events.NewStarted(events.Start{})) +
		"event: tea_time\ndata: {\"kind\":\"tea_time\",\"index\":\"x\"}\n\n" + spell(end) + "data: <html>\n\n"
	got := slices.Collect(sse.Read(strings.NewReader(body)))
	require.Equal(t, []events.Kind{events.Started, events.Notice, events.Completed}, kindsOf(got))
	n, _ := got[1].Notice()
	assert.Equal(t, events.NoticeUnknownFrame, n.Code)
	assert.Contains(t, n.Detail, "tea_time")
}

func TestReadIsLazyAndStopsAtTheTerminal(t *testing.T) {
	t.Parallel()
	body, server := io.Pipe()
	go func() {
		// The server keeps the connection: nothing comes after the terminal, not
		// even an end.
		_, _ = io.WriteString(server, spell(events.NewStarted(events.Start{}), events.NewCompleted(events.Completion{Stop: events.StopEnd})))
	}()
	s := sse.Read(body)
	assert.Equal(t, []events.Kind{events.Started, events.Completed}, kindsOf(slices.Collect(s)))
	assert.Equal(t, events.ReasonStreamUsed, lastFailure(t, slices.Collect(s)).Reason)
}

func FuzzRead(f *testing.F) {
	f.Add(spell(everyKind()...))
	f.Add("data: {\"kind\":\"x\"}\n\n")
	f.Add("data: {\"kind\":\"media_completed\",\"data\":3}\r\n\r\n")
	f.Fuzz(func(t *testing.T, body string) {
		whole := slices.Collect(sse.Read(strings.NewReader(body)))
		requireEqual(t, whole, slices.Collect(sse.Read(iotest.OneByteReader(strings.NewReader(body)))))
		require.True(t, whole[len(whole)-1].Kind.IsTerminal(), "there is always an end")
	})
}
