package bedrock_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/bedrock"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// message is one message of an answer.
func message(name, data string) []byte {
	return transport.AppendMessage(nil, transport.Frame{Name: []byte(name), Data: []byte(data)})
}

// hello is a whole answer.
func hello() []byte {
	return slices.Concat(
		message("messageStart", `{"role":"assistant"}`), message("contentBlockDelta", `{"contentBlockIndex":0,"delta":{"text":"Hi"}}`),
		message("contentBlockStop", `{"contentBlockIndex":0}`), message("messageStop", `{"stopReason":"end_turn"}`),
		message("metadata", `{"usage":{"inputTokens":3,"outputTokens":1,"totalTokens":4}}`),
	)
}

func ok(body []byte) *canned.Transport {
	return &canned.Transport{Header: http.Header{"Content-Type": {"application/vnd.amazon.eventstream"}, "X-Amzn-Requestid": {"r-7"}}, Body: body}
}

func ask() request.Request {
	return request.Request{Messages: []request.Message{request.UserText("hi")}}
}

func model(t testing.TB, c bedrock.Config, rt http.RoundTripper) *bedrock.Model {
	t.Helper()
	if c.Model == "" {
		c.Model = "us.amazon.nova-2-lite-v1:0"
	}
	if c.Region == "" {
		c.Region = "us-west-2"
	}
	c.HTTPClient = &http.Client{Transport: rt}
	m, err := bedrock.New(c)
	require.NoError(t, err)
	return m
}

func last(t testing.TB, evs []events.Event) events.Event {
	t.Helper()
	require.NotEmpty(t, evs)
	return evs[len(evs)-1]
}

// drain ranges a stream to its end.
func drain(s stream.Stream) {
	for range s {
		continue
	}
}

func keys() bedrock.Credentials {
	return bedrock.Credentials{AccessKeyID: "AKIDEXAMPLE", SecretAccessKey: "canary-secret-91aa", SessionToken: "canary-session-72fe"}
}

func TestStream(t *testing.T) {
	t.Parallel()
	answer := ok(hello())
	s := model(t, bedrock.Config{Key: "canary-key"}, answer).Stream(t.Context(), ask())
	assert.Empty(t, answer.Requests(), "nothing is sent before the stream is ranged")
	evs := slices.Collect(s)
	start, _ := evs[0].Start()
	assert.Equal(t, events.Start{RequestID: "r-7"}, start)
	done, completed := last(t, evs).Completion()
	require.True(t, completed, "%v", last(t, evs))
	assert.Equal(t, events.StopEnd, done.Stop)

	require.Len(t, answer.Requests(), 1)
	sent := answer.Requests()[0]
	assert.Equal(t, "POST", sent.Method)
	assert.Equal(t, "https://bedrock-runtime.us-west-2.amazonaws.com/model/us.amazon.nova-2-lite-v1%3A0/converse-stream", sent.URL)
	assert.Equal(t, "Bearer canary-key", sent.Header.Get("Authorization"))
	assert.Equal(t, "application/vnd.amazon.eventstream", sent.Header.Get("Accept"))
	assert.JSONEq(t, `{"messages":[{"role":"user","content":[{"text":"hi"}]}]}`, string(sent.Body))
}

func TestInvoke(t *testing.T) {
	t.Parallel()
	var body []byte
	for _, frame := range []string{
		`{"type":"message_start","message":{"id":"msg_bdrk_1","model":"claude-sonnet-4-5","content":[],"usage":{"input_tokens":3,"output_tokens":1}}}`,
		`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}`,
		`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}`,
		`{"type":"message_stop","amazon-bedrock-invocationMetrics":{"inputTokenCount":3,"outputTokenCount":5}}`,
	} {
		body = append(body, message("chunk", string(chunk([]byte(frame))))...)
		body = append(body, message("news", `{"x":1}`)...) // which nobody knows
	}
	answer := ok(body)
	m := model(t, bedrock.Config{
		API: bedrock.InvokeMessages, Model: "arn:aws:bedrock:us-west-2:123456789012:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0",
	}, answer)
	var reply stream.Reply
	for ev := range m.Stream(t.Context(), ask()) {
		reply.Add(ev)
	}
	require.NoError(t, reply.Err())
	assert.Equal(t, "Hi", reply.Text())
	assert.Equal(t, events.Known(3), reply.Usage().Input)
	sent := answer.Requests()[0]
	assert.Equal(t, "https://bedrock-runtime.us-west-2.amazonaws.com/model/"+
		"arn%3Aaws%3Abedrock%3Aus-west-2%3A123456789012%3Ainference-profile%2Fus.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke-with-response-stream", sent.URL)
	assert.Empty(t, sent.Header.Get("Authorization"))
	assert.JSONEq(t, `{"anthropic_version":"bedrock-2023-05-31","max_tokens":64000,"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}`, string(sent.Body))
}

// A chunk that cannot be read is not passed over.
func TestInvokeChunks(t *testing.T) {
	t.Parallel()
	for why, data := range map[string]string{
		"no bytes": `{"p":"x"}`, "no base64": `{"bytes":"***"}`, "no JSON": `{`, "no JSON inside": string(chunk([]byte("{"))),
	} {
		m := model(t, bedrock.Config{API: bedrock.InvokeMessages}, ok(message("chunk", data)))
		f, failed := last(t, slices.Collect(m.Stream(t.Context(), ask()))).Failure()
		require.True(t, failed, why)
		assert.Equal(t, events.ReasonMalformed, f.Reason, why)
	}
}

// What a server receives has the signature that AWS's own signer gives it: nothing
// of it was changed after it was signed.
func TestSignature(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var complaints []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		complaints = append(complaints, verify(r)...)
		w.Header().Set("Content-Type", "application/vnd.amazon.eventstream")
		_, _ = w.Write(hello())
	}))
	defer server.Close()
	for _, id := range []string{"us.amazon.nova-2-lite-v1:0", "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a b+c~d"} {
		for _, api := range []bedrock.API{bedrock.Converse, bedrock.InvokeMessages} {
			c := bedrock.Config{Credentials: bedrock.StaticCredentials(keys()), BaseURL: server.URL, Model: id, API: api}
			drain(model(t, c, http.DefaultTransport).Stream(t.Context(), ask()))
		}
	}
	mu.Lock()
	defer mu.Unlock()
	assert.Empty(t, complaints)
	http.DefaultTransport.(interface{ CloseIdleConnections() }).CloseIdleConnections()
}

// The host that is sent is the one that is signed, also where the address says the port
// that its scheme implies.
func TestSignedHost(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://vpce-1.example:443": "https://vpce-1.example", "https://vpce-1.example:443/a/": "https://vpce-1.example/a",
		"http://127.0.0.1:80": "http://127.0.0.1", "https://[::1]:443": "https://[::1]",
		"https://vpce-1.example:8443": "https://vpce-1.example:8443", "http://127.0.0.1:443": "http://127.0.0.1:443",
	} {
		answer := ok(hello())
		m := model(t, bedrock.Config{Credentials: bedrock.StaticCredentials(keys()), BaseURL: address, ControlURL: address}, answer)
		drain(m.Stream(t.Context(), ask()))
		_, _ = m.CountTokens(t.Context(), ask())
		_, _ = m.ListModels(t.Context())
		require.GreaterOrEqual(t, len(answer.Requests()), 3, address)
		for _, sent := range answer.Requests() {
			assert.True(t, strings.HasPrefix(sent.URL, want+"/"), "%s instead of %s", sent.URL, want)
		}
	}
}

// verify signs what came anew and returns how that differs.
func verify(r *http.Request) []string {
	body, _ := io.ReadAll(r.Body)
	at, err := time.Parse("20060102T150405Z", r.Header.Get("X-Amz-Date"))
	if err != nil {
		return []string{err.Error()}
	}
	// Only what the signature names is signed; a client adds more.
	_, list, _ := strings.Cut(r.Header.Get("Authorization"), "SignedHeaders=")
	list, _, _ = strings.Cut(list, ",")
	again, err := http.NewRequestWithContext(context.Background(), r.Method, "http://"+r.Host+r.URL.RequestURI(), nil)
	if err != nil {
		return []string{err.Error()}
	}
	for name := range strings.SplitSeq(list, ";") {
		if name != "host" && name != "content-length" {
			again.Header[http.CanonicalHeaderKey(name)] = r.Header.Values(name)
		}
	}
	again.ContentLength = int64(len(body))
	sum := sha256.Sum256(body)
	c := keys()
	credentials := aws.Credentials{AccessKeyID: c.AccessKeyID, SecretAccessKey: string(c.SecretAccessKey), SessionToken: string(c.SessionToken)}
	if err := v4.NewSigner().SignHTTP(r.Context(), credentials, again, hex.EncodeToString(sum[:]), "bedrock", "us-west-2", at); err != nil {
		return []string{err.Error()}
	}
	if got, want := r.Header.Get("Authorization"), again.Header.Get("Authorization"); got != want {
		return []string{got + " instead of " + want}
	}
	if !strings.Contains(list, "x-amz-security-token") || !strings.Contains(list, "host") {
		return []string{"the signature covers only " + list}
	}
	return nil
}

// Credentials and tokens are asked for at each call; without them nothing is sent.
func TestSources(t *testing.T) {
	t.Parallel()
	asked := 0
	for _, c := range []struct {
		why    string
		config bedrock.Config
		want   events.Reason // empty: it is sent
	}{
		{"credentials", bedrock.Config{Credentials: func(context.Context) (bedrock.Credentials, error) { asked++; return keys(), nil }}, ""},
		{"a token", bedrock.Config{Token: func(context.Context) (providers.Secret, error) { asked++; return "canary-token", nil }}, ""},
		{"no credentials", bedrock.Config{Credentials: func(context.Context) (bedrock.Credentials, error) {
			return bedrock.Credentials{}, errors.New("canary-secret in a text")
		}}, events.ReasonAuth},
		{"empty credentials", bedrock.Config{Credentials: bedrock.StaticCredentials(bedrock.Credentials{})}, events.ReasonAuth},
		{"credentials that are none", bedrock.Config{Credentials: bedrock.StaticCredentials(bedrock.Credentials{SecretAccessKey: "x", SessionToken: "a\nb"})}, events.ReasonBadConfig},
		{"no token", bedrock.Config{Token: func(context.Context) (providers.Secret, error) { return "", nil }}, events.ReasonAuth},
	} {
		answer := ok(hello())
		m := model(t, c.config, answer)
		for range 2 {
			end := last(t, slices.Collect(m.Stream(t.Context(), ask())))
			f, failed := end.Failure()
			require.Equal(t, c.want != "", failed, "%s: %v", c.why, end)
			if failed {
				assert.Equal(t, c.want, f.Reason, c.why)
				assert.Equal(t, events.NotSent, f.Sent, c.why)
				assert.NotContains(t, f.Error(), "canary", c.why)
				assert.Empty(t, answer.Requests(), c.why)
			}
		}
	}
	assert.Equal(t, 4, asked)
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why    string
		config bedrock.Config
	}{
		{"no model", bedrock.Config{Region: "us-east-1", Key: "k"}},
		{"no region", bedrock.Config{Model: "m", Key: "k"}},
		{"a region that is another host", bedrock.Config{Model: "m", Region: "evil.example/"}},
		{"two credentials", bedrock.Config{Model: "m", Region: "r", Key: "k", Credentials: bedrock.StaticCredentials(keys())}},
		{"a key over plain http", bedrock.Config{Model: "m", Region: "r", Key: "k", BaseURL: "http://example.com"}},
		{"a signature over plain http", bedrock.Config{Model: "m", Region: "r", Credentials: bedrock.StaticCredentials(keys()), BaseURL: "http://example.com"}},
		{"a key with the line end of its file", bedrock.Config{Model: "m", Region: "r", Key: "canary-key\n"}},
		{"an API that is none", bedrock.Config{Model: "m", Region: "r", API: 9}},
		{"system tools in a language that has none", bedrock.Config{Model: "m", Region: "r", API: bedrock.InvokeMessages, SystemTools: []string{"nova_grounding"}}},
	} {
		_, err := bedrock.New(c.config)
		f, isFailure := events.AsFailure(err)
		require.True(t, isFailure, c.why)
		assert.Equal(t, events.InvalidRequest, f.Kind, c.why)
		assert.Equal(t, events.ReasonBadConfig, f.Reason, c.why)
		assert.Equal(t, events.NotSent, f.Sent, c.why)
	}
}

func TestNameAndRegion(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "bedrock:us.amazon.nova-2-lite-v1:0", model(t, bedrock.Config{}, nil).Name())
	assert.Equal(t, "mine", model(t, bedrock.Config{Name: "mine"}, nil).Name())
	answer := ok(hello())
	drain(model(t, bedrock.Config{Region: "cn-north-1", Model: "m"}, answer).Stream(t.Context(), ask()))
	assert.Equal(t, "https://bedrock-runtime.cn-north-1.amazonaws.com.cn/model/m/converse-stream", answer.Requests()[0].URL)
	assert.Equal(t, request.Spec{Images: request.No}, model(t, bedrock.Config{Spec: &request.Spec{Images: request.No}}, nil).Spec())
}

// The provider's own tools go with every request.
func TestSystemTools(t *testing.T) {
	t.Parallel()
	answer := ok(hello())
	drain(model(t, bedrock.Config{SystemTools: []string{"nova_grounding"}}, answer).Stream(t.Context(), ask()))
	assert.Contains(t, string(answer.Requests()[0].Body), `"toolConfig":{"tools":[{"systemTool":{"name":"nova_grounding"}}]}`)
}

// No credential reaches a printer, a failure or an event, and a refusal for want of
// one says that there is none.
func TestCredentialsStayHidden(t *testing.T) {
	t.Parallel()
	const key = "canary-key-5f1d"
	c := keys()
	secrets := []string{key, string(c.SecretAccessKey), string(c.SessionToken)}
	refusal := []byte(`{"message":"no: ` + strings.Join(secrets, " ") + `"}`)
	for _, config := range []bedrock.Config{{Key: key}, {Credentials: bedrock.StaticCredentials(c)}, {}} {
		if config.Key == "" && config.Credentials == nil {
			refusal = []byte(`{"message":"no"}`)
		}
		rt := &canned.Transport{Status: 403, Header: http.Header{"Content-Type": {"application/json"}, "X-Amzn-Errortype": {"UnrecognizedClientException:x"}}, Body: refusal}
		m := model(t, config, rt)
		printed := canned.Printed(slices.Collect(m.Stream(t.Context(), ask())), config, &config, m, *m, c)
		switch {
		case config.Key != "":
			assert.NotContains(t, printed, key)
		case config.Credentials != nil:
			assert.NotContains(t, printed, string(c.SecretAccessKey))
			assert.NotContains(t, printed, string(c.SessionToken))
		default:
			assert.Contains(t, printed, "no key is configured")
		}
		assert.Contains(t, printed, "UnrecognizedClientException")
	}
}

// Every way out of the loop, at every event, closes the body once.
func TestLeavingClosesTheBody(t *testing.T) {
	t.Parallel()
	canned.Left(t, func() *canned.Transport { return ok(hello()) }, func(client *http.Client) providers.Model {
		return model(t, bedrock.Config{}, client.Transport)
	})
}

// Errors are Bedrock's in either language.
func TestRefusal(t *testing.T) {
	t.Parallel()
	for _, api := range []bedrock.API{bedrock.Converse, bedrock.InvokeMessages} {
		rt := &canned.Transport{Status: 400, Header: http.Header{"X-Amzn-Errortype": {"ThrottlingException:x"}}, Body: []byte(`{"message":"slow"}`)}
		f, failed := last(t, slices.Collect(model(t, bedrock.Config{API: api, Key: "k-1234"}, rt).Stream(t.Context(), ask()))).Failure()
		require.True(t, failed)
		assert.Equal(t, events.RateLimited, f.Kind)
		assert.Equal(t, "ThrottlingException", f.ProviderCode)
		assert.Equal(t, "slow", f.Detail)
	}
}
