package bedrock_test

import (
	"bytes"
	"encoding/base64"
	"io/fs"
	"net/http"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/conformance"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/bedrock"
	"github.com/weirsdk/weir/providers/transport"
)

// overlong is why no error says that a conversation does not fit.
const overlong = "an overlong prompt is a ValidationException like any other and told by its message alone " +
	"(docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html, a stored copy read 2026-12-01)"

// The bytes are written by hand by aws-sdk-go-v2 service/bedrockruntime v1.63.13, its
// types and errors, read 2026-12-01.
func TestConverseConformance(t *testing.T) {
	t.Parallel()
	for name, config := range credentials() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var only []string
			if name == "signed" {
				only = []string{"text", "tool-call", "error-401"} // the other run has the rest
			}
			conformance.Run(t, conformance.Adapter{
				New: newOf(config), Wire: os.DirFS("testdata/conformance"), Only: only,
				Unsupported: map[string]string{
					"error-context":    overlong,
					"refusal":          "no stop reason tells a model's own refusal, which is a text like any other (aws-sdk-go-v2 service/bedrockruntime v1.63.13, read 2026-12-01)",
					"usage-thinking":   "TokenUsage has no count of thinking (the same)",
					"usage-cumulative": "counts are told once, in the metadata after the stop (the same)",
					"keep-alive":       "the stream has no message that says nothing (the same)",
				},
			})
		})
	}
}

// Anthropic's language in Bedrock's chunks: the bytes of package anthropic, wrapped,
// and the errors of Bedrock.
func TestInvokeConformance(t *testing.T) {
	t.Parallel()
	config := credentials()["key"]
	config.API = bedrock.InvokeMessages
	conformance.Run(t, conformance.Adapter{
		New: newOf(config), Wire: invokeWire(t), Unsupported: map[string]string{
			"error-context": overlong,
			"hosted-tool": "Anthropic's web search is not there (docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-tool-use.html); " +
				"what is there, and told as hosted too, is the search for tools (docs.litellm.ai, read 2026-12-01)",
		},
	})
}

// credentials are the ways to authorize a request. Of keys that sign only the
// session token is sent.
func credentials() map[string]bedrock.Config {
	return map[string]bedrock.Config{
		"key": {Key: conformance.Canary},
		"signed": {Credentials: bedrock.StaticCredentials(bedrock.Credentials{
			AccessKeyID: "AKIDEXAMPLE", SecretAccessKey: "secret-of-the-tests", SessionToken: conformance.Canary,
		})},
	}
}

// newOf returns what makes models of a config.
func newOf(config bedrock.Config) func(testing.TB, http.RoundTripper) providers.Model {
	return func(tb testing.TB, rt http.RoundTripper) providers.Model {
		tb.Helper()
		c := config
		c.Region, c.Model, c.HTTPClient = "us-east-1", "us.anthropic.claude-sonnet-4-5-20250929-v1:0", &http.Client{Transport: rt}
		m, err := bedrock.New(c)
		require.NoError(tb, err)
		return m
	}
}

// invokeWire returns the bytes of package anthropic in Bedrock's chunks.
func invokeWire(tb testing.TB) fs.FS {
	tb.Helper()
	wire := fstest.MapFS{}
	for _, dir := range []string{"../anthropic/testdata/conformance", "testdata/conformance"} {
		files, err := os.ReadDir(dir)
		if err != nil {
			tb.Skip("the bytes of package anthropic are not beside this module")
		}
		for _, f := range files {
			text, err := os.ReadFile(path.Join(dir, f.Name()))
			require.NoError(tb, err)
			base, isSSE := strings.CutSuffix(f.Name(), ".sse")
			switch isError := strings.HasPrefix(base, "error-"); {
			case base == "hosted-tool": // is not there
			case isSSE && !isError:
				wire[base+".eventstream"] = &fstest.MapFile{Data: chunks(text)}
			case dir == "testdata/conformance" && isError && base != "error-middle.eventstream":
				wire[f.Name()] = &fstest.MapFile{Data: text}
			}
		}
	}
	wire["error-middle.eventstream"] = &fstest.MapFile{Data: transport.AppendMessage(
		chunks([]byte(helloOnly)),
		transport.Frame{Name: []byte("modelStreamErrorException"), Data: []byte(`{"message":"no weir today","originalStatusCode":500}`), Exception: true},
	)}
	return wire
}

// helloOnly is the beginning of a reply.
const helloOnly = `data: {"type":"message_start","message":{"id":"msg_bdrk_1","type":"message","role":"assistant","model":"claude-sonnet-4-5-20250929","content":[],"usage":{"input_tokens":31,"output_tokens":1}}}

data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello,"}}

`

// chunks wraps the events of a body in messages.
func chunks(sse []byte) []byte {
	frames := transport.NewFrameReader(bytes.NewReader(sse), transport.SSE, 0)
	var body []byte
	for {
		f, err := frames.Next()
		if err != nil {
			return body
		}
		if string(f.Name) != "ping" {
			body = transport.AppendMessage(body, transport.Frame{Name: []byte("chunk"), Data: chunk(f.Data)})
		}
	}
}

func chunk(data []byte) []byte {
	return []byte(`{"bytes":"` + base64.StdEncoding.EncodeToString(data) + `","p":"abcdefgh"}`)
}
