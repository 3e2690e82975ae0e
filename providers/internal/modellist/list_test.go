package modellist_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/modellist"
	"github.com/weirsdk/weir/providers/transport"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// pages answers each address with its body.
type pages map[string]string

func (p pages) RoundTrip(r *http.Request) (*http.Response, error) {
	body, ok := p[r.URL.String()]
	status := http.StatusOK
	if !ok {
		status, body = http.StatusNotFound, "{}"
	}
	return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body))}, nil
}

const first = "https://a.test/models"

func list(t *testing.T, p pages, next func(string) string) ([]providers.ModelInfo, error) {
	t.Helper()
	call := transport.Call{Provider: "a", URL: first}
	if next == nil {
		return modellist.List(t.Context(), &http.Client{Transport: p}, call)
	}
	return modellist.Pages(t.Context(), &http.Client{Transport: p}, call, next)
}

// What each vendor's list looks like, and what of it is told.
func TestShapes(t *testing.T) {
	t.Parallel()
	day := func(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }
	for _, tt := range []struct {
		why, entry, around string
		want               providers.ModelInfo
	}{
		{"OpenAI", `{"id":"gpt-5","object":"model","created":1754524800,"owned_by":"system"}`, `{"object":"list","data":[ENTRY]}`, providers.ModelInfo{ID: "gpt-5", Created: day(2025, 8, 7)}},
		{"Groq", `{"id":"q","created":1754524800,"active":true,"context_window":131072,"max_completion_tokens":32768}`, `{"data":[ENTRY]}`, providers.ModelInfo{ID: "q", Created: day(2025, 8, 7), ContextWindow: 131072, MaxOutput: 32768}},
		{"OpenRouter", `{"id":"a/b","name":"A: B","context_length":200000,"top_provider":{"context_length":1,"max_completion_tokens":64000}}`, `{"data":[ENTRY]}`, providers.ModelInfo{ID: "a/b", Name: "A: B", ContextWindow: 200000, MaxOutput: 64000}},
		{"Together: no object around it", `{"id":"x/y","display_name":"Y","context_length":4096,"created":1754524800.5}`, `[ENTRY]`, providers.ModelInfo{ID: "x/y", Name: "Y", Created: day(2025, 8, 7), ContextWindow: 4096}},
		{"Mistral", `{"id":"m","name":"m","max_context_length":32768}`, `{"object":"list","data":[ENTRY]}`, providers.ModelInfo{ID: "m", ContextWindow: 32768}},
		{"vLLM", `{"id":"v","max_model_len":8192}`, `{"data":[ENTRY]}`, providers.ModelInfo{ID: "v", ContextWindow: 8192}},
		{"Anthropic", `{"type":"model","id":"c","display_name":"C","created_at":"2025-08-07T00:00:00Z","max_input_tokens":200000,"max_tokens":64000}`, `{"data":[ENTRY],"has_more":false,"last_id":"c"}`, providers.ModelInfo{ID: "c", Name: "C", Created: day(2025, 8, 7), ContextWindow: 200000, MaxOutput: 64000}},
		{"Ollama", `{"name":"qwen3:8b","model":"qwen3:8b","modified_at":"2025-08-07T02:00:00+02:00","size":1}`, `{"models":[ENTRY]}`, providers.ModelInfo{ID: "qwen3:8b", Created: day(2025, 8, 7)}},
		{"Gemini", `{"name":"models/g","displayName":"G","inputTokenLimit":1048576,"outputTokenLimit":65536}`, `{"models":[ENTRY]}`, providers.ModelInfo{ID: "models/g", Name: "G", ContextWindow: 1048576, MaxOutput: 65536}},
		{"Bedrock", `{"modelId":"amazon.nova-2-lite-v1:0","modelName":"Nova 2 Lite","modelArn":"arn:aws:bedrock:us-east-1::foundation-model/x"}`, `{"modelSummaries":[ENTRY]}`, providers.ModelInfo{ID: "amazon.nova-2-lite-v1:0", Name: "Nova 2 Lite"}},
		{"Bedrock's profiles", `{"inferenceProfileId":"us.x","inferenceProfileName":"US X","createdAt":"2025-08-07T00:00:00Z"}`, `{"inferenceProfileSummaries":[ENTRY]}`, providers.ModelInfo{ID: "us.x", Name: "US X", Created: day(2025, 8, 7)}},
		{"Vertex AI", `{"name":"publishers/google/models/g","versionId":"001","launchStage":"GA"}`, `{"publisherModels":[ENTRY]}`, providers.ModelInfo{ID: "publishers/google/models/g"}},
		{"members of other types than expected are passed over", `{"id":"z","name":7,"created":"soon","created_at":[],"context_length":"big","max_completion_tokens":null,"top_provider":3}`, `{"data":[ENTRY]}`, providers.ModelInfo{ID: "z"}},
		{"counts and times that are none", `{"id":"z","created":-1,"context_length":-5,"max_tokens":1e99}`, `{"data":[ENTRY]}`, providers.ModelInfo{ID: "z"}},
		{"entries that are no model are passed over", `{"id":"z"}`, `{"data":[{"object":"model"},null,7,ENTRY]}`, providers.ModelInfo{ID: "z"}},
	} {
		all, err := list(t, pages{first: strings.ReplaceAll(tt.around, "ENTRY", tt.entry)}, nil)
		require.NoError(t, err, tt.why)
		tt.want.Raw = tt.entry
		assert.Equal(t, []providers.ModelInfo{tt.want}, all, tt.why)
	}
	none, err := list(t, pages{first: `{"data":[]}`}, nil)
	require.NoError(t, err)
	assert.Empty(t, none, "a list may be empty")
}

func TestRefuses(t *testing.T) {
	t.Parallel()
	ring := func(string) string { return first }
	endless := func(last string) string { return first + "?" + last }
	for _, tt := range []struct {
		why    string
		body   string
		next   func(string) string
		kind   events.FailureKind
		reason events.Reason
	}{
		{"cut", `{"data":[{"id":"a"}`, nil, events.InvalidReply, events.ReasonMalformed},
		{"no list", `{"object":"list"}`, nil, events.InvalidReply, events.ReasonBadContent},
		{"a list of null", `{"data":null}`, nil, events.InvalidReply, events.ReasonBadContent},
		{"null", `null`, nil, events.InvalidReply, events.ReasonBadContent},
		{"an object as the list", `{"data":{"id":"a"}}`, nil, events.InvalidReply, events.ReasonBadContent},
		{"pages in a ring", `{"data":[],"has_more":true,"last_id":"a"}`, ring, events.InvalidReply, events.ReasonMalformed},
		{"a page that is not there", `{"data":[],"has_more":true,"last_id":"a"}`, endless, events.Rejected, events.ReasonNotFound},
	} {
		all, err := list(t, pages{first: tt.body}, tt.next)
		f, ok := events.AsFailure(err)
		require.True(t, ok, tt.why)
		assert.Equal(t, tt.kind, f.Kind, tt.why)
		assert.Equal(t, tt.reason, f.Reason, tt.why)
		assert.Equal(t, "a", f.Provider, tt.why)
		assert.Equal(t, events.Answered, f.Sent, tt.why)
		assert.Nil(t, all, tt.why)
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	next := func(last string) string { return first + "?after=" + last }
	all, err := list(t, pages{
		first:              `{"data":[{"id":"a"},{"id":"b"}],"has_more":true,"last_id":"b"}`,
		first + "?after=b": `{"data":[{"id":"c"}],"has_more":false,"last_id":"c"}`,
	}, next)
	require.NoError(t, err)
	assert.Len(t, all, 3)

	all, err = list(t, pages{
		first:              `{"models":[{"name":"a"}],"nextPageToken":"t"}`,
		first + "?after=t": `{"models":[{"name":"b"}]}`,
	}, next)
	require.NoError(t, err)
	assert.Len(t, all, 2, "a page that names the next one by a token")

	all, err = list(t, pages{
		first:              `{"nextPageToken":"t"}`,
		first + "?after=t": `{"models":[{"name":"b"}],"nextPageToken":"u"}`,
		first + "?after=u": `{}`,
	}, next)
	require.NoError(t, err)
	assert.Len(t, all, 1, "pages that are empty, whose list is left out")
	_, err = list(t, pages{first: `{"nextPageToken":"t"}`, first + "?after=t": `null`}, next)
	require.Error(t, err)

	n := 0
	endless := same(`{"data":[],"has_more":true,"last_id":"b"}`)
	_, err = modellist.Pages(t.Context(), &http.Client{Transport: endless}, transport.Call{Provider: "a", URL: first}, func(string) string {
		n++
		return first + strings.Repeat("x", n)
	})
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidReply, Reason: events.ReasonTooLarge}, "a list without an end")
	assert.Equal(t, 100, n)
}

// same answers every address with one body.
type same string

func (s same) RoundTrip(r *http.Request) (*http.Response, error) {
	return pages{r.URL.String(): string(s)}.RoundTrip(r)
}
