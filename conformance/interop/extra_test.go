package interop_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/request"
)

// guarded returns the members of a family's body that Extra may not set: what the
// request itself says, and what the answer is read by.
func (a adapter) guarded() []string {
	switch a.family {
	case responses:
		return []string{"model", "input", "stream"}
	case google:
		return []string{"model", "contents"}
	case converse:
		return []string{"messages", "toolConfig"}
	default:
		return []string{"model", "messages", "tools", "stream"}
	}
}

// What Extra has under the key of the family is merged into the body, number by number
// and deep, beside what the request says; what is under other keys is not.
func TestExtraIsMerged(t *testing.T) {
	t.Parallel()
	every(t, func(t *testing.T, a adapter) {
		for _, id := range a.some(mostModels) {
			s := a.saying(t, "ok")
			m := a.model(t, id, s)
			req := question(t, m.Spec())
			base := ask(t, m, s, req)
			req.Extra = map[string]string{a.family: `{"weir_probe":{"n":12345678901234567890.10,"list":[1,{"a":null}]}}`}
			for _, family := range []string{chat, responses, messages, converse, google, cohereV2, ollamaAPI} {
				if family != a.family {
					req.Extra[family] = `{"weir_other":true}`
				}
			}
			got := ask(t, m, s, req)
			require.True(t, got.sent(), "%s: %v", id, got.failure)
			assert.Equal(t, []leaf{
				{"weir_probe.n", "12345678901234567890.10"}, {"weir_probe.list.0", "1"}, {"weir_probe.list.1.a", "null"},
			}, got.changed(base), id)
			assert.Empty(t, base.changed(got), id)
			assert.Empty(t, got.notices, id)
			a.mergesInto(t, m, s, question(t, m.Spec()))
		}
	})
}

// mergesInto wants members added to the objects that the body has already, with
// nothing of them gone.
func (a adapter) mergesInto(t *testing.T, m providers.Model, s *script, req request.Request) {
	t.Helper()
	req.MaxOutputTokens, req.Effort = 5000, request.EffortHigh
	base := ask(t, m, s, req)
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(base.body), &members))
	for key, value := range members {
		if value[0] != '{' || slices.Contains(a.guarded(), key) {
			continue
		}
		req.Extra = map[string]string{a.family: `{"` + key + `":{"weir_probe":1}}`}
		got := ask(t, m, s, req)
		require.True(t, got.sent(), "%s: %v", key, got.failure)
		assert.Equal(t, []leaf{{key + ".weir_probe", "1"}}, got.changed(base))
		assert.Empty(t, base.changed(got), key)
	}
}

// Extra sets neither the conversation nor the tools, the model or the stream, however
// it is spelled: it is refused, or what the request says stays.
func TestExtraOverridesNothing(t *testing.T) {
	t.Parallel()
	every(t, func(t *testing.T, a adapter) {
		s := a.saying(t, "ok")
		m := a.model(t, a.models[0], s)
		req := question(t, m.Spec())
		base := ask(t, m, s, req)
		for _, key := range append(a.guarded(), "tools") {
			escaped := `\u00` + hex(key[0]) + key[1:]
			for _, extra := range []string{`{"` + key + `":"weir_probe"}`, `{"` + key + `":[]}`, `{"a":1,"` + key + `":null}`, `{"` + escaped + `":"weir_probe"}`} {
				req.Extra = map[string]string{a.family: extra}
				got := ask(t, m, s, req)
				if got.failure != nil {
					assert.ErrorIs(t, got.failure, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadParameter}, extra)
					continue
				}
				assert.Empty(t, base.changed(got), "%s: something of the request is gone", extra)
				if !slices.Contains(a.guarded(), key) {
					continue // what is added follows
				}
				stranger := slices.ContainsFunc(got.changed(base), func(l leaf) bool { return strings.HasPrefix(l.path, key) })
				assert.False(t, stranger, "%s: is set", extra)
			}
		}
		req.Extra = map[string]string{a.family: `{"a":1,"a":2}`}
		assert.True(t, ask(t, m, s, req).refused(), "a key that comes twice")
		req.Extra = map[string]string{a.family: `[1]`}
		assert.True(t, ask(t, m, s, req).refused(), "no object")
		req.Extra, req.Strict = map[string]string{"nobody": `{}`}, true
		assert.True(t, ask(t, m, s, req).refused(), "a key that nobody reads")
		req.Strict = false
		assert.True(t, ask(t, m, s, req).tells("extra.nobody"), "a key that nobody reads")
	})
}

func hex(c byte) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[c>>4], digits[c&15]})
}
