package replay_test

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/replay"
	"github.com/weirsdk/weir/request"
)

// TestRequestsAreAsTheyWereAsked: agents grow and edit one slice of messages.
func TestRequestsAreAsTheyWereAsked(t *testing.T) {
	t.Parallel()
	m := &replay.Scripted{Replies: []replay.Reply{replay.Says("a"), replay.Says("b")}}
	req := ask("first")
	all(m, req)
	req.Messages[0].Blocks[0].Text = "second"
	all(m, req)
	req.Messages[0] = request.UserText("third")
	m.Requests()[0].Messages[0].Blocks[0].Text = "of a reader"
	assert.Equal(t, []request.Request{ask("first"), ask("second")}, m.Requests())
}

// TestRequestsShareNothing holds the copy to every field of a request, those to come
// too.
func TestRequestsShareNothing(t *testing.T) {
	t.Parallel()
	tool, err := request.NewTool("f", "Does f.", `{"type":"object"}`)
	require.NoError(t, err)
	given := request.Request{
		Messages: []request.Message{
			request.User(request.ImageBytes("image/png", []byte("x"))),
			request.Results(request.ResultBlocks("id", request.ImageBytes("image/png", []byte("y")))),
		},
		Tools: []request.Tool{tool}, Stop: []string{"."}, Extra: map[string]string{"chat": "{}"},
		Parallel: new(true), Temperature: new(0.5), TopP: new(0.5), Seed: new(int64(1)), ThinkingBudget: new(1),
		HostedTools: []request.HostedTool{request.SearchWeb(request.WebSearch{AllowedDomains: []string{"a.example"}, BlockedDomains: []string{"b.example"}})},
		Options:     request.Options{Without: []string{request.FeatureEffort}},
	}
	m := &replay.Scripted{}
	for range m.Stream(context.Background(), given) {
	}
	assert.Equal(t, []request.Request{given}, m.Requests())
	got := m.Requests()[0]
	unshared(t, "request", reflect.ValueOf(given), reflect.ValueOf(got))
	unshared(t, "request", reflect.ValueOf(got), reflect.ValueOf(m.Requests()[0]))
}

// unshared checks that two equal values share no memory that can be changed, and that
// every field of a request that could share some is set.
func unshared(tb testing.TB, at string, a, b reflect.Value) {
	tb.Helper()
	switch a.Kind() {
	case reflect.Pointer, reflect.Map:
		require.False(tb, a.IsNil(), "%s is not tested", at)
		assert.NotEqual(tb, a.Pointer(), b.Pointer(), at)
		if a.Kind() == reflect.Pointer {
			unshared(tb, at, a.Elem(), b.Elem())
		}
	case reflect.Slice:
		require.True(tb, a.Len() > 0 || strings.Contains(at, "[]"), "%s is not tested", at)
		if a.Len() > 0 {
			assert.NotEqual(tb, a.Pointer(), b.Pointer(), at)
		}
		for i := range a.Len() {
			unshared(tb, at+"[]", a.Index(i), b.Index(i))
		}
	case reflect.Struct:
		for i := range a.NumField() {
			if field := a.Type().Field(i); field.IsExported() {
				unshared(tb, at+"."+field.Name, a.Field(i), b.Field(i))
			}
		}
	default: // is a value
	}
}
