package bedrock_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/bedrock"
	"github.com/weirsdk/weir/providers/internal/canned"
)

// lists answers the addresses of the control plane.
type lists map[string]string

func (l lists) RoundTrip(r *http.Request) (*http.Response, error) {
	body, known := l[r.URL.String()]
	status := http.StatusOK
	if !known {
		status, body = http.StatusNotFound, `{"message":"`+r.URL.String()+`"}`
	}
	return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body))}, nil
}

// The models come before the profiles, which come in pages.
func TestListModels(t *testing.T) {
	t.Parallel()
	for region, domain := range map[string]string{"us-west-2": "us-west-2.amazonaws.com", "cn-north-1": "cn-north-1.amazonaws.com.cn"} {
		base := "https://bedrock." + domain
		m := model(t, bedrock.Config{Region: region, Key: "canary-key"}, lists{
			base + "/foundation-models":                                       `{"modelSummaries":[{"modelId":"amazon.nova-2-lite-v1:0","modelName":"Nova 2 Lite"}]}`,
			base + "/inference-profiles?maxResults=1000":                      `{"inferenceProfileSummaries":[{"inferenceProfileId":"us.a","inferenceProfileName":"A"}],"nextToken":"x+/="}`,
			base + "/inference-profiles?maxResults=1000&nextToken=x%2B%2F%3D": `{"inferenceProfileSummaries":[{"inferenceProfileId":"us.b"}]}`,
		})
		lister, isLister := providers.As[providers.ModelLister](m)
		require.True(t, isLister)
		all, err := lister.ListModels(t.Context())
		require.NoError(t, err)
		var ids, names []string
		for _, info := range all {
			ids, names = append(ids, info.ID), append(names, info.Name)
		}
		assert.Equal(t, []string{"amazon.nova-2-lite-v1:0", "us.a", "us.b"}, ids)
		assert.Equal(t, []string{"Nova 2 Lite", "A", ""}, names)
	}
}

// Every page is signed as it is sent, and a gateway is asked in AWS's stead.
func TestListModelsIsSigned(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var complaints, paths []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		complaints, paths = append(complaints, verify(r)...), append(paths, r.Method+" "+r.URL.String())
		w.Header().Set("Content-Type", "application/json")
		if strings.Contains(r.URL.RawQuery, "nextToken") || strings.HasPrefix(r.URL.Path, "/foundation") {
			_, _ = io.WriteString(w, `{"modelSummaries":[{"modelId":"m"}]}`)
			return
		}
		_, _ = io.WriteString(w, `{"inferenceProfileSummaries":[{"inferenceProfileId":"p"}],"nextToken":"n+1"}`)
	}))
	defer server.Close()
	for _, config := range []bedrock.Config{{BaseURL: server.URL}, {BaseURL: "http://127.0.0.1:1", ControlURL: server.URL + "/"}} {
		config.Credentials = bedrock.StaticCredentials(keys())
		all, err := model(t, config, http.DefaultTransport).ListModels(t.Context())
		require.NoError(t, err)
		assert.Len(t, all, 3)
	}
	mu.Lock()
	defer mu.Unlock()
	assert.Empty(t, complaints)
	const first, second = "GET /inference-profiles?maxResults=1000", "GET /inference-profiles?maxResults=1000&nextToken=n%2B1"
	assert.Equal(t, []string{"GET /foundation-models", first, second, "GET /foundation-models", first, second}, paths)
	http.DefaultTransport.(interface{ CloseIdleConnections() }).CloseIdleConnections()
}

// Failures are of the same kinds as those of a stream, and tell no credential.
func TestListModelsFails(t *testing.T) {
	t.Parallel()
	rt := &canned.Transport{Status: 403, Header: http.Header{"X-Amzn-Errortype": {"AccessDeniedException"}}, Body: []byte(`{"message":"no canary-key"}`)}
	_, err := model(t, bedrock.Config{Key: "canary-key"}, rt).ListModels(t.Context())
	f, isFailure := events.AsFailure(err)
	require.True(t, isFailure)
	assert.Equal(t, events.ReasonPermission, f.Reason)
	assert.Equal(t, events.Answered, f.Sent)
	assert.NotContains(t, f.Error(), "canary")
	assert.Len(t, rt.Requests(), 1, "the second list is not asked for")

	_, err = model(t, bedrock.Config{Token: tokenless}, rt).ListModels(t.Context())
	require.ErrorIs(t, err, &events.Failure{Kind: events.Rejected, Reason: events.ReasonAuth})
	_, err = bedrock.New(bedrock.Config{Model: "m", Region: "r", Key: "k", ControlURL: "http://example.com"})
	require.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadConfig})
}

func tokenless(context.Context) (providers.Secret, error) { return "", nil }
