package wirejson_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/weirsdk/weir/providers/internal/wirejson"
)

func TestSafeID(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"", "call_1", "A-b_9", strings.Repeat("x", 64)} {
		assert.Equal(t, id, wirejson.SafeID(id, 64), "an id that the wire takes goes as it is")
	}
	assert.Equal(t, strings.Repeat("x", 100), wirejson.SafeID(strings.Repeat("x", 100), 0), "0 is no bound")
	seen := map[string]string{}
	for _, id := range []string{"a.b", "a:b", "a b", "é", strings.Repeat("x", 65), strings.Repeat("x", 66), strings.Repeat(".", 200)} {
		safe := wirejson.SafeID(id, 64)
		assert.Regexp(t, `^[a-zA-Z0-9_-]{1,64}$`, safe, id)
		assert.Equal(t, safe, wirejson.SafeID(id, 64), "the same id gives the same one")
		assert.Empty(t, seen[safe], "%q and %q become one", id, seen[safe])
		seen[safe] = id
	}
}

func TestShortID(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "aZ3456789", wirejson.ShortID("aZ3456789", 9), "an id that the wire takes goes as it is")
	seen := map[string]string{}
	for _, id := range []string{"", "call_1", "call_2", "aZ345678", "aZ34567890", "a_3456789", "\u00e93456789", strings.Repeat("x", 65), strings.Repeat("x", 66)} {
		short := wirejson.ShortID(id, 9)
		assert.Regexp(t, `^[a-zA-Z0-9]{9}$`, short, id)
		assert.Equal(t, short, wirejson.ShortID(id, 9), "the same id gives the same one")
		assert.Empty(t, seen[short], "%q and %q become one", id, seen[short])
		seen[short] = id
	}
}
