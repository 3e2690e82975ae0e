package modellist_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/modellist"
	"github.com/weirsdk/weir/providers/transport"
)

// Every page is asked for by a call of its own, and what keeps one from being made is
// the error.
func TestPrepared(t *testing.T) {
	t.Parallel()
	client := &http.Client{Transport: pages{
		first:           `{"modelSummaries":[{"modelId":"a"}],"nextToken":"t"}`,
		first + "?t":    `{"modelSummaries":[{"modelId":"b"}]}`,
		first + "?bad":  `{}`,
		first + "?same": `{"models":[],"nextToken":"same"}`,
	}}
	var asked []string
	to := func(next string) (transport.Call, error) {
		asked = append(asked, next)
		url := first
		if next != "" {
			url += "?" + next
		}
		return transport.Call{Provider: "a", URL: url}, nil
	}
	all, err := modellist.Prepared(t.Context(), client, "a", to)
	require.NoError(t, err)
	require.Len(t, all, 2)
	assert.Equal(t, "b", all[1].ID)
	assert.Equal(t, []string{"", "t"}, asked)

	always := func(next string) func(string) (transport.Call, error) {
		return func(string) (transport.Call, error) { return to(next) }
	}
	_, err = modellist.Prepared(t.Context(), client, "a", always("bad"))
	require.ErrorIs(t, err, &events.Failure{Kind: events.InvalidReply, Reason: events.ReasonBadContent})
	_, err = modellist.Prepared(t.Context(), client, "a", always("same"))
	require.ErrorIs(t, err, &events.Failure{Kind: events.InvalidReply, Reason: events.ReasonTooLarge})
	_, err = modellist.Prepared(t.Context(), client, "a", func(string) (transport.Call, error) {
		return transport.Call{Provider: "a"}, events.NewFailure(events.Rejected, events.ReasonAuth, "no")
	})
	f, ok := events.AsFailure(err)
	require.True(t, ok)
	assert.Equal(t, events.ReasonAuth, f.Reason)
	assert.Equal(t, events.NotSent, f.Sent)
}
