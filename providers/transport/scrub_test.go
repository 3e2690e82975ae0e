package transport_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/stream"
)

// errKeyed is an error whose text holds the key, a quiet one wraps it and is silent.
type errKeyed struct{ n int }

func (e errKeyed) Error() string { return fmt.Sprintf("sent %d with %s", e.n, canary) }

type quiet struct{ error }

func (quiet) Error() string   { return "no" }
func (q quiet) Unwrap() error { return q.error }

// keyed is a decoder whose every frame is an error.
type keyed struct{ err error }

func (d keyed) Frame(transport.Frame, func(events.Event) bool) (transport.State, error) {
	return transport.Open, d.err
}

func (d keyed) End(end transport.End) events.Event { return events.NewFailed(end.Failure) }

// TestNoCauseTellsACredential: the errors of an adapter are told without the secrets
// of its call, and found behind the failure all the same.
func TestNoCauseTellsACredential(t *testing.T) {
	t.Parallel()
	errs := []struct {
		why string
		err error
		// told is what is left of its text.
		told string
	}{
		{"an error", errKeyed{7}, "sent 7 with [redacted]"},
		{"one that an error wraps", quiet{errKeyed{7}}, "no"},
		{"one of several", fmt.Errorf("both: %w, %w", errors.New("a"), quiet{errKeyed{7}}), "both: a, no"},
		{"the cause of a failure", events.NewFailure(events.Overloaded, "", "no").WithCause(errKeyed{7}), "sent 7 with [redacted]"},
	}
	prepare := func(err error) stream.Stream {
		return transport.Stream(t.Context(), nil, func() (transport.Call, transport.Decoder, error) {
			return call("http://toy.test/"), nil, err
		})
	}
	frame := func(err error) stream.Stream {
		client := transport.NewClient(nil)
		client.Transport = sseAnswer("a")
		return transport.Stream(t.Context(), client, func() (transport.Call, transport.Decoder, error) {
			return call("http://toy.test/"), keyed{err}, nil
		})
	}
	for where, streamOf := range map[string]func(error) stream.Stream{"beside a call": prepare, "of a frame": frame} {
		for _, row := range errs {
			f := failure(play(streamOf(row.err)))
			why := where + ": " + row.why
			assert.NotContains(t, f.Error(), canary, why)
			assert.NotContains(t, fmt.Sprintf("%#v %+v", f.Unwrap(), f.Unwrap()), canary, why)
			assert.EqualError(t, f.Unwrap(), row.told, why)
			assert.NoError(t, errors.Unwrap(f.Unwrap()), why)
			_, several := f.Unwrap().(interface{ Unwrap() []error })
			assert.False(t, several, "%s: nobody comes to what holds it", why)
			assert.ErrorIs(t, f, errKeyed{7}, why)
			var inner errKeyed
			assert.ErrorAs(t, f, &inner, why)
			assert.Equal(t, 7, inner.n, why)
			assert.NotErrorIs(t, f, errKeyed{8}, why)
		}
	}
	plain := errors.New("no key")
	assert.Same(t, plain, failure(play(frame(plain))).Unwrap(), "what tells none is left as it is")
}

// TestNoRestOfACredentialIsTold: a key that looks like one by its first characters, or
// by some in the middle, is replaced whole.
func TestNoRestOfACredentialIsTold(t *testing.T) {
	t.Parallel()
	for why, key := range map[string]string{
		"characters that keys do not have":  "sk-12345678+tail/of=it",
		"what ends a value":                 "sk-12345678&tail;of,it",
		"a beginning that keys do not have": "team:sk-12345678",
		"both":                              "team:sk-12345678:tail",
	} {
		rt := &canned.Transport{Status: http.StatusUnauthorized, Body: []byte("no")}
		f := failure(play(open(t.Context(), rt, func(c *transport.Call) {
			c.Secrets = []string{key}
			c.Failure = func(int, http.Header, []byte) *events.Failure {
				f := events.NewFailure(events.Rejected, events.ReasonAuth, "the key "+key+" is none, and not "+key+" either")
				f.ProviderCode = "no_" + key
				return f
			}
		})))
		assert.Equal(t, "the key [redacted] is none, and not [redacted] either", f.Detail, why)
		assert.Equal(t, "no_[redacted]", f.ProviderCode, why)
	}
}

// TestRawUsageTellsNoCredential: it is JSON as the server wrote it, escapes and all.
func TestRawUsageTellsNoCredential(t *testing.T) {
	t.Parallel()
	for why, key := range map[string]string{
		"as little is escaped as may be": `"a<b&c/d\"e"`,
		"a slash is escaped too":         `"a<b&c\/d\"e"`,
		"as a page of HTML wants it":     `"a\u003cb\u0026c/d\"e"`,
	} {
		rt := sseAnswer("usage {\"key\":"+key+"}", "stop end")
		all := play(open(t.Context(), rt, func(c *transport.Call) { c.Secrets = []string{`a<b&c/d"e`} }))
		var told int
		for _, ev := range all {
			if u, ok := ev.Usage(); ok && u.Raw != "" {
				told++
				assert.JSONEq(t, `{"key":"[redacted]"}`, u.Raw, why)
			}
		}
		assert.Positive(t, told, why)
	}
}
