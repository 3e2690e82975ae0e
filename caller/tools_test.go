package caller_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/events"
)

func TestTools(t *testing.T) {
	t.Parallel()
	type search struct {
		Query string `json:"query"`
		Limit int    `json:"limit,omitempty"`
	}
	var got search
	find, err := caller.NewTool("find", "Finds.", func(_ context.Context, s search) (string, error) {
		got = s
		if s.Limit > 9 {
			return "", errors.New("too many")
		}
		return "found", nil
	})
	require.NoError(t, err)
	assert.Nil(t, find.Check(`{"query":"x"}`))
	assert.NotNil(t, find.Check(`{"limit":1}`), "its schema is that of the type")
	all := caller.Tools{find}
	require.Len(t, all.Declared(), 1)
	assert.Equal(t, "find", all.Declared()[0].Name())

	for _, tt := range []struct {
		why, name, arguments, text string
		want                       search
		err                        bool
	}{
		{"decoded", "find", `{"query":"x","limit":2}`, "found", search{"x", 2}, false},
		{"null for what may be left out", "find", `{"query":"x","limit":null}`, "found", search{"x", 0}, false},
		{"the handler's own error", "find", `{"query":"x","limit":10}`, "", search{"x", 10}, true},
		{"arguments of another type", "find", `{"query":1}`, "", search{}, true},
		{"no such tool", "lose", `{}`, "", search{}, true},
	} {
		got = search{}
		text, err := all.Handle(t.Context(), events.ToolCall{Name: tt.name, Arguments: tt.arguments})
		assert.Equal(t, tt.text, text, tt.why)
		assert.Equal(t, tt.err, err != nil, tt.why)
		assert.Equal(t, tt.want, got, tt.why)
	}
	_, err = caller.Tools{{}}.Handle(t.Context(), events.ToolCall{})
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidReply}, "a tool without a handler is none")
	_, err = caller.NewTool("x", "", func(context.Context, chan int) (string, error) { return "", nil })
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonSchemaUnsupported})
	_, err = caller.NewTool("", "", func(context.Context, search) (string, error) { return "", nil })
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadTool})
}
