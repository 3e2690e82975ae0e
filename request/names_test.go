package request_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/request"
)

// namesOf returns the names of a prepared request that declares tools so called.
func namesOf(tb rapid.TB, declared ...string) request.Names {
	req := request.Request{Messages: []request.Message{request.UserText("hi")}}
	for _, name := range declared {
		tool, err := request.NewTool(name, "", `{"type":"object"}`)
		require.NoError(tb, err)
		req.Tools = append(req.Tools, tool)
	}
	prepared, err := req.Prepare(request.Target{})
	require.NoError(tb, err)
	return prepared.Names
}

func TestNames(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("n", 65)
	for _, row := range []struct {
		why      string
		declared []string
		want     []string // "~" for any safe name with a hash
	}{
		{"safe names stay", []string{"get_weather", "A-1"}, []string{"get_weather", "A-1"}},
		{"64 bytes are safe", []string{long[:64]}, []string{long[:64]}},
		{"other bytes become an underscore", []string{"math.add", "été/2"}, []string{"math_add", "t_2"}},
		{"a safe name keeps its own", []string{"math.add", "math_add"}, []string{"~", "math_add"}},
		{"two that become the same both get a hash", []string{"a.b", "a/b"}, []string{"~", "~"}},
		{"too long", []string{long}, []string{"~"}},
		{"no safe character", []string{"日本", "天気"}, []string{"~", "~"}},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			names := namesOf(t, row.declared...)
			for i, declared := range row.declared {
				wire := names.Wire(declared)
				assert.Equal(t, declared, names.Declared(wire), "and back")
				if row.want[i] == "~" {
					assert.Regexp(t, `^[a-zA-Z0-9_-]{1,51}_[0-9a-f]{12}$`, wire)
				} else {
					assert.Equal(t, row.want[i], wire)
				}
			}
		})
	}
}

func TestNamesOfHistory(t *testing.T) {
	t.Parallel()
	req := request.Request{Messages: []request.Message{
		request.UserText("hi"), request.Assistant(call("c1", "gone.tool", "{}")), request.Results(request.Result("c1", "x")),
	}}
	prepared, err := req.Prepare(request.Target{})
	require.NoError(t, err)
	assert.Equal(t, "gone_tool", prepared.Names.Wire("gone.tool"), "a call of a tool that is no longer declared is sent too")
}

func TestZeroNames(t *testing.T) {
	t.Parallel()
	var names request.Names
	assert.Equal(t, "a.b", names.Wire("a.b"))
	assert.Equal(t, "a.b", names.Declared("a.b"))
}

func TestNamesAreSafeAndDistinct(t *testing.T) {
	t.Parallel()
	safe := regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(
			rapid.StringMatching(`[ab._/-]{1,4}`),
			rapid.StringMatching(`[a.é]{60,64}`),
			rapid.StringMatching(`a_[0-9a-f]{12}`),
		)
		declared := rapid.SliceOfNDistinct(name, 1, 12, rapid.ID).Draw(t, "declared")
		names := namesOf(t, declared...)
		used := map[string]string{}
		for _, d := range declared {
			wire := names.Wire(d)
			require.Regexp(t, safe, wire)
			require.Empty(t, used[wire], "%q and %q", used[wire], d)
			used[wire] = d
			require.Equal(t, d, names.Declared(wire))
			if safe.MatchString(d) {
				require.Equal(t, d, wire)
			}
		}
		shuffled := slices.Clone(declared)
		slices.Reverse(shuffled)
		again := namesOf(t, shuffled...)
		for _, d := range declared {
			require.Equal(t, names.Wire(d), again.Wire(d), "the order of the tools does not matter")
		}
	})
}
