package conversewire_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/conversewire"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

var update = flag.Bool("update", false, "rewrite the expected files from what the code does")

// family is what the tests that all families share need to know of this one.
func family() canned.Family {
	return canned.Family{
		Cases:    wireCases,
		Wire:     func(canned.Case) canned.Wire { return wire(minting()) },
		Evidence: hasEvidence,
		Target:   request.Target{Format: conversewire.Format, Origin: "bedrock"},
		Encode:   func(p request.Prepared) ([]byte, error) { return conversewire.Encode(p, bedrock()) },
	}
}

// wireCases returns the files of testdata/decode: a comment that says why, and the
// body as [framed] reads it. What it comes to stands beside it.
func wireCases(t testing.TB) []canned.Case {
	t.Helper()
	files, err := filepath.Glob("testdata/decode/*.sse")
	require.NoError(t, err)
	require.Greater(t, len(files), 30)
	cases := make([]canned.Case, 0, len(files))
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		why, _, _ := strings.Cut(strings.TrimPrefix(string(text), ": "), "\n")
		stem := strings.TrimSuffix(file, ".sse")
		cases = append(cases, canned.Case{
			Name: filepath.Base(stem), Why: why, Body: framed(string(text)), Want: stem + ".jsonl",
		})
	}
	return cases
}

func TestDecodeGolden(t *testing.T) {
	t.Parallel()
	family().Golden(t, *update)
}

func TestDecodeByteByByte(t *testing.T) {
	t.Parallel()
	family().Splits(t)
}

// The evidence is messageStop.
func TestDecodeEveryCut(t *testing.T) {
	t.Parallel()
	family().Cuts(t, "reasoning-then-tool", "hosted-tool", "citation-before-text")
}

// hasEvidence looks for the whole message that tells the stop reason: its payload to
// the brace, and the checksum of four bytes.
func hasEvidence(body []byte) bool {
	_, payload, told := bytes.Cut(body, []byte(`"stopReason"`))
	_, rest, whole := bytes.Cut(payload, []byte("}"))
	return told && whole && len(rest) >= 4
}

// A message whose payload is no JSON ends the reply, and an error that is no
// exception is told by its code.
func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	frame := func(name, data string) []byte {
		return transport.AppendMessage(nil, transport.Frame{Name: []byte(name), Data: []byte(data)})
	}
	for why, body := range map[string][]byte{
		"no JSON":                       frame("contentBlockDelta", `{"contentBlockIndex":`),
		"no UTF-8":                      frame("contentBlockDelta", "{\"contentBlockIndex\":0,\"delta\":{\"text\":\"\xff\"}}"),
		"a delta of nothing":            frame("contentBlockDelta", `{"contentBlockIndex":0}`),
		"a text that is no string":      frame("contentBlockDelta", `{"contentBlockIndex":0,"delta":{"text":5}}`),
		"a thought that is no string":   frame("contentBlockDelta", `{"contentBlockIndex":0,"delta":{"reasoningContent":{"text":[]}}}`),
		"a signature that is no string": frame("contentBlockDelta", `{"contentBlockIndex":0,"delta":{"reasoningContent":{"signature":{}}}}`),
		"bytes that are no string":      frame("contentBlockDelta", `{"contentBlockIndex":0,"delta":{"reasoningContent":{"redactedContent":[1]}}}`),
		"an index that no number holds": frame("contentBlockDelta", `{"contentBlockIndex":99999999999999999999,"delta":{"text":"a"}}`),
		"an index in quotes":            frame("contentBlockStop", `{"contentBlockIndex":"1"}`),
		"arguments that are no string, without which the call must not run": slices.Concat(
			frame("contentBlockStart", `{"contentBlockIndex":0,"start":{"toolUse":{"toolUseId":"t","name":"f"}}}`),
			frame("contentBlockDelta", `{"contentBlockIndex":0,"delta":{"toolUse":{"input":{"n":1}}}}`),
			frame("contentBlockStop", `{"contentBlockIndex":0}`), frame("messageStop", `{"stopReason":"tool_use"}`)),
		"a result that could not go back": append(frame("contentBlockStart", `{"contentBlockIndex":0,"start":{"toolResult":{"toolUseId":"s"}}}`),
			frame("contentBlockDelta", `{"contentBlockIndex":0,"delta":{"toolResult":[{"json":01}]}}`)...),
		"a spoiled checksum": append(frame("messageStart", `{"role":"assistant"}`), bytes.Repeat([]byte{0}, 16)...),
	} {
		f, ok := terminal(t, play(t, answered(body), minting())).Failure()
		require.True(t, ok, why)
		assert.Equal(t, events.InvalidReply, f.Kind, why)
		assert.Equal(t, events.ReasonMalformed, f.Reason, why)
	}
}

// An answer that is no stream.
func TestErrors(t *testing.T) {
	t.Parallel()
	const namespace = "http://internal.amazon.com/coral/com.amazon.bedrock/"
	for _, c := range []struct {
		why    string
		status int
		kind   string // of the head
		body   string
		want   events.Failure
	}{
		{"the head tells the type", 404, "ResourceNotFoundException:" + namespace, `{"message":"m"}`, events.Failure{Kind: events.Rejected, Reason: events.ReasonNotFound, ProviderCode: "ResourceNotFoundException", Detail: "m"}},
		{"the body tells the type", 400, "", `{"__type":"com.amazon.coral.service#ValidationException","Message":"m"}`, events.Failure{Kind: events.Rejected, Reason: events.ReasonBadRequest, ProviderCode: "ValidationException", Detail: "m"}},
		{"the type counts, not the status", 400, "ThrottlingException", `{"message":"m"}`, events.Failure{Kind: events.RateLimited, Reason: events.ReasonRateLimit, ProviderCode: "ThrottlingException", Detail: "m"}},
		{"a quota that no wait of a call helps", 400, "ServiceQuotaExceededException", `{}`, events.Failure{Kind: events.Rejected, Reason: events.ReasonQuota, ProviderCode: "ServiceQuotaExceededException", Detail: "HTTP 400 Bad Request"}},
		{"no access", 403, "AccessDeniedException", `{"message":"m"}`, events.Failure{Kind: events.Rejected, Reason: events.ReasonPermission, ProviderCode: "AccessDeniedException", Detail: "m"}},
		{"an unknown key", 403, "UnrecognizedClientException", `{"message":"m"}`, events.Failure{Kind: events.Rejected, Reason: events.ReasonAuth, ProviderCode: "UnrecognizedClientException", Detail: "m"}},
		{"a model that takes too long", 408, "ModelTimeoutException", `{"message":"m"}`, events.Failure{Kind: events.TimedOut, Reason: events.ReasonHTTP, ProviderCode: "ModelTimeoutException", Detail: "m"}},
		{"a model that is not ready", 429, "ModelNotReadyException", `{"message":"m"}`, events.Failure{Kind: events.Overloaded, Reason: events.ReasonOverloaded, ProviderCode: "ModelNotReadyException", Detail: "m"}},
		{"a fault of the model", 424, "ModelErrorException", `{"message":"m","originalStatusCode":500}`, events.Failure{Kind: events.Overloaded, Reason: events.ReasonServer, ProviderCode: "ModelErrorException", Detail: "m"}},
		{"a model's host that is asked too often", 424, "ModelErrorException", `{"message":"m","originalStatusCode":429}`, events.Failure{Kind: events.RateLimited, Reason: events.ReasonRateLimit, ProviderCode: "ModelErrorException", Detail: "m"}},
		{"an unknown type goes by the status", 503, "NewException", `{"message":"m"}`, events.Failure{Kind: events.Overloaded, Reason: events.ReasonOverloaded, ProviderCode: "NewException", Detail: "m"}},
		{"no type and no JSON", 500, "", `oops`, events.Failure{Kind: events.Overloaded, Reason: events.ReasonServer, Detail: "HTTP 500 Internal Server Error"}},
		{"an error labelled 200", 200, "", `{"__type":"ThrottlingException","message":"m"}`, events.Failure{Kind: events.RateLimited, Reason: events.ReasonRateLimit, ProviderCode: "ThrottlingException", Detail: "m"}},
		{"a document labelled 200", 200, "", `{"output":{}}`, events.Failure{Kind: events.InvalidReply, Reason: events.ReasonBadContent, Detail: "a JSON document came where a stream was due"}},
	} {
		header := http.Header{"Content-Type": {"application/json"}, "X-Amzn-Requestid": {"r-1"}}
		if c.kind != "" {
			header.Set("X-Amzn-Errortype", c.kind)
		}
		f, ok := terminal(t, play(t, &canned.Transport{Status: c.status, Header: header, Body: []byte(c.body)}, minting())).Failure()
		require.True(t, ok, c.why)
		assert.Equal(t, c.want.Kind, f.Kind, c.why)
		assert.Equal(t, c.want.Reason, f.Reason, c.why)
		assert.Equal(t, c.want.ProviderCode, f.ProviderCode, c.why)
		assert.Equal(t, c.want.Detail, f.Detail, c.why)
		assert.Equal(t, "r-1", f.RequestID, c.why)
		if c.status != 200 {
			assert.Equal(t, c.status, f.Status, c.why)
		}
	}
}

// What is kept of a frame to be sent back is JSON.
func TestDataIsJSON(t *testing.T) {
	t.Parallel()
	for _, c := range wireCases(t) {
		if done, ok := terminal(t, play(t, answered(c.Body), minting())).Completion(); ok && !done.Data.IsZero() {
			assert.True(t, json.Valid([]byte(done.Data.Value)), "%s: %s", c.Name, done.Data.Value)
			assert.Equal(t, conversewire.Format, done.Data.Format)
			assert.Equal(t, "bedrock", done.Data.Origin)
		}
	}
}

// The reply has ended with the counts that follow the stop, and not before.
func TestStates(t *testing.T) {
	t.Parallel()
	d := conversewire.NewDecoder(minting(), bedrock())
	for _, step := range []struct {
		name, data string
		want       transport.State
	}{
		{"messageStart", `{"role":"assistant"}`, transport.Open},
		{"metadata", `{"usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2}}`, transport.Open},
		{"messageStop", `{"stopReason":"end_turn"}`, transport.Ending},
		{"news", `{}`, transport.Ending},
		{"metadata", `{"usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2}}`, transport.Ended},
	} {
		state, err := d.Frame(transport.Frame{Name: []byte(step.name), Data: []byte(step.data)}, func(events.Event) bool { return true })
		require.NoError(t, err)
		assert.Equal(t, step.want, state, step.name)
	}
}
