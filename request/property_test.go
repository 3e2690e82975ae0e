package request_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// wildText is text with everything that has to be escaped, repaired or dropped.
func wildText() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"", " ", "\n", "a", "x", "<b>&", "\u2028", "\xff", "é\x00", "\"\\", "\ufffd"}),
		rapid.String(),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 6), func(b []byte) string { return string(b) }),
	)
}

func wildData() *rapid.Generator[events.ProviderData] {
	return rapid.Custom(func(t *rapid.T) events.ProviderData {
		if rapid.Bool().Draw(t, "none") {
			return events.ProviderData{}
		}
		return events.ProviderData{
			Format: rapid.SampledFrom([]string{"", "chat.v1", "messages.v1"}).Draw(t, "format"),
			Origin: rapid.SampledFrom([]string{"", "openai"}).Draw(t, "origin"),
			Value:  wildText().Draw(t, "value"),
		}
	})
}

func wildBlock(depth int) *rapid.Generator[request.Block] {
	return rapid.Custom(func(t *rapid.T) request.Block {
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0, 1:
			return request.Text(wildText().Draw(t, "text"))
		case 2:
			return request.Call(events.ToolCall{
				ID:        rapid.SampledFrom([]string{"a", "b", "a_2", "call_w3", ""}).Draw(t, "id"),
				Name:      rapid.SampledFrom([]string{"f", "g.h", "\xff"}).Draw(t, "name"),
				Arguments: rapid.SampledFrom([]string{"", "{}", `{"a":1.0}`, `{"a":"\ud800"}`, `{`}).Draw(t, "arguments"),
				Minted:    rapid.Bool().Draw(t, "minted"),
				Replay:    wildData().Draw(t, "replay"),
			})
		case 3:
			r := request.ToolResult{CallID: rapid.SampledFrom([]string{"a", "b", "a_2", "call_w3"}).Draw(t, "id"), IsError: rapid.Bool().Draw(t, "error")}
			if depth > 0 {
				r.Content = rapid.SliceOfN(wildBlock(depth-1), 0, 2).Draw(t, "content")
			}
			return request.Block{Kind: request.BlockToolResult, Result: r}
		default:
			return request.Block{
				Kind:      rapid.SampledFrom([]request.BlockKind{request.BlockImage, request.BlockAudio, request.BlockFile}).Draw(t, "media"),
				MediaType: rapid.SampledFrom([]string{"", "image/png", "x"}).Draw(t, "type"),
				Data:      rapid.SliceOfN(rapid.Byte(), 0, 5).Draw(t, "data"),
				URL:       rapid.SampledFrom([]string{"", "https://x.test/a"}).Draw(t, "url"),
				Name:      wildText().Draw(t, "name"),
			}
		}
	})
}

func wildMessage() *rapid.Generator[request.Message] {
	return rapid.Custom(func(t *rapid.T) request.Message {
		return request.Message{
			Role:   rapid.SampledFrom([]request.Role{request.RoleUser, request.RoleAssistant, request.RoleTool}).Draw(t, "role"),
			Blocks: rapid.SliceOfN(wildBlock(1), 0, 3).Draw(t, "blocks"),
			Data:   wildData().Draw(t, "data"),
		}
	})
}

// exchange is a legal piece of a conversation.
func exchange() *rapid.Generator[[]request.Message] {
	return rapid.Custom(func(t *rapid.T) []request.Message {
		ids := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "a_2", "call_w3"}), 0, 4).Draw(t, "ids")
		turn := request.Assistant(request.Text(wildText().Draw(t, "text")).Cached(wildTTL().Draw(t, "cached")))
		var results []request.Block
		for _, id := range ids {
			turn.Blocks = append(turn.Blocks, call(id, "f", rapid.SampledFrom([]string{"", "{}", `{"a":"\ud800"}`}).Draw(t, "arguments")))
			results = append(results, request.Result(id, wildText().Draw(t, "result")))
		}
		messages := []request.Message{request.UserText("q"), turn}
		if len(results) > 0 {
			cut := rapid.IntRange(1, len(results)).Draw(t, "cut")
			messages = append(messages, request.Results(results[:cut]...))
			if cut < len(results) {
				messages = append(messages, request.Results(results[cut:]...))
			}
		}
		return messages
	})
}

func wildRequest(tb testing.TB, messages *rapid.Generator[[]request.Message]) *rapid.Generator[request.Request] {
	tools := []request.Tool{mustTool(tb, "f", citySchema), mustTool(tb, "g.h", ` { "type" : "object", "title": "\u003c\u2028" } `)}
	answer := mustAnswer(tb, "", ` { "type" : "object", "title": "\u003c\u2028" } `)
	answers := []request.Answer{{}, answer, answer.WithStrict()}
	return rapid.Custom(func(t *rapid.T) request.Request {
		return request.Request{
			System:          wildText().Draw(t, "system"),
			Messages:        messages.Draw(t, "messages"),
			Answer:          rapid.SampledFrom(answers).Draw(t, "answer"),
			Tools:           tools[:rapid.IntRange(0, 2).Draw(t, "tools")],
			Parallel:        rapid.Ptr(rapid.Bool(), true).Draw(t, "parallel"),
			MaxOutputTokens: rapid.IntRange(0, 100).Draw(t, "cap"),
			Temperature:     rapid.Ptr(rapid.Float64Range(0, 2), true).Draw(t, "temperature"),
			TopP:            rapid.Ptr(rapid.Float64Range(0, 1), true).Draw(t, "top_p"),
			Stop:            rapid.SliceOfN(rapid.SampledFrom([]string{"x", "\xff", "</s>"}), 0, 3).Draw(t, "stop"),
			Seed:            rapid.Ptr(rapid.Int64(), true).Draw(t, "seed"),
			Effort:          rapid.SampledFrom(append(request.Efforts(), "")).Draw(t, "effort"),
			Citations:       rapid.IntRange(0, 9).Draw(t, "citations") == 0,
			Strict:          rapid.IntRange(0, 9).Draw(t, "strict") == 0,
			Foreign:         rapid.SampledFrom([]request.Foreign{request.ForeignDrop, request.ForeignRefuse}).Draw(t, "foreign"),
			Extra: rapid.MapOfN(rapid.SampledFrom([]string{"chat", "a\"b", "é"}),
				rapid.SampledFrom([]string{`{}`, ` {"z":1.50,"a":[true,null,"\u00e9"]} `}), 0, 3).Draw(t, "extra"),
			HostedTools: rapid.SliceOfN(wildHosted(), 0, 2).Draw(t, "hosted"),
			Cache: request.Cache{
				Automatic: wildTTL().Draw(t, "automatic"), Tools: wildTTL().Draw(t, "tools cached"),
				System: wildTTL().Draw(t, "system cached"), Key: rapid.SampledFrom([]string{"", "k"}).Draw(t, "cache key"),
			},
			Options: request.Options{Without: rapid.SliceOfN(rapid.SampledFrom([]string{request.FeatureTools, request.FeatureEffort, request.FeatureAnswerSchema, request.FeatureCache}), 0, 2).Draw(t, "without")},
		}
	})
}

func wildHosted() *rapid.Generator[request.HostedTool] {
	return rapid.Custom(func(t *rapid.T) request.HostedTool {
		if rapid.Bool().Draw(t, "raw") {
			return request.HostedRaw("chat", rapid.SampledFrom([]string{`{"type":"x"}`, ` { "type" : "y" } `}).Draw(t, "tool"))
		}
		return request.SearchWeb(request.WebSearch{
			MaxUses:        rapid.IntRange(0, 2).Draw(t, "uses"),
			AllowedDomains: rapid.SliceOfN(rapid.Just("example.com"), 0, 1).Draw(t, "domains"),
			Location:       request.Location{City: wildText().Draw(t, "city")},
		})
	})
}

func wildTTL() *rapid.Generator[request.CacheTTL] {
	return rapid.SampledFrom([]request.CacheTTL{"", "", request.CacheShort, request.CacheLong})
}

func wildSpec(t *rapid.T) request.Spec {
	support := rapid.SampledFrom([]request.Support{request.Unknown, request.Yes, request.No})
	return request.Spec{
		ParallelTools: support.Draw(t, "parallel"), ToolChoice: support.Draw(t, "choice"),
		Thinking: support.Draw(t, "thinking"), Temperature: support.Draw(t, "temperature"), TopP: support.Draw(t, "top_p"),
		StructuredAnswer: support.Draw(t, "answer"), StopSequences: support.Draw(t, "stop"), Seed: support.Draw(t, "seed"),
		Efforts:     rapid.SliceOfN(rapid.SampledFrom(request.Efforts()), 0, 3).Draw(t, "efforts"),
		HostedTools: support.Draw(t, "hosted"), WebSearch: request.WebSearchSupport{
			Tool: support.Draw(t, "search"), MaxUses: support.Draw(t, "uses"),
			AllowedDomains: support.Draw(t, "domains"), Location: support.Draw(t, "location"),
		},
		MaxOutput:    rapid.IntRange(0, 60).Draw(t, "most"),
		CacheMarkers: support.Draw(t, "markers"), CacheAutomatic: support.Draw(t, "automatic"),
		CacheLong: support.Draw(t, "long"), CacheKey: support.Draw(t, "key"), MaxCacheMarkers: rapid.IntRange(0, 3).Draw(t, "most markers"),
	}
}

func anyMessages() *rapid.Generator[[]request.Message] { return rapid.SliceOfN(wildMessage(), 0, 5) }

func legalMessages() *rapid.Generator[[]request.Message] {
	return rapid.Map(rapid.SliceOfN(exchange(), 1, 3), func(parts [][]request.Message) []request.Message {
		return slices.Concat(parts...)
	})
}

func canonical(t *rapid.T, r request.Request) string {
	text, err := r.Canonical()
	require.NoError(t, err)
	return string(text)
}

func TestCanonicalReadsBack(t *testing.T) {
	t.Parallel()
	requests := wildRequest(t, anyMessages())
	rapid.Check(t, func(t *rapid.T) {
		req := requests.Draw(t, "request")
		text := canonical(t, req)
		require.True(t, utf8.ValidString(text))
		require.True(t, json.Valid([]byte(text)))
		require.Equal(t, text, canonical(t, req), "the same every time")
		back, err := request.Parse([]byte(text))
		require.NoError(t, err)
		require.Equal(t, text, canonical(t, back))

		var indented bytes.Buffer
		require.NoError(t, json.Indent(&indented, []byte(text), " ", "\t"))
		back, err = request.Parse(indented.Bytes())
		require.NoError(t, err)
		require.Equal(t, text, canonical(t, back), "white space does not matter")

		plain, err := req.MarshalJSON()
		require.NoError(t, err)
		back, err = request.Parse(plain)
		require.NoError(t, err)
		require.Equal(t, text, canonical(t, back))
		require.Positive(t, req.EstimateInputTokens())
	})
}

// deepCopy copies every slice, map and pointer; Tools and Answers hold only what
// cannot change.
func deepCopy(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	if v.Type() == reflect.TypeFor[request.Tool]() || v.Type() == reflect.TypeFor[request.Answer]() {
		return out
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			out.Field(i).Set(deepCopy(v.Field(i)))
		}
	case reflect.Slice:
		if v.IsNil() {
			return out
		}
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			out.Index(i).Set(deepCopy(v.Index(i)))
		}
	case reflect.Map:
		if v.IsNil() {
			return out
		}
		out.Set(reflect.MakeMap(v.Type()))
		for _, k := range v.MapKeys() {
			out.SetMapIndex(k, v.MapIndex(k))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(deepCopy(v.Elem()))
		}
	default:
	}
	return out
}

func TestPrepareLeavesItsInputAlone(t *testing.T) {
	t.Parallel()
	for name, messages := range map[string]*rapid.Generator[[]request.Message]{"any": anyMessages(), "legal": legalMessages()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requests := wildRequest(t, messages)
			rapid.Check(t, func(t *rapid.T) {
				req := requests.Draw(t, "request")
				before := deepCopy(reflect.ValueOf(req)).Interface().(request.Request)
				target := request.Target{Spec: wildSpec(t), Format: "chat.v1", Origin: "openai"}
				got, err := req.Prepare(target)
				require.Equal(t, before, req)
				if err != nil {
					requireKind(t, err)
					return
				}
				scribble(got.Request)
				require.Equal(t, before, req, "the copy shares nothing that can be written to, but media")
			})
		})
	}
}

func requireKind(t *rapid.T, err error) {
	f, ok := events.AsFailure(err)
	require.True(t, ok)
	require.Equal(t, events.InvalidRequest, f.Kind)
	require.NotEmpty(t, f.Reason)
	require.Equal(t, events.NotSent, f.Sent)
}

// scribble writes over everything in a prepared request but the bytes of media.
func scribble(r request.Request) {
	for i, m := range r.Messages {
		for j, b := range m.Blocks {
			for k := range b.Result.Content {
				b.Result.Content[k] = request.Text("scribble")
			}
			m.Blocks[j] = request.Text("scribble")
		}
		r.Messages[i].Role = "scribble"
	}
	for i := range r.Tools {
		r.Tools[i] = request.Tool{}
	}
	for i, h := range r.HostedTools {
		if s := h.WebSearch; s != nil {
			s.MaxUses = 99
			for j := range s.AllowedDomains {
				s.AllowedDomains[j] = "scribble"
			}
		}
		r.HostedTools[i] = request.HostedTool{}
	}
	for i := range r.Stop {
		r.Stop[i] = "scribble"
	}
	for i := range r.Options.Without {
		r.Options.Without[i] = "scribble"
	}
	for k := range r.Extra {
		r.Extra[k] = "scribble"
	}
	if r.Parallel != nil {
		*r.Parallel = !*r.Parallel
	}
	if r.Temperature != nil {
		*r.Temperature = 9
	}
	if r.TopP != nil {
		*r.TopP = 9
	}
	if r.Seed != nil {
		*r.Seed++
	}
	if r.ThinkingBudget != nil {
		*r.ThinkingBudget++
	}
}

// What Prepare returns keeps the promises of Prepared, and preparing it again
// changes nothing.
func TestPreparedKeepsItsPromises(t *testing.T) {
	t.Parallel()
	requests := wildRequest(t, legalMessages())
	prepared := 0
	rapid.Check(t, func(t *rapid.T) {
		req := requests.Draw(t, "request")
		target := request.Target{Spec: wildSpec(t), Format: "chat.v1", Origin: "openai"}
		got, err := req.Prepare(target)
		require.Equal(t, len(req.CheckFor(target.Spec)) == 0, err == nil, "without provider data both agree")
		if err != nil {
			return
		}
		prepared++
		requireClean(t, got)
		again, err := got.Request.Prepare(target)
		require.NoError(t, err)
		require.Empty(t, again.Notices)
		require.Equal(t, canonical(t, got.Request), canonical(t, again.Request))
		for _, tool := range got.Request.Tools {
			require.Equal(t, got.Names.Wire(tool.Name()), again.Names.Wire(tool.Name()))
		}
	})
	require.Positive(t, prepared, "some request was accepted")
}

// requireClean is the slow, obvious reading of what Prepared promises.
func requireClean(t *rapid.T, p request.Prepared) {
	open := map[string]bool{}
	for i, m := range p.Request.Messages {
		require.False(t, len(m.Blocks) == 0 && m.Data.IsZero(), "message %d is empty", i)
		if m.Role != request.RoleTool {
			require.Empty(t, open, "calls open at message %d", i)
		}
		for _, b := range m.Blocks {
			require.True(t, utf8.ValidString(b.Text))
			switch b.Kind {
			case request.BlockText:
				require.NotEmpty(t, b.Text)
			case request.BlockToolCall:
				require.False(t, open[b.Call.ID], "id %q twice", b.Call.ID)
				open[b.Call.ID] = true
				require.Nil(t, events.CheckArguments(b.Call.Arguments))
				require.NotContains(t, b.Call.Arguments, `\ud800`)
				require.NotEqual(t, "call_w"+strconv.Itoa(p.FirstMinted), b.Call.ID)
			case request.BlockToolResult:
				require.True(t, open[b.Result.CallID], "result of %q", b.Result.CallID)
				delete(open, b.Result.CallID)
			default:
			}
		}
	}
	require.Empty(t, open)
}
