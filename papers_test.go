package weir_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNoKey looks for credentials in every text file. A key-shaped text passes when
// it says itself that it is invented.
func TestNoKey(t *testing.T) {
	t.Parallel()
	require.NoError(t, filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == ".tmp"):
			return filepath.SkipDir
		case d.IsDir():
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if bytes.IndexByte(text, 0) >= 0 {
			return nil // a program that was built here
		}
		assert.Empty(t, keysIn(string(text)), "%s holds what looks like a key", name)
		return nil
	}))
}

// keysIn returns the texts that have the shape of a key and do not say that they
// are invented. A cheap look for the shapes' beginnings comes first: most files
// have none.
func keysIn(text string) []string {
	if !slices.ContainsFunc(keyBeginnings(), func(b string) bool { return strings.Contains(text, b) }) {
		return nil
	}
	shape := regexp.MustCompile(`\b(sk-[A-Za-z0-9_-]{20,}|gsk_[A-Za-z0-9]{20,}|xai-[A-Za-z0-9]{20,}|AIza[A-Za-z0-9_-]{35}|A[KS]IA[A-Z0-9]{16}|hf_[A-Za-z0-9]{30,}|gh[pousr]_[A-Za-z0-9]{30,})|-----BEGIN [A-Z ]*PRIVATE KEY-----`)
	invented := regexp.MustCompile(`(?i)test|canary|example|invented|fake|dummy|secret|placeholder|redacted|x{4}|0123456789|abcdef`)
	return slices.DeleteFunc(shape.FindAllString(text, -1), invented.MatchString)
}

// keyBeginnings returns how keys begin, as the vendors' key pages show them, read
// 2026-11-30: OpenAI, Anthropic and OpenRouter, Groq, xAI, Google, AWS, Hugging
// Face, GitHub, PEM.
func keyBeginnings() []string {
	return []string{"sk-", "gsk_", "xai-", "AIza", "AKIA", "ASIA", "hf_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "-----BEGIN "}
}

func TestKeysAreFound(t *testing.T) {
	t.Parallel()
	for _, key := range []string{
		"sk-" + "proj-" + strings.Repeat("Zq7", 10),
		"AI" + "za" + strings.Repeat("Zq7_-", 7),
		"AK" + "IA" + strings.Repeat("Z7Q9", 4),
		"-----BEGIN RSA " + "PRIVATE KEY-----",
	} {
		assert.Equal(t, []string{key}, keysIn("key: "+key+"."))
	}
	assert.Empty(t, keysIn("sk-"+"ant-canary-1234567890abcdef"), "an invented key that says so")
	assert.Empty(t, keysIn("task-of-a-very-long-name-in-some-text"), "a word that ends in sk")
}

// TestWorkspace wants every module in go.work: go test work tests no other.
func TestWorkspace(t *testing.T) {
	t.Parallel()
	work, err := os.ReadFile("go.work")
	require.NoError(t, err)
	used := regexp.MustCompile(`(?m)^\s+(\S+)$`).FindAllStringSubmatch(string(work), -1)
	var folders, modules []string
	for _, m := range used {
		folders = append(folders, filepath.Clean(m[1]))
	}
	require.NoError(t, filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && isSkipped(d.Name()) {
			return filepath.SkipDir
		}
		if err == nil && d.Name() == "go.mod" {
			modules = append(modules, filepath.Dir(name))
		}
		return err
	}))
	assert.ElementsMatch(t, modules, folders)
}
