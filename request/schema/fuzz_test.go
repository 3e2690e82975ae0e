package schema_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/request/schema"
)

// FuzzRewrite feeds any text to every profile: nothing panics or runs away, a
// result is JSON that rewriting leaves alone, and a refusal is typed.
func FuzzRewrite(f *testing.F) {
	for _, text := range seeds(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range schema.Profiles() {
			got, err := schema.Rewrite(text, p, schema.Options{})
			if err != nil {
				wantUnsupported(t, err)
				continue
			}
			require.True(t, json.Valid([]byte(got.Schema)), got.Schema)
			again, err := schema.Rewrite(got.Schema, p, schema.Options{})
			require.NoError(t, err, got.Schema)
			require.Equal(t, got.Schema, again.Schema)
		}
	})
}

// FuzzStrip feeds any schema and answer: what comes back is the answer, or JSON
// that stripping leaves alone.
func FuzzStrip(f *testing.F) {
	for _, text := range seeds(f) {
		f.Add(text, `{"a":null,"o":null,"rows":[{"x":null}],"root":{"v":null,"kids":[{"v":null}]}}`)
	}
	f.Fuzz(func(t *testing.T, text, answer string) {
		got := schema.Strip(text, answer)
		if got == answer {
			return
		}
		require.True(t, json.Valid([]byte(got)), got)
		assert.Less(t, len(got), len(answer))
	})
}

func seeds(f *testing.F) []string {
	f.Helper()
	files, err := filepath.Glob("testdata/cases/*/schema.in.json")
	require.NoError(f, err)
	require.NotEmpty(f, files)
	texts := []string{
		`{"$ref":"#/$defs/R","$defs":{"R":{"type":"object","allOf":[{"$ref":"#/$defs/R"},{"$ref":"#"}]}}}`,
		`{"type":"object","properties":{"p":{"type":["object","null"],"anyOf":[{"required":["a"]},{"$ref":"#"}],"oneOf":[true]}}}`,
		`{"type":"object","properties":{"p":{"enum":["a",null,1,[1]],"const":null,"items":[{}],"prefixItems":[]}}}`,
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(f, err)
		texts = append(texts, string(text))
	}
	return texts
}
