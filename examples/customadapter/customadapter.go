package customadapter

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// Config describes one model. All but HTTPClient is required.
type Config struct {
	// Key is the API key, sent as a bearer token; no printer prints it.
	Key providers.Secret
	// BaseURL is https or loopback, for instance "https://api.acme.example/v1";
	// Model is the id as Acme knows it, for instance "anvil-2".
	BaseURL, Model string
	// HTTPClient is used for every call, but for its Timeout; nil is a new one.
	HTTPClient *http.Client
}

// A Model is one model of Acme. It is immutable and safe for concurrent use.
type Model struct {
	config func() Config // a function, because fmt prints fields and this holds the key
}

var _ providers.Model = (*Model)(nil)

// New returns a model and sends nothing. Errors are failures of kind
// invalid_request and reason bad_config.
func New(c Config) (*Model, error) {
	if c.Model == "" {
		return nil, transport.BadConfig("acme", "no model")
	}
	if err := cmp.Or(transport.CheckKey("acme", c.Key), transport.CheckEndpoint("acme", c.BaseURL, true)); err != nil {
		return nil, err
	}
	c.HTTPClient = transport.NewClient(c.HTTPClient)
	return &Model{func() Config { return c }}, nil
}

// Name returns "acme:<model>".
func (m *Model) Name() string { return "acme:" + m.config().Model }

// Spec says what Acme does not take: Prepare refuses it or leaves it out.
func (m *Model) Spec() request.Spec {
	return request.Spec{
		Images: request.No, Audio: request.No, Files: request.No, ToolChoice: request.No, ParallelTools: request.No,
		Efforts: []request.Effort{}, ThinkingBudget: request.No, TopP: request.No, Seed: request.No, StructuredAnswer: request.No,
		CacheMarkers: request.No, CacheKey: request.No, HostedTools: request.No, WebSearch: request.WebSearchSupport{Tool: request.No},
	}
}

// Stream returns the reply to req as a lazy stream.
func (m *Model) Stream(ctx context.Context, req request.Request) stream.Stream {
	c := m.config()
	return transport.Stream(ctx, c.HTTPClient, func() (transport.Call, transport.Decoder, error) {
		p, err := req.Prepare(request.Target{Spec: m.Spec(), Format: "acme.v1", Origin: "acme"})
		if err != nil {
			return transport.Call{}, nil, err
		}
		body, err := json.Marshal(spell(c.Model, p))
		return transport.Call{
			Provider: "acme", URL: c.BaseURL + "/reply", Body: body, Framing: transport.SSE, Failure: failureOf,
			Header:  http.Header{"Authorization": {"Bearer " + string(c.Key)}},
			Notices: p.Notices, Secrets: []string{string(c.Key)},
		}, &decoder{names: p.Names}, err
	})
}

// spell spells a prepared request. To Acme "", 0, false and null are "not given".
func spell(model string, p request.Prepared) map[string]any {
	var turns, tools []any
	for _, m := range p.Request.Messages {
		turns = append(turns, map[string]any{"role": m.Role, "parts": parts(p.Names, m.Blocks), "seal": m.Data.Value})
	}
	for _, t := range p.Request.Tools {
		tools = append(tools, map[string]any{"name": p.Names.Wire(t.Name()), "about": t.Description(), "schema": json.RawMessage(t.Schema())})
	}
	return map[string]any{
		"model": model, "system": p.Request.System, "turns": turns, "tools": tools,
		"limit": p.Request.MaxOutputTokens, "stop": p.Request.Stop, "temperature": p.Request.Temperature,
	}
}

// parts spells texts, calls and results; the Spec refuses blocks of other kinds.
func parts(names request.Names, blocks []request.Block) (all []any) {
	for _, b := range blocks {
		all = append(all, map[string]any{
			"text": b.Text, "call": b.Call.ID, "name": names.Wire(b.Call.Name), "args": b.Call.Arguments,
			"result": b.Result.CallID, "failed": b.Result.IsError, "parts": parts(names, b.Result.Content),
		})
	}
	return all
}

// A frame is what one frame says; members that are not here are passed over.
type frame struct {
	Begin, Model, Think, Say, Call, Name, Args, Whole, End, Seal, Code, Message string

	At, Error int
	Used      struct{ Prompt, Cached, Output, Thought events.Count } // what is absent is unknown
}

// A decoder turns the frames of one reply into events.
type decoder struct {
	names request.Names
	reply events.Completion
	calls int           // that were started
	issue *events.Issue // of a call that is not executable
}

// Frame decodes one frame. What breaks the grammar (a piece of no call, an index
// out of order) is refused by the transport's guard.
func (d *decoder) Frame(raw transport.Frame, emit func(events.Event) bool) (transport.State, error) {
	var f frame
	if err := json.Unmarshal(raw.Data, &f); err != nil {
		return transport.Open, err // told as invalid_reply/malformed
	}
	u := events.Usage{Input: f.Used.Prompt, CacheRead: f.Used.Cached, Output: f.Used.Output, Thinking: f.Used.Thought}
	if u.Final = f.End != ""; !u.Sane() {
		return transport.Open, events.NewFailure(events.InvalidReply, events.ReasonUnusableUsage, "a count is out of range")
	}
	d.reply.Usage = d.reply.Usage.Merge(u)
	switch call := (events.ToolCall{ID: f.Call, Name: d.names.Declared(f.Name), Arguments: f.Whole}); {
	case f.Error != 0:
		return transport.Open, failureOf(0, nil, raw.Data)
	case f.Begin != "":
		emit(events.NewStarted(events.Start{ResponseID: f.Begin, Model: f.Model}))
	case f.Whole != "":
		ended := events.NewToolCallEnded(f.At, call)
		if issue, invalid := ended.Issue(); invalid {
			d.issue = &issue
		}
		emit(ended)
	case f.Call != "":
		d.calls++
		emit(events.NewToolCallStarted(f.At, f.Call, call.Name, false))
	case f.End == "tools" && d.calls == 0:
		return transport.Open, events.NewFailure(events.InvalidReply, events.ReasonBadToolCall, "an end for calls, and no call")
	case f.End == "tools" && d.issue != nil:
		return transport.Open, events.NewFailure(events.InvalidReply, events.ReasonBadToolArguments, d.issue.Detail)
	case f.End != "":
		stops := map[string]events.Stop{
			"done": events.StopEnd, "tools": events.StopToolUse, "limit": events.StopLength,
			"stop": events.StopSequence, "filter": events.StopContentFilter, "refused": events.StopRefusal,
		}
		d.reply.Stop, d.reply.RawStop = cmp.Or(stops[f.End], events.StopOther), f.End
		d.reply.Data = events.ProviderData{Format: "acme.v1", Origin: "acme", Value: f.Seal}
		return transport.Ended, nil
	}
	transport.EmitDelta(emit, events.ThinkingDelta, f.At, f.Think)
	transport.EmitDelta(emit, events.TextDelta, f.At, f.Say)
	transport.EmitDelta(emit, events.ToolArgumentsDelta, f.At, f.Args)
	return transport.Open, nil
}

// End returns the terminal: Completed after a good end frame, else Failed.
func (d *decoder) End(end transport.End) events.Event {
	if end.Failure == nil {
		return events.NewCompleted(d.reply)
	}
	end.Failure.Usage = d.reply.Usage
	return events.NewFailed(end.Failure)
}

// failureOf maps an error of Acme, whose body tells the status too.
func failureOf(_ int, _ http.Header, body []byte) *events.Failure {
	var f frame
	if json.Unmarshal(body, &f) != nil || f.Error == 0 {
		return nil // then the status of the answer decides
	}
	told := transport.FailureOfStatus(f.Error)
	if f.Code == "too_long" {
		told.Reason = events.ReasonContextOverflow
	}
	told.Status, told.Detail, told.ProviderCode = 0, events.CleanDetail(f.Message), f.Code
	return told
}
