package chatwire_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/chatwire"
	"github.com/weirsdk/weir/request"
)

// everything returns testdata/everything/<name>/request.json, which asks for all that a
// request can ask for, and what a request has besides.
func everything(tb testing.TB, dir string) request.Request {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "request.json"))
	require.NoError(tb, err)
	var r request.Request
	require.NoError(tb, json.Unmarshal(text, &r), dir)
	r.Correlation = request.Correlation{Run: "run-1", Turn: "turn-1", Actor: "someone", Purpose: "tests"}
	r.Options.Without = []string{"nobody knows this one"}
	return r
}

// TestEverything: a request with every feature set, for those vendors whose profiles
// differ most. want.json is the body, notices.txt what is told of it; the adapters of the
// vendors send that body (see their tests).
func TestEverything(t *testing.T) {
	t.Parallel()
	dirs, err := filepath.Glob("testdata/everything/*")
	require.NoError(t, err)
	require.Len(t, dirs, 10)
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			var c struct{ Vendor, Model string }
			text, err := os.ReadFile(filepath.Join(dir, "case.json"))
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(text, &c))
			spec := request.Spec{CacheMarkers: request.Yes, CacheLong: request.Yes}
			prepare := func(r request.Request) (string, string) {
				call, _, err := chatwire.Prepare(r, c.Model, spec, chatwire.ProfileFor(c.Vendor))
				require.NoError(t, err)
				return string(call.Body) + "\n", told(call.Notices)
			}
			r := everything(t, dir)
			body, notices := prepare(r)
			assert.True(t, json.Valid([]byte(body)), "%s", body)
			canned.Golden(t, filepath.Join(dir, "want.json"), []byte(body), *update)
			canned.Golden(t, filepath.Join(dir, "notices.txt"), []byte(notices), *update)
			assert.Equal(t, everything(t, dir), r, "the request is as it was")
			for range 20 {
				r.Extra = shuffled(r.Extra)
				again, alsoTold := prepare(r)
				require.Equal(t, body, again, "equal requests give equal bytes")
				require.Equal(t, notices, alsoTold)
			}
			for _, word := range []string{"run-1", "turn-1", "someone", "tests"} {
				assert.NotContains(t, body, word, "correlation is sent to nobody")
			}
			r.Strict = true
			_, _, err = chatwire.Prepare(r, c.Model, spec, chatwire.ProfileFor(c.Vendor))
			assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadParameter}, "what is told is refused under Strict")
		})
	}
}

func told(notices []events.NoticeInfo) string {
	var lines []string
	for _, n := range notices {
		lines = append(lines, string(n.Code)+" "+n.Detail+"\n")
	}
	return strings.Join(lines, "")
}

// shuffled returns a map that was filled in another order.
func shuffled(m map[string]string) map[string]string {
	keys := slices.Collect(maps.Keys(m))
	slices.SortFunc(keys, func(a, b string) int { return strings.Compare(b, a) })
	out := map[string]string{}
	for _, k := range keys {
		out[k] = m[k]
	}
	return out
}
