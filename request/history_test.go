package request_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

func call(id, name, arguments string) request.Block {
	return request.Call(events.ToolCall{ID: id, Name: name, Arguments: arguments})
}

func png(size int) request.Block { return request.ImageBytes("image/png", make([]byte, size)) }

// asks returns a conversation that starts with a question.
func asks(rest ...request.Message) request.Request {
	return request.Request{Messages: append([]request.Message{request.UserText("q")}, rest...)}
}

type problemRow struct {
	why    string
	req    request.Request
	fields []string // of all problems, in order
	reason events.Reason
}

func checkProblems(t *testing.T, spec request.Spec, rows []problemRow) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			var fields []string
			problems := row.req.CheckFor(spec)
			for _, p := range problems {
				fields = append(fields, p.Field)
				assert.Equal(t, row.reason, p.Reason, p)
				assert.NotEmpty(t, p.Detail)
			}
			assert.Equal(t, row.fields, fields, problems)
			_, err := row.req.Prepare(request.Target{Spec: spec})
			if len(row.fields) == 0 {
				require.NoError(t, err)
			} else {
				requireInvalid(t, err, row.reason)
			}
		})
	}
}

func TestHistoryAccepted(t *testing.T) {
	t.Parallel()
	ok := func(why string, req request.Request) problemRow { return problemRow{why: why, req: req} }
	checkProblems(t, request.Spec{}, []problemRow{
		ok("one question", asks()),
		ok("turns of one role in a row are the family's matter", asks(request.UserText("and"), request.AssistantText("a"), request.AssistantText("b"))),
		ok("the assistant may begin", request.Request{Messages: []request.Message{request.AssistantText("hello"), request.UserText("q")}}),
		ok("a call and its result", asks(request.Assistant(call("c", "f", "{}")), request.Results(request.Result("c", "1")))),
		ok("results in another order", asks(request.Assistant(call("a", "f", "{}"), call("b", "f", "{}")), request.Results(request.Result("b", "1"), request.Result("a", "2")))),
		ok("results over two messages (case 041)", asks(request.Assistant(call("a", "f", "{}"), call("b", "f", "{}")),
			request.Results(request.Result("a", "1")), request.Results(request.Result("b", "2")), request.UserText("go on"))),
		ok("an id again in a later turn (case 178)", asks(request.Assistant(call("f:0", "a", "{}")), request.Results(request.Result("f:0", "1")),
			request.Assistant(call("f:0", "a", "{}")), request.Results(request.Result("f:0", "2")))),
		ok("a result without content", asks(request.Assistant(call("c", "f", "{}")), request.Results(request.ResultBlocks("c")))),
		ok("an image as result", asks(request.Assistant(call("c", "f", "{}")), request.Results(request.ResultBlocks("c", png(1))))),
		ok("a turn that is data alone", asks(request.Message{Role: request.RoleAssistant, Data: events.ProviderData{Value: "x"}})),
		ok("all media", request.Request{Messages: []request.Message{request.User(png(1), request.ImageURL("https://x.test/a.png"), request.ImageURL("gs://b/a.png"),
			request.AudioBytes("audio/wav", []byte{1}), request.FileBytes("a.pdf", "application/pdf", []byte{1}), request.FileURL("a.pdf", "", "https://x.test/a.pdf"))}}),
		ok("the largest image", request.Request{Messages: []request.Message{request.User(png(request.MaxInlineMedia))}}),
		ok("the longest conversation", request.Request{Messages: repeat(request.UserText("q"), request.MaxMessages)}),
		ok("an undeclared tool in the history", asks(request.Assistant(call("c", "gone", "{}")), request.Results(request.ResultError("c", "no such tool")))),
	})
}

func repeat[T any](v T, n int) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = v
	}
	return out
}

func TestHistoryRefused(t *testing.T) {
	t.Parallel()
	bad := func(why string, req request.Request, fields ...string) problemRow {
		return problemRow{why: why, req: req, fields: fields, reason: events.ReasonBadHistory}
	}
	user := func(b request.Block) request.Request {
		return request.Request{Messages: []request.Message{request.User(b)}}
	}
	calls := request.Assistant(call("a", "f", "{}"), call("b", "f", "{}"))
	checkProblems(t, request.Spec{}, []problemRow{
		bad("nothing", request.Request{}, "messages"),
		bad("only empty turns", request.Request{Messages: []request.Message{request.AssistantText(" ")}}, "messages"),
		bad("an empty question", asks(request.AssistantText("a"), request.UserText(" \n")), "messages[2]"),
		bad("too many messages", request.Request{Messages: repeat(request.UserText("q"), request.MaxMessages+1)}, "messages"),
		bad("too many blocks", request.Request{Messages: []request.Message{request.User(repeat(request.Text("q"), request.MaxBlocks+1)...)}}, "messages[0]"),
		bad("a system message", asks(request.Message{Role: "system", Blocks: []request.Block{request.Text("s")}}), "messages[1].role"),
		bad("an unknown role", asks(request.Message{Role: "model"}), "messages[1].role"),
		bad("tool first", request.Request{Messages: []request.Message{request.Results(request.Result("c", "1"))}}, "messages[0]"),
		bad("tool without a result", asks(request.Results()), "messages[1]"),
		bad("one result missing (case 041)", asks(calls, request.Results(request.Result("a", "1")), request.UserText("go on")), "messages[1]"),
		bad("all results missing at the end", asks(calls), "messages[1]", "messages[1]"),
		bad("a result after another turn", asks(request.Assistant(call("c", "f", "{}")), request.UserText("wait"), request.Results(request.Result("c", "1"))), "messages[1]", "messages[3]"),
		bad("answered twice", asks(request.Assistant(call("c", "f", "{}")), request.Results(request.Result("c", "1"), request.Result("c", "2"))), "messages[2]"),
		bad("answered again later", asks(request.Assistant(call("c", "f", "{}")), request.Results(request.Result("c", "1")), request.UserText("x"), request.Results(request.Result("c", "1"))), "messages[4]"),
		bad("result of nothing", asks(request.Assistant(call("c", "f", "{}")), request.Results(request.Result("c", "1"), request.Result("d", "2"))), "messages[2]"),
		bad("a call without id", asks(request.Assistant(call("", "f", "{}")), request.Results(request.Result("", "1"))), "messages[1].content[0]"),
		bad("a call without name", asks(request.Assistant(call("c", "", "{}")), request.Results(request.Result("c", "1"))), "messages[1].content[0]"),
		bad("arguments cut", asks(request.Assistant(call("c", "f", `{"a":`)), request.Results(request.Result("c", "1"))), "messages[1].content[0].arguments"),
		bad("a call by the user", asks(request.User(call("c", "f", "{}"))), "messages[1].content[0]"),
		bad("a result by the user", asks(request.Assistant(call("c", "f", "{}")), request.User(request.Result("c", "1"))), "messages[2].content[0]", "messages[1]"),
		bad("an image by the assistant", asks(request.Assistant(png(1))), "messages[1].content[0]"),
		bad("text among results", asks(request.Assistant(call("c", "f", "{}")), request.Results(request.Result("c", "1"), request.Text("x"))), "messages[2].content[1]"),
		bad("a file as result", asks(request.Assistant(call("c", "f", "{}")), request.Results(request.ResultBlocks("c", request.FileURL("a", "", "https://x.test/a")))), "messages[2].content[0].content[0]"),
		bad("data of the user", asks(request.Message{Role: request.RoleUser, Blocks: []request.Block{request.Text("x")}, Data: events.ProviderData{Value: "x"}}), "messages[1].data"),
		bad("the zero block", user(request.Block{}), "messages[0].content[0]"),
		bad("an image too large", user(png(request.MaxInlineMedia+1)), "messages[0].content[0]"),
		bad("an image of nothing", user(png(0)), "messages[0].content[0]"),
		bad("data and url", user(request.Block{Kind: request.BlockImage, MediaType: "image/png", Data: []byte{1}, URL: "https://x.test/"}), "messages[0].content[0]"),
		bad("inline data in a url", user(request.ImageURL("data:image/png;base64,AA==")), "messages[0].content[0]"),
		bad("a url with a space", user(request.ImageURL("https://x.test/a b")), "messages[0].content[0]"),
		bad("a url not UTF-8", user(request.ImageURL("https://x.test/\xff")), "messages[0].content[0]"),
		bad("a url too long", user(request.ImageURL("https://x.test/"+strings.Repeat("a", request.MaxMediaURL))), "messages[0].content[0]"),
		bad("inline without media type", user(request.ImageBytes("", []byte{1})), "messages[0].content[0].media_type"),
		bad("media type of another kind", user(request.ImageBytes("audio/wav", []byte{1})), "messages[0].content[0].media_type"),
		bad("media type that is none", user(request.FileBytes("a", "pdf", []byte{1})), "messages[0].content[0].media_type"),
	})
}

func TestMissingResultNamesTheID(t *testing.T) {
	t.Parallel()
	req := asks(request.Assistant(call("u1", "a", "{}"), call("u2", "b", "{}")), request.Results(request.Result("u1", "1")))
	_, err := req.Prepare(request.Target{})
	f := requireInvalid(t, err, events.ReasonBadHistory)
	assert.Contains(t, f.Detail, `"u2"`)
	assert.NotContains(t, f.Detail, `"u1"`)
}

func TestEmptyIsLeftOut(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why    string
		in     []request.Message
		want   []request.Message
		notice bool
	}{
		{
			"beside a call, and a result without output (case 021)",
			[]request.Message{request.UserText("q"), request.Assistant(request.Text(""), call("u1", "now", "{}")), request.Results(request.Result("u1", ""))},
			[]request.Message{request.UserText("q"), request.Assistant(call("u1", "now", "{}")), request.Results(request.ResultBlocks("u1"))},
			true,
		},
		{"white space of any kind", []request.Message{request.User(request.Text("q"), request.Text("\u00a0\n\u3000"))}, []request.Message{request.UserText("q")}, true},
		{
			"an assistant turn that was stopped at once",
			[]request.Message{request.UserText("q"), request.AssistantText(""), request.UserText("again")},
			[]request.Message{request.UserText("q"), request.UserText("again")},
			true,
		},
		{"an empty last assistant turn", []request.Message{request.UserText("q"), request.Assistant()}, []request.Message{request.UserText("q")}, true},
		{
			"an empty turn between a call and its result",
			[]request.Message{request.UserText("q"), request.Assistant(call("c", "f", "{}")), request.AssistantText(" "), request.Results(request.Result("c", "1"))},
			[]request.Message{request.UserText("q"), request.Assistant(call("c", "f", "{}")), request.Results(request.Result("c", "1"))},
			true,
		},
		{"an empty user turn in the middle", []request.Message{request.UserText(""), request.UserText("q")}, []request.Message{request.UserText("q")}, true},
		{
			"a result of nothing is told of nobody",
			[]request.Message{request.UserText("q"), request.Assistant(call("c", "f", "{}")), request.Results(request.Result("c", ""))},
			[]request.Message{request.UserText("q"), request.Assistant(call("c", "f", "{}")), request.Results(request.ResultBlocks("c"))},
			false,
		},
		{"white space around text stays", []request.Message{request.UserText(" q\n")}, []request.Message{request.UserText(" q\n")}, false},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			req := request.Request{Messages: row.in}
			got, err := req.Prepare(request.Target{})
			require.NoError(t, err)
			assert.Equal(t, row.want, got.Request.Messages)
			if !row.notice {
				assert.Empty(t, got.Notices)
				return
			}
			require.NotEmpty(t, got.Notices)
			for _, n := range got.Notices {
				assert.Equal(t, events.NoticeEmptyBlockDropped, n.Code)
			}
			req.Strict = true
			_, err = req.Prepare(request.Target{})
			requireInvalid(t, err, events.ReasonBadHistory)
		})
	}
}

func TestNoticesOfOneKindAreOne(t *testing.T) {
	t.Parallel()
	req := request.Request{Messages: repeat(request.User(request.Text("q"), request.Text("")), 100)}
	got, err := req.Prepare(request.Target{})
	require.NoError(t, err)
	require.Len(t, got.Notices, 1)
	assert.Contains(t, got.Notices[0].Detail, "messages[0].content[1]")
	assert.Contains(t, got.Notices[0].Detail, "100")
}

// What a stored history says of its calls may differ in each: the first of them are told
// apart, and the rest is counted, in time that grows with their number alone.
func TestNoticesAreBounded(t *testing.T) {
	t.Parallel()
	const turns, each = 40, 500
	req := request.Request{Foreign: request.ForeignDrop}
	for turn := range turns {
		var calls, results []request.Block
		for n := range each {
			id := strconv.Itoa(n)
			calls = append(calls, request.Call(events.ToolCall{
				ID: id, Name: "f", Arguments: "{}",
				Replay: events.ProviderData{Format: "x.v1", Origin: strconv.Itoa(turn) + "-" + id, Value: "v"},
			}))
			results = append(results, request.Result(id, "r"))
		}
		req.Messages = append(req.Messages, request.Assistant(calls...), request.Results(results...))
	}
	got, err := req.Prepare(request.Target{Format: "y.v1", Origin: "y"})
	require.NoError(t, err)
	require.Len(t, got.Notices, 257)
	last := got.Notices[256]
	assert.Equal(t, events.NoticeForeignDropped, last.Code)
	assert.Contains(t, last.Detail, "more of this kind ("+strconv.Itoa(turns*each-256)+" times")
}

func TestEqualIDsInOneTurn(t *testing.T) {
	t.Parallel()
	req := asks(
		request.Assistant(call("x", "a", "{}"), call("x_2", "b", "{}"), call("x", "c", "{}"), call("x", "d", "{}")),
		request.Results(request.Result("x", "of a"), request.Result("x", "of c"), request.Result("x_2", "of b")),
		request.Results(request.Result("x", "of d")),
	)
	got, err := req.Prepare(request.Target{})
	require.NoError(t, err)
	assert.Equal(t, asks(
		request.Assistant(call("x", "a", "{}"), call("x_2", "b", "{}"), call("x_3", "c", "{}"), call("x_4", "d", "{}")),
		request.Results(request.Result("x", "of a"), request.Result("x_3", "of c"), request.Result("x_2", "of b")),
		request.Results(request.Result("x_4", "of d")),
	).Messages, got.Request.Messages)
}

// A call that is the only one of its id keeps it, wherever it stands.
func TestEqualIDsLeaveOthersAlone(t *testing.T) {
	t.Parallel()
	got, err := asks(
		request.Assistant(call("x", "a", "{}"), call("x", "b", "{}"), call("x_2", "c", "{}")),
		request.Results(request.Result("x", "of a"), request.Result("x", "of b"), request.Result("x_2", "of c")),
	).Prepare(request.Target{})
	require.NoError(t, err)
	assert.Equal(t, asks(
		request.Assistant(call("x", "a", "{}"), call("x_3", "b", "{}"), call("x_2", "c", "{}")),
		request.Results(request.Result("x", "of a"), request.Result("x_3", "of b"), request.Result("x_2", "of c")),
	).Messages, got.Request.Messages)
}

// A paused turn may hold nothing but what its provider needs back.
func TestTurnOfDataAloneIsKept(t *testing.T) {
	t.Parallel()
	target := request.Target{Format: "messages.v1", Origin: "anthropic"}
	req := asks(request.Message{Role: request.RoleAssistant, Data: events.ProviderData{Format: "messages.v1", Origin: "anthropic", Value: "v"}})
	got, err := req.Prepare(target)
	require.NoError(t, err)
	assert.Equal(t, req.Messages, got.Request.Messages)
	assert.Empty(t, got.Notices)
}

func TestFirstMinted(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why  string
		ids  []string
		want int
	}{
		{"no history", nil, 1},
		{"a provider's ids", []string{"toolu_1", "call_7"}, 1},
		{"the highest, wherever it is", []string{"call_w2", "call_w10", "x", "call_w3"}, 11},
		{"look-alikes", []string{"call_w", "call_wx", "call_w5x", "xcall_w5", "call_w-5"}, 1},
		{"a number that nobody minted", []string{"call_w99999999999999999999", "call_w9999999999"}, 1},
	} {
		req := asks()
		for _, id := range row.ids {
			req.Messages = append(req.Messages, request.Assistant(call(id, "f", "{}")), request.Results(request.Result(id, "1")))
		}
		got, err := req.Prepare(request.Target{})
		require.NoError(t, err)
		assert.Equal(t, row.want, got.FirstMinted, row.why)
	}
}

func TestTextIsRepaired(t *testing.T) {
	t.Parallel()
	req := request.Request{
		System: "s\xff",
		Stop:   []string{"\xfe"},
		Messages: []request.Message{
			request.UserText("a\xffb"),
			request.Assistant(
				call("u\xff", "ask", `{"d":"a\ud83d b","pair":"\ud83d\ude00","low":"\uDE00","not":"\\ud83d","upper":"\uD83D"}`),
				call("e", "ask", " "),
			),
			request.Results(request.Result("u\xff", "ok\xff"), request.Result("e", "1")),
		},
	}
	got, err := req.Prepare(request.Target{})
	require.NoError(t, err)
	assert.Equal(t, "s\uFFFD", got.Request.System)
	assert.Equal(t, []string{"\uFFFD"}, got.Request.Stop)
	m := got.Request.Messages
	assert.Equal(t, "a\uFFFDb", m[0].Blocks[0].Text)
	assert.Equal(t, `{"d":"a\ufffd b","pair":"\ud83d\ude00","low":"\ufffd","not":"\\ud83d","upper":"\ufffd"}`, m[1].Blocks[0].Call.Arguments,
		"case 122: half a pair is never sent; a pair and an escaped backslash are left alone")
	assert.Equal(t, "{}", m[1].Blocks[1].Call.Arguments, "no arguments are an empty object")
	assert.Equal(t, "u\uFFFD", m[2].Blocks[0].Result.CallID)
	assert.Equal(t, "ok\uFFFD", m[2].Blocks[0].Result.Content[0].Text)
	assert.Empty(t, got.Notices)
}

// Case 179: a tool's output that looks like a schema stays a text.
func TestResultStaysText(t *testing.T) {
	t.Parallel()
	const output = `{"$ref":"#/$defs/A"}`
	got, err := asks(request.Assistant(call("c", "fetch", "{}")), request.Results(request.Result("c", output))).Prepare(request.Target{})
	require.NoError(t, err)
	assert.Equal(t, []request.Block{request.Text(output)}, got.Request.Messages[2].Blocks[0].Result.Content)
}

func TestForeignData(t *testing.T) {
	t.Parallel()
	target := request.Target{Format: "messages.v1", Origin: "anthropic"}
	own := events.ProviderData{Format: "messages.v1", Origin: "anthropic", Value: "v"}
	turn := func(data, replay events.ProviderData) request.Request {
		return asks(request.Message{Role: request.RoleAssistant, Data: data, Blocks: []request.Block{
			request.Call(events.ToolCall{ID: "c", Name: "f", Arguments: "{}", Replay: replay}),
		}}, request.Results(request.Result("c", "1")))
	}
	for _, row := range []struct {
		why   string
		req   request.Request
		times int // foreign pieces
	}{
		{"none", turn(events.ProviderData{}, events.ProviderData{}), 0},
		{"own", turn(own, own), 0},
		{"another format", turn(events.ProviderData{Format: "chat.v1", Origin: "anthropic", Value: "v"}, own), 1},
		{"another origin", turn(own, events.ProviderData{Format: "messages.v1", Origin: "vertex", Value: "v"}), 1},
		{"both pieces", turn(events.ProviderData{Value: "v"}, events.ProviderData{Value: "v"}), 2},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			assert.Empty(t, row.req.CheckFor(request.Spec{}), "only a target tells")
			got, err := row.req.Prepare(target)
			if row.times == 0 {
				require.NoError(t, err)
				assert.Equal(t, row.req.Messages, got.Request.Messages)
				return
			}
			requireInvalid(t, err, events.ReasonForeignData)
			req := row.req
			req.Foreign = request.ForeignDrop
			got, err = req.Prepare(target)
			require.NoError(t, err)
			require.Len(t, got.Notices, 1)
			assert.Equal(t, events.NoticeForeignDropped, got.Notices[0].Code)
			m := got.Request.Messages[1]
			assert.Contains(t, []events.ProviderData{{}, own}, m.Data)
			assert.Contains(t, []events.ProviderData{{}, own}, m.Blocks[0].Call.Replay)
			req.Strict = true
			_, err = req.Prepare(target)
			requireInvalid(t, err, events.ReasonForeignData)
		})
	}
}

func TestTurnOfForeignDataAloneIsLeftOut(t *testing.T) {
	t.Parallel()
	req := asks(request.Message{Role: request.RoleAssistant, Data: events.ProviderData{Format: "x.v1", Value: "v"}}, request.UserText("next"))
	req.Foreign = request.ForeignDrop
	got, err := req.Prepare(request.Target{Format: "chat.v1"})
	require.NoError(t, err)
	assert.Equal(t, []request.Message{request.UserText("q"), request.UserText("next")}, got.Request.Messages)
}

func TestMediaTheModelDoesNotTake(t *testing.T) {
	t.Parallel()
	media := request.Request{Messages: []request.Message{
		request.User(png(1), request.AudioBytes("audio/wav", []byte{1}), request.FileURL("a", "", "https://x.test/a")),
		request.Assistant(call("c", "f", "{}")), request.Results(request.ResultBlocks("c", png(1))),
	}}
	for _, row := range []struct {
		why    string
		spec   request.Spec
		fields []string
	}{
		{"unknown refuses nothing", request.Spec{}, nil},
		{"yes", request.Spec{Images: request.Yes, Audio: request.Yes, Files: request.Yes}, nil},
		{"no images, in results neither", request.Spec{Images: request.No}, []string{"messages[0].content[0]", "messages[2].content[0].content[0]"}},
		{"no audio", request.Spec{Audio: request.No}, []string{"messages[0].content[1]"}},
		{"no files", request.Spec{Files: request.No}, []string{"messages[0].content[2]"}},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			checkProblems(t, row.spec, []problemRow{{why: "fields", req: media, fields: row.fields, reason: events.ReasonBadParameter}})
		})
	}
}

func TestMintID(t *testing.T) {
	t.Parallel()
	taken := map[string]bool{"call_w2": true, "call_w3": true}
	n := 1
	var got []string
	for range 3 {
		got = append(got, request.MintID(&n, func(id string) bool { return taken[id] }))
	}
	assert.Equal(t, []string{"call_w1", "call_w4", "call_w5"}, got, "what the provider gave is left out, and nothing is minted twice")
	assert.Equal(t, 6, n)
}
