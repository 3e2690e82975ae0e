package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestShelf finds what was recorded in the meantime, and nothing else.
func TestShelf(t *testing.T) {
	t.Parallel()
	moment := time.Now().Truncate(time.Second)
	put := func(t *testing.T, file, text string, at time.Time) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	rows := []struct {
		why   string
		do    func(t *testing.T, dir string)
		added []string
	}{
		{"nothing", func(*testing.T, string) {}, nil},
		{"a new one", func(t *testing.T, dir string) { put(t, filepath.Join(dir, "b-1.json"), "", moment) }, []string{"b-1.json"}},
		{"a body in JSON", func(t *testing.T, dir string) { put(t, filepath.Join(dir, "b-1.body-2.json"), "", moment) }, nil},
		{"a body", func(t *testing.T, dir string) { put(t, filepath.Join(dir, "b-1.body-2.sse"), "", moment) }, nil},
		{"another in its place, within a tick of the clock", func(t *testing.T, dir string) {
			put(t, filepath.Join(dir, "new"), "", moment)
			if err := os.Rename(filepath.Join(dir, "new"), filepath.Join(dir, "a-1.json")); err != nil {
				t.Fatal(err)
			}
		}, []string{"a-1.json"}},
		{"another in its place, by a number that was used before", func(t *testing.T, dir string) {
			put(t, filepath.Join(dir, "a-1.json"), "", moment.Add(time.Second))
		}, []string{"a-1.json"}},
		{"one that is gone", func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, "a-1.json")); err != nil {
				t.Fatal(err)
			}
		}, nil},
	}
	for _, row := range rows {
		dir := t.TempDir()
		put(t, filepath.Join(dir, "a-1.json"), "", moment)
		before, err := shelfOf(dir)
		if err != nil {
			t.Fatal(err)
		}
		row.do(t, dir)
		after, err := shelfOf(dir)
		if err != nil {
			t.Fatal(err)
		}
		if got := before.added(after); !slices.Equal(got, row.added) {
			t.Errorf("%s: got %q", row.why, got)
		}
	}
}
