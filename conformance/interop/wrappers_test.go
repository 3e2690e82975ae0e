package interop_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/texttools"
	"github.com/weirsdk/weir/replay"
)

// What a model can do besides is found behind every wrapper that there is, in any
// order, and works. Where it cannot, it is not found, or says so with nothing sent.
func TestWrappersShowWhatIsInside(t *testing.T) {
	t.Parallel()
	texted := func(t *testing.T, m providers.Model) providers.Model {
		t.Helper()
		wrapped, err := texttools.New(m)
		require.NoError(t, err)
		return wrapped
	}
	recorded := func(t *testing.T, m providers.Model) providers.Model {
		t.Helper()
		return &replay.Recorder{Inner: m, Dir: t.TempDir()}
	}
	called := func(t *testing.T, m providers.Model) providers.Model {
		t.Helper()
		return caller.New(m, caller.Config{}).Model()
	}
	wrappers := map[string][]func(*testing.T, providers.Model) providers.Model{
		"nothing":                     nil,
		"text tools":                  {texted},
		"a recorder":                  {recorded},
		"a caller":                    {called},
		"a recorder of text tools":    {texted, recorded},
		"text tools over a recorder":  {recorded, texted},
		"a caller of all, and a copy": {texted, recorded, recorded, called},
	}
	every(t, func(t *testing.T, a adapter) {
		for name, wraps := range wrappers {
			var asked int
			inner := a.model(t, a.models[0], roundTrip(func(r *http.Request) (*http.Response, error) {
				asked++
				const counted = `{"input_tokens":14,"totalTokens":14,"inputTokens":14}`
				return &http.Response{
					StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(counted)), Request: r,
				}, nil
			}))
			m := inner
			for _, wrap := range wraps {
				m = wrap(t, m)
			}
			assert.Equal(t, inner.Name(), m.Name(), name)
			_, lists := providers.As[providers.ModelLister](m)
			assert.True(t, lists, "%s: a list of models", name)
			counter, found := providers.As[providers.TokenCounter](m)
			require.True(t, found || !a.counts, "%s: a count of tokens", name)
			if !found {
				continue
			}
			n, err := counter.CountTokens(t.Context(), question(t, m.Spec()))
			if a.counts {
				require.NoError(t, err, name)
				assert.Equal(t, int64(14), n, name)
				assert.Equal(t, 1, asked, name)
				continue
			}
			assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadConfig}, name)
			assert.Zero(t, asked, "%s: nobody counts, and somebody was asked", name)
		}
	})
}

// plain is a model that can do nothing besides.
type plain struct{ providers.Model }

// What is not inside is not found.
func TestWrappersShowNothingElse(t *testing.T) {
	t.Parallel()
	a := adapters()[1]
	m := plain{a.model(t, a.models[0], a.saying(t, "ok"))}
	texted, err := texttools.New(m)
	require.NoError(t, err)
	for _, wrapped := range []providers.Model{m, texted, &replay.Recorder{Inner: m, Dir: t.TempDir()}, caller.New(m, caller.Config{}).Model()} {
		_, lists := providers.As[providers.ModelLister](wrapped)
		assert.False(t, lists, "%T", wrapped)
	}
	counter, found := providers.As[providers.TokenCounter](texted)
	require.True(t, found, "text tools count by their model, and say that it does not")
	_, err = counter.CountTokens(t.Context(), question(t, m.Spec()))
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadConfig})
}

// A wrapper asks the same endpoint as the model inside, with the same credential.
func TestWrappersAskTheSame(t *testing.T) {
	t.Parallel()
	every(t, func(t *testing.T, a adapter) {
		var asked []string
		list := roundTrip(func(r *http.Request) (*http.Response, error) {
			asked = append(asked, r.Method+" "+r.URL.String())
			return &http.Response{StatusCode: http.StatusNotFound, Body: http.NoBody, Request: r}, nil
		})
		m := a.model(t, a.models[0], list)
		wrapped, err := texttools.New(&replay.Recorder{Inner: m, Dir: t.TempDir()})
		require.NoError(t, err)
		for _, m := range []providers.Model{m, wrapped} {
			lister, ok := providers.As[providers.ModelLister](m)
			require.True(t, ok)
			_, err := lister.ListModels(t.Context())
			require.Error(t, err)
		}
		require.Len(t, asked, 2)
		assert.Equal(t, asked[0], asked[1])
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
