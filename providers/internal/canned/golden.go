package canned

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Encoded holds the body that encode makes to testdata/encode/name.json, which
// has a line end of its own; see [Body].
func Encoded(t *testing.T, name string, update bool, encode func() ([]byte, error)) {
	t.Helper()
	Golden(t, filepath.Join("testdata", "encode", name+".json"), append(Body(t, encode), '\n'), update)
}

// Body returns the body that encode makes: it is JSON, and made twice it is the
// same bytes.
func Body(t *testing.T, encode func() ([]byte, error)) []byte {
	t.Helper()
	got, err := encode()
	require.NoError(t, err)
	require.True(t, json.Valid(got), "%s", got)
	again, err := encode()
	require.NoError(t, err)
	require.Equal(t, string(got), string(again), "the same request gives the same bytes")
	return got
}

// Golden compares a file with what it should hold, or with update rewrites it.
func Golden(t *testing.T, file string, got []byte, update bool) {
	t.Helper()
	if update {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, got, 0o600))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}
