package wirejson_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

func TestCheckExtra(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why   string
		extra map[string]string
		want  []string // what the notices begin with
	}{
		{"none", nil, nil},
		{"every family's, those to come too", map[string]string{
			"chat": "{}", "messages": "{}", "ollama": "{}", "responses": "{}", "gemini": "{}", "converse": "{}", "cohere": "{}",
		}, nil},
		{"typos, in order", map[string]string{"chta": "{}", "Chat": "{}", "chat": "{}", "": "{}"}, []string{"extra.:", "extra.Chat:", "extra.chta:"}},
		{"a long one is cut", map[string]string{strings.Repeat("x", 5000): "{}"}, []string{"extra." + strings.Repeat("x", 64) + ":"}},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			notices, err := wirejson.CheckExtra(c.extra, false)
			require.NoError(t, err)
			require.Len(t, notices, len(c.want))
			for i, n := range notices {
				assert.Equal(t, events.NoticeParameterDropped, n.Code)
				assert.True(t, strings.HasPrefix(n.Detail, c.want[i]), n.Detail)
			}
			notices, err = wirejson.CheckExtra(c.extra, true)
			assert.Empty(t, notices, "strict leaves nothing out")
			if len(c.want) == 0 {
				require.NoError(t, err)
				return
			}
			assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadParameter})
		})
	}
}
