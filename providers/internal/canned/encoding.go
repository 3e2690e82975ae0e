package canned

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Encoded holds the body that encode makes to testdata/encode/name.json, which
// has a line end of its own: it is JSON, and made twice it is the same bytes.
func Encoded(t *testing.T, name string, update bool, encode func() ([]byte, error)) {
	t.Helper()
	got, err := encode()
	require.NoError(t, err)
	require.True(t, json.Valid(got), "%s", got)
	again, err := encode()
	require.NoError(t, err)
	require.Equal(t, string(got), string(again), "the same request gives the same bytes")
	golden(t, filepath.Join("testdata", "encode", name+".json"), append(got, '\n'), update)
}
