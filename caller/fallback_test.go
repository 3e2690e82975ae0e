package caller_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/validator"
)

// unable is a fallback that refuses by its Spec: nothing is asked of it.
func unable(name string) *script {
	model := newScript(says("never", 1, 1))
	model.name, model.spec.Thinking, model.spec.Efforts = name, request.Yes, []request.Effort{request.EffortLow}
	return model
}

// unprepared is a fallback whose wire refuses the request before it sends anything.
func unprepared(name string) *script {
	model := newScript(fails(events.InvalidRequest, events.ReasonForeignData, func(f *events.Failure) { f.Sent = events.NotSent }))
	model.name = name
	return model
}

func named(name string, plays ...play) *script {
	model := newScript(plays...)
	model.name = name
	return model
}

func TestFallbackThatCannotTakeTheRequest(t *testing.T) {
	t.Parallel()
	overload := fails(events.Overloaded, events.ReasonOverloaded, status(529))
	overloaded := &events.Failure{Kind: events.Overloaded, Reason: events.ReasonOverloaded}
	onAll := func(*events.Failure) bool { return true }
	for _, tt := range []struct {
		why       string
		first     play
		fallbacks func() []providersModel
		on        func(*events.Failure) bool
		want      *events.Failure // nil: a reply
		available bool            // the error is no Unavailable
		told      []string        // the models of the notices, in order
	}{
		{
			why: "the outage is what the call fails of, and not the Spec of the fallback", first: overload,
			fallbacks: func() []providersModel { return []providersModel{unable("other:n")} },
			want:      overloaded, told: []string{"other:n"},
		},
		{
			why: "nor what the fallback's wire has no place for", first: overload,
			fallbacks: func() []providersModel { return []providersModel{unprepared("other:n")} },
			want:      overloaded, told: []string{"other:n"},
		},
		{
			why: "each that refuses is told, one that comes first and one that comes last", first: overload,
			fallbacks: func() []providersModel { return []providersModel{unprepared("other:n"), unable("third:o")} },
			want:      overloaded, told: []string{"other:n", "third:o"},
		},
		{
			why: "the next fallback is asked", first: overload,
			fallbacks: func() []providersModel {
				return []providersModel{unable("other:n"), unprepared("third:o"), named("fourth:p", says("hello", 1, 1))}
			},
			told: []string{"test:m", "other:n", "third:o"},
		},
		{
			why: "of the models that took the request the last one's failure is the call's", first: overload,
			fallbacks: func() []providersModel {
				return []providersModel{unable("other:n"), named("third:o", fails(events.RateLimited, events.ReasonRateLimit, status(429))), unprepared("fourth:p")}
			},
			want: &events.Failure{Kind: events.RateLimited}, told: []string{"test:m", "other:n", "fourth:p"},
		},
		{
			why: "a provider's own refusal of the request stays the call's failure", first: overload,
			fallbacks: func() []providersModel {
				return []providersModel{named("other:n", fails(events.Rejected, events.ReasonBadRequest, status(400)))}
			},
			want: &events.Failure{Kind: events.Rejected}, told: []string{"test:m"},
		},
		{
			why: "what is configured to fall back stays the failure too", first: fails(events.Rejected, events.ReasonQuota, status(429)), on: onAll,
			fallbacks: func() []providersModel { return []providersModel{unable("other:n")} },
			want:      &events.Failure{Kind: events.Rejected, Reason: events.ReasonQuota}, told: []string{"other:n"},
		},
		{
			why: "of models that all refuse the first says why", first: fails(events.InvalidRequest, events.ReasonBadTool), on: onAll,
			fallbacks: func() []providersModel { return []providersModel{unable("other:n")} },
			want:      &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadTool}, available: true, told: []string{"other:n"},
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			req := ask("hi")
			req.Strict, req.Effort = true, request.EffortHigh
			first := newScript(tt.first)
			result, err := caller.New(first, caller.Config{Fallback: tt.fallbacks(), FallbackOn: tt.on}).Generate(t.Context(), req)
			assertOutcome(t, tt.why, err, tt.want, tt.available)
			assert.Equal(t, tt.told, toldOf(result.Reply.Notices()), tt.why)

			call := caller.New(newScript(tt.first), caller.Config{Fallback: tt.fallbacks(), FallbackOn: tt.on}).Stream(t.Context(), req)
			evs := collect(validator.Guard(call.Events()))
			assert.Equal(t, 1, countOf(evs, events.Started), tt.why)
			result, err = call.Result()
			assertOutcome(t, tt.why, err, tt.want, tt.available)
			assert.Equal(t, tt.told, toldOf(result.Reply.Notices()), "%s, streamed", tt.why)
			if tt.want != nil {
				assert.ErrorIs(t, evs[len(evs)-1].Err(), tt.want, "%s, in the stream's end", tt.why)
			}
		})
	}
}

func assertOutcome(t *testing.T, why string, err error, want *events.Failure, available bool) {
	t.Helper()
	if want == nil {
		require.NoError(t, err, why)
		return
	}
	require.ErrorIs(t, err, want, why)
	if want.Kind != events.InvalidRequest {
		assert.NotErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest}, why)
	}
	var u *caller.Unavailable
	assert.Equal(t, !available, errors.As(err, &u), why)
}

// What has come of a reply that broke is still the result's, with what was refused.
func TestRefusedFallbackKeepsTheReply(t *testing.T) {
	t.Parallel()
	req := ask("hi")
	req.Strict, req.Effort = true, request.EffortHigh
	for _, fallback := range []providersModel{unable("other:n"), unprepared("other:n")} {
		result, err := caller.New(newScript(brokenLate()), caller.Config{Fallback: []providersModel{fallback}}).Generate(t.Context(), req)
		require.ErrorIs(t, err, &events.Failure{Kind: events.InvalidReply, Reason: events.ReasonTruncated})
		assert.Equal(t, "hel", result.Reply.Text(), "of the attempt whose failure it is")
		assert.Equal(t, []string{"other:n"}, toldOf(result.Reply.Notices()))
	}
}

// A refusal says whose it is: of several models nobody else would know.
func TestRefusalsNameTheModel(t *testing.T) {
	t.Parallel()
	c := caller.New(newScript(says("never", 1, 1)), caller.Config{})
	run, err := c.OpenRun(t.Context(), caller.RunConfig{ID: "r", Limits: caller.Limits{MaxOutputTokensPerCall: 10}})
	require.NoError(t, err)
	ctx := caller.WithRun(t.Context(), run)
	around := ask("hi")
	around.Extra = map[string]string{"chat": `{"n":2}`}
	for why, req := range map[string]request.Request{"the check of the request": {}, "what reaches around the limits of the run": around} {
		_, generated := c.Generate(ctx, req)
		for _, err := range []error{generated, c.Check(ctx, req)} {
			f, ok := events.AsFailure(err)
			require.True(t, ok, why)
			assert.Equal(t, events.InvalidRequest, f.Kind, why)
			assert.Equal(t, events.NotSent, f.Sent, why)
			assert.True(t, strings.HasPrefix(f.Detail, "test:m: "), "%s: %s", why, f.Detail)
		}
	}
}

// toldOf returns which models the notices attempt_failed are of.
func toldOf(notices []events.NoticeInfo) []string {
	var models []string
	for _, n := range notices {
		if n.Code != events.NoticeAttemptFailed {
			continue
		}
		for _, model := range []string{"test:m", "other:n", "third:o", "fourth:p"} {
			if strings.Contains(n.Detail, model) {
				models = append(models, model)
			}
		}
	}
	return models
}
