package canned

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/request"
)

// Everything holds an adapter to a folder of its family: request.json there, with every
// feature set, goes out as want.json, which has a line end of its own. The model has the
// spec with which that was written.
func Everything(t *testing.T, dir string, model func(*http.Client, *request.Spec) providers.Model) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "request.json"))
	require.NoError(t, err)
	var r request.Request
	require.NoError(t, json.Unmarshal(text, &r))
	rt := &Transport{Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: []byte("data: [DONE]\n\n")}
	spec := request.Spec{CacheMarkers: request.Yes, CacheLong: request.Yes}
	for range model(&http.Client{Transport: rt}, &spec).Stream(t.Context(), r) {
	}
	require.Len(t, rt.Requests(), 1)
	Golden(t, filepath.Join(dir, "want.json"), append(rt.Requests()[0].Body, '\n'), false)
}
