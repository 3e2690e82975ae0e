package caller_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/anthropic"
	"github.com/weirsdk/weir/providers/gemini"
	"github.com/weirsdk/weir/providers/ollama"
	"github.com/weirsdk/weir/providers/openai"
	"github.com/weirsdk/weir/providers/openrouter"
	"github.com/weirsdk/weir/providers/price"
	"github.com/weirsdk/weir/request"
)

// A reportedBug is a public bug report as bytes, or as a script, with the outcome
// that is right; its case.json names the reports. Those with bytes are the ones that
// package providers decodes; here they are called, retried and charged.
type reportedBug struct {
	ID, API   string
	Exchanges []cannedExchange
	Config    struct {
		IdleTimeoutMS int64 `json:"idle_timeout_ms"`
		DeadlineMS    int64 `json:"deadline_ms"`
	}
	Expected expectation

	dir string
}

type expectation struct {
	Text   *string
	Events []struct{ T, Name string }
	Tools  []struct{ Name string }

	Terminal struct {
		Type, Stop, Kind string
		AfterOutput      bool  `json:"after_output"`
		RetryAfterMS     int64 `json:"retry_after_ms"`
		Cause            string
	}
	Usage  *reportedUsage
	Charge struct {
		NanoUSD *int64 `json:"nanousd"`
		Quality string
	}
	Retry struct {
		Auto     bool
		Attempts json.RawMessage   `json:"attempts_total"`
		WaitMS   []json.RawMessage `json:"wait_ms"`
	}
	Structured *struct{ Error string }

	RequestsSeen int `json:"requests_seen"`
	TextDeltas   int `json:"text_deltas"`
	InputTotal   int64
}

type reportedUsage struct {
	Input, Output, Reasoning *int64
	CacheRead                *int64 `json:"cache_read"`
	CacheWrite               *int64 `json:"cache_write_5m"`
	CacheWriteLong           *int64 `json:"cache_write_1h"`
}

func loadBugs(tb testing.TB, pattern string) []reportedBug {
	tb.Helper()
	paths, err := filepath.Glob(filepath.FromSlash(pattern))
	require.NoError(tb, err)
	var all []reportedBug
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(tb, err)
		c := reportedBug{dir: filepath.Dir(path)}
		require.NoError(tb, json.Unmarshal(text, &c), path)
		for i := range c.Exchanges {
			c.Exchanges[i].bytes, err = os.ReadFile(filepath.Join(c.dir, c.Exchanges[i].Body))
			require.NoError(tb, err)
		}
		all = append(all, c)
	}
	return all
}

func (c reportedBug) name() string { return filepath.Base(c.dir) }

// responsesAPI is the API of the cases, and the provider of the tests, that is OpenAI's
// second one.
const responsesAPI = "openai-responses"

// provider returns the provider whose wire the case is of.
func (c reportedBug) provider() string {
	switch c.API {
	case "anthropic", "gemini", "ollama", "openrouter", responsesAPI:
		return c.API
	default:
		return "openai"
	}
}

// bugModel returns the real adapter of a provider, of the model std-1.
func bugModel(tb testing.TB, provider, id string, rt http.RoundTripper) providers.Model {
	tb.Helper()
	client := &http.Client{Transport: rt}
	var m providers.Model
	var err error
	switch provider {
	case "anthropic":
		m, err = anthropic.New(anthropic.Config{Model: id, HTTPClient: client})
	case "gemini":
		m, err = gemini.New(gemini.Config{Model: id, HTTPClient: client})
	case "ollama":
		m, err = ollama.New(ollama.Config{Model: id, HTTPClient: client})
	case "openrouter":
		m, err = openrouter.New(openrouter.Config{Model: id, HTTPClient: client})
	case responsesAPI:
		m, err = openai.New(openai.Config{Model: id, API: openai.Responses, HTTPClient: client})
	default:
		m, err = openai.New(openai.Config{Model: id, HTTPClient: client})
	}
	require.NoError(tb, err)
	return m
}

// bugPrice is the price of std-1, in what each provider charges apart.
func bugPrice(provider string) price.Price {
	m := price.PerMillion
	switch provider {
	case "anthropic":
		return price.Price{Input: m(3_000_000), CacheRead: m(300_000), CacheWrite: m(3_750_000), CacheWriteLong: m(6_000_000), Output: m(15_000_000)}
	case "ollama":
		return price.Price{Input: m(3_000_000), Output: m(15_000_000)}
	default:
		return price.Price{Input: m(3_000_000), CacheRead: m(300_000), Output: m(15_000_000)}
	}
}

// bugCaller returns a caller of std-1 of the provider; the configuration may be
// changed.
func bugCaller(tb testing.TB, provider string, rt http.RoundTripper, change func(*caller.Config)) *caller.Caller {
	tb.Helper()
	model := bugModel(tb, provider, "std-1", rt)
	config := caller.Config{
		Prices: price.Table{model.Name(): bugPrice(provider)}, MaxRetries: 2, Seed: 7,
	}
	if change != nil {
		change(&config)
	}
	return caller.New(model, config)
}

// request returns the request of the case: with the tools that the reply calls, and
// with a structured answer where the case is about one.
func (c reportedBug) request(tb testing.TB) request.Request {
	tb.Helper()
	req := request.Request{Messages: []request.Message{request.UserText("hello")}, MaxOutputTokens: 1000}
	var names []string
	for _, ev := range c.Expected.Events {
		if ev.T == "tool_start" {
			names = append(names, ev.Name)
		}
	}
	for _, tool := range c.Expected.Tools {
		names = append(names, tool.Name)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		tool, err := request.NewTool(name, "", `{"type":"object"}`)
		require.NoError(tb, err)
		req.Tools = append(req.Tools, tool)
	}
	if c.Expected.Structured != nil {
		answer, err := request.NewAnswer("", `{"type":"object","properties":{"t":{"type":"string"},"l":{"type":"array"}},"required":["t","l"]}`)
		require.NoError(tb, err)
		req.Answer = answer
	}
	return req
}

// failureWord maps our failures to the words of the cases.
func failureWord(f *events.Failure) string {
	switch f.Kind {
	case events.RateLimited:
		return "rate_limit"
	case events.Cancelled:
		return "canceled"
	case events.Overloaded:
		return "server" // the cases call a 503 so, too
	case events.TimedOut:
		return map[events.Reason]string{events.ReasonIdle: "idle_timeout"}[f.Reason]
	case events.Unreachable:
		return "transport"
	case events.Rejected:
		words := map[events.Reason]string{events.ReasonQuota: "quota", events.ReasonBadRequest: "invalid_request"}
		return words[f.Reason]
	case events.LimitReached:
		return string(f.Reason)
	default:
		words := map[events.Reason]string{
			events.ReasonBadToolCall: "malformed_tool_call", events.ReasonBadToolArguments: "malformed_tool_args", events.ReasonLostConnection: "transport",
		}
		if word, ok := words[f.Reason]; ok {
			return word
		}
		return string(f.Reason)
	}
}

// micros rounds the cases' nanodollars up.
func micros(nano int64) events.Micros { return events.Micros((nano + 999) / 1000) }

// certaintyWord maps the cases' quality of a charge to ours.
func certaintyWord(quality string, nano *int64) charge.Certainty {
	switch {
	case nano != nil && *nano == 0:
		return charge.None
	case quality == "exact":
		return charge.Exact
	case quality == "provider_reported":
		return charge.Provider
	default:
		return charge.Estimated
	}
}

func ms(n int64) time.Duration { return time.Duration(n) * time.Millisecond }
