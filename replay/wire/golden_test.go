package wire_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/request"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// assertGolden compares what is in a folder with the golden one.
func assertGolden(t *testing.T, dir, golden string) {
	t.Helper()
	got := tree(t, dir)
	if *update {
		require.NoError(t, os.RemoveAll(golden))
		require.NoError(t, os.MkdirAll(golden, 0o755))
		for name, text := range got {
			require.NoError(t, os.WriteFile(filepath.Join(golden, name), []byte(text), 0o644))
		}
	}
	assert.Equal(t, tree(t, golden), got)
}

// TestFilesReadWell pins the form of the files, and with their names the keys.
func TestFilesReadWell(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := &script{reads: []string{"data: 1\n\n", "data: <2>\n\n"}}
	rec := recorder(dir, s)
	r := postTo("https://api.example.com/v1/chat/completions?alt=sse&key=0123456789",
		`{"model":"m","temperature":0.10,"messages":[{"role":"user","content":"<hi>"}],"ids":[1,2]}`)
	r.Header.Set("Authorization", "Bearer "+testKey)
	drain(t, rec, r)
	s.err = errBroke
	_, err := rec.RoundTrip(postTo("http://127.0.0.1:4321/api/tags", "plain text"))
	require.Equal(t, errBroke, err)
	assertGolden(t, dir, filepath.Join("testdata", "files"))
}

// TestExampleRecording keeps what the examples play as an adapter asks for it.
func TestExampleRecording(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rec := recorder(dir, &script{reads: []string{
		"data: {\"id\":\"c1\",\"model\":\"gpt-4o\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi \"}}]}\n\n",
		"data: {\"id\":\"c1\",\"model\":\"gpt-4o\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"there.\"}}]}\n\n",
		"data: {\"id\":\"c1\",\"model\":\"gpt-4o\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
	}})
	m := model(t, "openai", "https://api.openai.com", testKey, rec)
	for range m.Stream(t.Context(), request.Request{Messages: []request.Message{request.UserText("Hello")}}) {
	}
	assertGolden(t, dir, filepath.Join("testdata", "example"))
}
