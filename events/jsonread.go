package events

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"time"
)

// malformed returns the one kind of error that reading gives. The text of err
// names types and offsets, never more than a literal of the input.
func malformed(what string, err error) error {
	if f, ok := AsFailure(err); ok {
		return f
	}
	if err != nil {
		what += ": " + err.Error()
	}
	return NewFailure(InvalidReply, ReasonMalformed, what)
}

// UnmarshalJSON reads the canonical JSON. Fields that it does not know are
// passed over; a kind that it does not know is an error. An error is a *Failure
// of kind invalid_reply and reason malformed, and leaves e unchanged. (To read a
// line call this method: json.Unmarshal gives its own errors for bad syntax.)
func (e *Event) UnmarshalJSON(text []byte) error {
	var r record
	if err := json.Unmarshal(text, &r); err != nil {
		return malformed("event is not the JSON it should be", err)
	}
	ev, err := r.event()
	if err != nil {
		return err
	}
	*e = ev
	return nil
}

// record is every member that an event can have.
type record struct {
	Kind         string            `json:"kind"`
	Index        int32             `json:"index"`
	Text         string            `json:"text"`
	ResponseID   string            `json:"response_id"`
	Model        string            `json:"model"`
	RequestID    string            `json:"request_id"`
	RateLimits   *rateLimitsRecord `json:"rate_limits"`
	BillingStops bool              `json:"billing_stops"`
	Metadata     map[string]string `json:"metadata"`
	ID           string            `json:"id"`
	Name         string            `json:"name"`
	Minted       bool              `json:"minted"`
	Arguments    string            `json:"arguments"`
	Replay       dataRecord        `json:"replay"`
	Issue        IssueKind         `json:"issue"`
	Outcome      string            `json:"outcome"`
	Sources      []Source          `json:"sources"`
	Citation     Citation          `json:"citation"`
	MediaType    string            `json:"media_type"`
	// Data is base64 text of media, or the object of a completed.
	Data    json.RawMessage `json:"data"`
	Usage   *Usage          `json:"usage"`
	Code    NoticeCode      `json:"code"`
	Detail  string          `json:"detail"`
	Stop    Stop            `json:"stop"`
	RawStop string          `json:"raw_stop"`
	Tier    string          `json:"service_tier"`
	Cost    *costRecord     `json:"cost"`
	Failure *Failure        `json:"failure"`
}

type dataRecord struct {
	Format string `json:"format"`
	Origin string `json:"origin"`
	Value  string `json:"value"`
}

type costRecord struct {
	Micros Micros `json:"micros"`
	Text   string `json:"text"`
}

func (r *record) event() (Event, error) {
	kind, ok := kindOf(r.Kind)
	if !ok {
		return Event{}, malformed("unknown kind of event "+r.Kind, nil)
	}
	index := int(r.Index)
	call := ToolCall{ID: r.ID, Name: r.Name, Minted: r.Minted, Arguments: r.Arguments, Replay: ProviderData(r.Replay)}
	switch kind {
	case Started:
		return NewStarted(Start{
			ResponseID: r.ResponseID, Model: r.Model, RequestID: r.RequestID,
			RateLimits: r.RateLimits.limits(), BillingStops: r.BillingStops, Metadata: r.Metadata,
		}), nil
	case TextDelta, ThinkingDelta, RefusalDelta, ToolArgumentsDelta:
		return Event{Kind: kind, Index: r.Index, Text: r.Text}, nil
	case ToolCallStarted:
		return NewToolCallStarted(index, r.ID, r.Name, r.Minted), nil
	case ToolCallCompleted:
		return NewToolCallCompleted(index, call), nil
	case ToolCallInvalid:
		call.Arguments = r.Text
		return NewToolCallInvalid(index, call, Issue{Kind: r.Issue, Detail: r.Detail}), nil
	case HostedToolStarted:
		return NewHostedToolStarted(index, r.ID, r.Name), nil
	case HostedToolCompleted:
		return NewHostedToolCompleted(index, HostedTool{
			ID: r.ID, Name: r.Name, Arguments: r.Arguments, Outcome: r.Outcome, Sources: r.Sources, Replay: call.Replay,
		}), nil
	case CitationAdded:
		return NewCitationAdded(index, r.Citation), nil
	case MediaCompleted:
		return r.media(index)
	case Notice:
		return NewNotice(r.Code, r.Detail), nil
	default:
		return r.counted(kind)
	}
}

func (r *record) media(index int) (Event, error) {
	var text string
	if err := json.Unmarshal(r.Data, &text); err != nil {
		return Event{}, malformed("media without data", err)
	}
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return Event{}, malformed("media data is not base64", err)
	}
	return NewMediaCompleted(index, r.MediaType, data), nil
}

// counted reads the kinds that carry usage.
func (r *record) counted(kind Kind) (Event, error) {
	var usage Usage
	if r.Usage != nil {
		usage = *r.Usage
	}
	switch kind {
	case UsageUpdated:
		return NewUsageUpdated(usage), nil
	case Completed:
		c := Completion{Stop: r.Stop, RawStop: r.RawStop, ServiceTier: r.Tier, Usage: usage}
		if r.Cost != nil {
			c.Cost = &Cost{Micros: r.Cost.Micros, Text: r.Cost.Text}
		}
		if len(r.Data) > 0 {
			var d dataRecord
			if err := json.Unmarshal(r.Data, &d); err != nil {
				return Event{}, malformed("data of a completed is no object", err)
			}
			c.Data = ProviderData(d)
		}
		return NewCompleted(c), nil
	default:
		if r.Failure == nil {
			return Event{}, malformed("failed without a failure", nil)
		}
		return NewFailed(r.Failure), nil
	}
}

type usageRecord struct {
	Input          Count  `json:"input"`
	CacheRead      Count  `json:"cache_read"`
	CacheWrite     Count  `json:"cache_write"`
	CacheWriteLong Count  `json:"cache_write_long"`
	Output         Count  `json:"output"`
	Thinking       Count  `json:"thinking"`
	InputAudio     Count  `json:"input_audio"`
	InputImage     Count  `json:"input_image"`
	OutputAudio    Count  `json:"output_audio"`
	OutputImage    Count  `json:"output_image"`
	Final          bool   `json:"final"`
	Inconsistent   bool   `json:"inconsistent"`
	Raw            string `json:"raw"`
}

// UnmarshalJSON reads the canonical JSON of a usage; absent counts are unknown.
// Errors as those of [Event.UnmarshalJSON].
func (u *Usage) UnmarshalJSON(text []byte) error {
	var r usageRecord
	if err := json.Unmarshal(text, &r); err != nil {
		return malformed("usage is not the JSON it should be", err)
	}
	*u = Usage(r)
	return nil
}

// UnmarshalJSON reads an integer, or null for unknown. Errors as those of
// [Event.UnmarshalJSON].
func (c *Count) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*c = Count{}
		return nil
	}
	var n int64
	if err := json.Unmarshal(text, &n); err != nil {
		return malformed("count is no integer", err)
	}
	*c = Known(n)
	return nil
}

type failureRecord struct {
	Kind         FailureKind       `json:"kind"`
	Reason       Reason            `json:"reason"`
	Detail       string            `json:"detail"`
	Provider     string            `json:"provider"`
	Status       int               `json:"status"`
	ProviderCode string            `json:"provider_code"`
	RequestID    string            `json:"request_id"`
	RetryAfter   int64             `json:"retry_after_ms"`
	ShouldRetry  *bool             `json:"should_retry"`
	Sent         Sent              `json:"sent"`
	Usage        *Usage            `json:"usage"`
	RateLimits   *rateLimitsRecord `json:"rate_limits"`
	Feature      string            `json:"feature"`
}

// UnmarshalJSON reads the canonical JSON of a failure. Its cause is lost, its
// texts are cleaned. Errors as those of [Event.UnmarshalJSON].
func (f *Failure) UnmarshalJSON(text []byte) error {
	var r failureRecord
	if err := json.Unmarshal(text, &r); err != nil {
		return malformed("failure is not the JSON it should be", err)
	}
	read := Failure{
		Kind: r.Kind, Reason: r.Reason, Detail: r.Detail, Provider: r.Provider, Status: r.Status,
		ProviderCode: r.ProviderCode, RequestID: r.RequestID, ShouldRetry: r.ShouldRetry, Sent: r.Sent,
		RetryAfter: fromMilliseconds(r.RetryAfter),
		RateLimits: r.RateLimits.limits(), Feature: r.Feature,
	}
	if r.Usage != nil {
		read.Usage = *r.Usage
	}
	*f = *read.clean()
	return nil
}

// fromMilliseconds reads a wait; a negative one is absent, a huge one saturates.
func fromMilliseconds(ms int64) time.Duration {
	const most = math.MaxInt64 / int64(time.Millisecond)
	return time.Duration(max(0, min(ms, most))) * time.Millisecond
}

type rateLimitsRecord struct {
	Requests     rateWindowRecord `json:"requests"`
	Tokens       rateWindowRecord `json:"tokens"`
	InputTokens  rateWindowRecord `json:"input_tokens"`
	OutputTokens rateWindowRecord `json:"output_tokens"`
}

type rateWindowRecord struct {
	Limit     Count `json:"limit"`
	Remaining Count `json:"remaining"`
	Reset     int64 `json:"reset_ms"`
}

func (r rateWindowRecord) window() RateWindow {
	return RateWindow{Limit: r.Limit, Remaining: r.Remaining, Reset: fromMilliseconds(r.Reset)}
}

func (r *rateLimitsRecord) limits() *RateLimits {
	if r == nil {
		return nil
	}
	return &RateLimits{
		Requests: r.Requests.window(), Tokens: r.Tokens.window(),
		InputTokens: r.InputTokens.window(), OutputTokens: r.OutputTokens.window(),
	}
}
