package main

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestEncode(t *testing.T) {
	t.Parallel()
	request := filepath.Join("testdata", "request.json")
	rows := []struct {
		why    string
		golden string
		args   []string
	}{
		{"the family's first provider", "encode-openai.golden", []string{"--api", "openai-chat", "--model", "gpt-4.1"}},
		{"a vendor with a row", "encode-groq.golden", []string{"--api", "openai-chat", "--vendor", "groq", "--model", "llama-3.3-70b-versatile"}},
		{"a vendor of its own adapter", "encode-openrouter.golden", []string{"--api", "openai-chat", "--vendor", "openrouter", "--model", "openai/gpt-4.1"}},
		{"system and results are spelled in another way", "encode-anthropic.golden", []string{"--api", "anthropic-messages", "--model", "claude-sonnet-4-5"}},
		{"arguments are an object", "encode-ollama.golden", []string{"--api", "ollama-chat", "--model", "llama3.2"}},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			got := weir(t, append(append([]string{"encode"}, row.args...), request)...)
			if got.status != exitOK || got.err != "" {
				t.Errorf("status %d, said %q", got.status, got.err)
			}
			if strings.Contains(got.out, `\u003c`) || strings.HasSuffix(got.out, "\n") {
				t.Error("not the exact body: it is HTML-escaped or has a line end")
			}
			golden(t, row.golden, got.out)
			shown := weirOn(t, console{in: strings.NewReader(""), terminal: true}, append(append([]string{"encode"}, row.args...), request)...)
			if shown.out != got.out+"\n" {
				t.Error("on a terminal the body has no line end after it")
			}
		})
	}
}

// TestEncodeRefuses shows a request that no adapter sends: nothing on the
// output, one line that says why.
func TestEncodeRefuses(t *testing.T) {
	t.Parallel()
	for _, api := range []string{"openai-chat", "anthropic-messages", "ollama-chat"} {
		file := write(t, "empty.json", `{"messages": []}`)
		got := weir(t, "encode", "--api", api, "--model", "m", file)
		if got.status != exitFailed || got.out != "" || strings.Count(got.err, "\n") != 1 || !strings.Contains(got.err, "refused") {
			t.Errorf("%s: status %d, printed %q, said %q", api, got.status, got.out, got.err)
		}
	}
}
