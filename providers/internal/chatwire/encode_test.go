package chatwire_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/chatwire"
	"github.com/weirsdk/weir/request"
)

type encodeCase struct {
	name                  string
	Vendor, Model, Reason string
	request               request.Request
}

func encodeCases(tb testing.TB) []encodeCase {
	tb.Helper()
	dirs, err := filepath.Glob("testdata/encode/*")
	require.NoError(tb, err)
	require.NotEmpty(tb, dirs)
	var cases []encodeCase
	for _, dir := range dirs {
		c := encodeCase{name: filepath.Base(dir)}
		text, err := os.ReadFile(filepath.Join(dir, "case.json"))
		require.NoError(tb, err)
		require.NoError(tb, json.Unmarshal(text, &c), dir)
		require.NotEmpty(tb, c.Reason, dir)
		text, err = os.ReadFile(filepath.Join(dir, "request.json"))
		require.NoError(tb, err)
		require.NoError(tb, json.Unmarshal(text, &c.request), dir)
		if c.Vendor == "without" {
			c.request.Options.Without = []string{request.FeatureMaxTokensField, request.FeatureStreamOptions}
		}
		cases = append(cases, c)
	}
	return cases
}

func TestEncodeGolden(t *testing.T) {
	t.Parallel()
	for _, c := range encodeCases(t) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			profile := chatwire.ProfileFor(c.Vendor)
			got := canned.Body(t, func() ([]byte, error) {
				call, decoder, err := chatwire.Prepare(c.request, c.Model, request.Spec{}, profile)
				assert.NotNil(t, decoder, c.Reason)
				return call.Body, err
			})
			canned.Golden(t, filepath.Join("testdata/encode", c.name, "want.json"), got, *update)
		})
	}
}

// OpenAI takes files by their bytes alone at Chat Completions, others by address.
func TestFileByAddress(t *testing.T) {
	t.Parallel()
	body := func(vendor string, b request.Block) (string, error) {
		r := request.Request{Messages: []request.Message{request.User(b)}}
		call, _, err := chatwire.Prepare(r, "m", request.Spec{}, chatwire.ProfileFor(vendor))
		return string(call.Body), err
	}
	file := request.Block{Kind: request.BlockFile, Name: "a.pdf", MediaType: "application/pdf"}
	inline, linked := file, file
	inline.Data, linked.URL = []byte{1}, "https://a.test/a.pdf"

	_, err := body("openai", linked)
	refused, ok := events.AsFailure(err)
	require.True(t, ok)
	assert.Equal(t, events.InvalidRequest, refused.Kind)
	assert.Equal(t, events.ReasonUnsupported, refused.Reason)
	text, err := body("openai", inline)
	require.NoError(t, err)
	assert.Contains(t, text, `"file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,AQ=="}`)
	for _, vendor := range []string{"openrouter", "mistral"} {
		text, err := body(vendor, linked)
		require.NoError(t, err, vendor)
		assert.Contains(t, text, `"https://a.test/a.pdf"`, vendor)
	}
}

func TestEncodeRefuses(t *testing.T) {
	t.Parallel()
	user := request.UserText("hi")
	answered := func(m request.Message) request.Request {
		return request.Request{Messages: []request.Message{user, m, user}}
	}
	extra := func(text string) request.Request {
		return request.Request{Messages: []request.Message{user}, Extra: map[string]string{chatwire.ExtraKey: text}}
	}
	data := func(format, origin, value string) request.Request {
		m := request.AssistantText("a")
		m.Data = events.ProviderData{Format: format, Origin: origin, Value: value}
		return answered(m)
	}
	tests := []struct {
		why    string
		req    request.Request
		reason events.Reason
	}{
		{"extra cannot replace the messages", extra(`{"messages":[]}`), events.ReasonBadParameter},
		{"extra cannot replace the tools", extra(`{"tools":[]}`), events.ReasonBadParameter},
		{"extra cannot replace the model", extra(`{"model":"x"}`), events.ReasonBadParameter},
		{"extra cannot turn streaming off", extra(`{"stream":false}`), events.ReasonBadParameter},
		{"extra is a JSON object", extra(`[1]`), events.ReasonBadParameter},
		{"audio has no address on this wire", request.Request{Messages: []request.Message{
			request.User(request.Block{Kind: request.BlockAudio, MediaType: "audio/wav", URL: "https://a.test/a.wav"}),
		}}, events.ReasonUnsupported},
		{"data of another family", data("messages.v1", "deepseek", `{}`), events.ReasonForeignData},
		{"data of another provider", data(chatwire.Format, "openrouter", `{"reasoning_details":[]}`), events.ReasonForeignData},
		{"data that would replace the content", data(chatwire.Format, "deepseek", `{"content":"x"}`), events.ReasonForeignData},
		{"data that is no object", data(chatwire.Format, "deepseek", `x`), events.ReasonForeignData},
	}
	for _, tt := range tests {
		call, _, err := chatwire.Prepare(tt.req, "m", request.Spec{}, chatwire.ProfileFor("deepseek"))
		f, ok := events.AsFailure(err)
		require.True(t, ok, tt.why)
		assert.Nil(t, call.Body, tt.why)
		assert.Equal(t, events.InvalidRequest, f.Kind, tt.why)
		assert.Equal(t, tt.reason, f.Reason, "%s: %v", tt.why, f)
	}
}

// A budget that the wire has no word for is left out, and told.
func TestEncodeBudgetWithoutAWord(t *testing.T) {
	t.Parallel()
	r := request.Request{Messages: []request.Message{request.UserText("hi")}, ThinkingBudget: new(100)}
	call, _, err := chatwire.Prepare(r, "m", request.Spec{}, chatwire.ProfileFor("openai"))
	require.NoError(t, err)
	assert.NotContains(t, string(call.Body), "100")
	require.Len(t, call.Notices, 1)
	assert.Equal(t, events.NoticeParameterDropped, call.Notices[0].Code)
}

// What a reply was given comes back in the next request, byte for byte.
func TestContinuation(t *testing.T) {
	t.Parallel()
	wire, err := os.ReadFile("testdata/decode/reasoning-details-signed/wire.sse")
	require.NoError(t, err)
	profile := chatwire.ProfileFor("openrouter")
	list := playAll(t, wire, profile)
	c, ok := list[len(list)-1].Completion()
	require.True(t, ok)
	m := request.AssistantText("ok")
	m.Data = c.Data
	call, _, err := chatwire.Prepare(request.Request{
		Messages: []request.Message{request.UserText("q"), m, request.UserText("go on")},
	}, "m", request.Spec{}, profile)
	require.NoError(t, err)
	assert.Contains(t, string(call.Body), `"content":"ok",`+c.Data.Value[1:])
}
