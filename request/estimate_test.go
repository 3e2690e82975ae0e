package request_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/request"
)

func TestEstimateOfText(t *testing.T) {
	t.Parallel()
	for _, req := range []request.Request{{}, asks(), tuned(t), asks(request.AssistantText(strings.Repeat("é<", 1000)))} {
		canonical, err := req.Canonical()
		require.NoError(t, err)
		assert.Equal(t, int64(len(canonical))/3+1, req.EstimateInputTokens())
	}
}

func TestEstimateOfMedia(t *testing.T) {
	t.Parallel()
	// Types that are as long as the URLs make the remaining JSON small and equal.
	estimate := func(b request.Block) int64 {
		return request.Request{Messages: []request.Message{request.User(b)}}.EstimateInputTokens()
	}
	for _, row := range []struct {
		why  string
		b    request.Block
		want int64 // without the JSON around it, which is at most 40 tokens
	}{
		{"a small image", png(1), request.EstimatedImage},
		{"a large image costs no more", png(1 << 20), request.EstimatedImage},
		{"an image by URL", request.ImageURL("https://x.test/a.png"), request.EstimatedImage},
		{"a file by its bytes", request.FileBytes("a", "text/plain", make([]byte, 3<<20)), 1<<20 + 1},
		{"a file by URL", request.FileURL("a", "", "https://x.test/a"), request.EstimatedRemote},
		{"a clip by its bytes", request.AudioBytes("audio/wav", make([]byte, 16<<20)), 1<<20 + 1},
		{"an image as result", request.ResultBlocks("c", png(1)), request.EstimatedImage},
	} {
		got := estimate(row.b)
		assert.Greater(t, got, row.want, row.why)
		assert.LessOrEqual(t, got, row.want+60, row.why)
	}
	two := request.Request{Messages: []request.Message{request.User(png(1), png(1))}}
	assert.Greater(t, two.EstimateInputTokens(), int64(2*request.EstimatedImage))
}

func TestEstimateDependsOnTheCanonicalPartOnly(t *testing.T) {
	t.Parallel()
	req := full(t)
	want := req.EstimateInputTokens()
	req.Correlation, req.Foreign, req.Options = request.Correlation{Run: strings.Repeat("r", 1000)}, "", request.Options{}
	assert.Equal(t, want, req.EstimateInputTokens())
}

func TestEstimateOfAnInvalidRequest(t *testing.T) {
	t.Parallel()
	req := with(func(r *request.Request) {
		r.Temperature = new(math.NaN())
		r.Extra = map[string]string{"chat": strings.Repeat("{", 300)}
		r.Tools = []request.Tool{{}}
	})
	assert.Greater(t, req.EstimateInputTokens(), int64(100), "counted as it is")
}
