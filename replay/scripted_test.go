package replay_test

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/replay"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
	"github.com/weirsdk/weir/validator"
)

func TestReplies(t *testing.T) {
	t.Parallel()
	weather := replay.Call("get_weather", `{"city":"Oslo"}`)
	usage := `"usage":{"input":null,"cache_read":null,"cache_write":null,"cache_write_long":null,"output":null,"thinking":null}}`
	for _, c := range []struct {
		why   string
		reply replay.Reply
		want  []string
	}{
		{"a delta a word", replay.Says("It rains. "), []string{
			`{"kind":"started"}`,
			`{"kind":"text_delta","index":0,"text":"It "}`,
			`{"kind":"text_delta","index":0,"text":"rains. "}`,
			`{"kind":"completed","stop":"end","raw_stop":"end",` + usage,
		}},
		{"nothing said", replay.Says(""), []string{
			`{"kind":"started"}`,
			`{"kind":"completed","stop":"end","raw_stop":"end",` + usage,
		}},
		{"calls after text, with ids and fragments", replay.Calls(weather, events.ToolCall{ID: "x", Name: "now"}).WithText("Wait."), []string{
			`{"kind":"started"}`,
			`{"kind":"text_delta","index":0,"text":"Wait."}`,
			`{"kind":"tool_call_started","index":1,"id":"call_w1","name":"get_weather","minted":true}`,
			`{"kind":"tool_arguments_delta","index":1,"text":"{\"city\""}`,
			`{"kind":"tool_arguments_delta","index":1,"text":":\"Oslo\"}"}`,
			`{"kind":"tool_call_completed","index":1,"id":"call_w1","name":"get_weather","minted":true,"arguments":"{\"city\":\"Oslo\"}"}`,
			`{"kind":"tool_call_started","index":2,"id":"x","name":"now"}`,
			`{"kind":"tool_arguments_delta","index":2,"text":"{"}`,
			`{"kind":"tool_arguments_delta","index":2,"text":"}"}`,
			`{"kind":"tool_call_completed","index":2,"id":"x","name":"now","arguments":"{}"}`,
			`{"kind":"completed","stop":"tool_use","raw_stop":"tool_use",` + usage,
		}},
		{"calls without text begin at block 0", replay.Calls(events.ToolCall{ID: "x", Name: "now"}), []string{
			`{"kind":"started"}`,
			`{"kind":"tool_call_started","index":0,"id":"x","name":"now"}`,
			`{"kind":"tool_arguments_delta","index":0,"text":"{"}`,
			`{"kind":"tool_arguments_delta","index":0,"text":"}"}`,
			`{"kind":"tool_call_completed","index":0,"id":"x","name":"now","arguments":"{}"}`,
			`{"kind":"completed","stop":"tool_use","raw_stop":"tool_use",` + usage,
		}},
		{"reported usage", replay.Says("").WithUsage(7, 2), []string{
			`{"kind":"started"}`,
			`{"kind":"completed","stop":"end","raw_stop":"end","usage":{"input":7,"cache_read":0,"cache_write":0,"cache_write_long":0,"output":2,"thinking":0,"final":true}}`,
		}},
		{"another stop", replay.Says("It").WithStop(events.StopLength), []string{
			`{"kind":"started"}`,
			`{"kind":"text_delta","index":0,"text":"It"}`,
			`{"kind":"completed","stop":"length","raw_stop":"length",` + usage,
		}},
		{"a failure of a status was answered", replay.Fails(&events.Failure{Kind: events.RateLimited, Status: 429, RetryAfter: time.Second}), []string{
			`{"kind":"started"}`,
			`{"kind":"failed","failure":{"kind":"rate_limited","status":429,"retry_after_ms":1000,"sent":"answered","usage":null}}`,
		}},
		{"a failure in the middle, with usage", replay.Fails(&events.Failure{Kind: events.Overloaded}).WithText("It").WithUsage(7, 2), []string{
			`{"kind":"started"}`,
			`{"kind":"text_delta","index":0,"text":"It"}`,
			`{"kind":"failed","failure":{"kind":"overloaded","sent":"maybe_sent","usage":{"input":7,"cache_read":0,"cache_write":0,"cache_write_long":0,"output":2,"thinking":0,"final":true}}}`,
		}},
		{"no failure is one of kind other", replay.Fails(nil), []string{
			`{"kind":"started"}`,
			`{"kind":"failed","failure":{"kind":"other","detail":"the script says so","sent":"maybe_sent","usage":null}}`,
		}},
		{"events as they are", replay.Events(hello("a b")...), lines(hello("a b"))},
	} {
		m := &replay.Scripted{Replies: []replay.Reply{c.reply}}
		assert.Equal(t, c.want, lines(all(m, ask("hi"))), c.why)
		assert.Zero(t, m.Remaining(), c.why)
	}
}

func TestRepliesThatBreakTheGrammar(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why   string
		reply replay.Reply
	}{
		{"arguments that are no object", replay.Calls(replay.Call("f", "{"))},
		{"no terminal", replay.Events(started())},
		{"no events", replay.Events()},
		{"no start", replay.Events(completed(events.StopEnd))},
		{"text that is no UTF-8", replay.Says("\xff")},
		{"a failure of a kind that is none", replay.Fails(&events.Failure{Kind: "busy", Status: 529})},
		{"a failure of no kind", replay.Fails(&events.Failure{Status: 529}).WithText("Well, ")},
		{"calls and another stop", replay.Calls(replay.Call("f", "{}")).WithStop(events.StopEnd)},
	} {
		m := &replay.Scripted{Replies: []replay.Reply{replay.Says("fine"), c.reply, replay.Says("fine")}}
		all(m, ask("hi"))
		f := failure(t, all(m, ask("hi")))
		assert.ErrorIs(t, f, &events.Failure{Kind: events.InvalidReply, Reason: events.ReasonProtocolViolation}, c.why)
		assert.False(t, f.Retryable(), c.why)
		assert.Contains(t, f.Detail, "reply 2 of the script ", c.why)
		assert.Equal(t, 1, m.Remaining(), "it is used up")
		assert.Equal(t, events.Completed, last(all(m, ask("hi"))).Kind, "and the next comes")
	}
}

func last(evs []events.Event) events.Event { return evs[len(evs)-1] }

// TestScriptIsNotBlamed for what it says on purpose, and for what is none of its replies.
func TestScriptIsNotBlamed(t *testing.T) {
	t.Parallel()
	violated := events.NewFailure(events.InvalidReply, events.ReasonProtocolViolation, "as the provider did")
	f := failure(t, all(&replay.Scripted{Replies: []replay.Reply{replay.Fails(violated)}}, ask("hi")))
	assert.Equal(t, "as the provider did", f.Detail)
	f = failure(t, all(&replay.Scripted{}, ask("hi")))
	assert.ErrorIs(t, f, replay.ErrNotRecorded)
}

// TestKindsOfFailures: a script may fail with each kind that there is.
func TestKindsOfFailures(t *testing.T) {
	t.Parallel()
	source, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "events", "failure.go"), nil, 0)
	require.NoError(t, err)
	kinds := 0
	ast.Inspect(source, func(n ast.Node) bool {
		constant, ok := n.(*ast.ValueSpec)
		if !ok || len(constant.Values) != 1 {
			return true
		}
		if of, ok := constant.Type.(*ast.Ident); ok && of.Name == "FailureKind" {
			text, ok := constant.Values[0].(*ast.BasicLit)
			require.True(t, ok)
			kind, err := strconv.Unquote(text.Value)
			require.NoError(t, err)
			kinds++
			f := failure(t, all(&replay.Scripted{Replies: []replay.Reply{replay.Fails(&events.Failure{Kind: events.FailureKind(kind)})}}, ask("hi")))
			assert.Equal(t, kind, string(f.Kind))
		}
		return true
	})
	assert.Greater(t, kinds, 9)
}

func TestLongPieces(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ü", 100_000)
	m := &replay.Scripted{Replies: []replay.Reply{replay.Calls(replay.Call("f", `{"a":"`+long+`"}`)).WithText(long)}}
	reply, err := stream.Collect(validator.Guard(m.Stream(context.Background(), ask("hi"))))
	require.NoError(t, err)
	assert.Equal(t, long, reply.Text())
	assert.Equal(t, `{"a":"`+long+`"}`, reply.ToolCalls()[0].Arguments)
}

func TestScriptedKeepsBooks(t *testing.T) {
	t.Parallel()
	m := &replay.Scripted{Replies: []replay.Reply{replay.Says("a"), replay.Says("b")}}
	assert.Equal(t, "scripted:model", m.Name())
	late := m.Stream(context.Background(), ask("late"))
	all(m, ask("one"))
	assert.Equal(t, 1, m.Remaining(), "a stream that is not ranged takes nothing")
	reply, err := stream.Collect(late)
	require.NoError(t, err)
	assert.Equal(t, "b", reply.Text(), "the number is taken when the stream is ranged")
	assert.Equal(t, []request.Request{ask("one"), ask("late")}, m.Requests())

	f := failure(t, all(m, ask("two")))
	assert.ErrorIs(t, f, replay.ErrNotRecorded)
	assert.ErrorIs(t, f, &events.Failure{Kind: events.Other, Reason: events.ReasonNotRecorded})
	assert.Equal(t, events.NotSent, f.Sent)
	assert.False(t, f.Retryable())
	assert.Len(t, m.Requests(), 3)
	assert.Zero(t, m.Remaining())
}

func TestScriptedNames(t *testing.T) {
	t.Parallel()
	m := &replay.Scripted{ModelName: "acme:m", ModelSpec: request.Spec{Tools: request.No}}
	assert.Equal(t, "acme:m", m.Name())
	assert.Equal(t, request.No, m.Spec().Tools)
}

func TestScriptedRefusesWhatAModelWould(t *testing.T) {
	t.Parallel()
	m := &replay.Scripted{Replies: []replay.Reply{replay.Says("a")}}
	f := failure(t, all(m, request.Request{}))
	assert.Equal(t, events.InvalidRequest, f.Kind)
	assert.Equal(t, events.NotSent, f.Sent)
	assert.Equal(t, 1, m.Remaining(), "it uses no reply up")
	assert.Len(t, m.Requests(), 1)

	foreign := ask("hi")
	turn := request.AssistantText("yes?")
	turn.Data = events.ProviderData{Format: "chat.v1", Origin: "acme", Value: "v"}
	foreign.Messages = append(foreign.Messages, turn, request.UserText("go on"))
	reply, err := stream.Collect(m.Stream(context.Background(), foreign))
	require.NoError(t, err, "another model's data does no harm")
	assert.Equal(t, "a", reply.Text())
}

func TestMintedIDsAreUniqueInTheConversation(t *testing.T) {
	t.Parallel()
	call := replay.Calls(replay.Call("f", "{}"), replay.Call("g", "{}"))
	m := &replay.Scripted{Replies: []replay.Reply{call, call}}
	req := ask("hi")
	var ids []string
	for range 2 {
		reply, err := stream.Collect(m.Stream(context.Background(), req))
		require.NoError(t, err)
		for _, c := range reply.ToolCalls() {
			ids = append(ids, c.ID)
		}
		req.Messages = append(req.Messages, reply.Turn(), reply.Answer(func(events.ToolCall) (string, error) { return "ok", nil }))
	}
	assert.Equal(t, []string{"call_w1", "call_w2", "call_w3", "call_w4"}, ids)

	given := replay.Call("f", "{}")
	given.ID = "call_w1"
	m = &replay.Scripted{Replies: []replay.Reply{replay.Calls(replay.Call("f", "{}"), given)}}
	reply, err := stream.Collect(m.Stream(context.Background(), ask("hi")))
	require.NoError(t, err, "no id of the script is minted again")
	assert.Equal(t, "call_w2", reply.ToolCalls()[0].ID)
}

func TestScriptedHonoursTheContext(t *testing.T) {
	t.Parallel()
	m := &replay.Scripted{Replies: []replay.Reply{replay.Says("a b c")}}
	scope := cancel.New(context.Background())
	scope.Cancel(cancel.Superseded)
	f := failure(t, allOf(scope.Context(), m, ask("hi")))
	assert.ErrorIs(t, f, cancel.Superseded)
	assert.Equal(t, events.NotSent, f.Sent)
	assert.Equal(t, 1, m.Remaining())

	scope = cancel.New(context.Background())
	var evs []events.Event
	for ev := range m.Stream(scope.Context(), ask("hi")) {
		evs = append(evs, ev)
		scope.Cancel(cancel.User)
	}
	assert.Equal(t, []events.Kind{events.Started, events.Failed}, kinds(evs))
	f = failure(t, evs)
	assert.ErrorIs(t, f, cancel.User)
	assert.Equal(t, events.Answered, f.Sent)
}

func TestScriptedIsConcurrent(t *testing.T) {
	t.Parallel()
	m := &replay.Scripted{}
	for range 100 {
		m.Replies = append(m.Replies, replay.Says("a b"))
	}
	var wait sync.WaitGroup
	for range 100 {
		wait.Go(func() {
			evs := all(m, ask("hi"))
			assert.Equal(t, events.Completed, evs[len(evs)-1].Kind)
		})
	}
	wait.Wait()
	assert.Zero(t, m.Remaining())
	assert.Len(t, m.Requests(), 100)
}

// TestSingleUse is clause M04, of all three.
func TestSingleUse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	recorder := &replay.Recorder{Inner: &replay.Scripted{ModelName: "test:m", Replies: []replay.Reply{replay.Says("a"), replay.Says("b")}}, Dir: dir}
	for _, m := range []providers.Model{
		&replay.Scripted{Replies: []replay.Reply{replay.Says("a"), replay.Says("b")}}, recorder, replayer(dir),
	} {
		s := m.Stream(context.Background(), ask("hi"))
		for range s {
		}
		reply, err := stream.Collect(s)
		assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonStreamUsed})
		assert.Empty(t, reply.Text())
	}
	assert.Len(t, files(t, dir), 1, "a second range is no exchange")
}
