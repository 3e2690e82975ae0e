package caller_test

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/caller/ledger/memory"
	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/openai"
	"github.com/weirsdk/weir/providers/price"
	"github.com/weirsdk/weir/request"
)

// scripts are the cases that are told in words, played.
func scripts() map[string]func(*testing.T, reportedBug) {
	return map[string]func(*testing.T, reportedBug){
		"011": clientTimeout, "030": cancelMidStream, "031": unpricedModel, "060": cancelUnblocks, "061": nothingStaysReserved,
		"133": openThenRead, "135": cancelWhileWaiting, "137": datedModel, "138": longContext, "186": cancelBeforeContent,
	}
}

func TestScriptedBugs(t *testing.T) {
	t.Parallel()
	all := loadBugs(t, "testdata/cases/*/case.json")
	require.Len(t, all, len(scripts()))
	for _, c := range all {
		t.Run(c.name(), func(t *testing.T) {
			t.Parallel()
			play := scripts()[c.ID]
			require.NotNil(t, play)
			synctest.Test(t, func(t *testing.T) { play(t, c) })
		})
	}
}

const chatEnd = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n" +
	"data: {\"choices\":[],\"usage\":{\"prompt_tokens\":20,\"completion_tokens\":5,\"prompt_tokens_details\":{\"cached_tokens\":0}}}\n\ndata: [DONE]\n\n"

func chatText(text string) string {
	return `data: {"id":"c","model":"std-1","choices":[{"index":0,"delta":{"content":"` + text + `"},"finish_reason":null}]}` + "\n\n"
}

func messageStart(model, usage string) string {
	return `data: {"type":"message_start","message":{"id":"a","type":"message","role":"assistant","model":"` + model + `","content":[],"usage":{` + usage + "}}}\n\n" +
		`data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}` + "\n\n"
}

func messageText(text string) string {
	return `data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"` + text + `"}}` + "\n\n"
}

func messageEnd(output int) string {
	return `data: {"type":"content_block_stop","index":0}` + "\n\n" +
		`data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":` + strconv.Itoa(output) + "}}\n\n" +
		`data: {"type":"message_stop"}` + "\n\n"
}

func stalls(body string) cannedExchange {
	x := sseAnswer(body)
	x.End = "stall"
	return x
}

func hello() request.Request {
	return request.Request{Messages: []request.Message{request.UserText("hello")}, MaxOutputTokens: 1000}
}

// only returns the one attempt of a result, after what holds of every script.
func only(t *testing.T, result *caller.Result, rt *cannedTransport, books ledger.Ledger) ledger.Settlement {
	t.Helper()
	require.Len(t, result.Attempts, 1)
	assert.Len(t, rt.requests(), 1)
	assert.Zero(t, rt.unclosed())
	booked := records(t, books)
	require.Len(t, booked, 1)
	assert.Equal(t, result.Attempts[0].Settlement, booked[0].Settled)
	return booked[0].Settled
}

// clientTimeout: the Timeout of the user's client never governs a stream, and a stream
// that keeps coming outlives the clocks for a silent one.
func clientTimeout(t *testing.T, c reportedBug) {
	x := sseAnswer("")
	write := func(text string, after int64) {
		x.bytes = append(x.bytes, text...)
		x.Writes = append(x.Writes, cannedWrite{Bytes: len(text), DelayMS: after})
	}
	for i := range c.Expected.TextDeltas {
		write(chatText("x"), []int64{10, 50}[min(i, 1)])
	}
	write(chatEnd, 50)
	rt := &cannedTransport{exchanges: []cannedExchange{x}}
	model, err := openai.New(openai.Config{Model: "std-1", HTTPClient: &http.Client{Transport: rt, Timeout: time.Second}})
	require.NoError(t, err)
	clocks := cancel.Clocks{FirstToken: ms(100), Idle: ms(200), Call: -1}
	call := caller.New(model, caller.Config{Clocks: clocks}).Stream(t.Context(), hello())
	began, deltas := time.Now(), 0
	for ev := range call.Events() {
		if ev.Kind == events.TextDelta {
			deltas++
		}
	}
	result, err := call.Result()
	require.NoError(t, err)
	assert.Equal(t, c.Expected.TextDeltas, deltas)
	assert.Equal(t, events.Stop(c.Expected.Terminal.Stop), result.Reply.Stop())
	assert.Greater(t, time.Since(began), 3*time.Second)
}

// cancelMidStream: what was spent when the user stopped is kept, and what may have been
// is charged.
func cancelMidStream(t *testing.T, c reportedBug) {
	for _, tt := range []struct {
		why, provider, body string
		known               *events.Micros
		tokens              usedTokens
		cost                events.Micros
	}{
		{
			"the prompt was told", "anthropic",
			messageStart("std-1", `"input_tokens":1000,"output_tokens":1`) + strings.Repeat(messageText("word "), 60),
			new(micros(*c.Expected.Charge.NanoUSD)),
			usedTokens{*c.Expected.Usage.Input, 1000},
			1000*3 + 1000*15,
		},
		{
			"nothing was told", "openai", strings.Repeat(chatText("word "), 60),
			nil,
			usedTokens{hello().EstimateInputTokens(), 1000},
			events.Micros(hello().EstimateInputTokens())*3 + 1000*15,
		},
	} {
		rt := &cannedTransport{exchanges: []cannedExchange{stalls(tt.body)}}
		books := memory.New(memory.Options{})
		scope := cancel.New(t.Context())
		call := bugCaller(t, tt.provider, rt, func(config *caller.Config) { config.Ledger = books }).Stream(scope.Context(), hello())
		deltas := 0
		for ev := range call.Events() {
			if ev.Kind == events.TextDelta {
				if deltas++; deltas == 40 {
					scope.Cancel(cancel.User)
				}
			}
		}
		result, err := call.Result()
		require.ErrorIs(t, err, &events.Failure{Kind: events.Cancelled, Reason: events.ReasonUser}, tt.why)
		s := only(t, result, rt, books)
		assert.Equal(t, charge.Ambiguous, s.Status)
		assert.Equal(t, charge.Estimated, s.Certainty)
		assert.Equal(t, tt.tokens, tokensOf(s.Usage), tt.why)
		assert.Equal(t, tt.cost, s.Cost, tt.why)
		if tt.known != nil {
			assert.Equal(t, *tt.known, s.KnownCost, "the known lower bound")
			assert.Equal(t, *c.Expected.Usage.Output, s.Known.Output.Or(-1))
		} else {
			assert.Zero(t, s.KnownCost)
			assert.False(t, s.Known.Reported(), "nothing is not zero")
		}
	}
}

// unpricedModel: a model without a price is refused under a limit on cost, and costs
// an unknown amount without one.
func unpricedModel(t *testing.T, _ reportedBug) {
	rt := &cannedTransport{exchanges: []cannedExchange{sseAnswer(strings.ReplaceAll(chatText("Hi"), "std-1", "new-9") + chatEnd)}}
	books := memory.New(memory.Options{})
	c := caller.New(bugModel(t, "openai", "new-9", rt), caller.Config{Prices: price.Table{"openai:std-1": bugPrice("openai")}, Ledger: books})
	run, err := c.OpenRun(t.Context(), caller.RunConfig{ID: "run", Limits: caller.Limits{MaxCost: 1e9}})
	require.NoError(t, err)
	_, err = c.Generate(caller.WithRun(t.Context(), run), hello())
	require.ErrorIs(t, err, &events.Failure{Kind: events.LimitReached, Reason: events.ReasonUnpriced})
	assert.Empty(t, rt.requests())
	assert.Empty(t, records(t, books))

	result, err := c.Generate(t.Context(), hello())
	require.NoError(t, err)
	s := only(t, result, rt, books)
	assert.Equal(t, ledger.UnknownCost, s.CostCertainty)
	assert.Equal(t, ledger.UnknownCost, result.CostCertainty)
	assert.Zero(t, s.Cost)
	assert.Equal(t, charge.Exact, s.Certainty, "the tokens are known all the same")
	assert.Equal(t, int64(20), s.Usage.Input.Or(-1))
}

// cancelUnblocks: a read of a silent server ends with the context.
func cancelUnblocks(t *testing.T, c reportedBug) {
	for _, streaming := range []bool{true, false} {
		rt := &cannedTransport{exchanges: []cannedExchange{stalls(chatText("Hel"))}}
		books := memory.New(memory.Options{})
		ctx, stop := context.WithCancel(t.Context())
		time.AfterFunc(ms(100), stop)
		began := time.Now()
		result, err := callEither(ctx, bugCaller(t, "openai", rt, func(config *caller.Config) { config.Ledger = books }), streaming)
		assert.Equal(t, ms(100), time.Since(began))
		require.ErrorIs(t, err, context.Canceled)
		f, _ := events.AsFailure(err)
		assert.Equal(t, c.Expected.Terminal.Kind, failureWord(f))
		assert.Equal(t, charge.Ambiguous, only(t, result, rt, books).Status)
	}
}

func callEither(ctx context.Context, c *caller.Caller, streaming bool) (*caller.Result, error) {
	if !streaming {
		return c.Generate(ctx, hello())
	}
	call := c.Stream(ctx, hello())
	collect(call.Events())
	return call.Result()
}

// nothingStaysReserved: however calls end, what they had reserved is free again. What a
// caller hands out are reservations: nobody waits for one, so the run's limit is set to
// hold what these calls are charged and one call more.
func nothingStaysReserved(t *testing.T, _ reportedBug) {
	refused, cut := cannedExchange{}, sseAnswer(chatText("Hel"))
	rt := &cannedTransport{exchanges: []cannedExchange{stalls(chatText("Hel")), stalls(chatText("Hel")), refused, refused, cut, cut, sseAnswer(chatText("Hi") + chatEnd)}}
	one := hello().EstimateInputTokens() + 1000
	c := bugCaller(t, "openai", rt, func(config *caller.Config) { config.MaxRetries = 0 })
	run, err := c.OpenRun(t.Context(), caller.RunConfig{ID: "run", Limits: caller.Limits{MaxTotalTokens: 7 * one, MaxCost: 1e9}})
	require.NoError(t, err)
	ctx := caller.WithRun(t.Context(), run)
	inFlight := func() int64 {
		state, err := run.State(t.Context())
		require.NoError(t, err)
		return state.Totals.Open + state.Totals.OpenTokens + int64(state.Totals.OpenCost)
	}

	c.Stream(ctx, hello()) // never read
	for range 2 {          // left
		for range c.Stream(ctx, hello()).Events() {
			break
		}
		assert.Zero(t, inFlight())
	}
	for range 2 { // no connection
		_, err := c.Generate(ctx, hello())
		require.ErrorIs(t, err, &events.Failure{Kind: events.Unreachable})
		assert.Zero(t, inFlight())
	}
	for range 2 { // cancelled before it began
		gone, stop := context.WithCancel(ctx)
		stop()
		_, err := c.Generate(gone, hello())
		require.ErrorIs(t, err, context.Canceled)
		assert.Zero(t, inFlight())
	}
	for range 2 { // broken inside
		_, err := callEither(ctx, c, true)
		require.ErrorIs(t, err, &events.Failure{Kind: events.InvalidReply, Reason: events.ReasonTruncated})
		assert.Zero(t, inFlight())
	}
	result, err := c.Generate(ctx, hello())
	require.NoError(t, err, "the normal call completes")
	assert.Equal(t, "Hi", result.Reply.Text())
	assert.Zero(t, inFlight())
	state, err := run.State(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 6*one+25, state.Totals.Tokens.Charged)
	assert.Zero(t, rt.unclosed())
}

// openThenRead: a stream may be read long after it was made.
func openThenRead(t *testing.T, c reportedBug) {
	rt := &cannedTransport{exchanges: []cannedExchange{sseAnswer(chatText("Hi") + chatEnd)}}
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
	defer stop()
	call := bugCaller(t, "openai", rt, nil).Stream(ctx, hello())
	time.Sleep(ms(50))
	collect(call.Events())
	result, err := call.Result()
	require.NoError(t, err)
	assert.Equal(t, events.Stop(c.Expected.Terminal.Stop), result.Reply.Stop())
}

// cancelWhileWaiting: nobody sleeps on after a cancel, nor into a deadline.
func cancelWhileWaiting(t *testing.T, c reportedBug) {
	busy := jsonAnswer(429, `{"error":{"message":"slow down","type":"rate_limit_error"}}`, "retry-after", "30")
	for _, streaming := range []bool{true, false} {
		rt := &cannedTransport{exchanges: []cannedExchange{busy}}
		ctx, stop := context.WithCancel(t.Context())
		time.AfterFunc(ms(100), stop)
		began := time.Now()
		result, err := callEither(ctx, bugCaller(t, "openai", rt, nil), streaming)
		assert.Equal(t, ms(100), time.Since(began))
		require.ErrorIs(t, err, &events.Failure{Kind: events.Cancelled, Reason: events.ReasonUser})
		require.ErrorIs(t, err, context.Canceled)
		var u *caller.Unavailable
		require.ErrorAs(t, err, &u)
		assert.Equal(t, c.Expected.Terminal.Cause, failureWord(u.Last), "what it was waiting for")
		assert.Len(t, rt.requests(), c.Expected.RequestsSeen)
		assert.Zero(t, result.Cost)

		rt = &cannedTransport{exchanges: []cannedExchange{busy}}
		short, stop := context.WithTimeout(t.Context(), 29*time.Second)
		began = time.Now()
		_, err = callEither(short, bugCaller(t, "openai", rt, nil), streaming)
		stop()
		assert.Zero(t, time.Since(began), "a wait that cannot end in time is not begun")
		require.ErrorIs(t, err, &events.Failure{Kind: events.RateLimited, Reason: events.ReasonRateLimit})
		assert.Len(t, rt.requests(), 1)
	}
}

// datedModel: a dated id is priced as the model that was asked, a sibling never.
func datedModel(t *testing.T, c reportedBug) {
	for _, tt := range []struct {
		why, answered string
		certainty     charge.Certainty
		cost          events.Micros
	}{
		{"the model with a date", "std-1-20250101", charge.Exact, micros(*c.Expected.Charge.NanoUSD)},
		{"the other form of a date", "std-1-2025-01-01", charge.Exact, micros(*c.Expected.Charge.NanoUSD)},
		{"a sibling that is listed", "std-1-mini-20250101", charge.Exact, 20 + 5*2},
	} {
		rt := &cannedTransport{exchanges: []cannedExchange{
			sseAnswer(messageStart(tt.answered, `"input_tokens":20,"output_tokens":1`) + messageText("Hi") + messageEnd(5)),
		}}
		books := memory.New(memory.Options{})
		result, err := bugCaller(t, "anthropic", rt, func(config *caller.Config) {
			config.Ledger = books
			config.Prices["anthropic:std-1-mini"] = price.Price{Input: price.PerMillion(1_000_000), Output: price.PerMillion(2_000_000)}
		}).Generate(t.Context(), hello())
		require.NoError(t, err)
		s := only(t, result, rt, books)
		assert.Equal(t, tt.cost, s.Cost, tt.why)
		assert.Equal(t, tt.certainty, s.CostCertainty, tt.why)
		assert.Equal(t, tt.answered, s.Answered)
	}
}

// longContext: above the threshold, which cached and written tokens count towards, all
// of the request is dearer.
func longContext(t *testing.T, c reportedBug) {
	m := price.PerMillion
	long := bugPrice("anthropic")
	long.Long = []price.Tier{{Above: 200_000, Price: price.Price{
		Input: m(6_000_000), CacheRead: m(600_000), CacheWrite: m(7_500_000), CacheWriteLong: m(12_000_000), Output: m(22_500_000),
	}}}
	for _, tt := range []struct {
		why      string
		uncached int
		cost     events.Micros
	}{
		{"above", 150_000, micros(*c.Expected.Charge.NanoUSD)},
		{"exactly at the threshold: the base tier", 145_000, 145_000*3 + 45_000*3/10 + 10_000*375/100 + 1000*15},
	} {
		usage := fmt.Sprintf(`"input_tokens":%d,"cache_read_input_tokens":45000,"cache_creation_input_tokens":10000,"output_tokens":1`, tt.uncached)
		rt := &cannedTransport{exchanges: []cannedExchange{sseAnswer(messageStart("long-1", usage) + messageText("Hi") + messageEnd(1000))}}
		books := memory.New(memory.Options{})
		call := caller.New(bugModel(t, "anthropic", "long-1", rt), caller.Config{Prices: price.Table{"anthropic:long-1": long}, Ledger: books})
		result, err := call.Generate(t.Context(), hello())
		require.NoError(t, err)
		s := only(t, result, rt, books)
		assert.Equal(t, int64(tt.uncached+55_000), s.Usage.Input.Or(-1))
		assert.Equal(t, tt.cost, s.Cost, tt.why)
		assert.Equal(t, charge.Exact, s.CostCertainty, tt.why)
	}
}

// cancelBeforeContent: the provider may bill what nobody has read.
func cancelBeforeContent(t *testing.T, c reportedBug) {
	for _, body := range []string{"", messageStart("std-1", `"input_tokens":5,"output_tokens":1`)} {
		rt := &cannedTransport{exchanges: []cannedExchange{stalls(body)}}
		books := memory.New(memory.Options{})
		ctx, stop := context.WithCancel(t.Context())
		time.AfterFunc(ms(10), stop)
		call := bugCaller(t, "anthropic", rt, func(config *caller.Config) { config.Ledger = books }).Stream(ctx, hello())
		all := collect(call.Events())
		for _, ev := range all {
			assert.False(t, ev.Kind.IsContent())
		}
		result, err := call.Result()
		f, _ := events.AsFailure(err)
		require.NotNil(t, f)
		assert.Equal(t, c.Expected.Terminal.Kind, failureWord(f))
		s := only(t, result, rt, books)
		assert.Equal(t, charge.Ambiguous, s.Status)
		assert.Equal(t, usedTokens{hello().EstimateInputTokens(), 1000}, tokensOf(s.Usage))
		assert.Positive(t, s.Cost)
		assert.Zero(t, rt.unclosed(), "the server sees that nobody reads")
	}
}
