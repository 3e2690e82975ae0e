package conformance

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/weirsdk/weir/events"
)

// TestHoldsSecret: the credential is found wherever an event tells it, but not in what
// the model says and in its provider's data.
func TestHoldsSecret(t *testing.T) {
	t.Parallel()
	failed := func(change func(*events.Failure)) events.Event {
		f := events.Failure{Kind: events.Other}
		change(&f)
		return events.NewFailed(&f)
	}
	caused := func(err error) events.Event {
		return events.NewFailed(events.NewFailure(events.Other, "", "").WithCause(err))
	}
	key := errors.New("sent with " + Canary)
	for _, row := range []struct {
		why   string
		ev    events.Event
		holds bool
	}{
		{"nothing is told", events.NewStarted(events.Start{}), false},
		{"an event built by hand without a failure", events.Event{Kind: events.Failed}, false},
		{"a text", events.NewStarted(events.Start{RequestID: "r-" + Canary}), true},
		{"a key of a map", events.NewStarted(events.Start{Metadata: map[string]string{Canary: ""}}), true},
		{"a value of a map", events.NewStarted(events.Start{Metadata: map[string]string{"a": "", "key": Canary}}), true},
		{"a notice", events.NewNotice(events.NoticeUnknownFrame, "sent with "+Canary), true},
		{"raw counts", events.NewUsageUpdated(events.Usage{Raw: `{"key":"` + Canary + `"}`}), true},
		{"a text of a named type", events.NewCompleted(events.Completion{Stop: Canary}), true},
		{"a part of a part", events.NewCompleted(events.Completion{Usage: events.Usage{Raw: Canary}}), true},
		{"behind a pointer", events.NewCompleted(events.Completion{Cost: &events.Cost{Text: Canary}}), true},
		{"a detail", failed(func(f *events.Failure) { f.Detail = Canary }), true},
		{"what the error does not print", failed(func(f *events.Failure) { f.Feature = Canary }), true},
		{"a cause", caused(key), true},
		{"a cause of a cause", caused(events.NewFailure(events.Other, "", "").WithCause(key)), true},
		{"one of several causes", caused(errors.Join(errors.New("a"), fmt.Errorf("b: %w", hiding{key}))), true},
		{"causes without it", caused(errors.Join(errors.New("a"), errors.New("b"))), false},
		{"the model's own words", events.NewTextDelta(0, Canary), false},
		{"the model's arguments", events.NewToolCallCompleted(0, events.ToolCall{Arguments: Canary}), false},
		{"the provider's data", events.NewCompleted(events.Completion{Data: events.ProviderData{Value: Canary}}), false},
	} {
		assert.Equal(t, row.holds, holdsSecret(row.ev), row.why)
	}
}

// hiding is an error that does not print what it wraps.
type hiding struct{ error }

func (hiding) Error() string   { return "hidden" }
func (h hiding) Unwrap() error { return h.error }

// TestPrintedEvent: what is printed of a finding shows the cause that holds the key.
func TestPrintedEvent(t *testing.T) {
	t.Parallel()
	f := events.NewFailure(events.Other, "", "no").WithCause(hiding{errors.New("sent with it")})
	text := printedEvent{events.NewFailed(f)}.String()
	assert.Contains(t, text, `"detail":"no"`)
	assert.Contains(t, text, `caused by "hidden"`)
	assert.Contains(t, text, `caused by "sent with it"`)
}
