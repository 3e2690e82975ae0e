package texttools_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// The whole prompt, as a model reads it.
func TestPrompt(t *testing.T) {
	t.Parallel()
	req, notices, f := asked(t, question(t))
	require.Nil(t, f)
	assert.Empty(t, notices)
	assert.Equal(t, "Be kind.\n\n"+
		"You have tools. To call one, write a block like this, each fence on a line of its own:\n\n"+
		"```tool_call NAME_OF_THE_TOOL\n{\"argument\": \"value\"}\n```\n\n"+
		"Inside is one JSON object: the arguments, by the JSON Schema of the tool; {} for none. To call several tools, write several blocks, "+
		"then stop: the results come in the next message, in the order of the calls, as blocks of tool_result, or of tool_error where the tool failed. "+
		"Never write such a block yourself. When you need no tool, answer without a block.\n\n"+
		"The tools:\n\n"+
		"Tool a\nDoes a.\nJSON Schema of the arguments: {\"type\": \"object\"}\n\n"+
		"Tool b\nJSON Schema of the arguments: {\"type\": \"object\"}\n\n"+
		"Tool c_d\nDoes c.\nAnd d.\nJSON Schema of the arguments: {\"type\": \"object\"}", req.System)
	assert.Equal(t, question(t).Messages, req.Messages)
	assert.Empty(t, req.Tools)
}

func TestPromptOfChoices(t *testing.T) {
	t.Parallel()
	no, yes := false, true
	for why, row := range map[string]struct {
		change    func(*request.Request)
		has, lack string
	}{
		"required":    {func(r *request.Request) { r.ToolChoice.Mode = request.ToolRequired }, "You must call a tool now.", "need no tool"},
		"named":       {func(r *request.Request) { r.ToolChoice = request.ToolChoice{Mode: request.ToolNamed, Name: "c.d"} }, "You must call the tool c_d now.", "need no tool"},
		"none":        {func(r *request.Request) { r.ToolChoice.Mode = request.ToolNone }, "No tool can be called now", "Tool a"},
		"one by one":  {func(r *request.Request) { r.Parallel = &no }, "Write one block at most, then stop", "several"},
		"in parallel": {func(r *request.Request) { r.Parallel = &yes }, "write several blocks, then stop", "at most"},
		"no system":   {func(r *request.Request) { r.System = "" }, "You have tools.", "\n\nYou have"},
	} {
		req := question(t)
		row.change(&req)
		req, _, f := asked(t, req)
		require.Nil(t, f, why)
		assert.Contains(t, req.System, row.has, why)
		assert.NotContains(t, req.System, row.lack, why)
		assert.Equal(t, request.ToolChoice{}, req.ToolChoice, why)
		assert.Nil(t, req.Parallel, why)
		assert.Empty(t, req.Tools, why)
	}
}

// What is not about tools reaches the inner model as it is.
func TestRestIsLeftAlone(t *testing.T) {
	t.Parallel()
	plain := question(t)
	plain.Tools = nil
	got, _, f := asked(t, plain)
	require.Nil(t, f)
	assert.Equal(t, plain, got)

	temperature := 0.5
	req := question(t)
	req.MaxOutputTokens, req.Temperature, req.Extra = 7, &temperature, map[string]string{"chat": "{}"}
	data := events.ProviderData{Format: "f", Origin: "acme", Value: "v"}
	sealed := request.AssistantText("Yes.")
	sealed.Data = data
	bare := request.Message{Role: request.RoleAssistant, Data: data}
	req.Messages = append(req.Messages, request.User(request.Text(" "), request.Text("Ah.")), sealed, request.UserText("No."), bare, request.UserText("So?"))
	got, notices, f := asked(t, req)
	require.Nil(t, f)
	assert.Empty(t, notices, "the inner model tells what it leaves out")
	assert.Equal(t, req.Messages, got.Messages)
	assert.Equal(t, req.Temperature, got.Temperature)
	assert.Equal(t, 7, got.MaxOutputTokens)
	assert.Equal(t, req.Extra, got.Extra)
}

func TestAnswerInWords(t *testing.T) {
	t.Parallel()
	answer, err := request.NewAnswer("", `{"type":"object","properties":{"x":{"type":"integer"}}}`)
	require.NoError(t, err)
	req := question(t)
	req.Answer = answer
	got, notices, f := asked(t, req)
	require.Nil(t, f)
	assert.True(t, got.Answer.IsZero())
	assert.True(t, strings.HasPrefix(got.System, "Be kind.\n\n"+answer.Instruction()), got.System)
	assert.Contains(t, got.System, "You have tools.")
	require.Len(t, notices, 1)
	assert.Equal(t, events.NoticeParameterDropped, notices[0].Code)

	req.Strict = true
	_, _, f = asked(t, req)
	require.NotNil(t, f)
	assert.Equal(t, events.ReasonBadParameter, f.Reason)

	req.Strict, req.Answer = false, answer.WithStrict()
	_, _, f = asked(t, req)
	require.NotNil(t, f)
	assert.Equal(t, events.ReasonSchemaUnsupported, f.Reason)
	assert.Equal(t, events.NotSent, f.Sent)

	req.ToolChoice.Mode = request.ToolNone // nothing keeps the model from its schema
	got, _, f = asked(t, req)
	require.Nil(t, f)
	assert.True(t, got.Answer.Equal(req.Answer))
}

func TestHistory(t *testing.T) {
	t.Parallel()
	call := func(id, name, arguments string) request.Block {
		return request.Call(events.ToolCall{ID: id, Name: name, Arguments: arguments})
	}
	image := request.ImageBytes("image/png", []byte("png"))
	data := events.ProviderData{Format: "f", Origin: "acme", Value: "v"}
	turn := request.Assistant(request.Text("One."), request.Text("Two.\n"), call("1", "a", `{"x": 1}`), request.Text("\nThree."), call("2", "c.d", "{}"), request.Text(" "), request.Text("Four."))
	turn.Data = data
	wantTurn := request.Assistant(
		request.Text("One."), request.Text("Two.\n\n```tool_call a\n{\"x\": 1}\n```\n\nThree.\n\n```tool_call c_d\n{}\n```"), request.Text(" "), request.Text("Four."))
	wantTurn.Data = data
	req := question(t)
	req.Messages = []request.Message{
		request.UserText("Go."), turn,
		request.Results(request.ResultBlocks("2", request.Text("x"), image, request.Text("y"))),
		request.Results(request.ResultError("1", "a ```` b")),
		request.UserText("And?"),
		request.Assistant(call("1", "b", "{}"), call("2", "b", " {} \n")),
		request.Results(request.Result("1", ""), request.Result("2", "z\n")),
	}
	before, err := json.Marshal(req)
	require.NoError(t, err)
	got, _, f := asked(t, req)
	require.Nil(t, f)
	assert.Equal(t, []request.Message{
		request.UserText("Go."), wantTurn,
		request.User(request.Text("`````tool_error a\na ```` b\n`````"), request.Text("```tool_result c_d\nx\ny\n(what follows this block belongs to it)\n```"), image),
		request.UserText("And?"),
		request.AssistantText("```tool_call b\n{}\n```\n\n```tool_call b\n{}\n```"),
		request.User(request.Text("```tool_result b\n\n```"), request.Text("```tool_result b\nz\n\n```")),
	}, got.Messages)
	after, err := json.Marshal(req)
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after), "the request is never written to")

	req.Tools = nil // an old conversation goes on without tools
	without, _, f := asked(t, req)
	require.Nil(t, f)
	assert.Equal(t, got.Messages, without.Messages)
	assert.Equal(t, "Be kind.\n\nNo tool can be called now: answer without a block of tool_call.", without.System)
}

// Results pair with calls as Request.Prepare pairs them, also where an id comes twice or
// is no text, and no name breaks its line.
func TestHistoryOfOddIDsAndNames(t *testing.T) {
	t.Parallel()
	call := func(id, name string) request.Block {
		return request.Call(events.ToolCall{ID: id, Name: name, Arguments: "{}"})
	}
	req := question(t)
	req.Messages = append(req.Messages,
		request.Assistant(call("x", "a"), call("\xff", "e\xff\n```\ng"), call("x", "b")),
		request.Results(request.Result("x", "first"), request.Result("x", "second"), request.Result("\xfe", "third")))
	got, _, f := asked(t, req)
	require.Nil(t, f)
	assert.Equal(t, []request.Message{
		request.AssistantText("```tool_call a\n{}\n```\n\n```tool_call e_g\n{}\n```\n\n```tool_call b\n{}\n```"),
		request.User(request.Text("```tool_result a\nfirst\n```"), request.Text("```tool_result e_g\nthird\n```"), request.Text("```tool_result b\nsecond\n```")),
	}, got.Messages[1:])
}

// What a provider sealed a call with cannot go back in a text.
func TestForeignReplay(t *testing.T) {
	t.Parallel()
	req := question(t)
	req.Messages = append(req.Messages,
		request.Assistant(request.Call(events.ToolCall{ID: "1", Name: "a", Arguments: "{}", Replay: events.ProviderData{Format: "f", Origin: "o", Value: "v"}})),
		request.Results(request.Result("1", "x")))
	_, _, f := asked(t, req)
	require.NotNil(t, f)
	assert.Equal(t, events.ReasonForeignData, f.Reason)
	req.Foreign = request.ForeignDrop
	_, notices, f := asked(t, req)
	require.Nil(t, f)
	require.Len(t, notices, 1)
	assert.Equal(t, events.NoticeForeignDropped, notices[0].Code)
}

func TestRefused(t *testing.T) {
	t.Parallel()
	for why, change := range map[string]func(*request.Request){
		"no message":        func(r *request.Request) { r.Messages = nil },
		"the zero tool":     func(r *request.Request) { r.Tools = []request.Tool{{}} },
		"one tool twice":    func(r *request.Request) { r.Tools = append(r.Tools, r.Tools[0]) },
		"an unknown choice": func(r *request.Request) { r.ToolChoice = request.ToolChoice{Mode: request.ToolNamed, Name: "x"} },
		"an open call": func(r *request.Request) {
			r.Messages = append(r.Messages, request.Assistant(request.Call(events.ToolCall{ID: "1", Name: "a", Arguments: "{}"})))
		},
		"a result of nobody": func(r *request.Request) {
			r.Messages = append(r.Messages, request.Results(request.Result("1", "x")))
			r.Tools = nil
		},
	} {
		req := question(t)
		change(&req)
		_, _, f := asked(t, req)
		if assert.NotNil(t, f, why) {
			assert.Equal(t, events.InvalidRequest, f.Kind, why)
			assert.Equal(t, events.NotSent, f.Sent, why)
		}
	}
}

// A result of nothing but backticks, as a hostile page may be, is told in one pass.
func TestFencesOfLongRuns(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 2, 3, 4, 1 << 20} {
		ticks := strings.Repeat("`", n)
		req := question(t)
		req.Messages = append(req.Messages,
			request.Assistant(request.Call(events.ToolCall{ID: "1", Name: "a", Arguments: "{}"})), request.Results(request.Result("1", "x"+ticks+"` y")))
		got, _, f := asked(t, req)
		require.Nil(t, f)
		fence := strings.Repeat("`", max(3, n+2))
		want := fence + "tool_result a\nx" + ticks + "` y\n" + fence
		require.Equal(t, want, got.Messages[2].Blocks[0].Text, n)
	}
}
